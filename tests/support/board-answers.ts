import * as contract from "../../server/src/contract/index.ts";
import { boardAt } from "./board-data.ts";
import { iso } from "./board-fleet.ts";
import { makeLabels } from "./board-labels.ts";
import { makeIncidentDetail, makeMap, makeRevisions } from "./board-map.ts";
import { makeDayStrips, makeHistory, makeNodeDetail, makeStrips, makeWhatIf } from "./board-nodes.ts";
import type { World } from "./board-world.ts";

export interface Schema {
  parse(data: unknown): unknown;
}

interface Asked {
  world: World;
  boot: string;
  role: "viewer" | "operator";
  /** Of the build that answers. */
  commit: string;
}

type Answer = [Schema, unknown] | null;

/** What a GET of `/api/v1/what/id/more` is answered with, and the schema that holds it; null for what is not there. */
export function answerOf(asked: Asked, [what = "", id = "", more]: (string | undefined)[], params: URLSearchParams): Answer {
  const { world } = asked;
  if (what === "board") return [contract.Board, params.has("at") ? boardAt(world, params.get("at") ?? "") : world.board];
  if (what === "strips")
    return id === "days" ? [contract.DayStrips, makeDayStrips(world)] : [contract.Strips, makeStrips(world, params.get("at"))];
  if (what === "map") return [contract.MapView, makeMap(world)];
  if (what === "labels") return [contract.Labels, makeLabels(world)];
  if (what === "revisions") return [contract.RevisionList, makeRevisions(world)];
  if (what === "maintenance") return [contract.MaintenanceList, { maintenance: world.works, next: null }];
  if (what === "changes") return [contract.ChangeList, { changes: world.changes, next: null }];
  if (what === "version") return [contract.Version, versionOf(asked)];
  if (what === "availability") return [contract.Availability, availabilityOf(params)];
  if (what === "session") return [contract.Session, { auth: "none", user: { name: null, role: asked.role } }];
  if (what === "spof") return [contract.SinglePoints, SINGLE_POINTS];
  if (what === "stats") return [contract.Stats, statsOf(world, params)];
  if (what === "incidents") return incidentsOf(world, id, params);
  return what === "nodes" ? nodeOf(world, id, more, params) : null;
}

function nodeOf(world: World, id: string, more: string | undefined, params: URLSearchParams): Answer {
  const node = world.board.nodes.find((one) => one.id === id);
  if (!node) return null;
  if (more === "history") {
    const [from, to] = [Date.parse(params.get("from") ?? ""), Date.parse(params.get("to") ?? "")];
    const changes = world.changes.filter((one) => (one.node === null || one.node === id) && Date.parse(one.at) >= from);
    return [contract.NodeHistory, { ...makeHistory(node, from, to), changes: changes.map(({ by: _, ...change }) => change) }];
  }
  if (more === "whatif") return [contract.WhatIf, makeWhatIf(world, node.id)];
  return [contract.NodeDetail, makeNodeDetail(world, node, Date.now())];
}

function incidentsOf(world: World, id: string, params: URLSearchParams): Answer {
  const all = [...world.board.incidents, ...world.past];
  if (id !== "") {
    const incident = all.find((one) => one.id === Number(id));
    return incident ? [contract.IncidentDetail, makeIncidentDetail(world, incident)] : null;
  }
  const [node, open, from, team, system] = ["node", "open", "from", "team", "system"].map((key) => params.get(key));
  const teamOf = new Map(world.board.nodes.map((one) => [one.id, one.team]));
  const incidents = all.filter((one) => {
    const touched = [one.anchor, ...one.impacted.map((victim) => victim.node)];
    return (
      (!open || (one.status !== "resolved") === (open === "true")) &&
      (!node || touched.includes(node)) &&
      (!team || touched.some((each) => teamOf.get(each) === team)) &&
      (!system || one.systems.some((each) => each.id === system)) &&
      (!from || one.resolved_at === null || one.resolved_at >= from)
    );
  });
  return [contract.IncidentList, { incidents: incidents.slice(0, Number(params.get("limit") ?? 200)), next: null }];
}

const SINGLE_POINTS = {
  map_revision: 7,
  points: (
    [
      ["orders-db", 6, 5],
      ["orders", 3, 6],
      ["payments", 3, 2],
    ] as const
  ).map(([node, unhealthy, degraded]) => ({ node, name: node, team: null, systems: ["storefront"], unhealthy, degraded })),
};

function versionOf({ world, boot, commit }: Asked): contract.Version {
  return { name: "headwater", version: "0.1.0", commit, node: process.version, boot, started_at: iso(world.now) };
}

/** Systems differ, so that a table of them can be read. */
function availabilityOf(params: URLSearchParams): contract.Availability {
  const index = Math.max(0, ["storefront", "back-office", "account", "partners"].indexOf(params.get("system") ?? ""));
  return {
    from: params.get("from") ?? "",
    to: params.get("to") ?? "",
    up_ms: 2.5e9,
    degraded_ms: [10_020_000, 2_760_000, 0, 540_000][index] ?? 0,
    down_ms: [1_200_000, 0, 240_000, 0][index] ?? 0,
    unseen_ms: 6_900_000,
    maintenance_ms: index === 2 ? 3_600_000 : 0,
    availability: [0.9995, 1, 0.9999, 1][index] ?? 1,
  };
}

function statsOf(world: World, params: URLSearchParams): contract.Stats {
  const from = params.get("from") ?? "";
  const incidents = [...world.board.incidents, ...world.past].filter((one) => one.opened_at >= from && one.kind !== "maintenance");
  const lasted = (one: contract.Incident): number => Date.parse(one.resolved_at ?? world.board.generated_at) - Date.parse(one.opened_at);
  const mean = (all: number[]): number | null => (all.length === 0 ? null : all.reduce((sum, one) => sum + one, 0) / all.length);
  const causes = [...new Set(incidents.map((one) => one.anchor))].map((node) => {
    const mine = incidents.filter((one) => one.anchor === node);
    return {
      node,
      team: world.board.nodes.find((one) => one.id === node)?.team ?? null,
      incidents: mine.length,
      open_ms: mine.reduce((sum, one) => sum + lasted(one), 0),
      mttr_ms: mean(mine.filter((one) => one.resolved_at !== null).map(lasted)),
      last_opened_at: mine[0]?.opened_at ?? world.board.generated_at,
    };
  });
  const count = (severity: contract.Incident["severity"]): number => incidents.filter((one) => one.severity === severity).length;
  return {
    from,
    to: world.board.generated_at,
    incidents: incidents.length,
    by_severity: { page: count("page"), ticket: count("ticket"), info: count("info") },
    mttd_ms: incidents.length === 0 ? null : 24_000,
    mttr_ms: mean(incidents.filter((one) => one.resolved_at !== null).map(lasted)),
    distinct_causes: causes.length,
    causes: causes.sort((a, b) => b.incidents - a.incidents || b.open_ms - a.open_ms),
    truncated: false,
  };
}
