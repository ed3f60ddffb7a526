import { describe, expect, test } from "vitest";
import { phaseOf } from "../../../server/src/poller/phase.ts";
import { createScheduler, type Timed } from "../../../server/src/poller/scheduler.ts";

const WALL = 1_700_000_000_000;

function task(id: string, interval = 10_000): Timed {
  return { id, interval, due: Number.POSITIVE_INFINITY, removed: false };
}

/** A scheduler whose time stands still until `run` moves it, tick by tick, and whose timer never fires. */
function fixture(tickMs = 100) {
  let passed = 0;
  const events: { id: string; at: number; due: number }[] = [];
  const missed: { id: string; count: number }[] = [];
  const scheduler = createScheduler<Timed>({
    clock: { monotonic: () => passed, wall: () => WALL + passed },
    tickMs,
    onDue: ({ id }, due) => events.push({ id, at: scheduler.now(), due }),
    onMissed: ({ id }, _due, count) => missed.push({ id, count }),
  });
  scheduler.start();
  scheduler.stop();
  return {
    scheduler,
    events,
    missed,
    run(ms: number) {
      for (const end = passed + ms; passed < end; ) {
        passed += tickMs;
        scheduler.advance(scheduler.now());
      }
    },
    /** The loop stands still, then wakes. */
    stall(ms: number) {
      passed += ms;
      scheduler.advance(scheduler.now());
    },
    at: (id: string) => events.filter((event) => event.id === id).map((event) => event.at),
  };
}

/** Last attempts just now, so that nothing is swept. */
const recent = (...ids: string[]) => new Map(ids.map((id) => [id, WALL] as const));

