import { rollUp } from "../analysis/rollup.ts";
import type * as wire from "../contract/index.ts";
import type { HistoricalStates } from "../domain/history.ts";
import type { Live } from "../domain/live.ts";
import type { MapNode, SystemMap } from "../domain/map.ts";
import type { SystemState } from "../domain/state.ts";
import { joinNodes } from "./board.ts";
import { Members } from "./payload.ts";
import { incidentView, mapStatusView, nodeView, systemViews, time } from "./view.ts";

/**
 * The board as it was shown at a moment, from history: statuses, roles, systems and incidents. What history does not
 * keep (latencies, runs, marks, ages) is empty, and `revision` is 0: no event continues a board of the past. As JSON, a
 * node a step.
 */
export function* boardAt(live: Live, past: HistoricalStates): Generator<void, Buffer> {
  const { map } = live.snapshot();
  const then = mapThen(map, past);
  const state = stateThen(past);
  const nodes = new Members();
  for (const node of then.nodes.values()) {
    const { role = null, incident = null } = past.nodes.get(node.id) ?? {};
    const view = nodeView(node, state.nodes.get(node.id), role, incident, past.at);
    nodes.add(JSON.stringify(view));
    yield;
  }
  const rollup = rollUp(then, state);
  const systems = systemViews(then, rollup).map((system) => ({ ...system, status: past.systems.get(system.id)?.status ?? system.status }));
  const rest: Omit<wire.Board, "nodes"> = {
    boot: live.boot,
    revision: 0,
    generated_at: time(past.at),
    site: live.config.site,
    status: rollup.status,
    coverage: { ...rollup.coverage },
    freshness: { stale: false, because: [], blind: false, oldest_age_ms: null, stale_nodes: 0, poller_lag_ms: 0 },
    map: { ...mapStatusView(live), ...mapOf(past), refused: null },
    systems,
    incidents: past.incidents.map(incidentView),
  };
  return joinNodes(JSON.stringify(rest), nodes.between("[", "]"));
}

/** Which map held; nothing where history does not know. */
function mapOf({ mapRevision, mapAcceptedAt }: HistoricalStates): Partial<wire.Board["map"]> {
  return mapRevision === null || mapAcceptedAt === null ? {} : { revision: mapRevision, loaded_at: time(mapAcceptedAt) };
}

/** The map as far as it held then: today's words for what is still declared, bare ids for what has left since. */
function mapThen(map: SystemMap, past: HistoricalStates): SystemMap {
  const kept = [...map.nodes].filter(([id]) => past.nodes.has(id));
  const left = [...past.nodes.keys()].filter((id) => !map.nodes.has(id)).map((id) => [id, departed(id)] as const);
  const systems = [...map.systems.values()]
    .filter(({ id }) => past.systems.has(id))
    .map((system) => ({ ...system, members: system.members.filter(({ node }) => past.nodes.has(node)) }));
  return { ...map, nodes: new Map([...kept, ...left]), systems: new Map(systems.map((system) => [system.id, system])) };
}

function stateThen(past: HistoricalStates): SystemState {
  const unkept = { pending: null, confirmed: true, marks: [], lastKnown: null, lastChecked: null, stale: false, latencyMs: null };
  const unseen = { outcome: null, window: null, ownWord: null, coverage: null };
  const nodes = [...past.nodes].map(
    ([id, { status, since, reason }]) => [id, { id, status, since, reason, ...unkept, ...unseen }] as const,
  );
  return { instances: new Map(), edges: new Map(), nodes: new Map(nodes), blind: null };
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
