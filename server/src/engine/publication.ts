import type { Transition } from "../domain/history.ts";
import type { Incident, Verdict } from "../domain/incident.ts";
import type { Publication } from "../domain/live.ts";
import type { MapNode } from "../domain/map.ts";
import type { Rollup, Snapshot } from "../domain/snapshot.ts";
import type { NodeState } from "../domain/state.ts";

/** The incident that a node belongs to on the board: the one it anchors, else the one whose cause explains it. */
function incidentOf(node: string, incidents: readonly Incident[]): number | null {
  let explained: number | null = null;
  for (const incident of incidents) {
    if (incident.status === "resolved") continue;
    if (incident.anchor === node || incident.cause?.node === node) return incident.id;
    if (explained === null && incident.impacted.some((victim) => victim.node === node)) explained = incident.id;
  }
  return explained;
}

/** Changes of role and of the systems' roll-up as rows for the history; nodes' own changes come from the state stage. */
export function verdictTransitions(
  before: { verdict: Verdict; rollup: Rollup } | null,
  after: { verdict: Verdict; rollup: Rollup },
  incidents: readonly Incident[],
  at: number,
): Transition[] {
  const rows: Transition[] = [];
  const was = before?.verdict.roles;
  for (const [id, { role }] of after.verdict.roles) {
    const from = was?.get(id)?.role ?? null;
    if (from !== role) rows.push({ subject: "role", id, at, from, to: role, reason: null, incident: incidentOf(id, incidents) });
  }
  if (was)
    for (const [id, { role }] of was)
      if (!after.verdict.roles.has(id)) rows.push({ subject: "role", id, at, from: role, to: "none", reason: null, incident: null });
  for (const [id, system] of after.rollup.systems) {
    const from = before?.rollup.systems.get(id)?.status ?? null;
    if (from !== system.status) rows.push({ subject: "system", id, at, from, to: system.status, reason: null, incident: null });
  }
  return rows;
}

/** Nodes that the board shows as this incident's. */
function held(incident: Incident | undefined): ReadonlySet<string> {
  if (!incident || incident.status === "resolved") return new Set();
  return new Set([incident.anchor, ...incident.impacted.map(({ node }) => node), ...incident.atRisk]);
}

function difference(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}

/** What the board shows of a node's declaration, as a text to compare. */
function declared(node: MapNode | undefined): string | undefined {
  return node && JSON.stringify([node.kind, node.name, node.team, node.tags, node.kind === "resource" && node.resourceKind]);
}

function moved(before: NodeState | undefined, after: NodeState): boolean {
  if (before === after) return false;
  if (!before) return true;
  return (
    before.status !== after.status ||
    before.since !== after.since ||
    before.reason !== after.reason ||
    before.stale !== after.stale ||
    !sameMarks(before.marks, after.marks) ||
    before.pending?.count !== after.pending?.count ||
    before.pending?.status !== after.pending?.status
  );
}

function sameMarks(a: readonly string[], b: readonly string[]): boolean {
  return a === b || a.join() === b.join();
}

/**
 * What moved from one snapshot to the next, for the stream. `touched` are the nodes whose state objects changed
 * since the last publication; only they and nodes with a role are looked at, so that a quiet board costs nothing.
 */
export function publicationOf(
  before: Snapshot | null,
  snapshot: Snapshot,
  touched: ReadonlySet<string>,
  incidents: readonly Incident[],
): Publication {
  const nodes = new Set<string>();
  const seen: string[] = [];
  if (!before) for (const id of snapshot.state.nodes.keys()) nodes.add(id);
  else {
    for (const id of touched) {
      const now = snapshot.state.nodes.get(id);
      if (!now) continue;
      if (moved(before.state.nodes.get(id), now)) nodes.add(id);
      else seen.push(id);
    }
    const roles = snapshot.verdict.roles;
    for (const id of new Set([...roles.keys(), ...before.verdict.roles.keys()])) {
      if (roles.get(id)?.role !== before.verdict.roles.get(id)?.role && snapshot.state.nodes.has(id)) nodes.add(id);
    }
    const known = new Map(before.incidents.map((incident) => [incident.id, incident]));
    for (const incident of incidents)
      for (const id of difference(held(known.get(incident.id)), held(incident))) if (snapshot.state.nodes.has(id)) nodes.add(id);
    if (before.map !== snapshot.map)
      for (const [id, node] of snapshot.map.nodes) if (declared(before.map.nodes.get(id)) !== declared(node)) nodes.add(id);
  }
  const removed = before && before.map !== snapshot.map ? [...before.map.nodes.keys()].filter((id) => !snapshot.map.nodes.has(id)) : [];
  return { snapshot, before, nodes: [...nodes], seen: seen.filter((id) => !nodes.has(id)), removed, incidents };
}
