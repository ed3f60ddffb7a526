import { incidentsByNode } from "../analysis/membership.ts";
import type { Transition } from "../domain/history.ts";
import type { Incident } from "../domain/incident.ts";
import type { Publication } from "../domain/live.ts";
import type { MapNode } from "../domain/map.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { NodeState } from "../domain/state.ts";

/** What is held of one moment beside the state. */
type Held = Pick<Snapshot, "verdict" | "rollup" | "incidents">;

/** Changes of role and of the systems' roll-up as rows for the history; nodes' own changes come from the state stage. */
export function verdictTransitions(before: Held, after: Held, at: number): Transition[] {
  const rows: Transition[] = [];
  const was = before.verdict.roles;
  const { roles } = after.verdict;
  const incidents = incidentsByNode(after);
  for (const [id, { role }] of roles) {
    const from = was.get(id)?.role ?? null;
    if (from !== role) rows.push({ subject: "role", id, at, from, to: role, reason: null, incident: incidents.get(id) ?? null });
  }
  for (const [id, { role }] of was)
    if (!roles.has(id)) rows.push({ subject: "role", id, at, from: role, to: "none", reason: null, incident: null });
  for (const [id, system] of after.rollup.systems) {
    const from = before.rollup.systems.get(id)?.status ?? null;
    if (from !== system.status) rows.push({ subject: "system", id, at, from, to: system.status, reason: null, incident: null });
  }
  return rows;
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

/** Nodes with another role or another incident than before. */
function* rejudged(before: Held, after: Held): Iterable<string> {
  const [was, is] = [before.verdict.roles, after.verdict.roles];
  if (was !== is) {
    for (const [id, { role }] of is) if (was.get(id)?.role !== role) yield id;
    for (const id of was.keys()) if (!is.has(id)) yield id;
  }
  const [belonged, belongs] = [incidentsByNode(before), incidentsByNode(after)];
  if (belonged === belongs) return;
  for (const [id, incident] of belongs) if (belonged.get(id) !== incident) yield id;
  for (const id of belonged.keys()) if (!belongs.has(id)) yield id;
}

/**
 * What moved from one snapshot to the next, for the stream. `touched` are the nodes whose state objects changed
 * since the last publication; only they and nodes that are judged otherwise are looked at, so that a quiet board costs
 * nothing.
 */
export function publicationOf(
  before: Snapshot,
  snapshot: Snapshot,
  touched: ReadonlySet<string>,
  incidents: readonly Incident[],
): Publication {
  const nodes = new Set<string>();
  const seen: string[] = [];
  for (const id of touched) {
    const now = snapshot.state.nodes.get(id);
    if (!now) continue;
    if (moved(before.state.nodes.get(id), now)) nodes.add(id);
    else seen.push(id);
  }
  for (const id of rejudged(before, snapshot)) if (snapshot.state.nodes.has(id)) nodes.add(id);
  const removed: string[] = [];
  if (before.map !== snapshot.map) {
    for (const [id, node] of snapshot.map.nodes) {
      const old = before.map.nodes.get(id);
      if (old !== node && declared(old) !== declared(node)) nodes.add(id);
    }
    for (const id of before.map.nodes.keys()) if (!snapshot.map.nodes.has(id)) removed.push(id);
  }
  return { snapshot, before, nodes: [...nodes], seen: nodes.size > 0 ? seen.filter((id) => !nodes.has(id)) : seen, removed, incidents };
}

/** Nothing moved but times. */
export function isQuiet({ nodes, incidents, removed, before, snapshot }: Publication): boolean {
  return nodes.length === 0 && incidents.length === 0 && removed.length === 0 && before?.map === snapshot.map;
}
