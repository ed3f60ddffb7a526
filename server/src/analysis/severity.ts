import { type Incident, SEVERITIES, type Severity, type Verdict } from "../domain/incident.ts";
import type { Member } from "../domain/map.ts";
import type { Evidence } from "../domain/snapshot.ts";
import type { NodeState } from "../domain/state.ts";
import { type Criticality, compareStatus, type Status, worstStatus } from "../domain/status.ts";
import { isBad } from "./facts.ts";

export type Effects = readonly { id: string; effect: Status }[];

/**
 * What some nodes in trouble do to each system, as its members: a hard one hands on its status, a soft one at most
 * degraded. A silent node that its callers call down counts as unhealthy, since for users it is. Systems that are not
 * touched are left out. `soon`: bad results that are still being confirmed count as if they were.
 */
export function effectsOn(evidence: Evidence, verdict: Verdict, nodes: ReadonlySet<string>, soon = false): Effects {
  const effects: { id: string; effect: Status }[] = [];
  for (const system of evidence.map.systems.values()) {
    const effect = effectOnMembers(evidence, verdict, nodes, system.members, soon);
    if (effect !== "healthy") effects.push({ id: system.id, effect });
  }
  return effects;
}

/**
 * `page` where a system is unhealthy by it, `ticket` where one is degraded or unknown, else `info`. What is being
 * confirmed counts already, so that what will page does not begin as less.
 */
export function severityOf(evidence: Evidence, verdict: Verdict, nodes: ReadonlySet<string>): Severity {
  const worst =
    evidence.map.systems.size > 0
      ? worstStatus(effectsOn(evidence, verdict, nodes, true).map(({ effect }) => effect))
      : effectOnMembers(evidence, verdict, nodes, entryPoints(evidence), true);
  if (worst === "unhealthy") return "page";
  return worst === "healthy" ? "info" : "ticket";
}

/** True when one incident is more severe than another. */
export function isWorse(one: Incident, other: Incident): boolean {
  return SEVERITIES.indexOf(one.severity) < SEVERITIES.indexOf(other.severity);
}

/** How long a member must have been well before an incident is called less severe: victims recover one by one. */
const EASED_FOR = 60_000;

/** The nodes at risk whose own bad results are already being confirmed: what they do to a system is as good as there. */
export function aboutToSuffer({ state }: Evidence, atRisk: readonly string[]): string[] {
  return atRisk.filter((id) => isWorsening(state.nodes.get(id)));
}

function isWorsening(state: NodeState | undefined): boolean {
  return state?.pending != null && compareStatus(state.pending.status, state.status) > 0;
}

/**
 * True while a member of a system, or a node that stands for one, is coming round or has only just done so; of those that the incident
 * touches also while one was found bad lately, though damping never confirmed it.
 */
export function hasJustEased(evidence: Evidence, verdict: Verdict, { anchor, impacted, atRisk }: Incident): boolean {
  const { map, state, now } = evidence;
  const members = map.systems.size > 0 ? [...map.systems.values()].flatMap(({ members }) => members) : entryPoints(evidence);
  const touched = new Set([anchor, ...atRisk, ...impacted.map(({ node }) => node)]);
  return members.some(({ node }) => {
    const { status, since = 0, pending } = state.nodes.get(node) ?? {};
    if (status === "unhealthy" || status === "unknown") return pending != null || !verdict.roles.has(node);
    return now - since < EASED_FOR || (touched.has(node) && wasBad(evidence, node));
  });
}

/** One of its latest results, as many as fit into that time, was bad, and worse than damping has it now. */
function wasBad({ map, state }: Evidence, id: string): boolean {
  const node = map.nodes.get(id);
  if (node?.kind !== "service") return false;
  const count = Math.ceil(EASED_FOR / node.interval);
  return node.instances.some((instance) => {
    const damped = state.instances.get(instance.id)?.damped;
    return damped?.recent.slice(-count).some((word) => isBad(word) && compareStatus(word, damped.status) > 0);
  });
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
  soon: boolean,
): Status {
  let worst: Status = "healthy";
  for (const { node, criticality } of members) {
    if (!nodes.has(node) || criticality === "informational") continue;
    const status = shownStatus(evidence, verdict, node, soon);
    worst = worstStatus([worst, criticality === "soft" && status !== "healthy" ? "degraded" : status]);
  }
  return worst;
}

function shownStatus(evidence: Evidence, verdict: Verdict, node: string, soon: boolean): Status {
  const state = evidence.state.nodes.get(node);
  const status = (soon && isWorsening(state) ? state?.pending?.status : state?.status) ?? "unknown";
  const role = verdict.roles.get(node);
  if (status !== "unknown" || !role || role.role === "at_risk") return status;
  return verdict.causes[role.cause]?.severity ?? "unhealthy";
}
