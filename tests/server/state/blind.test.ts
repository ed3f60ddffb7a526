import { describe, expect, test } from "vitest";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import type { Observation } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import type { Outcome, Status } from "../../../server/src/domain/status.ts";
import type { Canary } from "../../../server/src/state/blind.ts";
import { age, initialState, observe, type Step } from "../../../server/src/state/reduce.ts";
import { at, fails, mapOf, poll, resource, says, service } from "./make.ts";

const ids = (n: number): string[] => Array.from({ length: n }, (_, k) => `s${k}`);
const fleet = (n: number): SystemMap => mapOf(ids(n).map((id) => service(id)));

function step(state: SystemState, map: SystemMap, polls: readonly Observation[], canary: Canary = "none"): Step {
  return observe(state, map, polls, Math.max(...polls.map((one) => one.at)), canary);
}

/** All report at 0 s, then the first `failing` of them fail at 10 s. */
function cutOff(map: SystemMap, n: number, failing: number, outcome: Outcome = "connect_timeout", canary: Canary = "none"): Step {
  const good = step(
    initialState(map),
    map,
    ids(n).map((id) => poll(id, 0)),
  ).state;
  const next = ids(n).map((id, k) => (k < failing ? fails(id, 10, outcome) : poll(id, 10)));
  return step(good, map, next, canary);
}

const statuses = (state: SystemState): (Status | undefined)[] => [...state.nodes.values()].map(({ status }) => status);

describe("blind", () => {
  test.each([
    [10, 8, "connect_timeout", "none", true, "80 % of ten fail without a connection"],
    [10, 10, "dns", "none", true, "names no longer resolve"],
    [10, 7, "connect_timeout", "none", false, "70 % are too few"],
    [10, 10, "timeout", "none", false, "a late answer proves the path"],
    [10, 10, "refused", "none", false, "so does a refusal"],
    [10, 10, "tls", "none", false, "and a broken handshake"],
    [10, 10, "reset", "none", false, "and a reset"],
    [10, 10, "connect_timeout", "working", false, "a working canary forbids it"],
    [5, 5, "connect_timeout", "none", true, "five are enough"],
    [4, 4, "connect_timeout", "none", false, "four are too few to tell"],
    [4, 4, "connect_timeout", "failing", true, "a failing canary decides for them"],
    [2, 1, "connect_timeout", "failing", false, "but not while half of them answer"],
  ] as const)("of %i, %i fail by %s, canary %s: %s (%s)", (n, failing, outcome, canary, expected, _because) => {
    expect(cutOff(fleet(n), n, failing, outcome, canary).state.blind !== null).toBe(expected);
  });

  test("one host alone cannot tell", () => {
    const map = mapOf(ids(6).map((id) => service(id, [], { instances: [{ id, service: id, url: `http://one.test/${id}` }] })));
    expect(cutOff(map, 6, 6).state).toMatchObject({ blind: null, cannotTell: true });
  });
  test("a small fleet says that it cannot tell, in its reasons too", () => {
    const map = mapOf(ids(3).map((id) => service(id, [], { downAfter: 1, upAfter: 1 })));
    const { state } = cutOff(map, 3, 3);
    expect(state).toMatchObject({ blind: null, cannotTell: true });
    expect(state.nodes.get("s0")).toMatchObject({ status: "unknown", reason: "no connection within 2 s; cannot tell us from them" });
    expect(step(state, map, [poll("s0", 20)]).state.cannotTell).toBeUndefined();
  });
  test("instances that never answered do not count", () => {
    const map = fleet(6);
    const never = step(
      initialState(map),
      map,
      ids(6).map((id) => fails(id, 0, "connect_timeout")),
    );
    expect(never.state).toMatchObject({ blind: null });
    expect(never.state.cannotTell).toBeUndefined();
  });
  test("news of trouble from a service that still answers means that it is them", () => {
    const map = fleet(10);
    const good = step(
      initialState(map),
      map,
      ids(10).map((id) => poll(id, 0)),
    ).state;
    const next = ids(10).map((id, k) => (k < 9 ? fails(id, 10, "connect_timeout") : says(id, 10, "unhealthy")));
    expect(step(good, map, next).state.blind).toBeNull();
  });
  test("old trouble is no news", () => {
    const map = fleet(10);
    const before = step(
      initialState(map),
      map,
      ids(10).map((id, k) => (k < 9 ? poll(id, 0) : says(id, 0, "unhealthy"))),
    ).state;
    const later = step(
      before,
      map,
      ids(10).map((id, k) => (k < 9 ? poll(id, 10) : says(id, 10, "unhealthy"))),
    ).state;
    const next = ids(10).map((id, k) => (k < 9 ? fails(id, 20, "connect_timeout") : says(id, 20, "unhealthy")));
    expect(step(later, map, next).state.blind).toEqual({ since: at(20) });
  });
});

