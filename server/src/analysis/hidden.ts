import { isCutOff } from "../state/blind.ts";
import { CLOSE, type Reasons, rootsOf } from "./choose.ts";
import { effect, type Fact, type Facts, intervalOf, type Statement } from "./facts.ts";
import { dismissal, hasOwnFault, mustBeExplained, needs, passage } from "./prices.ts";
import { WEIGHTS } from "./weights.ts";
import { type Reading, troublePrice } from "./witnesses.ts";

/** A shared cause that nobody reports, what it explains, and how much cheaper it is than the faults apart. */
export interface Shared {
  node: Fact;
  reporters: Set<Fact>;
  /** Services that need it and stopped answering with them. */
  silent: readonly Fact[];
  /** Nodes that then need not be in trouble. */
  cleared: Set<Fact>;
  gain: number;
}

/**
 * The best dependency that nobody polls, that several troubled services need hard, and that explains their blaming
 * healthy targets (a resolver, a proxy, the link between zones), or their being blamed while they and most others that
 * need it are silent (a zone, a host); null where faults apart are no dearer.
 */
export function findShared(facts: Facts, reading: Reading, reasons: Reasons, announced: ReadonlySet<string>): Shared | null {
  const loose = looseEnds(facts, reading, reasons, announced);
  const candidates = new Map<Fact, { reporter: Fact; saved: number }[]>();
  for (const [reporter, end] of loose) {
    for (const statement of reporter.out) {
      const node = statement.to;
      if (statement.criticality !== "hard" || node.vertex.polled || reading.active.has(node) || node.blames.length > 0) continue;
      const saved = end.saved - passage(statement, 2);
      if (saved <= 0) continue;
      const list = candidates.get(node);
      if (list) list.push({ reporter, saved });
      else candidates.set(node, [{ reporter, saved }]);
    }
  }
  let best: Shared | null = null;
  for (const [node, explained] of candidates) {
    const reporters = new Set(explained.map(({ reporter }) => reporter));
    const silent = silentWith(node, reporters);
    if (explained.length + silent.length < 2) continue;
    let unaffected = 0;
    node.dependents((from, criticality) => {
      if (criticality === "hard" && from.fine && !reporters.has(from)) unaffected++;
    });
    const seenUp = Math.min(WEIGHTS.seenUp * node.ups.length, WEIGHTS.seenUpAtMost);
    let saved = WEIGHTS.silentTarget * silent.length;
    for (const one of explained) {
      saved += one.saved;
      for (const [to, share] of loose.get(one.reporter)?.shares ?? []) if (reporters.has(to)) saved -= share;
    }
    const gain = saved - WEIGHTS.hiddenFault - seenUp - WEIGHTS.unaffectedDependent * unaffected;
    if (gain <= 0) continue;
    if (best && (gain < best.gain - CLOSE || (gain < best.gain + CLOSE && node.vertex.n > best.node.vertex.n))) continue;
    const cleared = new Set<Fact>();
    for (const reporter of reporters) {
      for (const { to } of reporter.out) {
        if (reading.active.has(to) && isBlamedRoot(to, reasons) && to.blames.every((blame) => reporters.has(blame.from))) cleared.add(to);
      }
    }
    best = { node, reporters, silent, cleared, gain };
  }
  if (best) clearRest(best, reading, reasons, announced);
  return best;
}

/** With the shared cause known, what only those who need it find down needs no fault of its own, where that is cheaper. */
function clearRest({ node, reporters, cleared }: Shared, reading: Reading, reasons: Reasons, announced: ReadonlySet<string>): void {
  for (const to of reasons.keys()) {
    if (cleared.has(to) || !isBlamedRoot(to, reasons)) continue;
    let price = 0;
    for (const blame of to.blames) {
      if (reporters.has(blame.from)) continue;
      const way = blame.from.out.find((statement) => statement.to === node && statement.criticality === "hard");
      price += way ? passage(way, 2) + coverPrice(blame) : Number.POSITIVE_INFINITY;
    }
    if (price >= troublePrice(to, reading.active, announced)) continue;
    cleared.add(to);
    for (const { from } of to.blames) reporters.add(from);
  }
}

