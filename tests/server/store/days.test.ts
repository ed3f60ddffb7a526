import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Range } from "../../../server/src/domain/history.ts";
import { STATUSES } from "../../../server/src/domain/status.ts";
import { createDays } from "../../../server/src/store/days.ts";
import type { Memory } from "../../../server/src/store/memory.ts";
import { DAY_MS } from "../../../server/src/store/samples.ts";
import { availabilityOf, push, type Step, tile, union } from "../../../server/src/store/timeline.ts";

/** 2026-10-20, a whole day number. */
const FIRST = 20_746;
const COUNT = 5;
const START = FIRST * DAY_MS;

const moment = fc.integer({ min: START - DAY_MS, max: START + COUNT * DAY_MS });
const range: fc.Arbitrary<Range> = fc.tuple(moment, moment).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }));
const step: fc.Arbitrary<Step> = fc.record({ at: moment, status: fc.option(fc.constantFrom(...STATUSES), { nil: null }) });

/** What the history would say, from a list of changes. */
function memoryOf(steps: Step[], gaps: Range[], alive: number): Memory {
  const unused = (): never => {
    throw new Error("not asked for");
  };
  return {
    began: START - DAY_MS,
    alive,
    steps: (_kind, _id, { from }) => {
      const after = steps.findIndex((one) => one.at > from);
      return after === -1 ? steps.slice(-1) : steps.slice(Math.max(0, after - 1));
    },
    isLived: unused,
    unseen: (within) => union(gaps, within),
    note: unused,
    addGap: unused,
    cutGaps: unused,
    liveAgain: unused,
    bringBack: unused,
    relivedFrom: null,
    setBacks: [],
    gaps: unused,
    blindSince: unused,
    last: unused,
    reload: unused,
  };
}

/** Seen time of the whole range, the long way. */
function expected(steps: Step[], gaps: Range[], to: number) {
  const within = { from: START, to };
  const { up, degraded, down } = availabilityOf(tile(steps, union(gaps, within), within), []);
  return [up, degraded, down];
}

function sums(held: Float64Array) {
  const of = (word: number) => held.reduce((sum, ms, i) => (i % STATUSES.length === word ? sum + ms : sum), 0);
  return [of(0), of(1), of(2)];
}

describe("days", () => {
  it("hold what the spans of the same time hold, whatever changes after they were first asked for", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.array(range, { maxLength: 3 }),
        fc.array(step, { maxLength: 6 }),
        moment,
        (pushed, gaps, later, now) => {
          fc.pre(now > START);
          const steps: Step[] = [];
          for (const one of [...pushed].sort((a, b) => a.at - b.at)) push(steps, one);
          const days = createDays(memoryOf(steps, gaps, now));
          expect(sums(days.read("node", "web", FIRST, COUNT, now))).toEqual(expected(steps, gaps, now));
          for (const one of later) {
            push(steps, one);
            days.forget(one.at, "node", "web");
            expect(sums(days.read("node", "web", FIRST, COUNT, now))).toEqual(expected(steps, gaps, now));
          }
          gaps.push({ from: START + DAY_MS / 2, to: START + DAY_MS });
          days.forget(START + DAY_MS / 2);
          expect(sums(days.read("node", "web", FIRST, COUNT, now))).toEqual(expected(steps, gaps, now));
        },
      ),
    );
  });

  it("never hold more than the day", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), moment, (pushed, now) => {
        fc.pre(now > START);
        const steps: Step[] = [];
        for (const one of pushed) push(steps, one);
        const held = createDays(memoryOf(steps, [], now)).read("node", "web", FIRST, COUNT, now);
        for (let day = 0; day < COUNT; day++)
          expect(held.subarray(day * 4, day * 4 + 4).reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(DAY_MS);
      }),
    );
  });
});
