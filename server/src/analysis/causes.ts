import type { Cause, CauseKind } from "../domain/incident.ts";
import { causeOf, type Reasons, rootsOf } from "./choose.ts";
import { confidenceOf, levelOf } from "./confidence.ts";
import type { Explanation } from "./explain.ts";
import { type Fact, firstBlamed, intervalOf, type Statement, seenAt } from "./facts.ts";
import { againstOf, decidedByOf, whyOf } from "./narrate.ts";
import { hasOwnFault, mustBeExplained, needs, opening, ownTrouble, passage } from "./prices.ts";
import { WEIGHTS } from "./weights.ts";
import { relief, sideways, troublePrice } from "./witnesses.ts";

/** A cause with what it rests on; `fact` is where to look first. */
export interface Finding {
  fact: Fact;
  kind: CauseKind;
  /** Of a local fault: the statements that speak of it. */
  strays: readonly Statement[];
  zone: string | null;
  instance: string | null;
  basis: "own" | "blamed" | "local" | "shared" | "slow" | "zone" | "circle";
  /** Services that a shared, slow or silent cause is inferred from. */
  from: readonly Fact[];
  /** How much dearer the best other story is, and what it names. */
  margin: number;
  other: { fact: Fact; why: string } | null;
}

/** All causes of an explanation, those that explain most first. */
export function findCauses(story: Explanation): Finding[] {
  const { reasons, reading, shared, local } = story;
  const findings: Finding[] = [];
  const zoned = new Set(story.zones.flatMap(({ members }) => members));
  for (const { cause: fact } of rootsOf(reasons)) {
    if (zoned.has(fact)) continue;
    const strays = local.get(fact);
    const known = shared.get(fact);
    if (known) findings.push(sharedFinding(fact, known.from, known.gain));
    else if (strays && !hasOwnFault(fact)) for (const some of apart(fact, strays)) findings.push(localFinding(story, fact, some));
    else if (mustBeExplained(fact)) findings.push(ownFinding(story, fact));
    else if (reading.active.has(fact)) findings.push(blamedFinding(story, fact));
  }
  for (const [fact, strays] of local)
    if (reasons.get(fact)?.via !== null) for (const some of apart(fact, strays)) findings.push(localFinding(story, fact, some));
  if (story.slow) findings.push({ ...plain(story.slow.node, "slow"), from: story.slow.late, margin: 1 });
  for (const { zone, members } of story.zones) {
    const first = members[0];
    if (first) findings.push({ ...plain(first, "zone"), kind: "zone", zone, from: members, margin: 1 });
  }
  const reach = reachOf(reasons);
  return findings.sort((a, b) => (reach.get(b.fact) ?? 0) - (reach.get(a.fact) ?? 0) || a.fact.vertex.n - b.fact.vertex.n);
}

function reachOf(reasons: Reasons): Map<Fact, number> {
  const reach = new Map<Fact, number>();
  for (const { cause } of reasons.values()) reach.set(cause, (reach.get(cause) ?? 0) + 1);
  return reach;
}

function plain(fact: Fact, basis: Finding["basis"]): Finding {
  return { fact, kind: "node", strays: [], zone: null, instance: null, basis, from: [], margin: 0, other: null };
}

function sharedFinding(fact: Fact, from: readonly Fact[], gain: number): Finding {
  const other = from[0];
  const why = from.length === 1 ? "a fault of its own" : "separate faults of each service";
  return { ...plain(fact, "shared"), from, margin: gain, other: other ? { fact: other, why } : null };
}

/**
 * The broken links of one service by their faults: those that broke clearly apart in time are faults apart, unless they
 * are most of what it needs: then its egress has failed. What is blamed before any good look stays with the first.
 */
function apart(fact: Fact, strays: readonly Statement[]): (readonly Statement[])[] {
  const told = fact.out.filter(({ says }) => says !== "none").length;
  if (strays.length * 3 >= told * 2 || failing(fact.instances) !== null) return [strays];
  const began = ({ window, badSince }: Statement): number => window?.firstBad ?? badSince;
  const sorted = [...strays].sort((a, b) => began(a) - began(b) || a.link.n - b.link.n);
  const groups: Statement[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const stray of sorted) {
    const group = groups.at(-1);
    const lastGood = stray.window?.lastGood ?? Number.NEGATIVE_INFINITY;
    if (group && lastGood < last + intervalOf(fact)) group.push(stray);
    else groups.push([stray]);
    last = began(stray);
  }
  return groups;
}

function localFinding(story: Explanation, fact: Fact, strays: readonly Statement[]): Finding {
  const { active } = story.reading;
  let margin = Number.POSITIVE_INFINITY;
  let rival: Fact | null = null;
  for (const { to } of strays) {
    const against = troublePrice(to, active, story.announced) - relief(to, active, story.announced) - sideways(to, active);
    if (against >= margin) continue;
    margin = against;
    rival = to;
  }
  const instance = failing(fact.instances);
  return {
    ...plain(fact, "local"),
    kind: instance ? "instance" : strays.length === 1 ? "link" : "node",
    instance,
    strays,
    margin: Math.max(0, margin),
    other: rival ? { fact: rival, why: "down for a part of its callers" } : null,
  };
}

