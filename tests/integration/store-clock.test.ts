import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Incident } from "../../server/src/domain/incident.ts";
import { atOnce } from "../../server/src/domain/turns.ts";
import type { Store } from "../../server/src/store/index.ts";
import { DAY, folder, HOUR, incident, live, MINUTE, observation, open, openRaw, SECOND, T0, transition } from "./store-support.ts";

const YEAR = 365 * DAY;
/** As machines without a battery start. */
const UNSET = Date.UTC(1970, 0, 1, 0, 1);

function change(store: Store, at: number, to: string, incidents: Incident[] = []): void {
  store.writer.commit({ at, transitions: [transition("checkout", at, to)], incidents, events: [] });
}

/** Status, beginning and end of each span, the times in seconds after `from`. */
function spans(store: Store, from: number, to: number): [string, number, number][] {
  const found = atOnce(store.reader.nodeHistory("checkout", from, to, 100)).spans;
  return found.map((span) => [span.status, (span.from - from) / SECOND, (span.to - from) / SECOND]);
}

describe("a clock that was days ahead and is set back", () => {
  it("leaves history to go on by the present clock: what was dated ahead is not shown, and nothing is counted twice", () => {
    const store = open(folder());
    store.writer.restore(T0);
    change(store, T0, "healthy");
    live(store, T0, T0 + MINUTE);
    // Somebody sets the clock three days ahead, and after a minute of that right again.
    const ahead = T0 + 3 * DAY;
    live(store, ahead, ahead + MINUTE);
    change(store, ahead + MINUTE, "unhealthy");
    const back = T0 + 2 * MINUTE;
    store.writer.append([observation("checkout", back)]);
    store.writer.flush(back);
    live(store, back, back + MINUTE + SECOND);
    expect(spans(store, T0, back + MINUTE)).toEqual([
      ["healthy", 0, 50],
      ["no_data", 50, 120],
      ["unhealthy", 120, 180],
    ]);
    expect(store.reader.availability("node", "checkout", T0, T0 + 4 * DAY)).toMatchObject({ up: 50 * SECOND, down: 70 * SECOND });
    expect(atOnce(store.reader.statesAt(ahead + 30 * SECOND))).toBeNull();
    expect(atOnce(store.reader.nodeHistory("checkout", T0, back + MINUTE, 100)).latency).toMatchObject([{ at: back, count: 1 }]);
    expect(store.writer.health()).toMatchObject({ error: null, dropped: 0 });
  });

  it("has let nothing go before its time, though everything was old by it, and is packed and kept tidy again later", () => {
    const path = folder();
    const store = open(path);
    store.writer.restore(T0);
    change(store, T0, "healthy");
    change(store, T0 + MINUTE, "degraded");
    const poll = (at: number): void => store.writer.append([observation("checkout", at)]);
    live(store, T0 + MINUTE, T0 + 3 * HOUR, poll);
    live(store, T0 + 5 * YEAR, T0 + 5 * YEAR + 20 * MINUTE, poll);
    live(store, T0 + 4 * HOUR, T0 + 7 * HOUR, poll);
    expect(store.reader.transitions(T0, T0 + DAY, 10).map(({ to }) => to)).toEqual(["degraded", "healthy"]);
    const { latency } = atOnce(store.reader.nodeHistory("checkout", T0, T0 + 7 * HOUR, 100_000));
    expect(latency.reduce((sum, { count }) => sum + count, 0)).toBe(354 + 720 + 1_080);
    const db = openRaw(`${path}/headwater.db`);
    const slots = db.prepare("SELECT DISTINCT key / 16777216 AS slot FROM tail").all() as { slot: number }[];
    db.close();
    // Of the samples only those of the open slots are not packed yet; none of the time ahead keeps its place among them.
    expect(slots.every(({ slot }) => Math.floor(slot) * 10 * MINUTE >= T0 + 6 * HOUR && slot * 10 * MINUTE < T0 + 8 * HOUR)).toBe(true);
  });

  it("between two runs is followed at the start", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0 + 2 * YEAR);
    change(first, T0 + 2 * YEAR, "healthy", [incident(1, T0 + 2 * YEAR)]);
    first.writer.append([observation("checkout", T0 + 2 * YEAR)]);
    first.writer.flush(T0 + 2 * YEAR);
    first.close();
    const second = open(path);
    const back = second.writer.restore(T0);
    expect(back.lastAnswerAt).toBe(T0);
    expect(back.incidents).toMatchObject([{ id: 1, status: "open" }]);
    live(second, T0, T0 + MINUTE + SECOND);
    expect(spans(second, T0, T0 + MINUTE)).toEqual([["healthy", 0, 60]]);
    second.close();
    const third = open(path);
    third.writer.restore(T0 + 2 * MINUTE);
    expect(spans(third, T0, T0 + 2 * MINUTE)).toEqual([
      ["healthy", 0, 60],
      ["no_data", 60, 120],
    ]);
  });
});

