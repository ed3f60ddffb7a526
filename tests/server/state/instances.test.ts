import { describe, expect, test } from "vitest";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import type { Observation } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import type { Outcome, Status } from "../../../server/src/domain/status.ts";
import { combineInstances } from "../../../server/src/state/instances.ts";
import { age, initialState, observe } from "../../../server/src/state/reduce.ts";
import { at, fails, mapOf, resource, says, service } from "./make.ts";

const after = (map: SystemMap, polls: readonly Observation[], from: SystemState = initialState(map)): SystemState =>
  polls.reduce((state, one) => observe(state, map, [one], one.at).state, from);

const WORD: Record<string, Status> = { H: "healthy", D: "degraded", U: "unhealthy", "?": "unknown" };

describe("several instances make one service", () => {
  test.each([
    ["HHHH", "healthy", "all agree"],
    ["DDDD", "degraded", "all agree"],
    ["UUUU", "unhealthy", "all agree"],
    ["????", "unknown", "all silent"],
    ["UD", "unhealthy", "no healthy one and one unhealthy"],
    ["U???", "unhealthy", "no healthy one and one unhealthy"],
    ["UUUH", "unhealthy", "fewer than half not unhealthy"],
    ["UUHH", "degraded", "half are enough, one unhealthy is seen"],
    ["UHHH", "degraded", "any unhealthy"],
    ["DHHH", "degraded", "the worst of those that agree on nothing better"],
    ["?HHH", "healthy", "a quarter silent"],
    ["??HH", "degraded", "over a quarter silent"],
    ["?H", "degraded", "over a quarter silent"],
    ["?D", "degraded", "the one that speaks"],
  ] as const)("%s: %s (%s)", (letters, expected, _because) => {
    const instances = [...letters].map((letter) => ({ status: WORD[letter] as Status, draining: false }));
    expect(combineInstances(instances, Math.ceil(letters.length / 2)).status).toBe(expected);
  });
  test("need says how many must not be unhealthy", () => {
    const instances = [..."UHHH"].map((letter) => ({ status: WORD[letter] as Status, draining: false }));
    expect([1, 3, 4].map((need) => combineInstances(instances, need).status)).toEqual(["degraded", "degraded", "unhealthy"]);
  });
  test("draining ones are left out, of the coverage too", () => {
    const instances = [
      { status: "unhealthy" as const, draining: true },
      { status: "healthy" as const, draining: false },
      { status: "unknown" as const, draining: true },
    ];
    expect(combineInstances(instances, 2)).toEqual({ status: "healthy", coverage: { known: 1, total: 1 } });
  });
  test("when all drain, what they were still counts", () => {
    expect(combineInstances([{ status: "unknown", draining: true }], 1).status).toBe("unknown");
  });
});