/**
 * Services that need a node hard and stopped answering us with one that its callers find down and that is silent itself,
 * where two thirds of all that need the node are so. What a service needs makes it answer with an error; that there is no
 * connection to it is not explained by that.
 */
function silentWith(node: Fact, reporters: ReadonlySet<Fact>): Fact[] {
  let since = Number.POSITIVE_INFINITY;
  for (const { silent, blames, window } of reporters)
    if (silent && blames.length > 0) since = Math.min(since, window?.lastGood ?? window?.firstBad ?? since);
  if (since === Number.POSITIVE_INFINITY) return [];
  const needing: Fact[] = [];
  node.dependents((from, criticality) => {
    if (criticality === "hard" && from.vertex.polled) needing.push(from);
  });
  const silent = needing.filter((from) => !reporters.has(from) && isLost(from) && (from.state?.since ?? 0) >= since - intervalOf(from));
  const touched = silent.length + needing.filter((from) => reporters.has(from)).length;
  return touched * 3 >= needing.length * 2 ? silent : [];
}

/** No connection to it comes about, and no more callers find it up than down. */
function isLost({ silent, state, ups, blames }: Fact): boolean {
  return silent && isCutOff(state?.outcome ?? null) && ups.length <= blames.length;
}

const NO_SHARES: ReadonlyMap<Fact, number> = new Map();

/** What each reporter's own unexplained words cost now: strays, targets that only it and few others blame, bare trouble. */
function looseEnds(
  facts: Facts,
  reading: Reading,
  reasons: Reasons,
  announced: ReadonlySet<string>,
): Map<Fact, { saved: number; shares: ReadonlyMap<Fact, number> }> {
  const loose: ReturnType<typeof looseEnds> = new Map();
  const shares = new Map<Fact, number>();
  const blamedRoots = new Set(rootsOf(reasons).flatMap(({ cause }) => (isBlamedRoot(cause, reasons) ? [cause] : [])));
  /** What a blamed node costs each of those who blame it. */
  const shareOf = (to: Fact): number => {
    const share = shares.get(to) ?? troublePrice(to, reading.active, announced) / to.blames.length;
    shares.set(to, share);
    return share;
  };
  const look = (fact: Fact): void => {
    const reason = reasons.get(fact);
    const strays = reading.strays.size === 0 ? [] : fact.bad.filter((one) => reading.strays.has(one) && effect(one) > 0);
    let shared: Map<Fact, number> | undefined;
    let saved = 0;
    if (reason?.via === null && mustBeExplained(fact)) {
      saved += reason.price + WEIGHTS.furtherLink * Math.max(0, strays.length - 1);
    } else if (blamedRoots.has(fact)) {
      saved += reason?.price ?? 0;
    } else if (strays.length > 0) saved += strays.reduce((sum, stray) => sum + Math.min(dismissal(stray), WEIGHTS.localFault), 0);
    for (const stray of strays) saved -= coverPrice(stray);
    for (const statement of fact.bad) {
      if (!blamedRoots.has(statement.to) || effect(statement) === 0) continue;
      const share = shareOf(statement.to) - coverPrice(statement);
      shared ??= new Map();
      shared.set(statement.to, share);
      saved += share;
    }
    if (saved > 0) loose.set(fact, { saved, shares: shared ?? NO_SHARES });
  };
  for (const fact of facts.reporters) look(fact);
  for (const fact of reasons.keys()) if (fact.bad.length === 0) look(fact);
  return loose;
}

/** A cause by the words of its callers alone. */
export function isBlamedRoot(fact: Fact, reasons: Reasons): boolean {
  return reasons.get(fact)?.via === null && !mustBeExplained(fact) && fact.blames.length > 0;
}

