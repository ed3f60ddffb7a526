import type { Board, ChangeView, Incident, NodeView, SystemView } from "../../server/src/contract/index.ts";
import { iso, MEMBERS, makeNodes, random } from "./board-fleet.ts";
import { stageIncident, stageOther } from "./board-scenes.ts";
import { baseIncident, type Scene, setSystems, type World } from "./board-world.ts";

export { SCENES, type Scene, type World } from "./board-world.ts";

export function makeWorld(scene: Scene, size: number, now: number): World {
  const next = random(7);
  const { nodes, edges } = makeNodes(size, now, next);
  const ids = new Set(nodes.map((node) => node.id));
  const systems = MEMBERS.map(
    ([id, name, members]): SystemView => ({
      id,
      name,
      status: "healthy",
      coverage: { known: 0, total: 0 },
      members: members.filter((node) => ids.has(node)).map((node) => ({ node, criticality: "hard" as const })),
    }),
  ).filter((system) => system.members.length > 0);
  const board: Board = {
    boot: "b1",
    revision: 1,
    generated_at: iso(now),
    site: "eu-1",
    status: "healthy",
    coverage: { known: 0, total: 0 },
    freshness: { stale: false, because: [], blind: false, oldest_age_ms: 9_000, stale_nodes: 0, poller_lag_ms: 12 },
    map: { revision: 7, loaded_at: iso(now - 2_650_000), refused: null },
    systems,
    incidents: [],
    nodes,
  };
  const world: World = { board, edges, events: new Map(), past: pastIncidents(now), works: [], changes: markedChanges(now), now };
  setSystems(board);
  if (scene === "incident" || scene === "acked") stageIncident(world, size > 100 ? 60 : 11);
  const first = board.incidents[0];
  if (scene === "acked" && first)
    first.acked = { by: "primary on-call", at: iso(now - 120_000), until: iso(now + 1_659_000), note: "failing over to the replica" };
  if (scene === "acked")
    world.events
      .get(42)
      ?.push({ at: iso(now - 120_000), kind: "ack", node: null, text: "failing over to the replica", by: "primary on-call" });
  if (scene !== "quiet" && scene !== "incident" && scene !== "acked") stageOther(world, scene);
  return world;
}

/** What failed before, `hours` ago, for so many minutes. */
const PAST: readonly (readonly [string, number, number, Incident["severity"]])[] = [
  ["orders-db", 76, 11, "page"],
  ["search", 130, 15, "ticket"],
  ["payments", 236, 19, "page"],
  ["couriers", 262, 46, "info"],
  ["orders-db", 396, 23, "page"],
  ["search", 401, 8, "ticket"],
  ["media-store", 556, 27, "ticket"],
  ["sessions", 640, 4, "page"],
  ["recommendations", 905, 62, "info"],
  ["orders-db", 1_130, 14, "page"],
  ["card-gateway", 1_310, 33, "ticket"],
  ["card-gateway", 1_318, 12, "ticket"],
  ["events-queue", 1_690, 9, "page"],
];

function pastIncidents(now: number): Incident[] {
  return PAST.map(([node, hours, minutes, severity], index) => {
    const start = now - hours * 3_600_000;
    return {
      ...baseIncident(41 - index, node, start),
      status: "resolved" as const,
      severity,
      resolved_at: iso(start + minutes * 60_000),
      end: "cleared" as const,
      cause: {
        node,
        kind: "node" as const,
        confidence: 0.91,
        level: "confirmed" as const,
        first_seen: iso(start),
        why: ["It failed first."],
        against: [],
      },
      impacted: severity === "page" ? [{ node: "orders", since: iso(start + 20_000) }] : [],
      systems: severity === "info" ? [] : [{ id: "storefront", effect: "degraded" as const }],
    };
  });
}

/** What people marked lately. */
function markedChanges(now: number): ChangeView[] {
  const mark = (minutes: number, node: string | null, text: string, by: string, link: string | null = null): ChangeView => ({
    at: iso(now - minutes * 60_000),
    node,
    text,
    link,
    by,
  });
  return [
    mark(25, "orders-db", "parameter group “pg-15-large” applied", "data-platform", "https://changes.example/1841"),
    mark(190, "checkout", "version 2026.48.1", "release bot", "https://changes.example/1839"),
    mark(1_500, null, "new certificates for the mesh", "platform"),
    mark(2_960, "search", "index rebuilt", "catalogue"),
  ];
}

/** The board as it was: what began later had not begun. */
export function boardAt(world: World, at: string): Board {
  const nodes = world.board.nodes.map((node): NodeView => {
    const later = node.status !== "healthy" && node.since !== null && node.since > at;
    return later ? { ...node, status: "healthy", role: null, incident: null, reason: null, since: iso(0), marks: [] } : node;
  });
  const incidents = world.board.incidents
    .filter((incident) => incident.opened_at <= at)
    .map((incident) => ({ ...incident, impacted: incident.impacted.filter((one) => one.since <= at) }));
  return { ...world.board, generated_at: at, nodes, incidents };
}
