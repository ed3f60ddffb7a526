import type { SystemMap } from "../domain/map.ts";
import { type Effect, type Effects, Failures, SYSTEM_PREFIX } from "./effects.ts";
import { graphOf, type Vertex } from "./graph.ts";

/** What the failure of one node would do, by the declared map alone. */
export interface WhatIf {
  node: string;
  /** Everything that would be unhealthy or degraded, nearest first, with the way to the node. */
  impacted: readonly { node: string; status: Effect; path: readonly string[] }[];
  /** Fine, but one of the alternatives that they need is gone. */
  atRisk: readonly string[];
  systems: readonly { id: string; effect: Effect }[];
}

/** A node whose failure alone makes a system unhealthy. */
export interface SinglePoint {
  node: string;
  /** Systems that would be unhealthy, in declaration order. */
  systems: readonly string[];
  unhealthy: number;
  degraded: number;
}

const memo = new WeakMap<SystemMap, Failures>();

function effectsOf(map: SystemMap, node: string): Effects {
  let failures = memo.get(map);
  if (!failures) {
    failures = new Failures(map);
    memo.set(map, failures);
  }
  return failures.of(node);
}

/**
 * What happens when a node is down: hard dependents become unhealthy and hand that on, soft ones degraded; a degraded
 * node degrades those that need it hard or soft; a redundancy group breaks only when fewer than `need` are left. Nothing
 * happens for a node that the map does not hold.
 */
export function whatIf(map: SystemMap, node: string): WhatIf {
  const start = graphOf(map).byId.get(node);
  if (!start) return { node, impacted: [], atRisk: [], systems: [] };
  const effects = effectsOf(map, node);
  const impacted: { node: string; status: Effect; path: readonly string[] }[] = [];
  const atRisk = new Set<string>();
  for (const [vertex, path] of nearestFirst(start, effects)) {
    const status = effects.get(vertex.id);
    if (vertex !== start && status) impacted.push({ node: vertex.id, status, path });
    for (const { from, declared } of vertex.in) if (declared.group !== null && !effects.has(from.id)) atRisk.add(from.id);
  }
  return { node, impacted, atRisk: [...atRisk], systems: systemsHit(map, effects) };
}

/** Nodes whose failure alone makes a system unhealthy, those that break most first. Without systems, what breaks most services. */
export function singlePoints(map: SystemMap): SinglePoint[] {
  const points: SinglePoint[] = [];
  for (const node of map.nodes.keys()) {
    const point = singlePoint(map, node);
    if (point) points.push(point);
  }
  return byDamage(points);
}

/** The node as a single point of failure; null where its failure alone breaks no system. */
export function singlePoint(map: SystemMap, node: string): SinglePoint | null {
  const effects = effectsOf(map, node);
  const systems = systemsHit(map, effects).flatMap(({ id, effect }) => (effect === "unhealthy" ? [id] : []));
  let unhealthy = -1;
  let degraded = 0;
  for (const [id, effect] of effects) {
    if (id.startsWith(SYSTEM_PREFIX)) continue;
    if (effect === "unhealthy") unhealthy++;
    else degraded++;
  }
  return systems.length > 0 || (map.systems.size === 0 && unhealthy > 0) ? { node, systems, unhealthy, degraded } : null;
}

/** Those that break most first; equals stay in the order in which they came. */
export function byDamage<T extends SinglePoint>(points: readonly T[]): T[] {
  return [...points].sort((a, b) => b.systems.length - a.systems.length || b.unhealthy - a.unhealthy || b.degraded - a.degraded);
}

/** Everything affected, by distance, with the ids from it to the failed node. */
function nearestFirst(start: Vertex, effects: Effects): Map<Vertex, readonly string[]> {
  const paths = new Map<Vertex, readonly string[]>([[start, [start.id]]]);
  for (const [vertex, path] of paths) {
    for (const { from, declared } of vertex.in) {
      if (declared.criticality !== "informational" && effects.has(from.id) && !paths.has(from)) paths.set(from, [from.id, ...path]);
    }
  }
  return paths;
}

function systemsHit(map: SystemMap, effects: Effects): { id: string; effect: Effect }[] {
  return [...map.systems.keys()].flatMap((id) => {
    const effect = effects.get(`${SYSTEM_PREFIX}${id}`);
    return effect ? [{ id, effect }] : [];
  });
}
