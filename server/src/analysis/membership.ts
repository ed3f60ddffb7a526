import type { Cause, Incident, Verdict } from "../domain/incident.ts";

type Moment = { incidents: readonly Incident[]; verdict: Verdict };

const known = new WeakMap<readonly Incident[], { verdict: Verdict; membership: ReadonlyMap<string, number> }>();

/**
 * Which incident explains a node, by the node's id: its own before one that it suffers from, and that before one that it
 * may suffer from. Nodes that no incident explains are not there. Worked out once per list of incidents and verdict.
 */
export function incidentsByNode({ incidents, verdict }: Moment): ReadonlyMap<string, number> {
  const held = known.get(incidents);
  if (held?.verdict === verdict) return held.membership;
  const membership = membershipOf(incidents, verdict);
  known.set(incidents, { verdict, membership });
  return membership;
}

function membershipOf(incidents: readonly Incident[], verdict: Verdict): ReadonlyMap<string, number> {
  const open = incidents.filter((incident) => incident.status !== "resolved");
  const byCause = new Map(open.flatMap((incident) => (incident.cause ? [[keyOf(incident.cause), incident.id] as const] : [])));
  const found = new Map<string, number>();
  const offer = (node: string, id: number): void => {
    if (!found.has(node)) found.set(node, id);
  };
  for (const incident of open) {
    offer(incident.anchor, incident.id);
    if (incident.cause) offer(incident.cause.node, incident.id);
  }
  for (const [node, { cause }] of verdict.roles) {
    const judged = verdict.causes[cause];
    const id = judged && byCause.get(keyOf(judged));
    if (id !== undefined) offer(node, id);
  }
  for (const incident of open) for (const { node } of incident.impacted) offer(node, incident.id);
  for (const incident of open) for (const node of incident.atRisk) offer(node, incident.id);
  return found;
}

function keyOf(cause: Cause): string {
  return [cause.kind, cause.node, cause.link?.to, cause.instance, cause.zone].join(" ");
}