describe("while blind", () => {
  const map = mapOf([...ids(10).map((id) => service(id, ["db"])), resource("db")]);
  const words = { db: "up" } as const;
  const round = (seconds: number, failing: (k: number) => boolean): Observation[] =>
    ids(10).map((id, k) => (failing(k) ? fails(id, seconds, "connect_timeout") : says(id, seconds, "healthy", words)));
  const good = step(
    initialState(map),
    map,
    round(0, () => false),
  ).state;
  const gone = step(
    good,
    map,
    round(10, (k) => k < 9),
  );

  test("everything is unknown, what was known stands beside it", () => {
    expect(new Set(statuses(gone.state))).toEqual(new Set(["unknown"]));
    expect(gone.state.nodes.get("s0")).toMatchObject({
      reason: "we are cut off: our own network is the likely cause",
      lastKnown: { status: "healthy", at: at(10) },
      pending: null,
    });
    expect(gone.state.nodes.get("db")).toMatchObject({ status: "unknown", lastKnown: { status: "healthy" } });
  });
  test("it is told once, first to come and first to go", () => {
    const rows = gone.transitions.filter(({ subject }) => subject === "blind");
    expect(rows).toEqual([{ subject: "blind", id: "*", at: at(10), from: "clear", to: "blind", reason: null, incident: null }]);
    expect(
      step(
        gone.state,
        map,
        round(20, (k) => k < 9),
      ).transitions,
    ).toEqual([]);
  });
  test("no streak counts", () => {
    const later = [20, 30, 40, 50].reduce(
      (state, seconds) =>
        step(
          state,
          map,
          round(seconds, (k) => k < 9),
        ).state,
      gone.state,
    );
    const back = step(
      later,
      map,
      round(60, (k) => k === 0),
    );
    expect(back.state.instances.get("s0")?.damped).toMatchObject({ status: "unknown", run: [] });
    expect(back.state.edges.get("s1>db")?.damped).toMatchObject({ status: "up", run: [] });
  });
  test("what failed meanwhile is blamed as soon as its callers are known to suffer, and who was silent is believed at once", () => {
    const bad = (id: string, seconds: number): Observation => says(id, seconds, "unhealthy", { db: "down" });
    const some = ids(10).map((id, k) => (k < 4 ? fails(id, 20, "connect_timeout") : bad(id, 20)));
    const back = step(gone.state, map, some).state;
    expect(back.blind).toBeNull();
    expect(back.nodes.get("s5")).toMatchObject({ status: "unhealthy" });
    expect(back.edges.get("s5>db")).toMatchObject({
      damped: { status: "down", pending: null },
      window: { lastGood: at(0), firstBad: at(20) },
    });
    expect(back.edges.get("s0>db")?.damped).toMatchObject({ status: "unknown" });
    const all = step(back, map, [bad("s0", 30)]).state;
    expect(all.edges.get("s0>db")?.damped).toMatchObject({ status: "down", pending: null });
  });
  test("it ends when half report again; those leave unknown at once, the others wait for their report", () => {
    const four = step(
      gone.state,
      map,
      round(20, (k) => k >= 4),
    );
    expect(four.state.blind).not.toBeNull();
    const five = step(
      gone.state,
      map,
      round(20, (k) => k >= 5),
    );
    expect(five.state.blind).toBeNull();
    expect(statuses(five.state)).toEqual([...Array(5).fill("healthy"), ...Array(5).fill("unknown"), "healthy"]);
    expect(five.state.nodes.get("s9")?.reason).toBe("no connection within 2 s");
    expect(five.transitions.filter(({ subject }) => subject === "blind")).toMatchObject([{ from: "blind", to: "clear" }]);
  });
  test("a canary that works again ends it without a poll", () => {
    expect(age(gone.state, map, at(15), "working").state.blind).toBeNull();
    expect(age(gone.state, map, at(15), "none").state.blind).toEqual({ since: at(10) });
  });
  test("trouble that shows when we see again is bad at once and confirmed later", () => {
    const back = round(20, () => false).map((one, k) => (k === 0 ? says("s0", 20, "unhealthy", words) : one));
    const { state } = step(gone.state, map, back);
    expect(state.nodes.get("s0")).toMatchObject({ status: "unhealthy", confirmed: false });
    const sure = [30, 40].reduce((held, seconds) => step(held, map, [says("s0", seconds, "unhealthy", words)]).state, state);
    expect(sure.nodes.get("s0")).toMatchObject({ status: "unhealthy", confirmed: true });
  });
});
