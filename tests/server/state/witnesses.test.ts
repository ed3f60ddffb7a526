import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import type { Observation } from "../../../server/src/domain/observation.ts";
import type { EdgeState, SystemState } from "../../../server/src/domain/state.ts";
import type { ComponentStatus, Status } from "../../../server/src/domain/status.ts";
import { componentDamper } from "../../../server/src/state/damping.ts";
import { newEdge } from "../../../server/src/state/edges.ts";
import { initialState, observe } from "../../../server/src/state/reduce.ts";
import { agreed, corroborated, count, disputed, localFault, newTally } from "../../../server/src/state/witnesses.ts";
import { at, fails, mapOf, resource, says, service } from "./make.ts";

const WORD: Record<string, ComponentStatus> = { U: "up", D: "down", d: "degraded", "?": "unknown" };

function tallyOf(letters: string) {
  const tally = newTally();
  for (const letter of letters) count(tally, WORD[letter] ?? "unknown");
  return tally;
}

describe("the status on which witnesses agree", () => {
  test.each([
    ["UUU", "healthy"],
    ["DDD", "unhealthy"],
    ["D", "unhealthy"],
    ["ddd", "degraded"],
    ["dD", "degraded"],
    ["", "unknown"],
    ["??", "unknown"],
    ["U??", "healthy"],
    ["DU", "degraded"],
    ["DUU", "healthy"],
    ["DDUUUU", "degraded"],
    ["DDUUUUUUUU", "healthy"],
    ["dUU", "healthy"],
    ["DDU", "degraded"],
  ] as const)("%j: %s", (letters, expected) => {
    expect(agreed(tallyOf(letters))).toBe(expected);
  });
});

test.each([
  [1, 2, true],
  [1, 1, false],
  [1, 0, false],
  [2, 4, false],
  [2, 8, true],
  [3, 11, false],
  [3, 12, true],
  [0, 5, false],
])("%i down against %i up is a local fault: %s", (down, up, expected) => {
  expect(localFault(down, up)).toBe(expected);
});

test.each([
  ["D", null],
  ["DD", "degraded"],
  ["DDU", "degraded"],
  ["DDUU", null],
  ["DDD", "unhealthy"],
  ["DDDDU", "degraded"],
  ["DDd", "degraded"],
  ["D?", null],
] as const)("of a polled service that calls itself healthy, %j makes %s", (letters, expected) => {
  expect(disputed(tallyOf(letters))).toBe(expected);
});

/** Feeds polls one by one, each at its own time. */
function after(map: SystemMap, polls: readonly Observation[], from: SystemState = initialState(map)): SystemState {
  return polls.reduce((state, one) => observe(state, map, [one], one.at).state, from);
}

/** One poll of each service `a`, `b` … that says a word of the database. */
function round(letters: string, seconds: number, spacing = 1): Observation[] {
  return [...letters].map((letter, n) => {
    const id = String.fromCharCode(97 + n);
    const when = seconds + n * spacing;
    return letter === "-" ? fails(id, when) : says(id, when, "healthy", { db: { status: WORD[letter] ?? "unknown", error: "refused" } });
  });
}

const watched = (n: number): SystemMap =>
  mapOf([...Array.from({ length: n }, (_, k) => service(String.fromCharCode(97 + k), ["db?"])), resource("db")]);
const db = (state: SystemState): Status | undefined => state.nodes.get("db")?.status;

