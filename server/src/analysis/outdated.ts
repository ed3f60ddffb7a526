import { effect, type Fact, intervalOf, isBad, lastSight, type Statement } from "./facts.ts";
import type { Vertex } from "./graph.ts";

/**
 * Sets aside what was seen before its object recovered: evidence older than a recovery speaks of the fault that is
 * over. 1. find the nodes that recovered since `oldest` (`recovering`: those that callers see up again); 2. carry that
 * up to all that need them; 3. drop blames checked earlier, and the trouble of reports whose every check is earlier.
 * `still`: what these last said holds all the same.
 */
export function setOutdatedAside(recovering: ReadonlySet<Fact>, oldest: number, still: ReadonlySet<Vertex>): void {
  const recovered: { fact: Fact; at: number }[] = [];
  for (const fact of recovering) {
    const at = recoveryOf(fact);
    if (at > oldest) recovered.push({ fact, at });
  }
  recovered.sort((a, b) => b.at - a.at);
  const touched = new Set<Fact>();
  for (const { fact, at } of recovered) {
    spread(fact, at, touched);
    // A report that its callers have overtaken is over with all it says.
    if (fact.trouble > 0 && !still.has(fact.vertex)) for (const said of fact.bad) if (at > seenBy(said)) said.says = "outdated";
  }
  for (const fact of touched) {
    for (const blame of fact.blames)
      if ((fact.recoveredAt > seenBy(blame) && !still.has(blame.from.vertex)) || isTakenBack(blame)) blame.says = "outdated";
    if (fact.trouble > 0 && ((fact.recoveredAt > checkedBy(fact) && !still.has(fact.vertex)) || isComingRound(fact))) fact.trouble = 0;
  }
  for (const { fact, at } of recovered) if (at === fact.recoveredAt && hasTurned(fact)) setOvertakenAside(fact, still);
}

/** Since when it says that it is well; a dispute by its callers may be older. */
function wellSince({ state, instances }: Fact): number {
  if (!state?.marks.includes("disputed")) return state?.since ?? Number.NEGATIVE_INFINITY;
  return instances.reduce((latest, { damped }) => Math.max(latest, damped.since), Number.NEGATIVE_INFINITY);
}

/** It says that it is well, and before that it said that it was not: who was only silent may have been well, or looked so, all along. */
function hasTurned({ fine, instances }: Fact): boolean {
  return fine && instances.some(({ damped: { recent } }) => isBad(recent.findLast((was) => was !== "healthy")));
}

/**
 * Words of the very moment in which their object is well again go on from before it; then so do those on who has only such
 * words left, and on those that need it and are not polled.
 */
function setOvertakenAside(start: Fact, still: ReadonlySet<Vertex>): void {
  const over = new Set([start]);
  for (const fact of over) {
    for (const blame of fact.blames) {
      const { from, says, badSince } = blame;
      if (says === "outdated" || still.has(from.vertex)) continue;
      if (fact.recoveredAt < seenBy(blame) || badSince >= fact.recoveredAt - intervalOf(from)) continue;
      blame.says = "outdated";
      if (from.bad.every(({ says }) => says === "outdated") && from.bad.some((said) => effect(said) >= from.trouble)) over.add(from);
    }
    fact.dependents((from, criticality) => {
      if (!from.vertex.polled && criticality !== "informational" && from.blames.length > 0) over.add(from);
    });
  }
}

/** Its latest word is healthy again, what it reports is up, and its trouble began before the recovery: damping still holds it. */
function isComingRound({ bad, window, recoveredAt, instances }: Fact): boolean {
  if (bad.some(({ says }) => isBad(says))) return false;
  return window !== null && window.firstBad < recoveredAt && instances.every(({ damped }) => damped.raw === "healthy");
}

/** Its reporter finds it up again since it recovered: damping still holds a blame that began before. */
function isTakenBack({ state, badSince, window, to }: Statement): boolean {
  return state?.damped.raw === "up" && (window?.firstBad ?? badSince) < to.recoveredAt;
}

/** When a node was seen to recover: by itself, or by callers that blamed it before, where more see it up than still blame it. */
function recoveryOf(fact: Fact): number {
  if (fact.fine) return wellSince(fact);
  let at = Number.NEGATIVE_INFINITY;
  for (const { damped } of fact.ups) if (damped.recent.some(isBad)) at = Math.max(at, damped.since);
  if (fact.trouble > 0 && at <= checkedBy(fact) && !(fact.word === 0 && fact.trouble === 1)) return Number.NEGATIVE_INFINITY;
  if (at === Number.NEGATIVE_INFINITY || fact.blames.length === 0) return at;
  const still = fact.blames.filter((blame) => sightOf(blame) >= at && blame.from.word !== 0 && blame.state?.damped.raw !== "up");
  return fact.upsSince(at, still.length) > still.length ? at : Number.NEGATIVE_INFINITY;
}

function spread(from: Fact, at: number, touched: Set<Fact>): void {
  const waiting = [from];
  for (let fact = waiting.pop(); fact; fact = waiting.pop()) {
    if (fact.recoveredAt >= at) continue;
    fact.recoveredAt = at;
    touched.add(fact);
    fact.dependents((dependent, criticality) => {
      if (criticality === "hard" || (criticality === "soft" && !isDown(dependent))) waiting.push(dependent);
    });
  }
}

/** Down by its own word, or by its callers' where it has none: what it needs softly did not do that, so that one's recovery does not end it. */
function isDown({ trouble, blames }: Fact): boolean {
  return trouble > 0 ? trouble === 2 : blames.some(({ state }) => state?.damped.status === "down");
}

function sightOf({ state, from }: Statement): number {
  return lastSight(state, intervalOf(from));
}

/** The slack is the other way round for a report that contradicts itself: it needs to be seen again after the recovery. */
function seenBy(statement: Statement): number {
  const { from, criticality, checkedAt } = statement;
  return from.word === 0 && criticality !== "informational" ? checkedAt - intervalOf(from) / 2 : sightOf(statement);
}

/**
 * The moment of a report's newest check, with slack. A report that states none may be as old as an interval: its word is
 * its own only once it is repeated after the recovery.
 */
function checkedBy(fact: Fact): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const statement of fact.out) if (statement.says !== "none") newest = Math.max(newest, sightOf(statement));
  if (newest !== Number.NEGATIVE_INFINITY) return newest;
  return (fact.state?.lastChecked ?? Number.POSITIVE_INFINITY) - intervalOf(fact);
}
