import type * as wire from "../contract/index.ts";
import type { HistoricalStates } from "../domain/history.ts";
import type { Live } from "../domain/live.ts";
import type { MapNode } from "../domain/map.ts";
import { worstStatus } from "../domain/status.ts";
import { incidentView, mapStatusView, nodeView, time } from "./view.ts";

/**
 * The board as it was shown at a moment, from history: statuses, roles, systems and incidents. What history does not
 * keep (latencies, runs, marks, ages) is empty, and `revision` is 0: no event continues a board of the past.
 */
export function boardAt(live: Live, past: HistoricalStates): wire.Board {
  const { map } = live.snapshot();
  const ids = [...map.nodes.keys()].filter((id) => past.nodes.has(id));
  for (const id of past.nodes.keys()) if (!map.nodes.has(id)) ids.push(id);
  const nodes = ids.flatMap((id) => {
    const then = past.nodes.get(id);
    if (!then) return [];
    const { status, since, reason, role, incident } = then;
    const state = { status, since, reason, lastChecked: null, stale: false, pending: null, marks: [], lastKnown: null, latencyMs: null };
    return [nodeView(map.nodes.get(id) ?? departed(id), state, role, incident, past.at)];
  });
  const known = nodes.filter((node) => node.status !== "unknown").length;
  const systems = [...map.systems.values()].flatMap((system) => {
    const then = past.systems.get(system.id);
    if (!then) return [];
    const members = system.members.map(({ node, criticality }) => ({ node, criticality }));
    const seen = members.filter(({ node }) => (past.nodes.get(node)?.status ?? "unknown") !== "unknown").length;
    return [{ id: system.id, name: system.name, status: then.status, coverage: { known: seen, total: members.length }, members }];
  });
  return {
    boot: live.boot,
    revision: 0,
    generated_at: time(past.at),
    site: live.config.site,
    status: worstStatus((systems.length > 0 ? systems : nodes).map(({ status }) => status)),
    coverage: { known, total: nodes.length },
    freshness: { stale: false, because: [], blind: false, oldest_age_ms: null, stale_nodes: 0, poller_lag_ms: 0 },
    map: { ...mapStatusView(live), ...(past.mapRevision === null ? {} : { revision: past.mapRevision }), refused: null },
    systems,
    incidents: past.incidents.map(incidentView),
    nodes,
  };
}

/** A node that has left the map since: history knows its id and no more. */
function departed(id: string): MapNode {
  return {
    kind: "resource",
    id,
    name: id,
    resourceKind: null,
    description: null,
    team: null,
    tags: {},
    links: {},
    renamedFrom: null,
    place: { file: "", line: 1, column: 1 },
  };
}