describe("a service with three instances", () => {
  const map = mapOf([service("a", ["db"], { count: 3 }), resource("db")]);
  const one = (n: number, seconds: number, letter: string, word: "up" | "down" = "up"): Observation =>
    letter === "?"
      ? fails("a", seconds + n, "timeout", { instance: `a#${n}` })
      : says("a", seconds + n, WORD[letter] as Status, { db: word }, { instance: `a#${n}` });
  const round = (letters: string, seconds: number, words = "uuu"): Observation[] =>
    [...letters].map((letter, n) => one(n, seconds, letter, words[n] === "d" ? "down" : "up"));
  const rounds = (letters: string, from: number, times: number, words = "uuu"): Observation[] =>
    Array.from({ length: times }, (_, n) => round(letters, from + n * 10, words)).flat();

  test("tells how many of them are known", () => {
    const state = after(map, rounds("HHH", 0, 1));
    expect(state.nodes.get("a")).toMatchObject({ status: "healthy", coverage: { known: 3, total: 3 } });
    expect(after(map, rounds("?HH", 10, 3), state).nodes.get("a")).toMatchObject({
      status: "degraded",
      coverage: { known: 2, total: 3 },
      reason: "1 of 3 instances silent: timeout at 2 s",
    });
  });
  test("one that was not polled yet is not silent", () => {
    const state = after(map, [one(0, 0, "H")]);
    expect(state.nodes.get("a")).toMatchObject({ status: "healthy", coverage: { known: 1, total: 3 } });
    expect(after(map, [one(1, 1, "?")], state).nodes.get("a")).toMatchObject({ status: "degraded", coverage: { known: 1, total: 3 } });
  });
  test("nor is one that was not polled again since all that was known grew too old", () => {
    const state = age(after(map, rounds("HHH", 0, 3)), map, at(120)).state;
    expect(state.nodes.get("a")?.status).toBe("unknown");
    expect(after(map, [one(0, 121, "H")], state).nodes.get("a")?.status).toBe("healthy");
    expect(after(map, [one(0, 121, "H"), one(1, 122, "?")], state).nodes.get("a")?.status).toBe("degraded");
  });
  test("each is damped by itself", () => {
    const state = after(map, [...rounds("HHH", 0, 1), ...rounds("UHH", 10, 2)]);
    expect(state.nodes.get("a")).toMatchObject({ status: "healthy", pending: { status: "degraded", count: 2, needed: 3 } });
    expect(after(map, round("UHH", 30), state).nodes.get("a")).toMatchObject({ status: "degraded", pending: null });
  });
  test("is one witness: what they say of a dependency is one statement", () => {
    const state = after(map, [...rounds("HHH", 0, 2), ...rounds("HHH", 20, 2, "ddd")]);
    expect(state.edges.get("a>db")?.damped).toMatchObject({ status: "up" });
    expect(after(map, round("HHH", 40, "ddd"), state).edges.get("a>db")?.damped.status).not.toBe("up");
    expect(after(map, rounds("HHH", 40, 2, "ddd"), state).edges.get("a>db")?.damped.status).toBe("down");
  });
  test("of which one in three fails to reach it makes a degraded statement", () => {
    expect(after(map, rounds("HHH", 0, 1, "duu")).edges.get("a>db")?.damped).toMatchObject({ raw: "degraded" });
  });
  test("a silent instance adds nothing to what the others say", () => {
    const state = after(map, [...rounds("HHH", 0, 3), ...rounds("?HH", 30, 3)]);
    expect(state.edges.get("a>db")).toMatchObject({ stale: false, damped: { status: "up", raw: "up" } });
    expect(after(map, rounds("???", 60, 1), state).edges.get("a>db")?.stale).toBe(true);
  });
});

describe("phases", () => {
  const map = mapOf([service("a", ["db"]), resource("db")]);
  const phase = (seconds: number, which: "starting" | "draining", word: "up" | "down" = "down") =>
    says("a", seconds, "unknown", { db: word }, { phase: which });
  const good = after(map, [says("a", 0, "healthy", { db: "up" })]);

  test("one clears the streak and keeps the status", () => {
    const state = after(
      map,
      [says("a", 10, "unhealthy"), says("a", 20, "unhealthy"), phase(30, "starting"), says("a", 40, "unhealthy")],
      good,
    );
    expect(state.nodes.get("a")).toMatchObject({ status: "healthy", pending: { count: 1 } });
  });
  test("flip_after of them in a row make it unknown, with that reason and mark", () => {
    const two = after(map, [phase(10, "draining"), phase(20, "draining")], good);
    expect(two.nodes.get("a")).toMatchObject({ status: "healthy", marks: ["draining"] });
    const three = after(map, [phase(30, "draining")], two);
    expect(three.nodes.get("a")).toMatchObject({ status: "unknown", reason: "draining", marks: ["draining"] });
    expect(after(map, [says("a", 40, "healthy")], three).nodes.get("a")).toMatchObject({ status: "healthy", marks: [], reason: null });
  });
  test("it blames nobody, however its components look", () => {
    const state = after(map, [phase(10, "starting"), phase(20, "starting"), phase(30, "starting"), phase(40, "starting")], good);
    expect(state.edges.get("a>db")).toMatchObject({ stale: true, damped: { status: "unknown" } });
    expect(state.nodes.get("db")?.status).toBe("unknown");
  });
  test("a rolling restart of one in three leaves the service healthy", () => {
    const fleet = mapOf([service("a", [], { count: 3 })]);
    const up = [0, 1, 2].map((n) => says("a", n, "healthy", {}, { instance: `a#${n}` }));
    const drain = [10, 20, 30, 40].map((seconds) => says("a", seconds, "unhealthy", {}, { instance: "a#0", phase: "draining" }));
    expect(after(fleet, [...up, ...drain]).nodes.get("a")).toMatchObject({
      status: "healthy",
      coverage: { known: 2, total: 2 },
      marks: ["draining"],
    });
  });
});

