import type { Board, ChangeView, Incident, IncidentDetail, MaintenanceView, NodeView } from "../../server/src/contract/index.ts";
import { type Edge, iso } from "./board-fleet.ts";

/** What the generated board shows. */
export const SCENES = ["quiet", "incident", "acked", "ticket", "unsure", "maintenance", "blind", "recovering", "refused", "lag"] as const;
export type Scene = (typeof SCENES)[number];

/** A generated world: a board, and what the other routes say of the same things. Times are epoch milliseconds. */
export interface World {
  board: Board;
  edges: Edge[];
  events: Map<number, IncidentDetail["events"]>;
  past: Incident[];
  works: MaintenanceView[];
  changes: ChangeView[];
  now: number;
}

export function baseIncident(id: number, anchor: string, openedAt: number): Incident {
  return {
    id,
    kind: "cause",
    status: "open",
    severity: "page",
    anchor,
    opened_at: iso(openedAt),
    resolved_at: null,
    end: null,
    cause: null,
    candidates: [],
    impacted: [],
    at_risk: [],
    systems: [],
    acked: null,
    map_revision: 7,
  };
}

/** Systems, coverage and the whole from the nodes. */
export function setSystems(board: Board): void {
  const byId = new Map(board.nodes.map((node) => [node.id, node]));
  const rank = { healthy: 0, degraded: 1, unknown: 2, unhealthy: 3 };
  for (const system of board.systems) {
    const members = system.members.flatMap((one) => byId.get(one.node) ?? []);
    const known = members.filter((node) => node.status !== "unknown");
    const worst = known.reduce<NodeView["status"]>((status, node) => (rank[node.status] > rank[status] ? node.status : status), "healthy");
    system.coverage = { known: known.length, total: members.length };
    system.status =
      known.length * 2 < members.length ? "unknown" : system.id === "back-office" && worst === "unhealthy" ? "degraded" : worst;
  }
  const known = board.nodes.filter((node) => node.status !== "unknown").length;
  board.coverage = { known, total: board.nodes.length };
  const worst = board.systems.reduce<NodeView["status"]>(
    (status, one) => (rank[one.status] > rank[status] ? one.status : status),
    "healthy",
  );
  board.status = worst === "unhealthy" ? "degraded" : worst;
}

/** Builds a world of `size` nodes in a scene, as of `now`. The same arguments give the same world. */
