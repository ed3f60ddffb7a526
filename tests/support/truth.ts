import { polledServices, type SystemMap } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import { type ComponentStatus, effectOf, type Status, worstStatus } from "../../server/src/domain/status.ts";
import { ANSWERED } from "./answered.ts";

/** The statuses of all nodes that are not healthy when some are down, by the table of effects. */
export function statusesWith(map: SystemMap, faults: readonly string[]): Map<string, Status> {
  const status = new Map<string, Status>(faults.map((id) => [id, "unhealthy"]));
  for (let moved = faults.length > 0; moved; ) {
    moved = false;
    for (const node of map.nodes.values()) {
      if (node.kind !== "service" || status.get(node.id) === "unhealthy") continue;
      const next = worstStatus(
        node.edges.map(({ to, criticality }) =>
          effectOf(status.get(to) === "unhealthy" ? "down" : status.has(to) ? "degraded" : "up", criticality),
        ),
      );
      if (next === "healthy" || next === status.get(node.id)) continue;
      status.set(node.id, next);
      moved = true;
    }
  }
  return status;
}

/**
 * One sweep of truthful reports by all polled services at `at`, epoch milliseconds. What its callers say of a degraded
 * node differs by how they check: whoever only asks whether it answers calls it up.
 */
export function sweepOf(
  map: SystemMap,
  status: ReadonlyMap<string, Status>,
  at: number,
  degradedIs: ComponentStatus = "up",
): Observation[] {
  return polledServices(map).map((service) => ({
    service: service.id,
    instance: service.id,
    at,
    latencyMs: 5,
    ...ANSWERED,
    report: {
      status: status.get(service.id) ?? "healthy",
      components: service.edges.map(({ to }) => ({
        name: to,
        status: status.get(to) === "unhealthy" ? ("down" as const) : status.has(to) ? degradedIs : ("up" as const),
        ageMs: 500,
      })),
    },
  }));
}
