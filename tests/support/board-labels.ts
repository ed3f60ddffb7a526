import type { LabelEdge, LabelFinding, Labels } from "../../server/src/contract/index.ts";
import { iso } from "./board-fleet.ts";
import { makeMap } from "./board-map.ts";
import type { World } from "./board-world.ts";

const DAY_MS = 86_400_000;
const REVIEW_AFTER_MS = 180 * DAY_MS;

/** What every finding begins as. */
function blank(world: World, from: string): Omit<LabelFinding, "id" | "kind" | "to" | "text" | "file" | "line"> {
  return {
    team: world.board.nodes.find((node) => node.id === from)?.team ?? null,
    from,
    component: null,
    declared: null,
    suggested: null,
    confidence: 1,
    level: "confirmed",
    patch: null,
    by_hand: null,
    evidence: {
      from: iso(world.now - 90 * DAY_MS),
      to: iso(world.now),
      outages: 0,
      agreeing: 0,
      duration_ms: 0,
      moments: [],
      reports: null,
      notes: [],
    },
  };
}

function patchOf(file: string, line: number, [before, old, fresh]: readonly [string, string, string]): LabelFinding["patch"] {
  const diff = [`--- a/${file}`, `+++ b/${file}`, `@@ -${line - 1},2 +${line - 1},2 @@`, ` ${before}`, `-${old}`, `+${fresh}`, ""].join(
    "\n",
  );
  return { file, line, diff };
}

/** What the generated history says against some labels. */
function findings(world: World): LabelFinding[] {
  const moments = [6, 13, 31].map((days) => ({ from: iso(world.now - days * DAY_MS), to: iso(world.now - days * DAY_MS + 640_000) }));
  const outages = (from: string, total: number, agreeing: number, notes: string[] = []): LabelFinding["evidence"] => ({
    ...blank(world, from).evidence,
    outages: total,
    agreeing,
    duration_ms: agreeing * 640_000,
    moments: moments.slice(0, agreeing),
    notes,
  });
  return [
    {
      ...blank(world, "web-shop"),
      id: "hard_unharmed web-shop sessions",
      kind: "hard_unharmed",
      to: "sessions",
      declared: "hard",
      suggested: "soft",
      text: "web-shop stayed healthy in 3 of 4 outages of sessions, which it declares hard.",
      confidence: 0.82,
      level: "likely",
      evidence: outages("web-shop", 4, 3, ["in the fourth, checkout failed with it"]),
      file: "map/shopfront.yaml",
      line: 26,
      patch: patchOf("map/shopfront.yaml", 26, [
        "      - { on: reviews, criticality: soft }",
        "      - { on: sessions, criticality: hard, reviewed: 2026-02-01 }",
        "      - { on: sessions, criticality: soft, reviewed: 2026-11-30 }",
      ]),
    },
    {
      ...blank(world, "order-history"),
      id: "soft_hurts order-history orders-db",
      kind: "soft_hurts",
      to: "orders-db",
      declared: "soft",
      suggested: "hard",
      text: "order-history went unhealthy in 2 of 3 outages of orders-db, and nothing else explains it.",
      confidence: 0.71,
      level: "likely",
      evidence: outages("order-history", 3, 2),
      file: "map/order-desk.yaml",
      line: 61,
      patch: patchOf("map/order-desk.yaml", 61, [
        "    dependencies:",
        "      - { on: orders-db, criticality: soft }",
        "      - { on: orders-db, criticality: hard, reviewed: 2026-11-30 }",
      ]),
    },
    {
      ...blank(world, "payments"),
      id: "not_declared payments redis",
      kind: "not_declared",
      to: null,
      component: "redis",
      suggested: "soft",
      text: "payments reports on a component redis that the map does not declare.",
      confidence: 0.95,
      evidence: { ...blank(world, "payments").evidence, reports: { total: 8_640, agreeing: 8_640 } },
      file: "map/payments-core.yaml",
      line: 12,
      by_hand: "No node of the map is known by that name: declare one first.",
    },
    {
      ...blank(world, "labels-print"),
      id: "no_owner labels-print couriers",
      kind: "no_owner",
      team: null,
      to: "couriers",
      declared: "soft",
      text: "Nobody answers for this label: neither the edge nor labels-print names a team.",
      file: "map/logistics.yaml",
      line: 88,
      by_hand: "Who answers for it is for people to say.",
    },
  ];
}

/** Labels of every edge, and the findings, in the order of the contract. */
export function makeLabels(world: World): Labels {
  const all = findings(world);
  const edges = makeMap(world).edges.map((edge): LabelEdge => {
    const found = all.filter((one) => one.from === edge.from && one.to === edge.to);
    const age = edge.reviewed === null ? null : world.now - Date.parse(edge.reviewed);
    return {
      from: edge.from,
      to: edge.to,
      criticality: edge.criticality,
      owner: found.some((one) => one.kind === "no_owner") ? null : edge.owner,
      reviewed: edge.reviewed,
      review_age_ms: age,
      review_after_ms: REVIEW_AFTER_MS,
      review_old: age !== null && age > REVIEW_AFTER_MS,
      group: edge.group,
      components: edge.components,
      findings: found.length,
      file: edge.file,
      line: edge.line,
    };
  });
  const teams = [...new Set(edges.map((edge) => edge.owner))].map((team) => ({
    team,
    name: team ?? "",
    contact: team === null ? null : `#${team}-oncall`,
    labels: edges.filter((edge) => edge.owner === team).length,
    findings: all.filter((one) => one.team === team).length,
  }));
  return {
    computed_at: iso(world.now - 40_000),
    map_revision: world.board.map.revision,
    from: iso(world.now - 90 * DAY_MS),
    to: iso(world.now),
    review_after_ms: REVIEW_AFTER_MS,
    teams: teams.sort((a, b) => b.findings - a.findings),
    findings: all,
    findings_total: all.length,
    edges,
  };
}
