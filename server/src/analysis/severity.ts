import type { Severity, Verdict } from "../domain/incident.ts";
import type { Member } from "../domain/map.ts";
import type { Evidence } from "../domain/snapshot.ts";
import { type Criticality, type Status, worstStatus } from "../domain/status.ts";

export type Effects = readonly { id: string; effect: Status }[];

/**
 * What some nodes in trouble do to each system, as its members: a hard one hands on its status, a soft one at most
 * degraded. A silent node that its callers call down counts as unhealthy, since for users it is. Systems that are not
 * touched are left out.
 */
export function effectsOn(evidence: Evidence, verdict: Verdict, nodes: ReadonlySet<string>): Effects {
  const effects: { id: string; effect: Status }[] = [];
  for (const system of evidence.map.systems.values()) {
    const effect = effectOnMembers(evidence, verdict, nodes, system.members);
    if (effect !== "healthy") effects.push({ id: system.id, effect });
  }
  return effects;
}

/** `page` where a system is unhealthy by it, `ticket` where one is degraded or unknown, else `info`. */
export function severityOf(evidence: Evidence, verdict: Verdict, nodes: ReadonlySet<string>, effects: Effects): Severity {
  const worst =
    evidence.map.systems.size > 0
      ? worstStatus(effects.map(({ effect }) => effect))
      : effectOnMembers(evidence, verdict, nodes, entryPoints(evidence));
  if (worst === "unhealthy") return "page";
  return worst === "healthy" ? "info" : "ticket";
}

/** Without systems, the services that nothing depends on stand for what users see; all of them where there is none. */
function entryPoints({ map }: Evidence): Pick<Member, "node" | "criticality">[] {
  const services = [...map.nodes.values()].filter((node) => node.kind === "service");
  const needed = new Set(services.flatMap(({ edges }) => edges.map(({ to }) => to)));
  const entries = services.filter(({ id }) => !needed.has(id));
  return (entries.length > 0 ? entries : services).map(({ id }) => ({ node: id, criticality: "hard" as Criticality }));
}

function effectOnMembers(
  evidence: Evidence,
  verdict: Verdict,
  nodes: ReadonlySet<string>,
  members: readonly Pick<Member, "node" | "criticality">[],
): Status {
  let worst: Status = "healthy";
  for (const { node, criticality } of members) {
    if (!nodes.has(node) || criticality === "informational") continue;
    const status = shownStatus(evidence, verdict, node);
    worst = worstStatus([worst, criticality === "soft" && status !== "healthy" ? "degraded" : status]);
  }
  return worst;
}

function shownStatus(evidence: Evidence, verdict: Verdict, node: string): Status {
  const status = evidence.state.nodes.get(node)?.status ?? "unknown";
  const role = verdict.roles.get(node);
  if (status !== "unknown" || !role || role.role === "at_risk") return status;
  return verdict.causes[role.cause]?.severity ?? "unhealthy";
}
