import { describe, expect, test } from "vitest";
import { chartRange, chartRows, endLabels, latencyTicks, timeTicks } from "../../web/src/model/chart.ts";
import { collapse, failurePath, focusGraph, type Graph, loners, pathFirst } from "../../web/src/model/graph.ts";
import { layers } from "../../web/src/model/layout.ts";
import { layoutAxis, type Moment } from "../../web/src/model/onset.ts";
import { percent } from "../../web/src/model/stats.ts";
import { incident } from "./make.ts";

const hard = (from: string, to: string) => ({ from, to, criticality: "hard" as const });
const graph: Graph = { ids: ["web", "api", "db", "mail", "alone"], edges: [hard("web", "api"), hard("api", "db"), hard("web", "mail")] };

describe("the map", () => {
  const isResource = (id: string): boolean => id === "db";
  test("puts whoever is needed to the right, resources last", () => {
    const rank = new Map(layers(graph, isResource).map((place) => [place.id, place.rank]));
    expect([rank.get("web"), rank.get("api"), rank.get("db")]).toEqual([0, 1, 2]);
  });
  test("is the same picture every time, one node a place", () => {
    const places = layers(graph, isResource);
    expect(layers(graph, isResource)).toEqual(places);
    expect(new Set(places.map((place) => `${place.rank} ${place.row}`)).size).toBe(graph.ids.length);
  });
  test("draws a cycle too", () =>
    expect(layers({ ids: ["a", "b"], edges: [hard("a", "b"), hard("b", "a")] }, () => false)).toHaveLength(2));
  test("gives the upper rows to the way of a failure", () => {
    const rows = new Map(layers(graph, isResource, new Set(["api", "web"])).map((place) => [place.id, place.row]));
    expect(rows.get("api")).toBe(0);
    expect(rows.get("mail")).toBeGreaterThan(0);
  });
  test("focuses by depth and direction", () => {
    expect(focusGraph(graph, "api", 1).ids).toEqual(["web", "api", "db"]);
    expect(focusGraph(graph, "web", 1, "needs").ids).toEqual(["web", "api", "mail"]);
    expect(focusGraph(graph, "db", 9, "needed").ids).toEqual(["web", "api", "db"]);
  });
  test("collapses to groups, the strongest edge counts", () => {
    const edges = [{ ...hard("web", "db"), criticality: "soft" as const }, ...graph.edges];
    const small = collapse({ ...graph, edges }, (id) => (id === "db" ? "data" : "shop"));
    expect(small).toEqual({ ids: ["shop", "data"], edges: [hard("shop", "data")] });
  });
  test("knows the way of a failure and who stands alone", () => {
    const path = failurePath(graph, [incident(1, { impacted: [{ node: "api", since: "2026-10-24T12:00:15.000Z" }] })]);
    expect([[...path.causes], [...path.hot], [...path.edges]]).toEqual([["db"], ["db"], ["api>db"]]);
    expect(loners(graph)).toEqual(["alone"]);
    expect(pathFirst(graph, path).ids.slice(0, 3)).toEqual(["db", "web", "api"]);
    expect(pathFirst(graph, { ...path, victims: new Set() })).toEqual(pathFirst(graph, path));
    expect(pathFirst(graph, path).ids.toSorted()).toEqual(graph.ids.toSorted());
  });
});

