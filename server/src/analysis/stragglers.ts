import type { Incident, Verdict } from "../domain/incident.ts";
import type { Evidence } from "../domain/snapshot.ts";
import { isBad } from "./facts.ts";
import { isBetween } from "./incidents/waits.ts";

type Role = { role: "root_cause" | "impacted"; cause: number };

/**
 * The verdict with the victims of causes that have just cleared: they are impacted until they are fine again, or the
 * board would show each of them as a fault of its own for the time that damping takes. Also of causes that are not named at
 * this moment and have not cleared yet, and then these themselves.
 */
export function withStragglers(verdict: Verdict, incidents: readonly Incident[], { state, map, now }: Evidence): Verdict {
  const named = new Set(verdict.causes.map(({ node }) => node));
  const waiting = incidents.filter((incident) => incident.status === "recovering" || isBetween(incident, named, map, now));
  if (waiting.length === 0) return verdict;
  const roles = new Map(verdict.roles);
  const anchors = new Set(incidents.flatMap(({ status, anchor }) => (status === "resolved" ? [] : [anchor])));
  const give = (node: string, role: Role["role"]): void => {
    const held = roles.get(node)?.role ?? "at_risk";
    // A victim that the verdict calls a cause for a moment, and that the life of incidents holds back.
    const heldBack = held === "root_cause" && role === "impacted" && !anchors.has(node);
    if (isBad(state.nodes.get(node)?.status) && (held === "at_risk" || heldBack)) roles.set(node, { role, cause: -1 });
  };
  for (const { status, anchor, impacted } of waiting) {
    if (status === "open") give(anchor, "root_cause");
    for (const { node } of impacted) give(node, "impacted");
  }
  return { ...verdict, roles };
}
