import { describe, expect, test } from "vitest";
import { dayFacts, dayWords } from "../../web/src/model/day.ts";
import { isYoung, spellWords } from "../../web/src/model/spells.ts";
import {
  bars,
  type Cell,
  describeStrip,
  explainedTimes,
  outline,
  outlines,
  pastBlocks,
  pastEnd,
  presentBlock,
  unpack,
} from "../../web/src/model/strip.ts";
import { incident } from "./make.ts";

const range = { from: 0, to: 400 };
const ok: Cell = ["healthy", 1];

test("a number in a line of cells stands for so many more of the one before it", () => {
  const slow: Cell = ["degraded", 0.2, 5, 0, 0];
  expect(unpack({ a: [null, 2, ok, slow, 1], b: [] })).toEqual({ a: [null, null, null, ok, slow, slow], b: [] });
});

describe("a strip", () => {
  test("joins equal neighbours and keeps gaps as gaps", () => {
    expect(bars([ok, ok, null, null], range)).toEqual([
      { x: 0, width: 2, kind: "ok", height: 1 / 6 },
      { x: 2, width: 2, kind: "gap", height: 1 },
    ]);
  });
  test("stands as high as it is bad, and a short dip is never nothing", () => {
    const heights = bars([["unhealthy", 1], ["degraded", 1], ["unhealthy", 0.01], ok], range).map((bar) => [
      bar.kind,
      Number(bar.height.toFixed(2)),
    ]);
    expect(heights).toEqual([
      ["unhealthy", 1],
      ["degraded", 0.58],
      ["unhealthy", 0.08],
      ["ok", 0.17],
    ]);
  });
  test("is grey where another explains it", () => {
    const kinds = bars([["unhealthy", 1], ["unhealthy", 1], ok, ["unknown", 1]], range, [{ from: 150, to: 180 }]).map((bar) => bar.kind);
    expect(kinds).toEqual(["unhealthy", "because", "ok", "unknown"]);
  });
  test("shows a word it does not know as unknown", () => expect(bars([["critical" as "healthy", 1]], range)[0]?.kind).toBe("unknown"));
  test("ends with the present, which an outline runs on into", () => {
    const size = { width: 45, height: 10 };
    const end = (last: Cell, now: "ok" | "unknown" | "because" | "unhealthy" | undefined) => {
      const past = bars([ok, ok, ok, last], range);
      const how = pastEnd(past, now);
      return [how, ...pastBlocks(past, 4, how, size).slice(1)];
    };
    expect(end(["unknown", 0.2], "unknown")).toEqual(["on", { kind: "unknown", x: 30, width: 15, height: 10 }]);
    expect(end(["unknown", 0.2], "ok")).toEqual(["parted", { kind: "unknown", x: 30, width: 10, height: 10 }]);
    expect(end(["unhealthy", 1], "unhealthy")).toEqual(["parted", { kind: "unhealthy", x: 30, width: 10, height: 10 }]);
    expect(end(ok, "unknown")).toEqual(["parted"]);
    expect(end(["unknown", 0.2], undefined)).toEqual(["edge", { kind: "unknown", x: 33.75, width: 11.25, height: 10 }]);
    expect(pastBlocks(bars([ok, ok], range), 2, "edge", size)).toEqual([{ kind: "ok", x: 0, width: 45, height: 2 }]);
    expect(presentBlock({ kind: "ok", low: false }, size)).toEqual({ kind: "ok", x: 41, width: 4, height: 2 });
    expect(presentBlock({ kind: "unhealthy", low: false }, size)).toEqual({ kind: "unhealthy", x: 41, width: 4, height: 10 });
    expect(presentBlock({ kind: "because", low: true }, size)).toEqual({ kind: "because", x: 41, width: 4, height: 6 });
  });
  test("is drawn as one path a kind, the worst over the others, standing on its ground", () => {
    const drawn = pastBlocks(bars([["unhealthy", 1], ok, ["unhealthy", 0.5], null], range), 4, "parted", { width: 45, height: 12 });
    expect(outlines(drawn, 12)).toEqual([
      ["ok", "M10 10h10v2h-10z"],
      ["gap", "M30 0h10v12h-10z"],
      ["unhealthy", "M0 0h10v12h-10zM20 6h10v6h-10z"],
    ]);
    expect(outline({ kind: "ok", x: 1 / 3, width: 2 / 3, height: 2 }, 12)).toBe("M0.333 10h0.667v2h-0.667z");
  });
  test("is told in words", () => {
    expect(describeStrip([["unhealthy", 1], null, ok, ok])).toBe("last 24 hours: trouble in 6 h, no data for 6 h");
    expect(describeStrip([ok])).toBe("last 24 hours: no trouble");
    // Of what nobody saw nothing is claimed.
    expect(describeStrip([null])).toBe("last 24 hours: no data for 24 h");
    expect(describeStrip([["unknown", 1], null])).toBe("last 24 hours: unknown in 12 h, no data for 12 h");
    // A word that this page does not know is told as it is drawn.
    expect(describeStrip([["critical" as "healthy", 1], ok])).toBe("last 24 hours: no trouble, unknown in 12 h");
  });
});

