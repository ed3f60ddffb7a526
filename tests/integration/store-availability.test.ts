import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../server/src/domain/turns.ts";
import { openReader } from "../../server/src/store/index.ts";
import { DAY, folder, HOUR, incident, live, MINUTE, mapOf, observation, open, SECOND, T0, transition } from "./store-support.ts";

describe("availability", () => {
  it("counts blind time and time away as unseen, and announced work apart", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    const blind = (at: number, to: string) => transition("*", at, to, { subject: "blind" });
    first.writer.commit({ at: T0, transitions: [transition("checkout", T0, "healthy")], incidents: [], events: [] });
    live(first, T0, T0 + MINUTE);
    first.writer.commit({
      at: T0 + MINUTE,
      transitions: [blind(T0 + MINUTE, "blind"), transition("checkout", T0 + MINUTE, "unknown")],
      incidents: [],
      events: [],
    });
    live(first, T0 + MINUTE, T0 + 2 * MINUTE);
    const back = T0 + 2 * MINUTE;
    const work = incident(1, back, { kind: "maintenance", anchor: "checkout", cause: null, impacted: [] });
    first.writer.commit({
      at: back,
      transitions: [blind(back, "clear"), transition("checkout", back, "unhealthy")],
      incidents: [work],
      events: [],
    });
    live(first, back, back + MINUTE + SECOND);
    first.close();
    const second = open(path);
    second.writer.restore(T0 + HOUR);
    live(second, T0 + HOUR, T0 + HOUR + MINUTE);
    const { reader } = second;
    expect(reader.availability("node", "checkout", T0, T0 + HOUR)).toEqual({
      up: MINUTE,
      degraded: 0,
      down: MINUTE,
      unseen: MINUTE + (HOUR - 3 * MINUTE),
      maintenance: MINUTE,
    });
    expect(new Map(reader.strips(T0, T0 + 4 * MINUTE, 4)).get("checkout")).toEqual([
      { status: "healthy", share: 1 },
      null,
      { status: "unhealthy", share: 1 },
      null,
    ]);
  });

  /** By how many seconds; one back is no step to the store, but two clocks that were read one after the other. */
  const steps = (min: number, max: number) => fc.integer({ min, max }).filter((by) => by !== -1);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("live" as const), by: fc.integer({ min: 1, max: 120 }) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), by: fc.integer({ min: 0, max: 3 }) }) },
    fc.record({ kind: fc.constant("stop" as const), by: steps(-3_600, 7_200) }),
    fc.record({ kind: fc.constant("stall" as const), by: fc.integer({ min: 16, max: 3_600 }) }),
    fc.record({ kind: fc.constant("clock" as const), by: steps(-10_800, 10_800) }),
    fc.record({ kind: fc.constant("map" as const), by: fc.integer({ min: 0, max: 1 }) }),
  );

  it("and spans are those of a life told second by second, through stops, stalls, clock steps and changes of the map", () => {
    const words = ["healthy", "degraded", "unhealthy", "unknown"];
    /** What each second holds by what was last lived of it; without an entry nothing is known. */
    const told = new Map<number, string>();
    const second = (at: number): number => (at - T0) / SECOND;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (life) => {
        told.clear();
        const path = folder();
        let store = open(path);
        let now = T0;
        let status: string | null = null;
        store.writer.restore(now);
        /** Time goes on to `to`: lived, or as a gap. Set back, all that was said of the time to come is void. */
        const pass = (to: number, lived: boolean): void => {
          for (let at = now; at < to; at += SECOND) lived && status ? told.set(second(at), status) : told.delete(second(at));
          if (to < now) for (const at of told.keys()) if (at >= second(to)) told.delete(at);
          now = to;
        };
        for (const { kind, by } of life) {
          if (kind === "live")
            for (let i = 0; i < by; i += 5) {
              pass(now + 5 * SECOND, true);
              store.writer.append([observation("checkout", now, { words: { "orders-db": "up" } })]);
              store.writer.flush(now);
              store.writer.maintain(now);
            }
          else if (kind === "change") {
            status = words[by] ?? null;
            store.writer.commit({ at: now, transitions: [transition("checkout", now, status ?? "")], incidents: [], events: [] });
          } else if (kind === "map") {
            if (!by) status = null;
            store.writer.follow(by ? mapOf({ id: "checkout" }) : mapOf({ id: "cart" }));
          } else if (kind === "stop") {
            store.close();
            pass(now + by * SECOND, false);
            store = open(path);
            store.writer.restore(now);
          } else {
            pass(now + by * SECOND, by > 0 && by <= 15);
            // The first sign of life after it may be a change as well as a second's upkeep.
            if (by % 2) store.writer.flush(now);
            else store.writer.commit({ at: now, transitions: [transition("search", now, "healthy")], incidents: [], events: [] });
          }
        }
        store.writer.flush(now);
        const from = Math.min(T0, now, ...[...told.keys()].map((at) => T0 + at * SECOND)) - HOUR;
        fc.pre(now > from + SECOND);
        const { reader } = store;
        const { spans } = atOnce(reader.nodeHistory("checkout", from, now, 300));
        expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, now]);
        const sums = { healthy: 0, degraded: 0, unhealthy: 0 };
        spans.forEach((span, i) => {
          expect(span.to).toBeGreaterThan(span.from);
          if (i > 0) expect(span.from).toBe(spans[i - 1]?.to);
          for (let at = span.from; at < span.to; at += SECOND) {
            const known = told.get(second(at)) ?? "no_data";
            if (known !== span.status) expect([second(at), span.status]).toEqual([second(at), known]);
            if (known in sums) sums[known as keyof typeof sums] += SECOND;
          }
        });
        for (const at of [...told.keys()].filter((_, i) => i % 97 === 0))
          expect([at, atOnce(reader.statesAt(T0 + at * SECOND))?.nodes.get("checkout")?.status]).toEqual([at, told.get(at)]);
        const whole = reader.availability("node", "checkout", from, now);
        expect(whole).toMatchObject({ up: sums.healthy, degraded: sums.degraded, down: sums.unhealthy });
        expect(whole.up + whole.degraded + whole.down + whole.unseen).toBe(now - from);
        const middle = from + Math.round((now - from) / 2 / SECOND) * SECOND;
        const [left, right] = [reader.availability("node", "checkout", from, middle), reader.availability("node", "checkout", middle, now)];
        expect([left.up + right.up, left.down + right.down]).toEqual([whole.up, whole.down]);
        const daily = [...reader.days(now, 3)].find(({ id }) => id === "checkout")?.held ?? new Float64Array(12);
        const of = (word: number): number => daily.reduce((sum, ms, i) => (i % 4 === word ? sum + ms : sum), 0);
        expect([of(0), of(1), of(2)]).toEqual([sums.healthy, sums.degraded, sums.unhealthy]);
        store.close();
        const after = openReader(path);
        expect(after.reader.availability("node", "checkout", from, middle)).toEqual(left);
        after.close();
      }),
      { numRuns: 40 },
    );
  });

  it("that a commit ends is a gap too: after a machine was suspended the first sign of life may be a change", () => {
    const store = open(folder());
    store.writer.restore(T0);
    store.writer.flush(T0 + 5 * SECOND);
    store.writer.commit({ at: T0 + HOUR, transitions: [transition("checkout", T0 + HOUR, "healthy")], incidents: [], events: [] });
    store.writer.flush(T0 + HOUR);
    expect(store.reader.gaps(T0, T0 + DAY)).toEqual([{ from: T0 + 5 * SECOND, to: T0 + HOUR }]);
  });
});
