import { describe, expect, it } from "vitest";
import { atOnce } from "../../server/src/domain/turns.ts";
import {
  DAY,
  failure,
  folder,
  HOUR,
  incident,
  live,
  MINUTE,
  mapOf,
  nodeState,
  observation,
  open,
  openRaw,
  random,
  SECOND,
  serviceOf,
  systemState,
  T0,
  transition,
} from "./store-support.ts";

describe("rolling up", () => {
  it("gives the same counts as the samples, also with late ones and a clock that stepped back", () => {
    const path = folder();
    const store = open(path);
    store.writer.restore(T0);
    const next = random(3);
    let polls = 0;
    let failed = 0;
    const some = (at: number): void => {
      const bad = next(20) === 0;
      polls++;
      if (bad) failed++;
      store.writer.append([
        bad ? failure("checkout", at) : observation("checkout", at, { latencyMs: 5 + next(500), words: { postgres: "up" } }),
      ]);
    };
    live(store, T0, T0 + 90 * MINUTE, (at) => {
      some(at);
      if (next(50) === 0) some(at - 25 * MINUTE);
    });
    // The clock steps back by an hour, and goes on.
    live(store, T0 + 30 * MINUTE, T0 + 26 * HOUR, (at) => {
      if (at < T0 + 4 * HOUR) some(at);
    });
    const sums = (points: number): number[] =>
      atOnce(store.reader.nodeHistory("checkout", T0 - HOUR, T0 + 5 * HOUR, points)).latency.reduce<number[]>(
        (sum, point) => [(sum[0] ?? 0) + point.count, (sum[1] ?? 0) + point.failed],
        [0, 0],
      );
    const expected = [polls, failed];
    expect([sums(3_000), sums(400), sums(7)]).toEqual([expected, expected, expected]);
    const witnessed = atOnce(store.reader.nodeHistory("postgres", T0 - HOUR, T0 + 5 * HOUR, 7)).latency.reduce(
      (sum, point) => sum + point.count,
      0,
    );
    expect(witnessed).toBe(polls - failed);
    store.close();
    const db = openRaw(`${path}/headwater.db`);
    const count = (table: string): number => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    expect(count("tail")).toBe(0);
    expect(count("raw_pack")).toBeGreaterThan(0);
    expect(count("hour_pack")).toBeGreaterThan(0);
    db.close();
  });

  it("tells a component's name from the node that the map means by it", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    writer.follow(mapOf(serviceOf("checkout", "orders-db", "postgres"), { id: "orders-db" }));
    writer.append([observation("checkout", T0, { words: { postgres: "up" } })]);
    writer.flush(T0 + SECOND);
    expect(atOnce(reader.nodeHistory("orders-db", T0, T0 + MINUTE, 10)).latency).toEqual([
      { at: T0, count: 1, failed: 0, p50: 5, p95: 5, p99: 5 },
    ]);
  });
});

describe("retention", () => {
  it("lets samples, minutes, hours and changes go at their age, but keeps what tells the state since then", () => {
    const path = folder();
    const store = open(path, { retention: { raw: HOUR, minutes: 3 * HOUR, hours: 2 * DAY, changes: DAY } });
    store.writer.restore(T0);
    const resolved = { status: "resolved" as const, resolvedAt: T0 + MINUTE, end: "cleared" as const };
    store.writer.commit({
      at: T0,
      transitions: [transition("checkout", T0, "unhealthy"), transition("cart", T0, "degraded")],
      incidents: [incident(1, T0, resolved), incident(2, T0)],
      events: [{ incident: 1, at: T0, kind: "opened", node: null, text: "opened", by: null }],
    });
    store.writer.commit({ at: T0 + MINUTE, transitions: [transition("checkout", T0 + MINUTE, "healthy")], incidents: [], events: [] });
    live(store, T0 + MINUTE, T0 + 6 * HOUR, (at) => store.writer.append([observation("checkout", at)]));
    const oldest = (points: number): number | undefined =>
      atOnce(store.reader.nodeHistory("checkout", T0, T0 + 6 * HOUR, points)).latency[0]?.at;
    // The samples of the first hours are gone, their minutes too; hours remain and stand for them.
    expect(oldest(100_000)).toBe(T0);
    const db = openRaw(`${path}/headwater.db`);
    const first = (table: string): number =>
      Number((db.prepare(`SELECT min(key) / 16777216 AS slot FROM ${table}`).get() as { slot: number }).slot);
    expect(first("raw_pack")).toBeGreaterThanOrEqual((2 * (T0 + 4 * HOUR)) / HOUR);
    expect(first("minute_pack")).toBeGreaterThanOrEqual((T0 + 2 * HOUR) / HOUR);
    expect(first("hour")).toBe(T0 / HOUR);
    expect(first("dep")).toBe(0);
    db.close();
    live(store, T0 + 6 * HOUR, T0 + 30 * HOUR);
    expect(store.reader.transitions(T0 - DAY, T0 + 2 * DAY, 10).map((one) => [one.id, one.to])).toEqual([
      ["checkout", "healthy"],
      ["cart", "degraded"],
    ]);
    expect(store.reader.incident(1)).toBeNull();
    expect(store.reader.incidentEvents(1, 10)).toEqual([]);
    expect(store.reader.incident(2)?.id).toBe(2);
    expect(store.reader.availability("node", "cart", T0 + 29 * HOUR, T0 + 30 * HOUR - MINUTE).degraded).toBe(HOUR - MINUTE);
  });

  it("keeps the file below the size that is allowed, and says so", () => {
    const path = folder();
    const said: string[] = [];
    const maxSize = 700_000;
    const store = open(path, { maxSize, log: (_level, text) => said.push(text) });
    store.writer.restore(T0);
    const next = random(5);
    live(store, T0, T0 + 16 * HOUR, (at) => {
      for (let i = 0; i < 15; i++) store.writer.append([observation(`service-${i}`, at, { latencyMs: 1 + next(400) })]);
    });
    const db = openRaw(`${path}/headwater.db`);
    const pages = Number(db.pragma("page_count", { simple: true })) - Number(db.pragma("freelist_count", { simple: true }));
    db.close();
    expect(pages * 4_096).toBeLessThan(maxSize * 1.1);
    expect(said).toContainEqual(expect.stringContaining("storage.max_size"));
    expect(store.writer.health().error).toBeNull();
  });

  it("forgets the state of a node that left", () => {
    const path = folder();
    const store = open(path);
    store.writer.restore(T0);
    const both = systemState([nodeState("checkout", "healthy", T0), nodeState("cart", "healthy", T0)]);
    store.writer.saveState(both, { nodes: both.nodes.keys(), instances: [], edges: [] });
    store.writer.flush(T0);
    const one = systemState([nodeState("checkout", "healthy", T0)]);
    store.writer.saveState(one, { nodes: [], instances: [], edges: [] });
    live(store, T0, T0 + 3 * MINUTE);
    store.close();
    expect([
      ...(open(path)
        .writer.restore(T0 + HOUR)
        .state?.nodes.keys() ?? []),
    ]).toEqual(["checkout"]);
  });
});
