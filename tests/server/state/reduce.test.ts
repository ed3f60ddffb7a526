import { describe, expect, test } from "vitest";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import type { Observation } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import type { ComponentStatus, Criticality, Status } from "../../../server/src/domain/status.ts";
import { age, initialState, observe } from "../../../server/src/state/reduce.ts";
import { at, fails, mapOf, poll, resource, says, service } from "./make.ts";

/** Feeds polls one by one, each at its own time. */
function after(map: SystemMap, polls: readonly Observation[], from: SystemState = initialState(map)): SystemState {
  return polls.reduce((state, one) => observe(state, map, [one], one.at).state, from);
}

const status = (state: SystemState, node: string): Status | undefined => state.nodes.get(node)?.status;

describe("before any poll", () => {
  test("everything is unknown, nothing confirmed, no age", () => {
    const state = initialState(mapOf([service("a", ["db"]), resource("db")]));
    expect([...state.nodes.keys()]).toEqual(["a", "db"]);
    for (const node of state.nodes.values())
      expect(node).toMatchObject({ status: "unknown", confirmed: false, lastChecked: null, stale: false });
    expect(state.edges.get("a>db")).toMatchObject({ damped: { status: "unknown" }, checkedAt: null });
    expect(state.instances.get("a")).toMatchObject({ outcome: null, lastPollAt: null });
  });
});

describe("a report and the declared dependencies", () => {
  const table: [ComponentStatus, Criticality, Status][] = [
    ["up", "hard", "healthy"],
    ["up", "soft", "healthy"],
    ["up", "informational", "healthy"],
    ["degraded", "hard", "degraded"],
    ["degraded", "soft", "degraded"],
    ["degraded", "informational", "healthy"],
    ["down", "hard", "unhealthy"],
    ["down", "soft", "degraded"],
    ["down", "informational", "healthy"],
    ["unknown", "hard", "healthy"],
    ["unknown", "soft", "healthy"],
    ["unknown", "informational", "healthy"],
  ];
  const mark = { hard: "", soft: "?", informational: "~" };
  test.each(table)("a component %s, %s in the map, makes a service that calls itself healthy %s", (word, criticality, expected) => {
    const map = mapOf([service("a", [`db${mark[criticality]}`]), resource("db")]);
    expect(status(after(map, [says("a", 0, "healthy", { db: word })]), "a")).toBe(expected);
  });
  test.each(table)("unmapped, %s and stated %s, it makes it %s too", (word, criticality, expected) => {
    const map = mapOf([service("a")]);
    expect(status(after(map, [says("a", 0, "healthy", { db: { status: word, criticality } })]), "a")).toBe(expected);
  });
  test("unmapped and without a stated criticality it counts as soft", () => {
    expect(status(after(mapOf([service("a")]), [says("a", 0, "healthy", { cache: "down" })]), "a")).toBe("degraded");
  });
  test("the map's criticality replaces the stated one", () => {
    const map = mapOf([service("a", ["db~"]), resource("db")]);
    const report = says("a", 0, "unhealthy", { db: { status: "down", criticality: "hard" } }, { word: "healthy" });
    expect(status(after(map, [report]), "a")).toBe("healthy");
  });
  test("the worse of the service's own word and its components counts, and its own word is kept", () => {
    const map = mapOf([service("a", ["db?"]), resource("db")]);
    const state = after(map, [says("a", 0, "unhealthy", { db: "down" })]);
    expect(state.nodes.get("a")).toMatchObject({ status: "unhealthy", ownWord: "unhealthy" });
    expect(after(map, [says("a", 0, "healthy", { db: "down" })]).nodes.get("a")).toMatchObject({ status: "degraded", ownWord: "healthy" });
  });
});

