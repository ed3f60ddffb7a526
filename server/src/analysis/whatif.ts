import type { SystemMap } from "../domain/map.ts";
import type { Criticality } from "../domain/status.ts";
import { type Graph, graphOf, type Vertex } from "./graph.ts";

type Effect = "degraded" | "unhealthy";

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

/**
 * What happens when a node is down: hard dependents become unhealthy and hand that on, soft ones degraded; a degraded
 * node degrades those that need it hard or soft; a redundancy group breaks only when fewer than `need` are left. Nothing
 * happens for a node that the map does not hold.
 */
export function whatIf(map: SystemMap, node: string): WhatIf {
  const graph = graphOf(map);
  const start = graph.byId.get(node);
  if (!start) return { node, impacted: [], atRisk: [], systems: [] };
  const { effects, ways } = spread(start);
  const impacted: { node: string; status: Effect; path: readonly string[] }[] = [];
  const atRisk = new Set<string>();
  for (const [vertex, status] of effects) {
    if (vertex !== start) impacted.push({ node: vertex.id, status, path: wayOf(vertex, ways) });
    for (const { from, declared } of vertex.in) if (declared.group !== null && !effects.has(from)) atRisk.add(from.id);
  }
  return { node, impacted, atRisk: [...atRisk], systems: systemsHit(map, effects, graph) };
}

/** Nodes whose failure alone makes a system unhealthy, those that break most first. Without systems, what breaks most services. */
export function singlePoints(map: SystemMap): SinglePoint[] {
  const graph = graphOf(map);
  const points: SinglePoint[] = [];
  for (const vertex of graph.vertices) {
    const { effects } = spread(vertex);
    const systems = systemsHit(map, effects, graph).flatMap(({ id, effect }) => (effect === "unhealthy" ? [id] : []));
    let unhealthy = -1;
    let degraded = 0;
    for (const effect of effects.values()) effect === "unhealthy" ? unhealthy++ : degraded++;
    if (systems.length > 0 || (map.systems.size === 0 && unhealthy > 0)) points.push({ node: vertex.id, systems, unhealthy, degraded });
  }
  const order = (id: string): number => graph.byId.get(id)?.n ?? 0;
  return points.sort(
    (a, b) => b.systems.length - a.systems.length || b.unhealthy - a.unhealthy || b.degraded - a.degraded || order(a.node) - order(b.node),
  );
}

/** Worst effect on every node reached; a node is looked at again only when it got worse, so circles end. */
function spread(start: Vertex): { effects: Map<Vertex, Effect>; ways: Map<Vertex, Vertex> } {
  const effects = new Map<Vertex, Effect>([[start, "unhealthy"]]);
  const ways = new Map<Vertex, Vertex>();
  const waiting = [start];
  for (let at = 0; at < waiting.length; at++) {
    const failed = waiting[at];
    if (!failed) continue;
    for (const { from, declared } of failed.in) {
      const effect = effectOver(from, declared.group, declared.criticality, effects, failed);
      const before = effects.get(from);
      if (effect === null || before === effect || before === "unhealthy") continue;
      effects.set(from, effect);
      ways.set(from, failed);
      waiting.push(from);
    }
  }
  return { effects: byDistance(effects, waiting), ways };
}

function byDistance(effects: ReadonlyMap<Vertex, Effect>, order: readonly Vertex[]): Map<Vertex, Effect> {
  return new Map(order.map((vertex) => [vertex, effects.get(vertex) ?? "degraded"]));
}

function effectOver(
  from: Vertex,
  group: number | null,
  criticality: Criticality,
  effects: ReadonlyMap<Vertex, Effect>,
  failed: Vertex,
): Effect | null {
  if (criticality === "informational") return null;
  let status = effects.get(failed);
  if (group !== null && from.node.kind === "service") {
    const redundancy = from.node.groups[group];
    const members = from.out.filter(({ declared }) => declared.group === group).map(({ to }) => effects.get(to));
    const working = members.filter((one) => one !== "unhealthy").length;
    const well = members.filter((one) => one === undefined).length;
    const need = redundancy?.need ?? 1;
    status = working < need ? "unhealthy" : well < need ? "degraded" : undefined;
  }
  if (status === undefined) return null;
  return status === "unhealthy" && criticality === "hard" ? "unhealthy" : "degraded";
}

function wayOf(vertex: Vertex, ways: ReadonlyMap<Vertex, Vertex>): string[] {
  const way = [vertex.id];
  const seen = new Set([vertex]);
  for (let next = ways.get(vertex); next && !seen.has(next); next = ways.get(next)) {
    way.push(next.id);
    seen.add(next);
  }
  return way;
}

function systemsHit(map: SystemMap, effects: ReadonlyMap<Vertex, Effect>, graph: Graph): { id: string; effect: Effect }[] {
  const hit: { id: string; effect: Effect }[] = [];
  for (const { id, members } of map.systems.values()) {
    let worst: Effect | null = null;
    for (const { node, criticality } of members) {
      const vertex = graph.byId.get(node);
      const effect = vertex && effects.get(vertex);
      if (!effect || criticality === "informational") continue;
      if (effect === "unhealthy" && criticality === "hard") worst = "unhealthy";
      else worst ??= "degraded";
    }
    if (worst) hit.push({ id, effect: worst });
  }
  return hit;
}
