import type { Board, BoardEvent, Incident, NodeView } from "../../server/src/contract/index.ts";

const AT = "2026-10-24T12:00:00.000Z";

/** A healthy service, changed as asked. */
export function node(id: string, change: Partial<NodeView> = {}): NodeView {
  return {
    id,
    name: id,
    kind: "service",
    team: null,
    status: "healthy",
    role: null,
    incident: null,
    reason: null,
    since: AT,
    last_checked: AT,
    age_ms: 0,
    stale: false,
    pending: null,
    marks: [],
    latency_ms: 10,
    tags: {},
    ...change,
  };
}

export function incident(id: number, change: Partial<Incident> = {}): Incident {
  return {
    id,
    kind: "cause",
    status: "open",
    severity: "page",
    anchor: "db",
    opened_at: AT,
    resolved_at: null,
    end: null,
    cause: { node: "db", kind: "node", confidence: 0.94, level: "confirmed", first_seen: AT, why: ["It failed first."], against: [] },
    candidates: [],
    impacted: [],
    at_risk: [],
    systems: [],
    acked: null,
    map_revision: 1,
    ...change,
  };
}

export function board(nodes: NodeView[], change: Partial<Board> = {}): Board {
  return {
    boot: "a",
    revision: 1,
    generated_at: AT,
    site: "eu-1",
    status: "healthy",
    coverage: { known: nodes.length, total: nodes.length },
    freshness: { stale: false, because: [], blind: false, oldest_age_ms: 1_000, stale_nodes: 0, poller_lag_ms: 0 },
    map: { revision: 1, loaded_at: AT, refused: null },
    systems: [],
    incidents: [],
    nodes,
    ...change,
  };
}

export function event(revision: number, change: Partial<BoardEvent> = {}): BoardEvent {
  const { boot, generated_at, status, coverage, freshness } = board([]);
  return {
    boot,
    revision,
    generated_at,
    status,
    coverage,
    freshness,
    systems: [],
    nodes: [],
    seen: [],
    removed: [],
    incidents: [],
    ...change,
  };
}
