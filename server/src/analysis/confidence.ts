import type { Level } from "../domain/incident.ts";
import { agreementOf } from "./agreement.ts";
import type { Finding } from "./causes.ts";
import { type Fact, firstBlamed, isBad, isOutrun, isTurning, seenAt } from "./facts.ts";
import { isDoubtful } from "./prices.ts";
import { CONFIRMED, LIKELY, WEIGHTS } from "./weights.ts";

/** How fast confidence grows with the margin, in points, between the best story and the next. */
const STEEPNESS = 0.75;
/** A margin, in points, at which the next story is not worth a look. */
const CLEAR = 5;
const NO_CEILING = 0.99;
const LIKELY_AT_MOST = 0.89;
const SUSPECTED_AT_MOST = 0.64;

/** Confidence from how much dearer the best other story is, under the ceiling of its kind of evidence; two decimals. */
export function confidenceOf(finding: Finding): number {
  const confidence = 1 / (1 + Math.exp(-STEEPNESS * finding.margin));
  return Math.round(Math.min(confidence, ceilingOf(finding)) * 100) / 100;
}

/**
 * What each kind of evidence can carry, by how often it was right under noise: three voices that agree confirm; one
 * voice alone, or something below of which nobody speaks, leaves a suspicion.
 */
function ceilingOf({ basis, margin, fact }: Finding): number {
  const callers = fact.blames.filter((blame) => !isDoubtful(blame) || blame.repeats >= WEIGHTS.lasting).length;
  if (basis === "slow" || basis === "zone" || basis === "circle") return SUSPECTED_AT_MOST;
  if (basis === "shared" || basis === "local") return margin >= (basis === "local" ? CLEAR : 3) ? LIKELY_AT_MOST : SUSPECTED_AT_MOST;
  if (basis === "own") {
    const unseen = fact.out.some(({ says, criticality }) => says === "none" && criticality !== "informational");
    if (unseen || callers === 0) return SUSPECTED_AT_MOST;
    const below = fact.out.some(({ to, criticality }) => criticality === "hard" && isUnwell(to));
    return callers < 3 || below ? LIKELY_AT_MOST : NO_CEILING;
  }
  if (fact.ups.length > 0 && margin < CLEAR) return SUSPECTED_AT_MOST;
  const lasts = fact.blames.some(({ repeats }) => repeats >= WEIGHTS.lasting);
  // It is well again by its own word, and they may only be late to notice.
  if (fact.fine && fact.recoveredAt > firstBlamed(fact) && !lasts) return SUSPECTED_AT_MOST;
  const agreement = agreementOf(
    fact.blames.length,
    firstBlamed(fact),
    fact.ups.map((up) => ({ checkedAt: seenAt(up) })),
  );
  if (agreement === "few") return lasts ? LIKELY_AT_MOST : SUSPECTED_AT_MOST;
  if (agreement === "some" && !lasts) return LIKELY_AT_MOST;
  const unheard = fact.out.some(
    ({ to, criticality }) =>
      criticality === "hard" && ((to.silent && !to.ups.some((up) => seenAt(up) >= firstBlamed(fact))) || (fact.silent && isUnwell(to))),
  );
  if (unheard) return SUSPECTED_AT_MOST;
  if (isOutrun(fact) || isTurning(fact)) return LIKELY_AT_MOST;
  return callers < 3 && margin < CLEAR ? LIKELY_AT_MOST : NO_CEILING;
}

/** In trouble by its own word or that of others: it may do more harm than is known of it. */
function isUnwell(fact: Fact): boolean {
  return isBad(fact.state?.status) || fact.blames.length > 0;
}

/** The word for a confidence. */
export function levelOf(confidence: number): Level {
  if (confidence >= CONFIRMED) return "confirmed";
  return confidence >= LIKELY ? "likely" : "suspected";
}
