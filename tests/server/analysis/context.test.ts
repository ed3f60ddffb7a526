import { describe, expect, test } from "vitest";
import { withContext } from "../../../server/src/analysis/context.ts";
import type { ChangeMark } from "../../../server/src/domain/history.ts";
import type { Cause, Verdict } from "../../../server/src/domain/incident.ts";
import type { Maintenance, SystemMap } from "../../../server/src/domain/map.ts";

const FIRST = Date.UTC(2026, 9, 24, 14, 2, 11);
const CAUSE: Cause = {
  node: "orders-db",
  kind: "node",
  confidence: 0.9,
  level: "confirmed",
  firstSeen: FIRST,
  severity: "unhealthy",
  why: ["it failed first"],
  against: [],
};
const map = (maintenance: Maintenance[] = []): SystemMap => ({ nodes: new Map(), systems: new Map(), teams: new Map(), maintenance });
const verdict = (cause: Partial<Cause> = {}): Verdict => ({
  causes: [{ ...CAUSE, ...cause }],
  roles: new Map(),
  steps: new Map(),
  unexplained: [],
  blind: false,
});
const mark = (minutesBefore: number, given: Partial<ChangeMark> = {}): ChangeMark => ({
  at: FIRST - minutesBefore * 60_000,
  node: "orders-db",
  text: "v2",
  link: null,
  by: null,
  ...given,
});
const told = (changes: ChangeMark[], cause: Partial<Cause> = {}): readonly string[] =>
  withContext(verdict(cause), changes, map(), FIRST + 60_000).causes[0]?.why.slice(1) ?? [];

describe("what people marked", () => {
  test.each<[string, ChangeMark[], string[]]>([
    ["a change on the cause", [mark(4)], ["a change was marked on it 4 min before its first failure: “v2”"]],
    ["who made it", [mark(0, { by: "robin" })], ["a change was marked on it just before its first failure: “v2” by robin"]],
    ["one set a little late", [mark(-1)], ["a change was marked on it 60 s after its first failure: “v2”"]],
    ["one without a place", [mark(20, { node: null })], ["a change was marked somewhere 20 min before its first failure: “v2”"]],
    [
      "the two latest",
      [mark(50), mark(9, { text: "b" }), mark(2, { text: "a" })],
      ["a change was marked on it 2 min before its first failure: “a”", "a change was marked on it 9 min before its first failure: “b”"],
    ],
    ["nothing of another node", [mark(4, { node: "search" })], []],
    ["nothing older than an hour", [mark(61)], []],
    ["nothing from after it", [mark(-3)], []],
    [
      "a long text, cut, on one line",
      [mark(4, { text: `a\nb${"c".repeat(200)}` })],
      [`a change was marked on it 4 min before its first failure: “a b${"c".repeat(117)}…”`],
    ],
  ])("tells of %s", (_name, changes, sentences) => expect(told(changes)).toEqual(sentences));

  test("names the far end of a link where the change was there", () => {
    expect(told([mark(4, { node: "cart" })], { kind: "link", link: { from: "orders-db", to: "cart" } })).toEqual([
      "a change was marked on cart 4 min before its first failure: “v2”",
    ]);
  });

  test("moves neither confidence nor level, and leaves a verdict of which it knows nothing as it is", () => {
    const before = verdict();
    expect(withContext(before, [mark(4, { node: "search" })], map(), FIRST)).toBe(before);
    expect(withContext(before, [mark(4)], map(), FIRST).causes[0]).toMatchObject({ confidence: 0.9, level: "confirmed" });
  });
});

test("announced work on the cause is told while it lasts", () => {
  const work = { nodes: ["orders-db"], from: FIRST - 60_000, to: FIRST + 3_600_000, reason: "new disks" };
  const at = (now: number) => withContext(verdict(), [], map([work]), now).causes[0]?.why.slice(1);
  expect(at(FIRST)).toEqual(["work on it was announced until 15:02 UTC: “new disks”"]);
  expect(at(FIRST + 3_600_000)).toEqual([]);
});