describe("a resource", () => {
  test("is unknown until somebody speaks of it", () => {
    const map = watched(2);
    expect(initialState(map).nodes.get("db")).toMatchObject({ status: "unknown", reason: "nothing has spoken of it yet", stale: false });
  });
  test("with one witness follows it once its word is confirmed", () => {
    const map = watched(1);
    const good = after(map, round("U", 0));
    expect(db(after(map, [...round("D", 10), ...round("D", 20)], good))).toBe("healthy");
    const down = after(map, [...round("D", 10), ...round("D", 20), ...round("D", 30)], good);
    expect(down.nodes.get("db")).toMatchObject({
      status: "unhealthy",
      reason: "a reports it down: refused",
      since: at(10),
      lastChecked: at(30),
    });
    expect(down.nodes.get("db")?.window).toEqual({ lastGood: at(0), firstBad: at(10) });
  });
  test("shows the run that builds", () => {
    const map = watched(1);
    expect(after(map, [...round("U", 0), ...round("D", 10)]).nodes.get("db")?.pending).toEqual({
      status: "unhealthy",
      count: 1,
      needed: 3,
    });
  });
  test("flips at once when three of three newly agree within one interval", () => {
    const map = watched(3);
    const state = after(map, [...round("UUU", 0), ...round("DDD", 10)]);
    expect(state.nodes.get("db")).toMatchObject({ status: "unhealthy", confirmed: true, pending: null });
    expect(state.nodes.get("a")?.status).toBe("healthy");
    expect(db(after(map, round("UUU", 20), state))).toBe("healthy");
  });
  test("and when both of two do, but not one of two", () => {
    const map = watched(2);
    expect(db(after(map, [...round("UU", 0), ...round("DD", 10)]))).toBe("unhealthy");
    expect(db(after(map, [...round("UU", 0), ...round("DU", 10)]))).toBe("healthy");
  });
  test("not when two of three do, nor when three begin further apart than an interval", () => {
    const map = watched(3);
    expect(db(after(map, [...round("UUU", 0), ...round("DDU", 10)]))).toBe("healthy");
    expect(db(after(map, [...round("UUU", 0), ...round("DDU", 10), ...round("DDD", 21)]))).toBe("healthy");
  });
  test("three of many flip their word at once: shared trouble is degraded", () => {
    const map = watched(6);
    expect(db(after(map, [...round("UUUUUU", 0), ...round("DDDUUU", 10)]))).toBe("degraded");
  });
  test("stays healthy when one of many blames it for long: a local fault", () => {
    const map = watched(4);
    const state = after(map, [...round("UUUU", 0), ...round("DUUU", 10), ...round("DUUU", 20), ...round("DUUU", 30)]);
    expect(state.edges.get("a>db")?.damped.status).toBe("down");
    expect(db(state)).toBe("healthy");
  });
  test("hears only those whose latest poll brought a report", () => {
    const map = watched(3);
    const down = after(map, [...round("UUU", 0), ...round("DDD", 10)]);
    const state = after(map, round("-UU", 20), down);
    expect(state.edges.get("a>db")).toMatchObject({ stale: true, checkedAt: at(10) });
    expect(db(state)).toBe("healthy");
    expect(after(map, round("---", 30), state).nodes.get("db")).toMatchObject({
      status: "unknown",
      stale: true,
      reason: "stale: no fresh word from its dependents",
      lastKnown: { status: "healthy" },
    });
  });
  test("counts its blamers in its reason", () => {
    const map = watched(4);
    expect(after(map, [...round("UUUU", 0), ...round("DDDU", 10)]).nodes.get("db")?.reason).toBe(
      "3 of 4 dependents report it down: refused",
    );
  });
  test("informational witnesses count like any other", () => {
    const map = mapOf([service("a", ["db~"]), service("b", ["db~"]), resource("db")]);
    const state = after(map, round("DD", 0));
    expect([db(state), state.nodes.get("a")?.status]).toEqual(["unhealthy", "healthy"]);
  });
});

test("a service that is not polled is known through its dependents, like a resource", () => {
  const map = mapOf([service("a", ["x"]), service("b", ["x"]), service("x", [], { instances: [], need: 0 })]);
  const state = after(map, [says("a", 0, "healthy", { x: "down" }), says("b", 1, "healthy", { x: "down" })]);
  expect(state.nodes.get("x")).toMatchObject({ status: "unhealthy", coverage: null, reason: "2 of 2 dependents report it down" });
});