test("incidents tell when a node was explained", () => {
  const one = incident(1, { impacted: [{ node: "api", since: "1970-01-01T00:00:01.000Z" }] });
  const over = { ...one, id: 2, resolved_at: "1970-01-01T00:00:03.000Z" };
  expect(explainedTimes([one, over], 5_000).get("api")).toEqual([
    { from: 1_000, to: 5_000 },
    { from: 1_000, to: 3_000 },
  ]);
  // Of a moment of the past nothing is told that came after it.
  expect(explainedTimes([over], 2_000).get("api")).toEqual([{ from: 1_000, to: 2_000 }]);
});

describe("the day's facts", () => {
  const strips = (nodes: Record<string, Cell[]>, from = 0) => ({
    from: new Date(from).toISOString(),
    to: new Date(from + 4_000).toISOString(),
    cells: 4,
    nodes,
  });
  const told = (nodes: Record<string, Cell[]>, from?: number) => dayWords(dayFacts(strips(nodes, from)), (at) => `${at / 1_000}`);

  test("are how many had trouble, and times in which nothing was seen", () => {
    const facts = dayFacts(strips({ a: [ok, null, null, ok], b: [["degraded", 1], null, null, null] }));
    expect(facts).toEqual({ seen: true, dips: 1, unknown: 0, gaps: [{ from: 1_000, to: 3_000, whole: false }] });
  });
  test("stay the same while the cells move on beneath them", () => {
    // The first answer came at 2.5 s.
    expect(told({ a: [null, null, ["healthy", 0.5], ok] })).toBe("No trouble seen. No data before 2.5.");
    expect(told({ a: [null, null, ["healthy", 0.75], ok] }, 250)).toBe("No trouble seen. No data before 2.5.");
    expect(told({ a: [ok, ["healthy", 0.25], null, ["healthy", 0.5]] })).toBe("No trouble seen. No data 1.25 to 3.5.");
    // A share of trouble does not tell how much of its cell was seen.
    expect(told({ a: [null, null, ["unhealthy", 0.25], ok] })).toBe("1 node had trouble. No data before 2.");
  });
  test("give what nobody saw of a cell between two gaps to neither, so that these do not overlap", () => {
    expect(told({ a: [ok, null, ["healthy", 0.25], null] })).toBe("No trouble seen. No data 1 to 2. No data 3 to 4.");
    expect(told({ a: [null, ["healthy", 0.25], null, ["healthy", 0.5]] })).toBe("No trouble seen. No data before 1. No data 2 to 3.5.");
  });
  test("claim nothing of what nobody saw", () => {
    expect(told({ a: [null, null, null, null], b: [null, ["unknown", 1], null, null] })).toBe("Unknown: nothing was seen.");
    expect(told({})).toBe("Unknown: nothing was seen.");
    expect(told({ a: [ok, ["unknown", 0.2], ok, ok], b: [ok, ok, ok, ok] })).toBe("No trouble seen, 1 unknown at times.");
  });
});

describe("the spans of a node, in words", () => {
  test.each<[string, Parameters<typeof spellWords>[0][number]["status"][]]>([
    ["", []],
    ["Healthy all the time.", ["healthy"]],
    ["1 time of trouble", ["healthy", "degraded", "unhealthy", "degraded", "healthy"]],
    ["2 times of trouble, 1 gap without data", ["no_data", "healthy", "unhealthy", "healthy", "degraded"]],
    ["No trouble seen, 1 time unknown, 2 gaps without data", ["no_data", "healthy", "unknown", "no_data"]],
    ["1 gap without data", ["no_data"]],
    ["No trouble seen, 1 time unknown", ["healthy", "critical" as "unknown", "unknown", "healthy"]],
  ])("%s", (words, statuses) => expect(spellWords(statuses.map((status) => ({ status })))).toBe(words));
});

test("a history is young while nothing was seen before yesterday", () => {
  expect(isYoung([null, null, null, ["healthy", 1]])).toBe(true);
  expect(isYoung([null, null, ["unhealthy", 0.1], ["healthy", 1]])).toBe(true);
  expect(isYoung([null, ["unknown", 1], null, ["healthy", 1]])).toBe(false);
  expect(isYoung([["healthy", 1]])).toBe(true);
});
