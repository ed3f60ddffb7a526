import type { Incident, IncidentDetail, MapView, RevisionDiff, RevisionList } from "../../server/src/contract/index.ts";
import { iso } from "./board-fleet.ts";
import { pathTo } from "./board-nodes.ts";
import type { World } from "./board-world.ts";

export function makeIncidentDetail(world: World, incident: Incident): IncidentDetail {
  const cause = incident.cause?.node;
  const paths: Record<string, string[]> = {};
  if (cause) for (const one of incident.impacted) paths[one.node] = pathTo(world.edges, one.node, cause);
  return { ...incident, events: [...(world.events.get(incident.id) ?? [])].reverse(), paths };
}

export function makeMap(world: World): MapView {
  const { board, edges } = world;
  const teams = [...new Set(board.nodes.map((node) => node.team ?? ""))];
  return {
    status: board.map,
    hash: "4f1c9a7e".repeat(8),
    commit: "9b1d2c3",
    warnings: [],
    teams: teams.map((id) => ({ id, name: id, contact: `#${id}-oncall`, nodes: board.nodes.filter((node) => node.team === id).length })),
    nodes: board.nodes.map((node, index) => ({
      id: node.id,
      name: node.name,
      kind: node.kind,
      resource_kind: node.resource_kind ?? null,
      team: node.team,
      urls: node.kind === "service" ? [`http://${node.id}.internal:8080/health/deep`] : [],
      interval_ms: node.kind === "service" ? 10_000 : null,
      timeout_ms: node.kind === "service" ? 2_000 : null,
      format: node.kind === "service" ? "auto" : null,
      detected: node.kind === "service" ? (index % 5 === 2 ? "spring-actuator" : "headwater") : null,
      file: `map/${node.team}.yaml`,
      line: 3 + index * 9,
      tags: node.tags,
    })),
    edges: edges.map((edge, index) => ({
      ...edge,
      owner: board.nodes.find((node) => node.id === edge.from)?.team ?? null,
      reviewed: index % 4 === 0 ? null : index % 4 === 1 ? "2026-02-01" : "2026-10-01",
      group: null,
      need: null,
      components: [edge.to],
      file: "map/shopfront.yaml",
      line: 20 + index,
    })),
    systems: board.systems.map((system, index) => ({
      id: system.id,
      name: system.name,
      public: index === 0,
      members: system.members,
      file: "map/systems.yaml",
      line: 4 + index * 8,
    })),
  };
}

export function makeRevisions(world: World): RevisionList {
  const { map } = world.board;
  const revision = (back: number, commit: string | null, summary: string, diff: RevisionDiff | null) => ({
    revision: map.revision - back,
    at: iso(world.now - 2_650_000 - back * 86_400_000 * 3),
    hash: `${"4f1c9a7e".repeat(7)}0000000${back}`,
    commit,
    summary,
    diff,
  });
  return {
    revisions: [
      revision(0, "9b1d2c3", "36 nodes, none added or removed", {
        changes: ["checkout needs tax: added, hard", "cart needs orders: hard becomes soft"],
        changes_total: 2,
        affected: ["tax", "orders", "storefront"],
        affected_total: 3,
        teams: ["order-desk", "shopfront"],
      }),
      revision(1, "71ce0aa", "36 nodes, 2 added, 0 removed", {
        changes: ["couriers: added", "labels-print: added"],
        changes_total: 2,
        affected: [],
        affected_total: 0,
        teams: ["logistics"],
      }),
      revision(2, null, "first map: 34 nodes, 4 systems", null),
    ],
    refused: map.refused,
    next: null,
  };
}
