/** The four words for nodes, instances and systems. */
export const STATUSES = ["healthy", "degraded", "unhealthy", "unknown"] as const;
export type Status = (typeof STATUSES)[number];

/** The four words for one component of a report, and so for an edge of the map. */
export const COMPONENT_STATUSES = ["up", "degraded", "down", "unknown"] as const;
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

/** How much a service needs what it depends on; for members of a system likewise. */
export const CRITICALITIES = ["hard", "soft", "informational"] as const;
export type Criticality = (typeof CRITICALITIES)[number];

/** Why a poll ended as it did. Only `report` and `http_error` may carry a report; `aborted` is our own fault and counts for nothing. */
export const OUTCOMES = [
  "report",
  "connect_timeout",
  "timeout",
  "refused",
  "dns",
  "tls",
  "reset",
  "redirect",
  "http_error",
  "not_a_report",
  "too_large",
  "aborted",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a service says of its own life besides its status. */
export const PHASES = ["starting", "draining"] as const;
export type Phase = (typeof PHASES)[number];

export const ROLES = ["root_cause", "impacted", "at_risk"] as const;
export type Role = (typeof ROLES)[number];

export const MARKS = ["flapping", "intermittent", "disputed", "draining", "starting", "maintenance"] as const;
export type Mark = (typeof MARKS)[number];

/**
 * The order in which damping counts directions: healthy < degraded < unknown < unhealthy.
 * Roll-up to systems uses the same order.
 */
const RANK: Record<Status, number> = { healthy: 0, degraded: 1, unknown: 2, unhealthy: 3 };

/** Negative when `a` is better than `b`, positive when worse, 0 when equal. */
export function compareStatus(a: Status, b: Status): number {
  return RANK[a] - RANK[b];
}

/** The worst of some statuses; `healthy` for none. */
export function worstStatus(statuses: Iterable<Status>): Status {
  let worst: Status = "healthy";
  for (const status of statuses) if (RANK[status] > RANK[worst]) worst = status;
  return worst;
}

/**
 * What one component does to the service that reports it: a failed hard dependency makes it unhealthy, a soft one
 * degraded, an informational one nothing; what is unknown has no effect.
 */
export function effectOf(component: ComponentStatus, criticality: Criticality): "healthy" | "degraded" | "unhealthy" {
  if (criticality === "informational" || component === "up" || component === "unknown") return "healthy";
  if (component === "degraded") return "degraded";
  return criticality === "hard" ? "unhealthy" : "degraded";
}

/** The service status read as its dependents would report it. */
export function componentOf(status: Status): ComponentStatus {
  return ({ healthy: "up", degraded: "degraded", unhealthy: "down", unknown: "unknown" } as const)[status];
}

/** A component's word read as a node's status. */
export function statusOf(component: ComponentStatus): Status {
  return ({ up: "healthy", degraded: "degraded", down: "unhealthy", unknown: "unknown" } as const)[component];
}
