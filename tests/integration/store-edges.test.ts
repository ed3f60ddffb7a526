import { join } from "node:path";
import { expect, it } from "vitest";
import { pollsIn } from "../../server/src/store/export.ts";
import { openReader } from "../../server/src/store/index.ts";
import { damage, failure, folder, HOUR, live, observation, open, openRaw, SECOND, T0 } from "./store-support.ts";

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
      const before = store.reader.nodeHistory(node, ...range);
      const whole = store.reader.dependencyLatency("checkout", "db", ...range).whole.count;
      const steps = store.reader.nodeHistorySteps(node, ...range);
      const checks = store.reader.dependencySteps("checkout", "db", ...range);
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
