import type { SystemMap } from "../domain/map.ts";
import type { Rollup, SystemStatus } from "../domain/snapshot.ts";
import type { SystemState } from "../domain/state.ts";
import { type Criticality, compareStatus, type Status } from "../domain/status.ts";

interface Part {
  node: string;
  criticality: Criticality;
}

/** What of a map counts for the whole besides its systems; worked out once per map. */
interface Shape {
  /** Nodes in no system, where there are systems. */
  outside: readonly Part[];
  /** Without systems: the services that nothing depends on, as hard members. */
  tops: readonly Part[];
}

const shapes = new WeakMap<SystemMap, Shape>();

export function shapeOf(map: SystemMap): Shape {
  let shape = shapes.get(map);
  if (shape) return shape;
  const members = new Set([...map.systems.values()].flatMap((system) => system.members.map(({ node }) => node)));
  const all = [...map.nodes.values()];
  const services = all.filter((node) => node.kind === "service");
  const needed = new Set(services.flatMap((service) => service.edges.map(({ to }) => to)));
  const free = services.filter(({ id }) => !needed.has(id));
  const tops = free.length > 0 ? free : services.length > 0 ? services : all;
  shape = {
    outside: all.filter(({ id }) => !members.has(id)).map(({ id }) => ({ node: id, criticality: "soft" })),
    tops: tops.map(({ id }) => ({ node: id, criticality: "hard" })),
  };
  shapes.set(map, shape);
  return shape;
}

/**
 * Statuses of the systems and of the whole, by the declared criticality of their members. Coverage of the whole counts
 * all nodes of the map; a system or a map without members has no evidence and is unknown.
 */
export function rollUp(map: SystemMap, state: SystemState): Rollup {
  const systems = new Map<string, SystemStatus>();
  for (const { id, members } of map.systems.values()) systems.set(id, { id, ...judge(members, state) });
  const shape = shapeOf(map);
  let known = 0;
  for (const id of map.nodes.keys()) if (statusOf(state, id) !== "unknown") known++;
  const coverage = { known, total: map.nodes.size };
  if (systems.size === 0) return { systems, status: judge(shape.tops, state).status, coverage };
  let status = worst(shape.outside, state);
  for (const system of systems.values()) if (compareStatus(system.status, status) > 0) status = system.status;
  return { systems, status, coverage };
}

function judge(members: readonly Part[], state: SystemState): Omit<SystemStatus, "id"> {
  const known = members.filter(({ node }) => statusOf(state, node) !== "unknown").length;
  const status = worst(members, state);
  // Under half is unknown, unless what is known is worse: losing sight of members never makes a system look better.
  const thin = members.length === 0 || known * 2 < members.length;
  return { status: thin && status !== "unhealthy" ? "unknown" : status, coverage: { known, total: members.length } };
}

function worst(members: readonly Part[], state: SystemState): Status {
  let status: Status = "healthy";
  for (const { node, criticality } of members) {
    const effect = effectOn(statusOf(state, node), criticality);
    if (compareStatus(effect, status) > 0) status = effect;
  }
  return status;
}

/** What one member does to its system: a hard one all it shows, a soft one degraded at most, an informational one nothing. */
function effectOn(member: Status, criticality: Criticality): Status {
  if (criticality === "hard") return member;
  if (criticality === "informational" || member === "unknown" || member === "healthy") return "healthy";
  return "degraded";
}

function statusOf(state: SystemState, node: string): Status {
  return state.nodes.get(node)?.status ?? "unknown";
}