function ownFinding(story: Explanation, fact: Fact): Finding {
  const instance = failing(fact.instances);
  const finding: Finding = { ...plain(fact, hasOwnFault(fact) ? "own" : "circle"), kind: instance ? "instance" : "node", instance };
  const price = opening(fact, story.announced);
  let margin = WEIGHTS.ownFault + Math.min(2, fact.blames.length) - Math.min(2, fact.ups.length) / 2;
  let other: Finding["other"] = null;
  for (const statement of fact.out) {
    const { to } = statement;
    const way = passage(statement, needs(fact));
    if (!Number.isFinite(way)) continue;
    const inTrouble = story.reading.active.has(to);
    if (inTrouble && causeOf(to, story.reasons) === fact && finding.basis === "own") continue;
    const seenUp = inTrouble ? 0 : Math.min(WEIGHTS.seenUp * to.ups.length, WEIGHTS.seenUpAtMost);
    const rest = (inTrouble ? 0 : WEIGHTS.hiddenFault) + way + seenUp - price;
    if (rest >= margin) continue;
    margin = rest;
    other = { fact: to, why: inTrouble ? "in trouble itself" : "needed by it, and not known to be up" };
  }
  return { ...finding, margin: Math.max(0, margin), other };
}

function blamedFinding(story: Explanation, fact: Fact): Finding {
  const price = troublePrice(fact, story.reading.active, story.announced);
  const { active } = story.reading;
  let margin = sideways(fact, active) + relief(fact, active, story.announced) - price;
  const caller = fact.blames[0]?.from;
  let other: Finding["other"] = caller ? { fact: caller, why: `its own path to ${fact.vertex.id}` } : null;
  for (const statement of fact.out) {
    const { to } = statement;
    const way = passage(statement, needs(fact));
    if (!Number.isFinite(way) || story.reading.active.has(to)) continue;
    // An "up" from before the blames began says nothing of what lies below now.
    const ups = to.ups.filter((up) => seenAt(up) >= firstBlamed(fact)).length;
    const rest = WEIGHTS.hiddenFault + way + Math.min(WEIGHTS.seenUp * ups, WEIGHTS.seenUpAtMost) - WEIGHTS.blamedFault;
    if (rest >= margin) continue;
    margin = rest;
    other = { fact: to, why: "needed by it, and not known to be up" };
  }
  return { ...plain(fact, "blamed"), margin: Math.max(0, margin), other };
}

/** The one failing instance of a service whose others work; null otherwise. */
function failing(instances: Fact["instances"]): string | null {
  const bad = instances.filter(({ damped }) => damped.status === "unhealthy" || damped.status === "degraded");
  const good = instances.some(({ damped }) => damped.status === "healthy" && damped.raw === "healthy");
  return good && bad.length > 0 ? (bad[0]?.id ?? null) : null;
}

/** The cause as it is published. */
export function causeFrom(finding: Finding, story: Explanation, explained: number): Cause {
  const { fact, kind, strays } = finding;
  const confidence = confidenceOf(finding);
  const link = strays[0]?.link;
  const decidedBy = decidedByOf(finding);
  return {
    node: fact.vertex.id,
    kind,
    ...(kind === "link" && link ? { link: { from: link.from.id, to: link.to.id } } : {}),
    ...(finding.instance ? { instance: finding.instance } : {}),
    ...(finding.zone ? { zone: finding.zone } : {}),
    confidence,
    level: levelOf(confidence),
    firstSeen: firstSign(finding, story),
    severity: severityOf(finding),
    why: whyOf(finding, story, explained),
    against: againstOf(finding),
    ...(finding.other
      ? { runnerUp: { node: finding.other.fact.vertex.id, confidence: Math.round((1 - confidence) * 100) / 100, why: finding.other.why } }
      : {}),
    ...(decidedBy ? { decidedBy } : {}),
  };
}

function firstSign(finding: Finding, story: Explanation): number {
  const signs = finding.strays.map(({ window }) => window);
  if (finding.basis !== "local") signs.push(finding.fact.window);
  if (finding.from.length > 0) signs.push(...finding.from.map(({ window }) => window));
  let first = Number.POSITIVE_INFINITY;
  for (const window of signs) if (window) first = Math.min(first, window.firstBad);
  if (Number.isFinite(first)) return first;
  for (const { state } of [finding.fact, ...finding.from]) if (state) first = Math.min(first, state.since);
  return Number.isFinite(first) ? first : story.facts.now;
}

function severityOf(finding: Finding): "degraded" | "unhealthy" {
  const { fact, strays, basis } = finding;
  if (basis === "shared" || basis === "slow" || basis === "zone") return "unhealthy";
  const own = ownTrouble(fact);
  if (basis === "local")
    return own === 2 || (own === 0 && strays.some(({ says, criticality }) => says === "down" && criticality === "hard"))
      ? "unhealthy"
      : "degraded";
  return own === 2 || fact.downs > 0 ? "unhealthy" : "degraded";
}