function coverPrice(statement: Statement): number {
  const { to, state } = statement;
  const seen = to.fine || to.ups.length > 0;
  return (seen ? 0 : WEIGHTS.targetUnseen) + (state?.category === "http_5xx" ? WEIGHTS.targetAnswered : 0);
}

/**
 * A polled service that stopped answering us as those that need it hard fell into trouble of which their
 * reports give no reason, and of which nobody says anything: its silence then has a reason too. Null where a reporter needs
 * several such, of which none stands out, and where faults apart are no dearer.
 */
export function findMute(reading: Reading, reasons: Reasons): (Pick<Shared, "node" | "gain"> & { reporters: readonly Fact[] }) | null {
  const candidates = new Map<Fact, { reporters: Fact[]; saved: number }>();
  for (const { cause: fact, price } of rootsOf(reasons)) {
    if (!hasOwnFault(fact)) continue;
    for (const statement of fact.out) {
      const { to } = statement;
      if (statement.criticality !== "hard" || statement.says !== "none" || !isMute(to) || reading.active.has(to)) continue;
      if (!fellSilentWith(to, fact)) continue;
      const found = candidates.get(to) ?? { reporters: [], saved: 0 };
      found.reporters.push(fact);
      found.saved += price - passage(statement, needs(fact));
      candidates.set(to, found);
    }
  }
  const ranked = [...candidates].sort(([a, x], [b, y]) => y.saved - x.saved || a.vertex.n - b.vertex.n);
  const [best, next] = ranked;
  if (!best || (next && next[1].saved === best[1].saved && next[1].reporters[0] === best[1].reporters[0])) return null;
  const [node, { reporters, saved }] = best;
  const gain = saved - WEIGHTS.muteFault;
  return gain > 0 ? { node, reporters, gain } : null;
}

/** It does not answer us, and nobody else tells of it either. */
function isMute({ silent, ups, blames }: Fact): boolean {
  return silent && ups.length === 0 && blames.length === 0;
}

/**
 * It stopped answering as the other's trouble began: not polls before, as what has been silent for long explains nothing new, nor
 * more than one after.
 */
function fellSilentWith(node: Fact, { window, vertex }: Fact): boolean {
  const last = Math.max(...node.instances.map(({ lastReportAt }) => lastReportAt ?? Number.NEGATIVE_INFINITY));
  const interval = Math.max(intervalOf(node), intervalOf({ vertex }));
  return window !== null && last >= window.firstBad - WEIGHTS.lasting * interval && last <= window.firstBad + interval;
}

/** Three or more deep endpoints that answer too late, and share what most of their like need. */
export function findSlow(facts: Facts, active: ReadonlySet<Fact>): { node: Fact; late: Fact[] } | null {
  const late = facts.nodes.filter((fact) => fact.late);
  if (late.length < 3) return null;
  const { polled } = facts.graph;
  const candidates = new Map<Fact, Fact[]>();
  for (const fact of late) {
    for (const statement of fact.out) {
      if (statement.criticality !== "hard") continue;
      const list = candidates.get(statement.to);
      if (list) list.push(fact);
      else candidates.set(statement.to, [fact]);
    }
  }
  let best: { node: Fact; late: Fact[]; share: number } | null = null;
  for (const [node, explained] of candidates) {
    if (explained.length < 3 || active.has(node) || node.fine || node.ups.length * 3 > explained.length) continue;
    let dependents = 0;
    node.dependents((from, criticality) => {
      if (from.vertex.polled && criticality === "hard") dependents++;
    });
    const outside = polled - dependents - (node.vertex.polled ? 1 : 0);
    const lateOutside = late.length - explained.length - (node.late ? 1 : 0);
    const share = explained.length / dependents;
    if (share * 3 < 2 || lateOutside * 2 > outside) continue;
    if (best && (explained.length < best.late.length || (explained.length === best.late.length && share <= best.share))) continue;
    best = { node, late: explained, share };
  }
  return best;
}
