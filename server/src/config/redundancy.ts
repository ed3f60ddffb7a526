import { clausesOf } from "../analysis/effects.ts";
import type { ServiceNode } from "../domain/map.ts";

interface Alternatives {
  on: string[];
  need: number;
}

/** A service needs other alternatives than before, or more or fewer of them. */
export interface RedundancyChange {
  kind: "redundancy";
  from: string;
  before: Alternatives;
  after: Alternatives;
}

/**
 * Groups of alternatives that changed, and the targets that this accounts for. What shares a member belongs together; a
 * side that is no single group is written as the list of its members, all of which are needed.
 */
export function redundancyChanges(old: ServiceNode, now: ServiceNode): { changes: RedundancyChange[]; covered: Set<string> } {
  const changes: RedundancyChange[] = [];
  const covered = new Set<string>();
  const [before, after] = [clausesOf(old).map(alternatives), clausesOf(now).map(alternatives)];
  for (const cluster of clusters(before, after)) {
    const isGroup = [...cluster.before, ...cluster.after].some(({ on }) => on.length > 1);
    if (!isGroup || cluster.before.length === 0 || cluster.after.length === 0) continue;
    const sides = { before: together(cluster.before), after: together(cluster.after) };
    if (JSON.stringify(sides.before) === JSON.stringify(sides.after)) continue;
    changes.push({ kind: "redundancy", from: now.id, ...sides });
    for (const id of [...sides.before.on, ...sides.after.on]) covered.add(id);
  }
  return { changes, covered };
}

const alternatives = ({ on, need }: { on: readonly string[]; need: number }): Alternatives => ({ on: [...on].sort(), need });

function together(clauses: readonly Alternatives[]): Alternatives {
  const [only] = clauses;
  if (only && clauses.length === 1) return only;
  return { on: clauses.flatMap(({ on }) => on).sort(), need: clauses.reduce((sum, { need }) => sum + need, 0) };
}

/** Clauses of both sides that are connected by shared members. Within one side no two share any. */
function clusters(before: readonly Alternatives[], after: readonly Alternatives[]) {
  const found: { before: Alternatives[]; after: Alternatives[] }[] = [];
  const left = new Set([...before, ...after]);
  const holders = new Map<string, Alternatives[]>();
  for (const clause of left) for (const id of clause.on) holders.set(id, [...(holders.get(id) ?? []), clause]);
  const old = new Set(before);
  for (const first of left) {
    const cluster: { before: Alternatives[]; after: Alternatives[] } = { before: [], after: [] };
    const queue = [first];
    left.delete(first);
    for (const clause of queue) {
      cluster[old.has(clause) ? "before" : "after"].push(clause);
      for (const neighbour of clause.on.flatMap((id) => holders.get(id) ?? [])) if (left.delete(neighbour)) queue.push(neighbour);
    }
    found.push(cluster);
  }
  return found;
}
