import { clausesOf, type Effects, Failures, SYSTEM_PREFIX } from "../analysis/effects.ts";
import type { SystemMap } from "../domain/map.ts";
import type { Status } from "../domain/status.ts";

/** The failure of `failed` alone now leaves `node` (or system) in another status than before. */
export interface Shift {
  failed: string;
  node: string;
  system: boolean;
  before: Status;
  after: Status;
}

/** Shifts that are listed one by one; whom they touch is counted in full. */
const MOST_SHIFTS = 1_000;

/** How many other nodes the failure of one leaves less than healthy; null where the map has no such node. */
export interface Reach {
  failed: string;
  before: number | null;
  after: number | null;
}

/** Nodes whose failure alone makes a system unhealthy, or where neither map has systems, another node. */
export interface SinglePoints {
  appear: string[];
  vanish: string[];
}

interface Consequences {
  shifts: Shift[];
  /** One for each failure that ends otherwise, at most 1,000. */
  reaches: Reach[];
  points: SinglePoints;
  affected: Set<string>;
  /** Nodes that some single failure now makes unhealthy and did not before. */
  newlyAtRisk: Set<string>;
}

/**
 * Lets every node of either map fail alone in both, and gathers what ends otherwise. Where nothing does at what changed
 * itself, or below it, nothing can above: most failures need no more than that small part of both maps.
 */
export function consequences(base: SystemMap, head: SystemMap): Consequences {
  const found: Consequences = {
    shifts: [],
    reaches: [],
    points: { appear: [], vanish: [] },
    affected: new Set(),
    newlyAtRisk: new Set(),
  };
  const systems = base.systems.size + head.systems.size > 0;
  const part = changedPart(base, head);
  const [oldPart, nowPart] = [new Failures(base, part), new Failures(head, part)];
  const [old, now] = [new Failures(base), new Failures(head)];
  const outcome = (map: SystemMap, failures: Failures, failed: string): Effects => (map.nodes.has(failed) ? failures.of(failed) : NOTHING);
  for (const failed of new Set([...base.nodes.keys(), ...head.nodes.keys()])) {
    if (!part.nodes.has(failed) || isSame(outcome(base, oldPart, failed), outcome(head, nowPart, failed))) continue;
    const before = outcome(base, old, failed);
    const after = outcome(head, now, failed);
    if (found.reaches.length < MOST_SHIFTS)
      found.reaches.push({ failed, before: reachOf(base, before, failed), after: reachOf(head, after, failed) });
    const [wasPoint, isPoint] = [isSinglePoint(before, failed, systems), isSinglePoint(after, failed, systems)];
    if (wasPoint !== isPoint) (isPoint ? found.points.appear : found.points.vanish).push(failed);
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const was: Status = before.get(key) ?? "healthy";
      const is: Status = after.get(key) ?? "healthy";
      if (was === is || key === failed) continue;
      const system = key.startsWith(SYSTEM_PREFIX);
      const node = system ? key.slice(SYSTEM_PREFIX.length) : key;
      if (found.shifts.length < MOST_SHIFTS) found.shifts.push({ failed, node, system, before: was, after: is });
      if (base.nodes.has(failed) && head.nodes.has(failed)) found.affected.add(failed);
      const [there, here] = system ? [base.systems, head.systems] : [base.nodes, head.nodes];
      if (there.has(node) && here.has(node)) found.affected.add(node);
      if (!system && is === "unhealthy") found.newlyAtRisk.add(node);
    }
  }
  return found;
}

function reachOf(map: SystemMap, effects: Effects, failed: string): number | null {
  if (!map.nodes.has(failed)) return null;
  return [...effects.keys()].filter((key) => key !== failed && !key.startsWith(SYSTEM_PREFIX)).length;
}

function isSinglePoint(effects: Effects, failed: string, systems: boolean): boolean {
  for (const [key, effect] of effects) {
    if (effect === "unhealthy" && key !== failed && key.startsWith(SYSTEM_PREFIX) === systems) return true;
  }
  return false;
}

const NOTHING: Effects = new Map();

function isSame(a: Effects, b: Effects): boolean {
  if (a.size !== b.size) return false;
  for (const [key, effect] of a) if (b.get(key) !== effect) return false;
  return true;
}

/** What needs something else in one map than in the other, with all that it needs, directly or not, in either. */
function changedPart(base: SystemMap, head: SystemMap): { nodes: Set<string>; systems: Set<string> } {
  const nodes = new Set<string>();
  const systems = new Set<string>();
  const needs = (map: SystemMap, id: string): string | undefined => {
    const node = map.nodes.get(id);
    return node && JSON.stringify(node.kind === "service" ? clausesOf(node) : []);
  };
  for (const id of new Set([...base.nodes.keys(), ...head.nodes.keys()]))
    if (base.nodes.get(id) !== head.nodes.get(id) && needs(base, id) !== needs(head, id)) nodes.add(id);
  for (const id of new Set([...base.systems.keys(), ...head.systems.keys()])) {
    const [before, after] = [base, head].map((map) => map.systems.get(id)?.members.map(({ node, criticality }) => [node, criticality]));
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    systems.add(id);
    for (const [node] of [...(before ?? []), ...(after ?? [])]) if (node !== undefined) nodes.add(node);
  }
  // A set hands out what is added to it while it is walked.
  for (const id of nodes)
    for (const map of [base, head]) {
      const node = map.nodes.get(id);
      for (const { to } of node?.kind === "service" ? node.edges : []) nodes.add(to);
    }
  return { nodes, systems };
}