describe("the scheduler", () => {
  test("serves each task once per interval, on its phase of absolute time", () => {
    const { scheduler, run, at } = fixture();
    const ids = Array.from({ length: 50 }, (_, i) => `svc${i}`);
    scheduler.add(
      ids.map((id) => task(id)),
      new Map(ids.map((id) => [id, WALL - 9_000])),
    );
    run(60_000);
    for (const id of ids) {
      const times = at(id);
      expect(times.length).toBeGreaterThanOrEqual(5);
      for (const time of times) {
        const late = (((time - phaseOf(id, 10_000)) % 10_000) + 10_000) % 10_000;
        expect(late).toBeLessThan(100);
      }
      for (let i = 1; i < times.length; i++) expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBe(10_000);
    }
  });

  test("a restart keeps the rhythm: the same phase under another start time", () => {
    const first = fixture();
    const second = fixture();
    second.run(3_700);
    first.scheduler.add([task("a")], recent("a"));
    second.scheduler.add([task("a")], recent("a"));
    first.run(60_000);
    second.run(60_000);
    expect(second.at("a").map((time) => time % 10_000)).toEqual(second.at("a").map(() => (first.at("a")[0] ?? 0) % 10_000));
  });

  test("sweeps what was never asked evenly within ten seconds, then never twice within an interval", () => {
    const { scheduler, run, at, events } = fixture();
    const ids = Array.from({ length: 400 }, (_, i) => `svc${i}`);
    scheduler.add(ids.map((id) => task(id, 60_000)));
    run(10_000);
    expect(new Set(events.map((event) => event.id)).size).toBe(400);
    const perSecond = new Array<number>(10).fill(0);
    for (const { at: time } of events) {
      const second = Math.min(9, Math.floor((time - WALL - 1) / 1_000));
      perSecond[second] = (perSecond[second] ?? 0) + 1;
    }
    expect(Math.max(...perSecond) - Math.min(...perSecond)).toBeLessThanOrEqual(10);
    run(180_000);
    for (const id of ids) {
      const times = at(id);
      expect(times.length).toBeGreaterThanOrEqual(3);
      for (let i = 1; i < times.length; i++) {
        const gap = (times[i] ?? 0) - (times[i - 1] ?? 0);
        expect(gap).toBeGreaterThan(60_000 - 200);
        expect(gap).toBeLessThanOrEqual(120_100);
      }
    }
  });

  test("sweeps within the interval where that is shorter, and a small fleet without waiting", () => {
    const short = fixture();
    short.scheduler.add(Array.from({ length: 400 }, (_, i) => task(`svc${i}`, 2_000)));
    short.run(2_000);
    expect(new Set(short.events.map((event) => event.id)).size).toBe(400);
    const small = fixture();
    small.scheduler.add(Array.from({ length: 15 }, (_, i) => task(`svc${i}`)));
    small.run(1_600);
    expect(small.events.length).toBe(15);
  });

  test.each([
    ["older than the interval", WALL - 10_001, true],
    ["within the interval", WALL - 9_000, false],
    ["in the future, so of another clock", WALL + 60_000, true],
  ])("a last attempt %s", (_name, last, swept) => {
    const { scheduler, run, events } = fixture();
    const due = (((phaseOf("svc7", 10_000) - (WALL % 10_000)) % 10_000) + 10_000) % 10_000;
    expect(due).toBeGreaterThan(500);
    scheduler.add([task("svc7")], new Map([["svc7", last]]));
    run(300);
    expect(events.length).toBe(swept ? 1 : 0);
  });

  test("a start soon after the last attempt waits for the next phase", () => {
    const { scheduler, run, at } = fixture();
    const ids = Array.from({ length: 100 }, (_, i) => `svc${i}`);
    scheduler.add(
      ids.map((id) => task(id)),
      new Map(ids.map((id) => [id, WALL - 100])),
    );
    run(30_000);
    for (const id of ids) expect((at(id)[0] ?? 0) - (WALL - 100)).toBeGreaterThanOrEqual(9_500);
  });

  test("a short stall delays, and the rhythm stays", () => {
    const { scheduler, run, stall, at, missed } = fixture();
    scheduler.add([task("a")], recent("a"));
    run(30_000);
    const [first = 0] = at("a");
    const before = at("a").length;
    const wait = 10_000 - ((scheduler.now() - first) % 10_000);
    run(wait - 100);
    stall(400);
    run(30_000);
    const times = at("a").slice(before);
    expect(times.slice(1).map((time) => (time - first) % 10_000)).toEqual(times.slice(1).map(() => 0));
    expect(missed).toEqual([]);
  });

  test("after a long stall missed times are counted and never made up", () => {
    const { scheduler, run, stall, at, missed, events } = fixture();
    const ids = Array.from({ length: 200 }, (_, i) => `svc${i}`);
    scheduler.add(
      ids.map((id) => task(id)),
      new Map(ids.map((id) => [id, WALL - 9_900])),
    );
    run(20_000);
    const before = events.length;
    stall(45_000);
    // Only what is at most 5 % of an interval late is still served.
    expect(events.length - before).toBeLessThan(30);
    const counted = missed.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBeGreaterThan(200 * 4 - 30);
    expect(counted).toBeLessThanOrEqual(200 * 5);
    run(10_000);
    for (const id of ids) {
      const after = at(id).filter((time) => time > WALL + 65_000);
      expect(after.length).toBeLessThanOrEqual(1);
    }
    run(10_000);
    for (const id of ids) expect(at(id).filter((time) => time >= WALL + 65_000).length).toBeGreaterThanOrEqual(1);
  });

  test("a machine that slept for a month wakes at once", () => {
    const { scheduler, run, stall, missed, at } = fixture();
    scheduler.add([task("a"), task("b", 3_600_000)], recent("a", "b"));
    run(20_000);
    stall(30 * 86_400_000);
    expect(missed.map(({ id }) => id).sort()).toEqual(["a", "b"]);
    const before = at("a").length;
    run(20_000);
    expect(at("a").length - before).toBe(2);
  });

  test("wall clock jumps move nothing", () => {
    let mono = 0;
    let jump = 0;
    const times: number[] = [];
    const scheduler = createScheduler<Timed>({
      clock: { monotonic: () => mono, wall: () => WALL + mono + jump },
      onDue: () => times.push(mono),
      onMissed: () => times.push(Number.NaN),
    });
    scheduler.start();
    scheduler.stop();
    scheduler.add([task("a")], recent("a"));
    for (; mono < 60_000; mono += 100) {
      if (mono === 20_000) jump = -86_400_000;
      if (mono === 40_000) jump = 86_400_000;
      scheduler.advance(scheduler.now());
    }
    expect(times.length).toBeGreaterThanOrEqual(5);
    for (let i = 1; i < times.length; i++) expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBe(10_000);
  });

  test("a removed task is served no more, and others keep their time", () => {
    const { scheduler, run, at } = fixture();
    const [a, b] = [task("a"), task("b")];
    scheduler.add([a, b], recent("a", "b"));
    run(25_000);
    const counts = [at("a").length, at("b").length];
    scheduler.remove(a);
    run(30_000);
    expect(at("a").length).toBe(counts[0]);
    expect(at("b").length).toBe((counts[1] ?? 0) + 3);
  });

  test("lag is the worst lateness of late, and is forgotten", () => {
    const { scheduler, run, stall } = fixture();
    scheduler.add(
      Array.from({ length: 100 }, (_, i) => task(`svc${i}`)),
      new Map(),
    );
    run(5_000);
    expect(scheduler.lagMs()).toBeLessThan(1);
    stall(300);
    expect(scheduler.lagMs()).toBeGreaterThanOrEqual(100);
    run(30_000);
    expect(scheduler.lagMs()).toBeLessThan(1);
  });
});
