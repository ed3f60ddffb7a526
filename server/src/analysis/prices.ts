import { effect, type Fact, intervalOf, isBad, isOneRun, type Severity, type Statement } from "./facts.ts";
import { WEIGHTS } from "./weights.ts";

/** The trouble of a node that needs a reason: its own, or what its callers say of it. */
export function needs(fact: Fact): Severity {
  const own = ownTrouble(fact);
  if (own > 0) return own;
  return fact.downs > 0 ? 2 : 1;
}

/**
 * Trouble by its own report: its word where it admits any, else what its dependencies make of it; without the part that
 * only waits for a recovered dependency to be noticed.
 */
export function ownTrouble(fact: Fact): Severity {
  const trouble = fact.word === null || fact.word === 0 ? fact.trouble : (Math.min(fact.word, fact.trouble) as Severity);
  return trouble > fact.implied && trouble <= fact.outdated ? fact.implied : trouble;
}

/** Its report is worse than the dependencies that it lists. */
export function hasOwnFault(fact: Fact): boolean {
  return ownTrouble(fact) > fact.implied;
}

/** In trouble by its own word, or beyond what its listed dependencies explain; a report that contradicts itself is not enough. */
export function mustBeExplained(fact: Fact): boolean {
  return ownTrouble(fact) > 0 && (fact.word !== 0 || hasOwnFault(fact));
}

/** It calls itself healthy and has lost only what it needs softly: it copes, which is what soft means. */
export function isCoping(fact: Fact): boolean {
  return (
    fact.word === 0 && fact.implied === 1 && !hasOwnFault(fact) && !fact.bad.some((one) => one.criticality === "hard" && effect(one) > 0)
  );
}

/** Its reporter needs the node, has no other left, and yet calls itself better off than that allows. */
export function isDoubtful(statement: Statement): boolean {
  const { word } = statement.from;
  return word !== null && effect(statement) > word && statement.criticality === statement.link.declared.criticality;
}

/**
 * What it costs to take a bad statement for a mistake. `beside`: when another, explained reason for its reporter's trouble
 * began; null without one.
 */
export function dismissal(statement: Statement, beside: number | null = null): number {
  const repeated = WEIGHTS.repeated * Math.min(Math.max(0, statement.repeats - 1), WEIGHTS.repeatsCounted);
  if (statement.criticality === "informational") return WEIGHTS.dismissedInformational + repeated;
  if (isDoubtful(statement)) return WEIGHTS.dismissedDoubtful + repeated;
  if (beside === null) return WEIGHTS.dismissed;
  const later = statement.badSince > beside + intervalOf(statement.from) / 2;
  return (later ? WEIGHTS.dismissedBeside : WEIGHTS.dismissedTogether) + repeated + (statement.to.silent ? WEIGHTS.silentTarget : 0);
}

/** What it costs to call a node a cause, by the best evidence there is for it. */
export function opening(fact: Fact, announced: ReadonlySet<string>): number {
  if (announced.has(fact.vertex.id)) return WEIGHTS.announcedFault;
  if (hasOwnFault(fact) || brokeAlone(fact)) return WEIGHTS.ownFault;
  if (ownTrouble(fact) > 0) return WEIGHTS.localFault;
  return fact.blames.length > 0 ? WEIGHTS.blamedFault : WEIGHTS.hiddenFault;
}

/** It was in trouble before any of what it reports bad now: then its report was worse than all that it listed. */
function brokeAlone({ bad, trouble }: Fact): boolean {
  if (trouble === 0) return false;
  let felt = false;
  for (const statement of bad) {
    if (statement.says === "outdated" || effect(statement) === 0) continue;
    if (!brokeBefore(statement)) return false;
    felt = true;
  }
  return felt;
}

/** Its reporter could not resolve the name, so it asked nobody. */
function isUnresolved({ state }: Statement): boolean {
  return state?.category === "dns";
}

/** What speaks against trouble of a node that only its callers report. */
export function contradiction(fact: Fact): number {
  const doubtful = fact.blames.filter((blame) => isDoubtful(blame) && blame.repeats < WEIGHTS.lasting).length;
  return (
    Math.min(WEIGHTS.seenUp * fact.upWeight, WEIGHTS.seenUpAtMost) +
    (fact.fine ? WEIGHTS.saysHealthy + (fact.blames.every(isUnresolved) ? WEIGHTS.neverAsked : 0) : 0) +
    WEIGHTS.doubtfulWitness * doubtful
  );
}

/** How bad a node is as this caller meets it: by its own word, and by that of most who speak of it. */
function gives(statement: Statement): Severity {
  const { to, says } = statement;
  if (says === "down") return 2;
  const said: Severity = says === "degraded" ? 1 : 0;
  const own = ownTrouble(to);
  if ((own === 0 && to.blames.length === 0) || to.implied === 2) return 2;
  // Whether its own "up" was mistaken is the question here.
  const ups = to.ups.length - (says === "up" ? 1 : 0);
  const witnessed: Severity = to.downs > 0 && (own === 0 || to.downs > ups) ? 2 : 1;
  return Math.max(own, said, to.blames.length > 0 ? witnessed : 0) as Severity;
}

function isDown(fact: Fact): boolean {
  return ownTrouble(fact) === 2 || fact.downs > 0;
}

/** All its soft dependencies are down together, and none of its hard ones. */
function allSoftDown(fact: Fact): boolean {
  let soft = 0;
  for (const statement of fact.out) {
    if (statement.criticality === "hard" && effect(statement) > 0) return false;
    if (statement.criticality !== "soft") continue;
    if (statement.says !== "down" && (statement.says === "up" || !isDown(statement.to))) return false;
    soft += 1;
  }
  return soft > 0;
}

/**
 * Its reporter was in trouble when it still found the node up, and had not found it bad lately: what comes and goes explains again. Not
 * where it then suffered from something else that it has found up since.
 */
function brokeBefore({ from, window, state }: Statement): boolean {
  if (!from.window || !window || window.lastGood === null) return false;
  if (window.lastGood + intervalOf(from) / 2 < from.window.firstBad) return false;
  return state !== undefined && isOneRun(state.damped.recent) && !sufferedOtherwise(from, window.lastGood);
}

function sufferedOtherwise(fact: Fact, at: number): boolean {
  return fact.out.some(({ criticality, says, state }) => {
    if (criticality === "informational" || says !== "up" || !state || state.damped.since < at) return false;
    return state.damped.recent.some(isBad);
  });
}

/** What it costs to say that a node's trouble comes over this edge; Infinity where the edge cannot carry it. */
export function passage(statement: Statement, needed: Severity): number {
  const { from, to, criticality } = statement;
  if (criticality === "informational") return Number.POSITIVE_INFINITY;
  let carried = gives(statement);
  let price = 0;
  if (criticality === "soft") {
    price += WEIGHTS.softEdge;
    if (needed === 2 && carried === 2 && allSoftDown(from)) price += WEIGHTS.allSoftDown;
    else carried = Math.min(carried, 1) as Severity;
  }
  if (carried < needed) return Number.POSITIVE_INFINITY;
  if (brokeBefore(statement)) price += WEIGHTS.foundUp;
  else if (from.window && to.window && to.window.lastGood !== null && from.window.firstBad <= to.window.lastGood) price += WEIGHTS.tooEarly;
  if (statement.says === "down" || statement.says === "degraded") return price + WEIGHTS.reported;
  const contradicts = statement.says === "up" && carried === 2 && statement.checkedAt >= (to.window?.firstBad ?? Number.POSITIVE_INFINITY);
  return price + (contradicts ? WEIGHTS.contradicted : WEIGHTS.unreported);
}