test("a witness that blames most of what it needs speaks of its own way out where others disagree", () => {
  const needs = ["d1", "d2", "d3"];
  const map = mapOf([service("x", needs), ...needs.map((id) => service(`of-${id}`, [id])), ...needs.map(resource)]);
  const up = needs.map((id) => says(`of-${id}`, 0, "healthy", { [id]: "up" }));
  const all = after(map, [...up, says("x", 1, "unhealthy", { d1: "down", d2: "down", d3: "down" })]);
  expect(needs.map((id) => all.nodes.get(id)?.status)).toEqual(["healthy", "healthy", "healthy"]);
  const one = after(map, [...up, says("x", 1, "unhealthy", { d1: "down", d2: "up", d3: "up" })]);
  expect(needs.map((id) => one.nodes.get(id)?.status)).toEqual(["degraded", "healthy", "healthy"]);
});

describe("a polled service that calls itself healthy", () => {
  const map = mapOf([service("x"), ...["a", "b", "c"].map((id) => service(id, ["x"]))]);
  const said = (letters: string, seconds: number): Observation[] => [
    says("x", seconds, "healthy"),
    ...[...letters].map((letter, n) => {
      const id = String.fromCharCode(97 + n);
      return letter === "-" ? fails(id, seconds + 1) : says(id, seconds + 1, "healthy", { x: WORD[letter] ?? "unknown" });
    }),
  ];
  const thrice = (letters: string): SystemState =>
    after(map, [said("UUU", 0), said(letters, 10), said(letters, 20), said(letters, 30)].flat());
  test("is disputed and degraded when two of three say down", () => {
    const { nodes } = thrice("DDU");
    expect(nodes.get("x")).toMatchObject({
      status: "degraded",
      marks: ["disputed"],
      ownWord: "healthy",
      reason: "calls itself healthy, 2 of 3 dependents report it down",
      since: at(11),
    });
  });
  test("is unhealthy when all three do", () => {
    expect(thrice("DDD").nodes.get("x")).toMatchObject({ status: "unhealthy", marks: ["disputed"] });
  });
  test("is believed against one, and against words that are not confirmed or not fresh", () => {
    expect(thrice("DUU").nodes.get("x")).toMatchObject({ status: "healthy", marks: [] });
    expect(after(map, [said("UUU", 0), said("DDD", 10)].flat()).nodes.get("x")?.status).toBe("healthy");
    expect(after(map, said("D--", 40), thrice("DDD")).nodes.get("x")?.status).toBe("healthy");
  });
  test("is taken at its word again once its callers see it up", () => {
    const back = after(map, [said("UUU", 40), said("UUU", 50), said("UUU", 60)].flat(), thrice("DDD"));
    expect(back.nodes.get("x")).toMatchObject({ status: "healthy", marks: [], reason: null, since: at(41) });
  });
  test("that mends is not disputed by what its callers last saw before, until they look again", () => {
    const ill = (seconds: number): Observation[] => said("DDD", seconds).with(0, says("x", seconds, "unhealthy"));
    const down = after(map, [said("UUU", 0), ill(10), ill(20), ill(30)].flat());
    const well = after(map, [says("x", 32, "healthy"), says("x", 34, "healthy"), says("x", 36, "healthy")], down);
    expect(well.nodes.get("x")).toMatchObject({ status: "healthy", marks: [], since: at(32) });
    const cached = ["a", "b", "c"].map((id) => says(id, 37, "healthy", { x: { status: "down", ageMs: 6_000 } }));
    expect(after(map, cached, well).nodes.get("x")).toMatchObject({ status: "healthy", marks: [] });
    expect(after(map, said("DDD", 37), well).nodes.get("x")).toMatchObject({ status: "unhealthy", marks: ["disputed"] });
    expect(after(map, said("UUD", 37), well).nodes.get("x")).toMatchObject({ status: "healthy", marks: [] });
    expect(after(map, said("UUU", 37), well).nodes.get("x")).toMatchObject({ status: "healthy", marks: [] });
  });
  test("that answers again is not disputed by who last looked while it did not", () => {
    const lost = after(map, [said("UUU", 0), ...[10, 20, 30].map((s) => [fails("x", s, "refused"), ...said("DDD", s).slice(1)])].flat());
    const back = after(map, [says("x", 40, "healthy"), says("x", 50, "healthy")], lost);
    expect(back.nodes.get("x")).toMatchObject({ status: "healthy", marks: [] });
  });
  test("is disputed by all who say down since it is well, however seldom it is polled", () => {
    const ill = (seconds: number): Observation[] => said("DDD", seconds).with(0, says("x", seconds, "unhealthy"));
    const well = after(map, [said("UUU", 0), ill(10), ill(20), ill(30), [32, 34, 36].map((s) => says("x", s, "healthy"))].flat());
    expect(after(map, said("DDD", 37).slice(1), well).nodes.get("x")).toMatchObject({ status: "unhealthy", marks: ["disputed"] });
  });
  test("stays disputed while one of its instances comes back", () => {
    const several = mapOf([service("x", [], { count: 4 }), ...["a", "b", "c"].map((id) => service(id, ["x"]))]);
    const all = (seconds: number): Observation[] => [0, 1, 2, 3].map((n) => says("x", seconds, "healthy", {}, { instance: `x#${n}` }));
    const three = (letters: string, seconds: number): Observation[] => said(letters, seconds).slice(1);
    const lied = after(several, [all(0), three("UUU", 0), ...[10, 20, 30].map((s) => [...all(s), ...three("DDD", s)])].flat());
    expect(lied.nodes.get("x")?.marks).toEqual(["disputed"]);
    const gone = [40, 50, 60].map((s) => fails("x", s, "refused", { instance: "x#3" }));
    const back = [70, 80].map((s) => says("x", s, "healthy", {}, { instance: "x#3" }));
    for (const polls of [gone, [...gone, ...back]])
      expect(after(several, polls, lied).nodes.get("x")).toMatchObject({ marks: ["disputed"] });
  });
  test("that calls itself unhealthy is not disputed", () => {
    const state = after(map, [...said("DDD", 0), says("x", 10, "unhealthy")], thrice("DDD"));
    const own = after(map, [says("x", 40, "unhealthy"), says("x", 50, "unhealthy"), says("x", 60, "unhealthy")], thrice("UUU"));
    expect(state.nodes.get("x")?.marks).toEqual(["disputed"]);
    expect(own.nodes.get("x")).toMatchObject({ status: "unhealthy", marks: [] });
  });
});

