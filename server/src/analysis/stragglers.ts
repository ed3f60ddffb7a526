import type { Incident, Verdict } from "../domain/incident.ts";
import type { SystemState } from "../domain/state.ts";

/**
 * The verdict with the victims of causes that have just cleared: they are impacted until they are fine again, or the
 * board would show each of them as a fault of its own for the time that damping takes.
 */
export function withStragglers(verdict: Verdict, incidents: readonly Incident[], state: SystemState): Verdict {
  const recovering = incidents.filter(({ status }) => status === "recovering");
  if (recovering.length === 0) return verdict;
  const roles = new Map(verdict.roles);
  for (const { impacted } of recovering) {
    for (const { node } of impacted) {
      const status = state.nodes.get(node)?.status;
      const troubled = status === "unhealthy" || status === "degraded";
      if (troubled && (roles.get(node)?.role ?? "at_risk") === "at_risk") roles.set(node, { role: "impacted", cause: -1 });
    }
  }
  return { ...verdict, roles };
}
