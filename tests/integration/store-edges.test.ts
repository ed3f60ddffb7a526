import { join } from "node:path";
import { expect, it } from "vitest";
import { atOnce } from "../../server/src/domain/turns.ts";
import { pollsIn } from "../../server/src/store/export.ts";
import { openReader } from "../../server/src/store/index.ts";
import { DAY, damage, failure, folder, HOUR, live, observation, open, openRaw, SECOND, T0, transition } from "./store-support.ts";

it("exports every poll of a half hour of which retention has taken the samples of some nodes", () => {
  const path = folder();
  const store = open(path);
  store.writer.restore(T0);
  live(store, T0, T0 + 3 * HOUR, (at) => store.writer.append([observation("cart", at), observation("checkout", at + SECOND)]));
  store.close();
  const db = openRaw(join(path, "headwater.db"));
  // Rows leave some hundred at a time, in the order of their keys.
  db.exec("DELETE FROM raw_pack WHERE key = (SELECT min(key) FROM raw_pack)");
  db.close();
  const { history, close } = openReader(path);
  const polls = [...pollsIn(history, { from: T0 + 10 * SECOND, to: T0 + HOUR })];
  const of = (id: string): number[] => polls.filter(({ service }) => service === id).map(({ at }) => at);
  const asked = Array.from({ length: 359 }, (_, i) => T0 + (i + 1) * 10 * SECOND);
  expect(of("cart")).toEqual(asked);
  expect(of("checkout")).toEqual(asked.map((at) => at + SECOND));
  close();
});

it("reads a chart the same whether samples are packed, rolled up and moved meanwhile or not", () => {
  const store = open(folder());
  store.writer.restore(T0);
  const poll = (at: number): void =>
    store.writer.append([at % (7 * 60 * SECOND) === 0 ? failure("checkout", at) : observation("checkout", at, { words: { db: "up" } })]);
  live(store, T0, T0 + 3 * HOUR, poll);
  let now = T0 + 3 * HOUR;
  const sums = (points: readonly { count: number; failed: number }[]): number[] => [
    points.reduce((sum, { count }) => sum + count, 0),
    points.reduce((sum, { failed }) => sum + failed, 0),
  ];
  for (const points of [3_000, 200, 3])
    for (const node of ["checkout", "db"]) {
      const range = [T0, now, points] as const;
      const before = atOnce(store.reader.nodeHistory(node, ...range));
      const whole = atOnce(store.reader.dependencyLatency("checkout", "db", ...range)).whole.count;
      const steps = store.reader.nodeHistory(node, ...range);
      const checks = store.reader.dependencyLatency("checkout", "db", ...range);
      let [chart, dependency] = [steps.next(), checks.next()];
      // Between two steps another minute passes, with all the upkeep that is due then.
      for (let n = 0; n < 300 && !(chart.done && dependency.done); n++) {
        now += 60 * SECOND;
        store.writer.append([observation("search", now)]);
        store.writer.flush(now);
        while (store.writer.maintain(now));
        if (!chart.done) chart = steps.next();
        if (!dependency.done) dependency = checks.next();
      }
      if (!chart.done || !dependency.done) throw new Error("the reading does not end");
      expect([points, node, sums(chart.value.latency)]).toEqual([points, node, sums(before.latency)]);
      expect(chart.value.failures).toEqual(before.failures);
      expect(dependency.value.whole.count).toBe(whole);
    }
});

it("keeps the size where changes take all of it: the oldest of them go, samples and what has held for long stay", () => {
  const path = folder();
  const maxSize = 3_000_000;
  const store = open(path, { maxSize });
  store.writer.restore(T0 - 100 * DAY);
  const quiet = Array.from({ length: 600 }, (_, n) => transition(`quiet-${n}`, T0 - 100 * DAY, "healthy"));
  store.writer.commit({ at: T0 - 100 * DAY, transitions: quiet, incidents: [], events: [] });
  for (let at = T0 - 100 * DAY; at < T0; at += HOUR) {
    const to = (at / HOUR) % 2 ? "healthy" : "unhealthy";
    const transitions = Array.from({ length: 30 }, (_, n) => transition(`busy-${n}`, at, to, { reason: "timeout at 2 s" }));
    store.writer.commit({ at, transitions, incidents: [], events: [] });
  }
  live(store, T0, T0 + 3 * HOUR, (at) => store.writer.append([observation("busy-1", at)]));
  const db = openRaw(join(path, "headwater.db"));
  const pages = Number(db.pragma("page_count", { simple: true })) - Number(db.pragma("freelist_count", { simple: true }));
  db.close();
  expect(pages * 4_096).toBeLessThan(maxSize);
  const { reader } = store;
  expect(atOnce(reader.nodeHistory("busy-1", T0, T0 + 3 * HOUR, 3_000)).latency.reduce((sum, { count }) => sum + count, 0)).toBe(1_080);
  expect(atOnce(reader.statesAt(T0 + 2 * HOUR))?.nodes.size).toBe(630);
  expect(reader.transitions(T0 - HOUR, T0, 100)).toHaveLength(30);
  expect(reader.transitions(T0 - 100 * DAY + 1, T0 - 99 * DAY, 100)).toEqual([]);
});

it("keeps itself tidy also when the file is put aside in the midst of that", () => {
  const path = folder();
  const store = open(path, { retention: { raw: HOUR, minutes: HOUR, hours: 2 * HOUR, changes: 3 * HOUR } });
  store.writer.restore(T0);
  const ids = Array.from({ length: 500 }, (_, n) => `service-${n}`);
  live(store, T0, T0 + 4 * HOUR, (at) => at % (10 * 60 * SECOND) === 0 && store.writer.append(ids.map((id) => observation(id, at))));
  let at = T0 + 4 * HOUR + 61 * SECOND;
  store.writer.flush(at);
  expect(store.writer.maintain(at)).toBe(true);
  damage(join(path, "headwater.db"));
  for (let n = 0; n < 60; n++) {
    at += 5 * SECOND;
    store.writer.append([observation("service-1", at)]);
    store.writer.flush(at);
    for (let steps = 0; steps < 1_000 && store.writer.maintain(at); steps++);
  }
  expect(store.writer.health()).toMatchObject({ error: null, queued: 0 });
  expect(store.writer.maintain(at)).toBe(false);
});

it("goes on with the percentiles of the whole board when the file is put aside while they are read", () => {
  const path = folder();
  const store = open(path);
  store.writer.restore(T0);
  const ids = Array.from({ length: 300 }, (_, n) => `service-${n}`);
  for (let at = T0; at < T0 + 2 * HOUR; at += 10 * 60 * SECOND) {
    store.writer.append(ids.map((id) => observation(id, at)));
    store.writer.flush(at);
  }
  const end = T0 + 2 * HOUR + 10 * SECOND;
  store.writer.flush(end);
  while (store.writer.maintain(end));
  const reading = store.reader.percentiles(end);
  expect(reading.next().done).toBe(false);
  damage(join(path, "headwater.db"));
  for (let n = 1; n <= 5; n++) store.writer.flush(end + n * 5 * SECOND);
  expect(store.writer.health().error).toBeNull();
  let step = reading.next();
  while (!step.done) step = reading.next();
  expect(step.value.get("service-0")).toBeCloseTo(20, -0.5);
});
