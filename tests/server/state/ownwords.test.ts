import { describe, expect, it } from "vitest";
import type { Transition } from "../../../server/src/domain/history.ts";
import type { Component, Observation } from "../../../server/src/domain/observation.ts";
import type { Status } from "../../../server/src/domain/status.ts";
import { ownWords, type ToldWords } from "../../../server/src/state/ownwords.ts";
import { initialState, observe } from "../../../server/src/state/reduce.ts";
import { mapOf } from "../engine/make.ts";

const MAP = mapOf(`
resources: { db: {} }
services:
  shop: { url: http://shop.internal/h, interval: 10s, dependencies: [{ on: db, criticality: hard }] }
`);
const START = 1_800_000_000_000;

function poll(at: number, status: Status | null, db: Component["status"]): Observation {
  const report = status && { status, word: status, components: [{ name: "db", status: db }] };
  const common = {
    service: "shop",
    instance: "shop",
    at,
    latencyMs: 5,
    format: "headwater",
    date: null,
    httpAge: null,
    warnings: [],
    body: null,
  };
  return report
    ? { ...common, outcome: "report", httpStatus: 200, report, error: null }
    : { ...common, outcome: "timeout", httpStatus: null, report: null, error: "timeout" };
}

/** The rows of a life in which each poll, ten seconds apart, brings a word and what it says of the database. */
function rowsOf(polls: readonly [Status | null, Component["status"]][]): Pick<Transition, "id" | "at" | "from" | "to">[] {
  let state = initialState(MAP);
  let told: ToldWords | null = null;
  const rows: Transition[] = [];
  for (const [n, [status, db]] of polls.entries()) {
    const at = START + n * 10_000;
    const step = observe(state, MAP, [poll(at, status, db)], at);
    state = step.state;
    const words = ownWords(told, MAP, state, step.changed.edges, at);
    told = words.told;
    rows.push(...words.rows);
  }
  return rows.map(({ id, at, from, to }) => ({ id, at: (at - START) / 10_000, from, to }));
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

describe("a service's own word", () => {
  it("is not kept while all that it needs is up", () => {
    expect(rowsOf([...times<[Status, "up"]>(5, ["healthy", "up"]), ...times<[Status, "up"]>(5, ["unhealthy", "up"])])).toEqual([]);
  });

  it("is kept from the confirmed outage to its confirmed end, whatever the label makes of it", () => {
    const rows = rowsOf([
      ...times<[Status, "up"]>(3, ["healthy", "up"]),
      ...times<[Status, "down"]>(6, ["healthy", "down"]),
      ...times<[Status, "up"]>(3, ["healthy", "up"]),
    ]);
    expect(rows).toEqual([
      { id: "shop", at: 5, from: null, to: "healthy" },
      { id: "shop", at: 11, from: "healthy", to: "none" },
    ]);
  });

  it("is kept again when it changes, a minute apart at least", () => {
    const swings: [Status, "down"][] = Array.from({ length: 20 }, (_, n) => [n % 2 === 0 ? "healthy" : "unhealthy", "down"]);
    const rows = rowsOf(swings);
    expect(rows.length).toBeGreaterThan(1);
    for (const [n, row] of rows.entries()) if (n > 0) expect(row.at - (rows[n - 1]?.at ?? 0)).toBeGreaterThanOrEqual(6);
  });

  it("is unknown while the service does not answer", () => {
    const rows = rowsOf([
      ...times<[Status, "down"]>(3, ["healthy", "down"]),
      ...times<[null, "down"]>(2, [null, "down"]),
      ...times<[Status, "down"]>(8, ["degraded", "down"]),
    ]);
    expect(rows.map(({ to }) => to)).toEqual(["healthy", "degraded"]);
  });

  it("is taken up again after a restart", () => {
    let state = initialState(MAP);
    for (let n = 0; n < 4; n++) state = observe(state, MAP, [poll(START + n * 10_000, "degraded", "down")], START + n * 10_000).state;
    const { rows, told } = ownWords(null, MAP, state, [], START + 60_000);
    expect(rows).toMatchObject([{ subject: "word", id: "shop", from: null, to: "degraded" }]);
    expect(ownWords(told, MAP, state, [], START + 70_000)).toEqual({ told, rows: [] });
    expect(ownWords(told, MAP, state, [], START + 60_000 + 86_400_000).rows).toMatchObject([{ to: "none" }]);
  });

  it("is kept anew when something else goes down after a day", () => {
    const text = "{ on: db, criticality: hard }, { on: cache, criticality: soft }";
    const map = mapOf(
      `resources: { db: {}, cache: {} }\nservices:\n  shop: { url: http://shop.internal/h, interval: 10s, dependencies: [${text}] }\n`,
    );
    const said = (at: number, cache: Component["status"]): Observation => {
      const seen = poll(at, "degraded", "down");
      const components = [...(seen.report?.components ?? []), { name: "cache", status: cache }];
      return { ...seen, report: { status: "degraded", word: "degraded", components } } as Observation;
    };
    let state = initialState(map);
    let told: ToldWords | null = null;
    const words: string[] = [];
    const later = START + 86_400_000;
    for (const [at, cache] of [
      [START, "up"],
      [later, "up"],
      ...times(8, later).map((from, n) => [from + (n + 1) * 10_000, "down"] as const),
    ] as const) {
      const step = observe(state, map, [said(at, cache)], at);
      state = step.state;
      const next = ownWords(told, map, state, step.changed.edges, at);
      told = next.told;
      words.push(...next.rows.map(({ to }) => to));
    }
    expect(words).toEqual(["degraded", "none", "degraded"]);
  });
});
