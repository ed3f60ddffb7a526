import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Damped } from "../../../server/src/domain/state.ts";
import { compareStatus, STATUSES, type Status } from "../../../server/src/domain/status.ts";
import { type Limits, statusDamper } from "../../../server/src/state/damping.ts";

const WORD: Record<string, Status> = { H: "healthy", D: "degraded", U: "unhealthy", "?": "unknown" };
const three: Limits = { downAfter: 3, upAfter: 3 };

/** Feeds results, one a second. */
function feed(words: string, limits: Limits = three, from: Damped<Status> = statusDamper.initial, start = 1): Damped<Status> {
  return [...words].reduce((damped, word, n) => statusDamper.step(damped, WORD[word] as Status, start + n, limits), from);
}

describe("a run flips the state once it is long enough", () => {
  test.each([
    ["HUU", "healthy", "two of three are not enough"],
    ["HUUU", "unhealthy", "three are"],
    ["HUUHUU", "healthy", "a good result in between ends the run"],
    ["HDUU", "degraded", "a worsening run takes its mildest known status"],
    ["HDUUU", "unhealthy", "the rest of the run counts on against the new state"],
    ["UDHH", "degraded", "an improving run takes its worst known status"],
    ["UDHHH", "healthy", "and goes on from there"],
    ["H??U", "unknown", "under half of the run known makes it unknown"],
    ["HU?U", "unhealthy", "two of three known are enough"],
    ["H???", "unknown", "silence alone makes it unknown"],
    ["D???", "unknown", "unknown is worse than degraded"],
    ["U???", "unknown", "and better than unhealthy"],
    ["H???U", "unhealthy", "leaving unknown takes one report"],
    ["H???H", "healthy", "whatever it says"],
    ["DHUUU", "unhealthy", "a change of direction begins a new run"],
  ] as const)("%s: %s (%s)", (words, expected, _because) => {
    expect(feed(words).status).toBe(expected);
  });

  test("down_after and up_after count apart", () => {
    const limits = { downAfter: 2, upAfter: 4 };
    expect(["HU", "HUU", "HUUHHH", "HUUHHHH"].map((words) => feed(words, limits).status)).toEqual([
      "healthy",
      "unhealthy",
      "unhealthy",
      "healthy",
    ]);
  });

  test("with flip_after 1 every result is the state", () => {
    const one = { downAfter: 1, upAfter: 1 };
    expect(["H", "HU", "HU?", "HU?D"].map((words) => feed(words, one).status)).toEqual(["healthy", "unhealthy", "unknown", "degraded"]);
    expect(feed("U", one).confirmed).toBe(true);
  });

  test("the change dates from the first result of its run", () => {
    expect(feed("HHUUU").since).toBe(3);
    expect(feed("HDUUU").since).toBe(3);
  });

  test.each([
    ["HU", { status: "unhealthy", count: 1, needed: 3 }],
    ["HDU", { status: "degraded", count: 2, needed: 3 }],
    ["H?", { status: "unknown", count: 1, needed: 3 }],
    ["UH", { status: "healthy", count: 1, needed: 3 }],
    ["HUUU", null],
    ["HUH", null],
    ["H???", null],
  ])("%s has %j pending", (words, pending) => {
    expect(feed(words).pending).toEqual(pending);
  });
});

describe("the first result", () => {
  test.each(["H", "D", "U", "?"])("%s sets the state, unconfirmed", (word) => {
    expect(feed(word)).toMatchObject({ status: WORD[word], since: 1, confirmed: false });
  });
  test.each([
    ["UU", false],
    ["UUU", true],
    ["UHUU", false],
    ["UHUUU", true],
    ["DUU", true],
    ["HHH", true],
    ["???", true],
  ])("%s: confirmed is %s", (words, confirmed) => {
    expect(feed(words).confirmed).toBe(confirmed);
  });
  test("a bad status that one report took out of unknown is confirmed by more of them", () => {
    expect(["H???U", "H???UU", "H???UUU"].map((words) => feed(words).confirmed)).toEqual([false, false, true]);
  });
});

describe("flapping", () => {
  test("four reversals among the last ten hold the worst of them", () => {
    expect(feed("HUHUH")).toMatchObject({ flapping: false, status: "healthy" });
    expect(feed("HUHUHU")).toMatchObject({ flapping: true, status: "unhealthy", pending: null, confirmed: true });
    expect(feed("HDHDHD")).toMatchObject({ flapping: true, status: "degraded" });
    expect(feed("H?H?H?")).toMatchObject({ flapping: true, status: "unknown" });
  });
  test("steps in one direction are no reversal", () => {
    expect(feed("HHDDUUDDHH").flapping).toBe(false);
  });
  test("the mark goes when fewer than four remain, and the good run that ended it counts", () => {
    const words = "HUHUHU";
    const marks = [...Array(9)].map((_, n) => feed(words + "H".repeat(n)));
    expect(marks.map(({ flapping }) => flapping)).toEqual([true, true, true, true, true, true, false, false, false]);
    expect(marks.map(({ status }) => status).slice(0, 6)).toEqual(Array(6).fill("unhealthy"));
    expect(marks[6]).toMatchObject({ status: "healthy", since: 7 });
  });
  test("it works with flip_after 1, where every result would flip", () => {
    expect(feed("HUHUHUH", { downAfter: 1, upAfter: 1 })).toMatchObject({ flapping: true, status: "unhealthy" });
  });
});