test("a pending word is confirmed exactly by a window of one interval with enough that began to say the same", () => {
  const witness = fc.record({ word: fc.constantFrom("up", "down"), start: fc.nat(40), pending: fc.boolean(), stale: fc.boolean() });
  fc.assert(
    fc.property(fc.array(witness, { maxLength: 9 }), fc.integer({ min: 1, max: 12 }), (witnesses, interval) => {
      const edges = witnesses.map(({ word, start, pending, stale }): EdgeState => {
        const other = word === "up" ? "down" : "up";
        const damped: EdgeState["damped"] = pending
          ? { ...componentDamper.initial, status: other, raw: word, run: [{ status: word, at: start }] }
          : { ...componentDamper.initial, status: word, raw: word, since: start };
        return { ...newEdge("a", "db"), damped, stale, checkedAt: start };
      });
      const fresh = witnesses.flatMap((one, n) => (one.stale ? [] : [{ ...one, n }]));
      const needed = fresh.length === 2 ? 2 : 3;
      const expected = fresh.filter(({ pending, word, start }) => {
        const agreeing = fresh.filter((one) => one.word === word).map((one) => one.start);
        const within = (from: number) => agreeing.filter((at) => at >= from && at <= from + interval).length;
        return pending && agreeing.some((from) => from <= start && start <= from + interval && within(from) >= needed);
      });
      const flips = corroborated(
        edges.length,
        (n) => edges[n] as EdgeState,
        () => interval,
      );
      expect([...flips].sort((a, b) => a - b)).toEqual(expected.map(({ n }) => n));
    }),
  );
});
