import { describe, expect, test } from "vitest";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import type { Component, Observation } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import { age, initialState, observe } from "../../../server/src/state/reduce.ts";
import { componentAge, seeChecks } from "../../../server/src/state/staleness.ts";
import { at, fails, mapOf, poll, resource, says, service } from "./make.ts";

const after = (map: SystemMap, polls: readonly Observation[], from: SystemState = initialState(map)): SystemState =>
  polls.reduce((state, one) => observe(state, map, [one], one.at).state, from);

const unseen = { seenChecks: new Map(), components: [], lastReportAt: null };

describe("a component's age is the largest that anything suggests", () => {
  const cases: [string, Partial<Component>, Partial<Observation>, number | null][] = [
    ["nothing tells", {}, {}, null],
    ["its own age_ms", { ageMs: 700 }, {}, 700],
    ["the answer's Date minus last_checked", { lastChecked: at(95) }, { date: at(100) }, 5_000],
    ["age_ms, where that is larger", { lastChecked: at(95), ageMs: 9_000 }, { date: at(100) }, 9_000],
    ["the HTTP Age", { ageMs: 700 }, { httpAge: 30_000 }, 30_000],
    ["the HTTP Age alone", {}, { httpAge: 30_000 }, 30_000],
    ["the same second as Date is no future", { lastChecked: at(100.7) }, { date: at(100) }, 0],
    ["a time in the future tells nothing", { lastChecked: at(130) }, { date: at(100) }, null],
    ["in the future by our own clock, where there is no Date", { lastChecked: at(130) }, {}, null],
    ["a future time beside a stated age", { lastChecked: at(130), ageMs: 40 }, { date: at(100) }, 40],
    ["the service's clock is wrong as a whole: only the difference counts", { lastChecked: at(9_995) }, { date: at(10_000) }, 5_000],
    ["first seen just now, without a Date", { lastChecked: at(50) }, {}, 0],
    ["a negative age is no age", { ageMs: -5 }, {}, null],
  ];
  test.each(cases)("%s", (_, component, observation, expected) => {
    const one: Component = { name: "db", status: "up", ...component };
    const answer = poll("a", 100, observation);
    expect(componentAge(one, answer, seeChecks(unseen, [one]))).toBe(expected);
  });

  /** Ages of one component, polled at these seconds with these checks. */
  function ages(reports: readonly (readonly [seconds: number, lastChecked: number])[]): (number | null | undefined)[] {
    const map = mapOf([service("a", ["db"], { componentMaxAge: 600_000 }), resource("db")]);
    let state = initialState(map);
    return reports.map(([seconds, lastChecked]) => {
      state = after(map, [says("a", seconds, "healthy", { other: "up", db: { status: "up", lastChecked } })], state);
      return state.instances.get("a")?.components.find(({ name }) => name === "db")?.computedAgeMs;
    });
  }
  test("a last_checked that stands still ages from when it was first seen", () => {
    const stands = at(98);
    expect(
      ages([
        [100, stands],
        [110, stands],
        [130, stands],
        [140, at(139)],
        [150, at(149)],
        [160, at(149)],
      ]),
    ).toEqual([0, 10_000, 30_000, 0, 0, 10_000]);
  });
  test("even one in the future does", () => {
    const stands = at(9_000);
    expect(
      ages([
        [100, stands],
        [180, stands],
      ]),
    ).toEqual([null, 80_000]);
  });
  test("sightings survive a poll that fails", () => {
    const map = mapOf([service("a", ["db"]), resource("db")]);
    const stamp = { db: { status: "up" as const, lastChecked: at(0) } };
    const state = after(map, [says("a", 0, "healthy", stamp), fails("a", 10), says("a", 50, "healthy", stamp)]);
    expect(state.instances.get("a")?.components[0]?.computedAgeMs).toBe(50_000);
  });
});

