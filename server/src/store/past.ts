import type { HistoricalStates, TransitionSubject } from "../domain/history.ts";
import { type HeldRow, heldAt } from "./held.ts";
import type { History } from "./history.ts";
import { incidentsAt, touchedNodes } from "./incidents.ts";
import { asRole } from "./node-history.ts";
import { asStatus } from "./timeline.ts";
import { decodeWord } from "./words.ts";

type Held<T> = T extends ReadonlyMap<string, infer V> ? V : never;

/** States, roles, incidents and revision as they were shown at a moment, a node a step; null where history did not last. */
export function* statesAt(history: History, at: number): Generator<void, HistoricalStates | null> {
  const { memory, names } = history;
  if (!memory.isLived(at)) return null;
  const last = (kind: TransitionSubject, id: string): HeldRow | null => {
    const series = names.find(kind, id);
    return series === null ? null : heldAt(history.connection, series, at, memory.relivedFrom);
  };
  const incidents = incidentsAt(history, at);
  const explained = new Map<string, number>();
  for (const incident of incidents)
    if (incident.status !== "resolved") for (const node of touchedNodes(incident)) explained.set(node, incident.id);
  yield;
  const nodes = new Map<string, Held<HistoricalStates["nodes"]>>();
  for (const [id] of [...names.all("node")]) {
    const row = last("node", id);
    const status = row ? asStatus(decodeWord(row.became)) : null;
    if (!row || !status) continue;
    const roleRow = last("role", id);
    const role = roleRow ? asRole(decodeWord(roleRow.became)) : null;
    const incident = role ? (roleRow?.incident ?? explained.get(id) ?? null) : (explained.get(id) ?? null);
    nodes.set(id, { status, since: row.at, reason: row.reason, role, incident });
    yield;
  }
  const systems = new Map<string, Held<HistoricalStates["systems"]>>();
  for (const [id] of [...names.all("system")]) {
    const row = last("system", id);
    const status = row ? asStatus(decodeWord(row.became)) : null;
    if (row && status) systems.set(id, { status, since: row.at });
  }
  const map = history.connection
    .sql("SELECT revision, accepted_at AS acceptedAt FROM revision WHERE accepted_at <= ? ORDER BY revision DESC LIMIT 1")
    .get(at) as { revision: number; acceptedAt: number } | undefined;
  return { at, nodes, systems, incidents, mapRevision: map?.revision ?? null, mapAcceptedAt: map?.acceptedAt ?? null };
}