describe("the onset axis", () => {
  const moment = (at: number, text: string, strong = false): Moment => ({ at, text, strong });
  test("writes words only where they do not collide", () => {
    const axis = layoutAxis(
      [moment(0, "db", true), moment(15_000, "orders +15 s"), moment(16_000, "invoices +16 s"), moment(200_000, "late")],
      252_000,
      1_000,
    );
    expect(axis.placed.map((one) => [one.moment.text, one.label])).toEqual([
      ["db", "start"],
      ["orders +15 s", "start"],
      ["invoices +16 s", null],
      ["late", "start"],
    ]);
  });
  test("keeps the beginning readable when an incident lasts for hours", () => {
    const axis = layoutAxis([moment(0, "db", true), moment(30_000, "api")], 36_000_000, 1_000);
    expect(axis.whole).toBe(false);
    expect((axis.placed[1]?.x ?? 0) - (axis.placed[0]?.x ?? 0)).toBeGreaterThan(500);
  });
  test("is no longer than what happened where that has no room beside how long it goes on, and tells no now then", () => {
    const told = [moment(0, "db", true), moment(30_000, "api"), { ...moment(36_000_000, "now", true), last: true }];
    const axis = layoutAxis(told, 36_000_000, 1_000, true);
    expect(axis.whole).toBe(false);
    expect(axis.placed.map((one) => one.moment.text)).toEqual(["db", "api"]);
    // A cause alone has nothing that is to be read.
    expect(layoutAxis([moment(0, "db", true)], 36_000_000, 1_000, true).whole).toBe(true);
  });
  test.each([
    [2, 29],
    [31, 59],
    [61, 119],
    [301, 599],
  ])("keeps its words, marks and times in place from %d to %d seconds", (from, to) => {
    const drawn = (end: number) => {
      const told = [moment(0, "db", true), moment(1_000, "orders +1 s"), { ...moment(end, "now", true), last: true }];
      return layoutAxis(told, end, 1_000, true);
    };
    const [young, older] = [drawn(from * 1_000), drawn(to * 1_000)];
    const still = ({ placed }: typeof young) => placed.filter(({ moment: { last } }) => !last);
    expect(still(older)).toEqual(still(young));
    expect(older.ticks.slice(0, young.ticks.length)).toEqual(young.ticks);
    expect(older.come).toBeGreaterThanOrEqual(young.come);
  });
  test("stacks marks that would hide each other, as far as there is room; one with words keeps its mark", () => {
    const axis = layoutAxis(
      [0, 1, 2, 3, 100].map((at) => moment(at * 1_000, `svc ${at}`)),
      120_000,
      600,
    );
    expect(axis.placed.map((one) => [one.moment.text, one.label !== null, one.level])).toEqual([
      ["svc 0", true, 0],
      ["svc 1", false, 1],
      ["svc 2", false, null],
      ["svc 3", false, 0],
      ["svc 100", true, 0],
    ]);
  });
  test("gives the room of a mark to one with words, not to one before it without", () => {
    const long = (at: number): Moment => moment(at, "x".repeat(200));
    const axis = layoutAxis([moment(0, "db", true), long(1_900), long(2_000), moment(2_800, "api +2 s")], 120_000, 1_200);
    expect(axis.placed.map((one) => [one.label !== null, one.level])).toEqual([
      [true, 0],
      [false, 1],
      [false, null],
      [true, 0],
    ]);
  });
  test("tells the time at several places on a phone too", () => {
    const axis = layoutAxis([moment(0, "db", true), moment(30_000, "api")], 254_000, 354);
    expect(axis.ticks.length).toBeGreaterThan(3);
  });
  test("stands inside its width", () => {
    const axis = layoutAxis([moment(0, "a"), moment(99_000, "a long name at the very end")], 100_000, 400);
    expect(axis.placed.every((one) => one.x >= 0 && one.x <= 400)).toBe(true);
    expect(axis.placed[1]?.label).toBe("end");
  });
});

describe("the latency chart", () => {
  const point = (at: number, p50: number | null) => ({ at: new Date(at).toISOString(), count: 1, failed: 0, p50, p95: p50, p99: p50 });
  test("draws no line over time that was not seen", () => {
    const rows = chartRows({ bucket_ms: 10, latency: [point(0, 5), point(10, 5), point(50, 5)], gaps: [] });
    expect(rows.map((row) => [row.at, row.p50])).toEqual([
      [0, 5],
      [10, 5],
      [20, null],
      [50, 5],
    ]);
  });
  test("breaks at a gap inside a bucket too", () => {
    const rows = chartRows({
      bucket_ms: 10,
      latency: [point(0, 5), point(10, 5)],
      gaps: [{ from: new Date(5).toISOString(), to: new Date(8).toISOString() }],
    });
    expect(rows.map((row) => row.p50)).toEqual([5, null, 5]);
  });
  test.each([
    [
      [31, 190],
      [10, 1_000],
    ],
    [[0.2], [1, 10]],
    [[], [1, 1_000]],
  ])("holds %j between %j", (values, range) =>
    expect(chartRange(values.map((p50, at) => ({ at, p50, p95: null, p99: null })))).toEqual(range),
  );
  test("shares one word between lines that end together", () => {
    const words = (p50: number, p95: number, p99: number) =>
      endLabels({ at: 0, p50, p95, p99 }, [10, 1_000], 0.09).map((label) => label.text);
    expect(words(31, 78, 190)).toEqual(["p50 31 ms", "p95 78 ms", "p99 190 ms"]);
    expect(words(45, 45, 45)).toEqual(["p50 to p99 45 ms"]);
    expect(words(31, 190, 191)).toEqual(["p50 31 ms", "p95 to p99 190 ms"]);
  });
  test.each([
    ["an hour in steps of ten minutes", 1, 6, "2026-10-24T09:10:00.000Z", 10],
    ["a day in steps of four hours", 24, 6, "2026-10-24T12:00:00.000Z", 240],
    ["thirty days in steps of five", 720, 6, "2026-10-29T00:00:00.000Z", 7_200],
  ])("tells %s", (_, hours, count, first, minutes) => {
    const from = Date.parse("2026-10-24T09:03:20.000Z");
    const ticks = timeTicks(from, from + hours * 3_600_000);
    expect([ticks.length, new Date(ticks[0] ?? 0).toISOString()]).toEqual([count, first]);
    expect(new Set(ticks.slice(1).map((tick, index) => (tick - (ticks[index] ?? 0)) / 60_000))).toEqual(new Set([minutes]));
  });
  test("has a tick at every power of ten", () => expect(latencyTicks(10, 1_000)).toEqual([10, 100, 1_000]));
});

test("a share is never rounded up to a perfect one", () =>
  expect([percent(0.99999), percent(1), percent(0.9995)]).toEqual(["99.99 %", "100 %", "99.95 %"]));