describe("intermittent", () => {
  const blips = "HHUUHHHHUUHHHHU";
  test("five of the last twenty worse, half of them known bad: degraded, as one state", () => {
    expect(feed("HHUUHHHHUUHHHH")).toMatchObject({ status: "healthy", intermittent: false });
    expect(feed(blips)).toMatchObject({ status: "degraded", intermittent: true, since: 15, confirmed: true });
  });
  test("until ten good in a row", () => {
    expect(feed(`${blips}HHHHHHHHH`)).toMatchObject({
      status: "degraded",
      intermittent: true,
      pending: { status: "healthy", count: 9, needed: 10 },
    });
    expect(feed(`${blips}HHHHHHHHHH`)).toMatchObject({ status: "healthy", intermittent: false, since: 16, pending: null });
    expect(feed(`${blips}HHHHHHHHHUHHHHHHHHH`)).toMatchObject({ status: "degraded", intermittent: true });
  });
  test("or until it is plainly degraded", () => {
    expect(feed(`${blips}${"D".repeat(10)}`)).toMatchObject({ status: "degraded", intermittent: false });
    expect(feed(`${blips}${"D".repeat(10)}HHH`)).toMatchObject({ status: "healthy" });
  });
  test("mostly silence earns the mark alone", () => {
    expect(feed("HH??HHHH??HHHH?")).toMatchObject({ status: "healthy", intermittent: true });
    expect(feed(`HH??HHHH??HHHH?${"H".repeat(20)}`)).toMatchObject({ status: "healthy", intermittent: false });
  });
  test("a real outage out of it flips as ever", () => {
    expect(feed(`${blips}UU`)).toMatchObject({ status: "unhealthy", intermittent: false });
  });
  test("an outage that is over does not count as blips", () => {
    expect(feed("HUUUUUUUUUHHH")).toMatchObject({ status: "healthy", intermittent: false });
    expect(feed("HUUUUUUUUUHHHHUH")).toMatchObject({ status: "healthy", intermittent: false });
  });
  test("one long run on its way to a flip is not intermittent", () => {
    expect(feed("HHUUUUUUU", { downAfter: 10, upAfter: 3 })).toMatchObject({ status: "healthy", intermittent: false });
  });
});

test("clearing forgets the run and keeps the state", () => {
  expect(feed("UU", three, statusDamper.clear(feed("HHHUU")), 10)).toMatchObject({ status: "healthy", pending: { count: 2 } });
});

const results = fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 60 });
const limits = fc.record({ downAfter: fc.integer({ min: 1, max: 6 }), upAfter: fc.integer({ min: 1, max: 6 }) });

test("it never flips early: a known state leaves only by a full run in one direction", () => {
  fc.assert(
    fc.property(results, limits, (words, { downAfter, upAfter }) => {
      let damped = statusDamper.initial;
      for (const [n, word] of words.entries()) {
        const next = statusDamper.step(damped, word, n + 1, { downAfter, upAfter });
        const marked = damped.flapping || next.flapping || damped.intermittent || next.intermittent;
        if (n > 0 && damped.status !== "unknown" && next.status !== damped.status && !marked) {
          const worse = compareStatus(word, damped.status) > 0;
          const run = words.slice(0, n + 1).slice(-(worse ? downAfter : upAfter));
          expect(run.length).toBe(worse ? downAfter : upAfter);
          for (const one of run) expect(Math.sign(compareStatus(one, damped.status))).toBe(worse ? 1 : -1);
        }
        damped = next;
      }
    }),
  );
});

test("after enough equal results the state is that result, whatever came before", () => {
  fc.assert(
    fc.property(results, limits, fc.constantFrom(...STATUSES), (words, bounds, last) => {
      let damped = statusDamper.initial;
      let time = 0;
      for (const word of [...words, ...Array<Status>(20).fill(last)]) damped = statusDamper.step(damped, word, ++time, bounds);
      expect(damped).toMatchObject({ status: last, raw: last, pending: null, flapping: false, intermittent: false, run: [] });
    }),
  );
});

test("what it keeps stays bounded", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STATUSES), { maxLength: 200 }), limits, (words, bounds) => {
      let damped = statusDamper.initial;
      for (const [n, word] of words.entries()) {
        damped = statusDamper.step(damped, word, n + 1, bounds);
        expect(damped.recent.length).toBeLessThanOrEqual(20);
        expect(damped.run.length).toBeLessThanOrEqual(20);
        expect(damped.held).toBeLessThanOrEqual(20);
      }
    }),
  );
});