describe("a clock that is not set yet", () => {
  it("dates history for a while; once it is set, that time is a gap, and what happened in it is dated by its end", () => {
    const path = folder();
    const told: string[] = [];
    const first = open(path);
    first.writer.restore(T0);
    change(first, T0, "healthy", [incident(1, T0)]);
    live(first, T0, T0 + HOUR + SECOND, (at) => first.writer.append([observation("checkout", at)]));
    first.close();
    const store = open(path, { log: (level, text) => void told.push(`${level} ${text}`) });
    expect(store.writer.restore(UNSET).incidents).toMatchObject([{ id: 1 }]);
    store.writer.append([observation("checkout", UNSET + SECOND)]);
    const resolved = { status: "resolved" as const, resolvedAt: UNSET + MINUTE, end: "cleared" as const };
    change(store, UNSET + SECOND, "unhealthy", [incident(3, UNSET)]);
    live(store, UNSET + 2 * SECOND, UNSET + MINUTE);
    store.writer.commit({
      at: UNSET + MINUTE,
      transitions: [],
      incidents: [incident(1, T0, resolved)],
      events: [{ incident: 3, at: UNSET, kind: "opened", node: "checkout", text: "it failed", by: null }],
    });
    expect(spans(store, UNSET, UNSET + MINUTE)).toEqual([
      ["healthy", 0, 1],
      ["unhealthy", 1, 60],
    ]);
    expect(told).toEqual([expect.stringMatching(/^error The clock was set back .* kept aside until it shows which was right\.$/)]);

    const set = T0 + 2 * HOUR;
    // A poll that was asked before comes in after it, and so does the next word on the incident.
    store.writer.flush(set);
    store.writer.append([observation("checkout", UNSET + MINUTE)]);
    change(store, set + SECOND, "degraded", [incident(3, UNSET, { severity: "ticket" })]);
    store.writer.flush(set + 10 * SECOND);
    expect(told.at(-1)).toMatch(/^info The clock is right again/);
    const expected = [
      ["healthy", 0, 3_600],
      ["no_data", 3_600, 7_200],
      ["unhealthy", 7_200, 7_201],
      ["degraded", 7_201, 7_210],
    ];
    expect(spans(store, T0, set + 10 * SECOND)).toEqual(expected);
    expect(atOnce(store.reader.nodeHistory("checkout", UNSET - DAY, UNSET + DAY, 10))).toMatchObject({
      spans: [{ status: "no_data" }],
      latency: [],
    });
    expect(store.writer.health()).toMatchObject({ dropped: 2, error: null });
    const moments = (id: number): (number | null)[] => {
      const { openedAt = null, resolvedAt = null } = store.reader.incident(id) ?? {};
      return [openedAt, resolvedAt];
    };
    expect([moments(1), moments(3)]).toEqual([
      [T0, set],
      [set, null],
    ]);
    expect(store.reader.incidentEvents(3, 5)).toMatchObject([{ at: set }]);
    expect(store.reader.incidents({ from: T0 + HOUR, to: set + MINUTE, limit: 5 }).incidents.map(({ id }) => id)).toEqual([3, 1]);
    expect(atOnce(store.reader.statesAt(set + 5 * SECOND))?.incidents.map(({ id, severity }) => [id, severity])).toEqual([
      [3, "ticket"],
      [1, "page"],
    ]);
    store.close();
    const again = open(path);
    again.writer.restore(set + MINUTE);
    expect(spans(again, T0, set + 10 * SECOND)).toEqual(expected);
  });

  it("may last over a restart, and is told from a clock that was wrong the other way before", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    change(first, T0, "healthy");
    live(first, T0, T0 + MINUTE + SECOND);
    // Two years ahead by mistake; the machine starts anew, unset; then the time comes from the network.
    live(first, T0 + 2 * YEAR, T0 + 2 * YEAR + MINUTE + SECOND);
    first.close();
    const second = open(path);
    second.writer.restore(UNSET);
    change(second, UNSET, "degraded");
    live(second, UNSET, UNSET + MINUTE);
    second.close();
    const third = open(path);
    third.writer.restore(UNSET + 2 * MINUTE);
    live(third, UNSET + 2 * MINUTE, UNSET + 3 * MINUTE);
    live(third, T0 + HOUR, T0 + 2 * HOUR + SECOND);
    expect(spans(third, T0, T0 + 2 * HOUR)).toEqual([
      ["healthy", 0, 60],
      ["no_data", 60, 3_600],
      ["degraded", 3_600, 7_200],
    ]);
    third.close();
    const fourth = open(path);
    fourth.writer.restore(T0 + 3 * HOUR);
    expect(spans(fourth, T0, T0 + 2 * HOUR)[2]).toEqual(["degraded", 3_600, 7_200]);
  });
});