describe("reasons are short sentences", () => {
  const map = mapOf([service("a", ["db", "cache?"], { downAfter: 1, upAfter: 1 }), resource("db"), resource("cache")]);
  const reason = (poll: Observation) => after(map, [poll]).nodes.get("a")?.reason;
  test.each<[Outcome, Partial<Observation>, string]>([
    ["timeout", {}, "timeout at 2 s"],
    ["connect_timeout", {}, "no connection within 2 s"],
    ["refused", {}, "connection refused"],
    ["dns", {}, "name not resolved"],
    ["tls", { error: "certificate has expired" }, "TLS failed: certificate has expired"],
    ["reset", {}, "connection reset"],
    ["redirect", { httpStatus: 302 }, "302: redirected, not followed"],
    ["http_error", { httpStatus: 401 }, "401: the probe is not allowed in"],
    ["http_error", { httpStatus: 403 }, "403: the probe is not allowed in"],
    ["http_error", { httpStatus: 404 }, "404: nothing at this address"],
    ["http_error", { httpStatus: 418 }, "418 without a report"],
    ["not_a_report", { error: "HTML page" }, "HTML page"],
    ["too_large", {}, "answer larger than 256 KiB"],
  ])("%s %j: %s", (outcome, more, expected) => {
    expect(reason(fails("a", 0, outcome, more))).toBe(expected);
    expect(after(map, [fails("a", 0, outcome, more)]).nodes.get("a")?.status).toBe("unknown");
  });
  test("the component to blame comes first", () => {
    expect(reason(says("a", 0, "healthy", { db: { status: "down", error: "connection refused" } }))).toBe("db: connection refused");
    expect(reason(says("a", 0, "healthy", { cache: "down" }))).toBe("cache: down");
    expect(reason(says("a", 0, "unhealthy", { cache: "degraded" }))).toBe("calls itself unhealthy; cache: degraded");
    expect(reason(says("a", 0, "unhealthy"))).toBe("calls itself unhealthy");
    expect(reason(says("a", 0, "unknown"))).toBe("a status that we do not know");
    expect(reason(says("a", 0, "healthy"))).toBeNull();
  });
  test("a bare 5xx may be the gateway's word", () => {
    const bare = fails("a", 0, "http_error", { httpStatus: 502, report: { status: "unhealthy", components: [], maybeGateway: true } });
    expect(after(map, [bare]).nodes.get("a")).toMatchObject({ status: "unhealthy", reason: "502, possibly the gateway's word" });
  });
});

describe("redundant alternatives", () => {
  test.each([
    ["uu", 1, "healthy"],
    ["du", 1, "healthy"],
    ["dd", 1, "unhealthy"],
    ["dg", 1, "degraded"],
    ["du", 2, "unhealthy"],
    ["gu", 2, "degraded"],
    ["d?", 1, "unhealthy"],
    ["u?", 2, "healthy"],
    ["??", 1, "healthy"],
  ] as const)("%s of which %i suffice: %s", (letters, need, expected) => {
    const map = mapOf([service("a", [], { alternatives: [{ on: ["p", "q"], need }] }), resource("p"), resource("q")]);
    const word = { u: "up", d: "down", g: "degraded", "?": "unknown" } as const;
    const [p, q] = [...letters].map((letter) => word[letter as keyof typeof word]);
    expect(after(map, [says("a", 0, "healthy", { p: p ?? "up", q: q ?? "up" })]).nodes.get("a")?.status).toBe(expected);
  });
  test("soft ones degrade at most", () => {
    const map = mapOf([service("a", [], { alternatives: [{ on: ["p?", "q?"], need: 1 }] }), resource("p"), resource("q")]);
    expect(after(map, [says("a", 0, "healthy", { p: "down", q: "down" })]).nodes.get("a")).toMatchObject({
      status: "degraded",
      reason: "p and q: down",
    });
  });
});

