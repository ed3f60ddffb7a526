import { afterEach, describe, expect, it } from "vitest";
import { statsOf } from "../../../server/src/api/stats.ts";
import { Stats } from "../../../server/src/contract/index.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { incident, NOW, shop, TestLive } from "../../support/live.ts";

afterEach(closeApps);

const MINUTE = 60_000;
const range = { from: NOW - 60 * MINUTE, to: NOW };
const over = (id: number, anchor: string, opened: number, lasted: number, changes = {}) =>
  incident(id, anchor, {
    status: "resolved",
    end: "cleared",
    openedAt: NOW - opened * MINUTE,
    detectedAt: NOW - opened * MINUTE + 30_000,
    resolvedAt: NOW - (opened - lasted) * MINUTE,
    ...changes,
  });

describe("the statistics of incidents", () => {
  it("are empty without any, with no mean of nothing", () => {
    expect(statsOf([], range, shop().map)).toMatchObject({ incidents: 0, mttd_ms: null, mttr_ms: null, distinct_causes: 0, causes: [] });
  });

  it("count causes by how often, then by how long, and open ones until now", () => {
    const open = incident(9, "web", { openedAt: NOW - 10 * MINUTE, detectedAt: NOW - 9 * MINUTE, severity: "ticket" });
    const stats = statsOf([over(1, "orders-db", 50, 5), over(2, "orders-db", 30, 1), over(3, "search", 20, 2), open], range, shop().map);
    expect(stats.causes.map(({ node, team, incidents, open_ms }) => [node, team, incidents, open_ms / MINUTE])).toEqual([
      ["orders-db", "data", 2, 6],
      ["web", "pay", 1, 10],
      ["search", null, 1, 2],
    ]);
    expect(stats.causes[0]?.last_opened_at).toBe("2026-10-24T08:45:00.000Z");
    expect([stats.incidents, stats.by_severity, stats.mttr_ms, stats.mttd_ms]).toEqual([
      4,
      { page: 3, ticket: 1, info: 0 },
      (8 / 3) * MINUTE,
      37_500,
    ]);
  });

  it("leave out announced work and what was absorbed", () => {
    const absorbed = over(1, "web", 30, 1, { end: "absorbed", absorbedBy: 2 });
    const work = over(2, "web", 30, 1, { kind: "maintenance", cause: null });
    expect(statsOf([absorbed, work], range, shop().map).incidents).toBe(0);
  });

  it("do not count as mended what a changed map ended, but say that it failed", () => {
    const left = over(1, "search", 30, 20, { end: "removed_from_map" });
    const stats = statsOf([left, over(2, "search", 9, 1), over(3, "web", 30, 5)], range, shop().map);
    expect([stats.mttr_ms, stats.distinct_causes]).toEqual([3 * MINUTE, 2]);
    expect(stats.causes.map(({ node, incidents, mttr_ms }) => [node, incidents, mttr_ms])).toEqual([
      ["search", 2, MINUTE],
      ["web", 1, 5 * MINUTE],
    ]);
  });

  it("come from history, page by page, for what began in the range", async () => {
    const live = new TestLive();
    live.past.incidents.length = 0;
    for (let id = 1; id <= 1_200; id++) live.past.incidents.push(over(id, "search", 50, 1));
    live.past.incidents.push(over(1_201, "web", 100, 90));
    const answer = await (await appOn(live)).inject(`/api/v1/stats?from=${new Date(range.from).toISOString()}`);
    expect(Stats.strict().parse(answer.json())).toMatchObject({
      incidents: 1_200,
      truncated: false,
      causes: [{ node: "search", incidents: 1_200 }],
    });
  });
});