const STATUSES = ["healthy", "degraded", "unhealthy"];
const act = fc.oneof(
  fc.record({ kind: fc.constant("live" as const), by: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant("change" as const), by: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ kind: fc.constant("leap" as const), by: fc.integer({ min: -900, max: 900 }) }),
  fc.record({ kind: fc.constant("unset" as const), by: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ kind: fc.constant("stop" as const), by: fc.integer({ min: -72, max: 72 }) }),
);

it("whatever the clock does, spans tile every range, shares never exceed it, and the present is told as it is", () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 25 }), (acts) => {
      const path = folder();
      let store = open(path);
      let now = T0;
      let status: string | null = null;
      store.writer.restore(now);
      for (const { kind, by } of acts) {
        if (kind === "change") {
          status = STATUSES[by] ?? null;
          change(store, now, status ?? "");
        } else if (kind === "stop") {
          store.close();
          now += by * HOUR;
          store = open(path);
          store.writer.restore(now);
        } else {
          if (kind === "leap") now += by * HOUR;
          if (kind === "unset") now = UNSET + by * MINUTE;
          for (let i = 0; i < (kind === "live" ? by : 2); i++) {
            now += 10 * SECOND * (kind === "live" ? 6 : 1) - (kind === "live" ? 50 * SECOND : 0);
            store.writer.append([observation("checkout", now)]);
            store.writer.flush(now);
            store.writer.maintain(now);
          }
        }
        expect(store.writer.health().error).toBeNull();
        expect(atOnce(store.reader.statesAt(now))?.nodes.get("checkout")?.status ?? null).toBe(status);
        for (const range of [
          { from: now - HOUR, to: now + MINUTE },
          { from: now - 100 * DAY, to: now + 100 * DAY },
        ]) {
          const found = atOnce(store.reader.nodeHistory("checkout", range.from, range.to, 100)).spans;
          expect([found[0]?.from, found.at(-1)?.to]).toEqual([range.from, range.to]);
          found.forEach((span, i) => {
            expect(span.to).toBeGreaterThan(span.from);
            if (i > 0) expect(span.from).toBe(found[i - 1]?.to);
          });
          const { up, degraded, down, unseen } = store.reader.availability("node", "checkout", range.from, range.to);
          expect(up + degraded + down + unseen).toBe(range.to - range.from);
        }
      }
      const told = spans(store, now - 100 * DAY, now);
      store.close();
      store = open(path);
      expect(spans(store, now - 100 * DAY, now)).toEqual(told);
      store.close();
    }),
    { numRuns: 25 },
  );
});