describe("components and edges", () => {
  test("an edge is matched by any of its names, and by a repeated one; the worst counts", () => {
    const node = service("a", ["db"]);
    const map = mapOf([{ ...node, edges: node.edges.map((edge) => ({ ...edge, components: ["reader", "writer"] })) }, resource("db")]);
    const state = after(map, [says("a", 0, "healthy", { reader: "up", "writer#2": { status: "down", error: "refused" }, writer: "up" })]);
    expect(state.edges.get("a>db")).toMatchObject({ damped: { status: "down" }, error: "refused" });
    expect(state.nodes.get("a")?.status).toBe("unhealthy");
  });
  test("it is up again too when the dialect says nothing of its kind once all is well, but not for a bare failure", () => {
    const map = mapOf([service("a", ["db"], { downAfter: 1, upAfter: 1 }), resource("db")]);
    const down = after(map, [says("a", 0, "unhealthy", { db: "down" }, { failuresOnly: true })]);
    expect(after(map, [says("a", 10, "healthy", {})], down).edges.get("a>db")?.damped.raw).toBe("up");
    expect(after(map, [says("a", 10, "unhealthy", {})], down).edges.get("a>db")?.damped.raw).not.toBe("up");
    const listed = after(map, [says("a", 10, "unhealthy", { db: "down" })], down);
    expect(after(map, [says("a", 20, "healthy", {})], listed).edges.get("a>db")?.damped.raw).not.toBe("up");
  });
  test("a check that vanishes from a dialect that lists failures only is up again", () => {
    const map = mapOf([service("a", ["db"], { downAfter: 1, upAfter: 1 }), resource("db")]);
    const down = after(map, [says("a", 0, "unhealthy", { db: "down" }, { failuresOnly: true })]);
    expect(after(map, [says("a", 10, "healthy", {}, { failuresOnly: true })], down).edges.get("a>db")).toMatchObject({
      damped: { status: "up" },
      stale: false,
    });
    const listed = after(map, [says("a", 0, "unhealthy", { db: "down" })]);
    expect(after(map, [says("a", 10, "healthy")], listed).edges.get("a>db")).toMatchObject({ damped: { status: "unknown" }, stale: true });
  });
  test("an edge that no report names stays as it began", () => {
    const map = mapOf([service("a", ["db"]), resource("db")]);
    const step = observe(initialState(map), map, [says("a", 0, "healthy")], at(0));
    expect(step.state.edges.get("a>db")).toEqual(initialState(map).edges.get("a>db"));
    expect(step.changed.edges.size).toBe(0);
  });
  test("a failure keeps the window in which it began, and the first bad check", () => {
    const map = mapOf([service("a", ["db"]), resource("db")]);
    const age = { ageMs: 400 };
    const state = after(map, [
      says("a", 0, "healthy", { db: { ...age, status: "up" } }),
      ...[10, 20, 30, 40].map((seconds) => says("a", seconds, "healthy", { db: { ...age, status: "down" } })),
    ]);
    expect(state.edges.get("a>db")).toMatchObject({
      window: { lastGood: at(0) - 400, firstBad: at(10) - 400 },
      firstBadCheck: at(10) - 400,
    });
    const blip = after(map, [says("a", 50, "healthy", { db: "up" }), says("a", 60, "healthy", { db: "down" })], state);
    expect(blip.edges.get("a>db")).toMatchObject({ damped: { status: "down" }, window: { firstBad: at(10) - 400 }, firstBadCheck: at(60) });
  });
});