describe("a stale component", () => {
  const map = mapOf([service("a", ["db", "cache?"]), resource("db"), resource("cache")]);
  test("has no effect and is no statement", () => {
    const state = after(map, [says("a", 0, "healthy", { db: { status: "up", ageMs: 10 }, cache: { status: "down", ageMs: 60_001 } })]);
    expect(state.nodes.get("a")?.status).toBe("healthy");
    expect(state.edges.get("a>cache")).toMatchObject({ stale: true, damped: { status: "unknown" }, checkedAt: at(0) - 60_001 });
    expect(state.nodes.get("cache")?.status).toBe("unknown");
  });
  test("just within the limit it counts", () => {
    const state = after(map, [says("a", 0, "healthy", { cache: { status: "down", ageMs: 60_000 } })]);
    expect(state.nodes.get("a")?.status).toBe("degraded");
  });
  test("all hard ones that state an age: the checks stopped, and the service is unknown", () => {
    const state = after(map, [says("a", 0, "healthy", { db: { status: "up", ageMs: 90_000 }, cache: { status: "up", ageMs: 5 } })]);
    expect(state.nodes.get("a")).toMatchObject({ status: "unknown", reason: "checks stopped" });
  });
  test("one fresh hard one keeps the report alive, and so does a map without hard edges", () => {
    const two = mapOf([service("a", ["db", "queue"]), resource("db"), resource("queue")]);
    const old = { status: "up", ageMs: 90_000 } as const;
    expect(after(two, [says("a", 0, "healthy", { db: old, queue: { status: "up", ageMs: 5 } })]).nodes.get("a")?.status).toBe("healthy");
    const soft = mapOf([service("a", ["db?"]), resource("db")]);
    expect(after(soft, [says("a", 0, "healthy", { db: old })]).nodes.get("a")?.status).toBe("healthy");
  });
  test("a hard one that states no age neither stops nor saves the report", () => {
    const two = mapOf([service("a", ["db", "queue"]), resource("db"), resource("queue")]);
    const state = after(two, [says("a", 0, "healthy", { db: { status: "up", ageMs: 90_000 }, queue: "up" })]);
    expect(state.nodes.get("a")?.status).toBe("unknown");
  });
  test("an answer that itself is an old copy is stale, components or not", () => {
    expect(after(map, [says("a", 0, "healthy", {}, { httpAge: 61_000 })]).nodes.get("a")).toMatchObject({
      status: "unknown",
      reason: "checks stopped",
    });
  });
});

describe("time alone", () => {
  const map = mapOf([service("a", ["db"], { maxAge: 120_000 }), resource("db")]);
  const state = after(map, [says("a", 0, "healthy", { db: { status: "up", ageMs: 50_000 } })]);
  test("makes a statement stale by its check, not by its report", () => {
    expect(age(state, map, at(10)).state.edges.get("a>db")?.stale).toBe(false);
    const step = age(state, map, at(11));
    expect(step.state.edges.get("a>db")).toMatchObject({ stale: true, damped: { raw: "unknown" } });
    expect(step.state.nodes.get("db")).toMatchObject({ status: "unknown", stale: true, lastKnown: { status: "healthy" } });
    expect(step.state.nodes.get("a")?.status).toBe("healthy");
    expect(step.changed.edges).toEqual(new Set(["a>db"]));
  });
  test("leaves a service whose polls go on unanswered to its damping, within max_age", () => {
    const held = after(map, [fails("a", 60), fails("a", 70)], state);
    expect(age(held, map, at(119)).state.nodes.get("a")).toMatchObject({ status: "healthy", lastChecked: at(0), stale: false });
    expect(age(held, map, at(121)).state.nodes.get("a")).toMatchObject({ status: "unknown" });
  });
  test("says the same however often it is asked", () => {
    const once = age(state, map, at(200));
    const twice = age(once.state, map, at(201));
    expect(twice.transitions).toEqual([]);
    expect(age(twice.state, map, at(202)).state).toBe(twice.state);
    expect(twice.state.nodes.get("a")).toEqual(once.state.nodes.get("a"));
  });
});

describe("announced work", () => {
  const map = mapOf([service("a"), resource("db")], { maintenance: [{ nodes: ["a"], from: at(100), to: at(200), reason: "upgrade" }] });
  const marked = (state: SystemState, seconds: number) => age(state, map, at(seconds)).state.nodes.get("a")?.marks;
  test("marks its nodes from its first moment to its last", () => {
    const state = after(map, [poll("a", 0)]);
    expect([99, 100, 199, 200].map((seconds) => marked(state, seconds))).toEqual([[], ["maintenance"], ["maintenance"], []]);
  });
  test("the mark goes again, and stays with polls in between", () => {
    let { state } = age(initialState(map), map, at(100));
    state = after(map, [poll("a", 110)], state);
    expect(state.nodes.get("a")?.marks).toEqual(["maintenance"]);
    expect(marked(state, 200)).toEqual([]);
  });
});