describe("damping of one service", () => {
  const map = mapOf([service("a")]);
  const run = (words: string): SystemState =>
    after(
      map,
      [...words].map((word, n) =>
        word === "?" ? fails("a", n * 10) : says("a", n * 10, word === "H" ? "healthy" : word === "D" ? "degraded" : "unhealthy"),
      ),
    );
  test.each([
    ["H", "healthy"],
    ["U", "unhealthy"],
    ["?", "unknown"],
    ["HU", "healthy"],
    ["HUU", "healthy"],
    ["HUUU", "unhealthy"],
    ["HUUHUU", "healthy"],
    ["HDUU", "degraded"],
    ["HDUUU", "unhealthy"],
    ["H???", "unknown"],
    ["HU??", "unknown"],
    ["HUU?", "unhealthy"],
    ["H???H", "healthy"],
    ["H???U", "unhealthy"],
    ["UHHH", "healthy"],
    ["UDHH", "degraded"],
    ["UDHHH", "healthy"],
    ["U?HH", "healthy"],
    ["U??H", "unknown"],
  ] as const)("after %s it is %s", (words, expected) => {
    expect(status(run(words), "a")).toBe(expected);
  });
  test("the change dates from the first result of the run that confirmed it", () => {
    expect(run("HUUU").nodes.get("a")).toMatchObject({ since: at(10), window: { lastGood: at(0), firstBad: at(10) } });
  });
  test("a run that is building shows as pending", () => {
    expect(run("HUU").nodes.get("a")?.pending).toEqual({ status: "unhealthy", count: 2, needed: 3 });
    expect(run("HUUU").nodes.get("a")?.pending).toBeNull();
  });
  test("the first result is confirmed only by others like it", () => {
    expect(["U", "UU", "UUU"].map((words) => run(words).nodes.get("a")?.confirmed)).toEqual([false, false, true]);
  });
  test("an aborted poll counts for nothing", () => {
    const state = run("HUU");
    const step = observe(state, map, [fails("a", 30, "aborted")], at(30));
    expect(step.state.nodes.get("a")).toEqual(state.nodes.get("a"));
    expect(step.changed.instances.size).toBe(0);
  });
});

describe("age", () => {
  const map = mapOf([service("a", ["db"]), resource("db")]);
  const fresh = after(map, [says("a", 0, "healthy", { db: "up" })]);
  test("nothing changes within the limits", () => {
    const step = age(fresh, map, at(60));
    expect(step.transitions).toEqual([]);
    expect(status(step.state, "a")).toBe("healthy");
  });
  test("past them the service is unknown and stale, and so is what only it spoke of", () => {
    const step = age(fresh, map, at(61));
    expect(step.state.nodes.get("a")).toMatchObject({
      status: "unknown",
      stale: true,
      reason: "stale: nothing heard for 1 m 00 s",
      lastKnown: { status: "healthy", at: at(61) },
      lastChecked: at(0),
    });
    expect(step.state.nodes.get("db")).toMatchObject({ status: "unknown", stale: true });
    expect(step.state.edges.get("a>db")?.stale).toBe(true);
    expect(step.transitions.map(({ subject, id, to }) => [subject, id, to])).toEqual([
      ["edge", "a>db", "unknown"],
      ["instance", "a", "unknown"],
      ["node", "db", "unknown"],
      ["node", "a", "unknown"],
    ]);
  });
  test("one report takes it back out of unknown", () => {
    const state = after(map, [says("a", 70, "healthy", { db: "up" })], age(fresh, map, at(65)).state);
    expect([status(state, "a"), status(state, "db")]).toEqual(["healthy", "healthy"]);
    expect(state.nodes.get("a")).toMatchObject({ stale: false, lastKnown: null, reason: null });
  });
  test("what was blamed before a long silence is not blamed by the first answer that finds it well", () => {
    const blamed = after(map, [says("a", 0, "unhealthy", { db: "down" }), says("a", 10, "unhealthy", { db: "down" })]);
    const back = after(map, [says("a", 200, "healthy", { db: "up" })], age(blamed, map, at(190)).state);
    expect(back.edges.get("a>db")).toMatchObject({ damped: { status: "up" }, stale: false, window: null });
    expect(status(back, "db")).toBe("healthy");
  });
});

test("the state that went in stays as it was", () => {
  const map = mapOf([service("a", ["db"]), resource("db")]);
  const before = initialState(map);
  const copy = JSON.stringify([[...before.nodes], [...before.edges], [...before.instances]]);
  observe(before, map, [says("a", 0, "unhealthy", { db: "down" })], at(0));
  expect(JSON.stringify([[...before.nodes], [...before.edges], [...before.instances]])).toBe(copy);
});

test("a result older than one already counted is left out", () => {
  const map = mapOf([service("a")]);
  const state = after(map, [poll("a", 10)]);
  expect(observe(state, map, [says("a", 5, "unhealthy")], at(11)).state.instances.get("a")?.lastPollAt).toBe(at(10));
});

test("a clock that was set back makes no result late: a failure after it is counted like any other", () => {
  const map = mapOf([service("a", ["db"]), resource("db")]);
  const before = after(
    map,
    [0, 10, 20].map((t) => says("a", 3_600 + t, "healthy", { db: "up" })),
  );
  const down = [30, 40, 50].map((t) => says("a", t, "unhealthy", { db: "down" }));
  const state = after(map, down, before);
  expect([status(state, "a"), status(state, "db")]).toEqual(["unhealthy", "unhealthy"]);
  expect(state.instances.get("a")?.lastPollAt).toBe(at(50));
});
