import { describe, expect, test } from "vitest";
import { judgeRun, type Run, simulate } from "../support/simulate.ts";
import { CLASSES, type Scenario, scenarioOf } from "../support/simulate-cases.ts";
import type { MapName } from "../support/simulate-maps.ts";

/**
 * Simulated trouble over virtual time: truthful services with phases, check ages and latencies of their own, damped and
 * judged as the engine does it. Each row once named a false cause or opened a false incident.
 */

const NEVER = [
  "wrong cause, unrelated",
  "wrong cause, after the end",
  "wrong cause, confirmed",
  "dragged in",
  "false incident",
  "undetermined incident",
  "no incident",
  "several incidents for one fault",
  "cause dropped",
  "cause not named in time",
  "never ends",
  "ends before the fault does",
  "ends late",
  "reopened",
  "opened before the fault",
  "suffers before the fault",
];

function judged({ world, end, happens, unsettled }: Scenario, never: readonly string[]): string[] {
  return judgeRun(world, simulate(world, end, happens), end, { unsettled }).flatMap(({ rule, t, text }) =>
    never.includes(rule) ? [`${rule} at ${t}: ${text}`] : [],
  );
}

function missesOf(name: string, map: MapName, seed: number, flipAfter: number, never: readonly string[] = NEVER, mixed = false): string[] {
  const scenario = scenarioOf(name, map, seed, { flipAfter, mixed });
  if (!scenario) throw new Error(`${map} has no place for ${name}`);
  return judged(scenario, never);
}

describe("what once went wrong stays right", () => {
  test.each<[string, string, MapName, number, number]>([
    ["a service of three instances is no cause while the first of them has been polled", "service refuses", "shop", 1, 3],
    ["a caller that finds it up again, and is still damped, has no broken link to it", "soft dependency", "shop", 1, 3],
    ["nor has the only witness of a database that is up again", "resource down", "shop", 1, 3],
    ["callers that come round one after another are no causes", "two faults recover apart", "google-online-boutique", 1, 3],
    ["nor are they after a fault that began while nobody looked", "fault begins while Headwater is down", "shop", 1, 3],
    ["nor are those whose trouble ended unseen", "resource down while all are cut off", "google-online-boutique", 1, 3],
    ["instances that were lost in a gap are not silent until asked again", "fault ends while Headwater is down", "shop", 1, 3],
    ["callers of a probe that lied are no causes when it is well", "probe lies", "shop", 1, 3],
    ["one caller's word on what others use waits for theirs", "own pool", "google-online-boutique", 1, 3],
    ["a carrier that turns out to be a symptom is not called fine again", "two faults overlap", "chain", 1, 3],
  ])("%s", (_, name, map, seed, flipAfter) => {
    expect(missesOf(name, map, seed, flipAfter)).toEqual([]);
  });

  test.each<[string, string, MapName, number, number]>([
    ["while its victims come round one by one", "fault returns", "shop", 1, 3],
    ["while its victims come round without damping", "fault returns", "shop", 1, 1],
    ["while two faults end one after the other", "two faults recover apart", "shop", 1, 3],
    ["while those between are still being confirmed", "resource down", "chain", 2, 3],
    ["while a member that was never confirmed comes and goes", "flapping", "chain", 1, 3],
  ])("an incident grows no less severe %s", (_, name, map, seed, flipAfter) => {
    expect(missesOf(name, map, seed, flipAfter, ["severity falls"])).toEqual([]);
  });

  test("a service that falls silent is not cleared by callers that looked before, nor by one whose word is turning", () => {
    const never = ["ends before the fault does", "several incidents for one fault", "reopened"];
    expect(missesOf("service hangs", "shop", 2, 2, never, true)).toEqual([]);
  });
});

test("a service that its callers blame is no cause while its own words, still to be confirmed, lead to one", () => {
  const never = [...NEVER, "wrong cause, settled", "absorbed symptom"];
  expect(missesOf("two faults overlap", "robot-shop", 2, 3, never)).toEqual([]);
});

test("callers alone do not confirm a service whose own change is still being confirmed", () => {
  for (const flipAfter of [2, 3]) expect(missesOf("service refuses", "train-ticket", 1, flipAfter, ["wrong cause, confirmed"])).toEqual([]);
});

test("what a node said before it was blamed neither speaks for it nor lets its callers confirm it", () => {
  const scenario = scenarioOf("resource slow", "robot-shop", 4, { flipAfter: 1 });
  if (!scenario) throw new Error("no such resource");
  const { looks } = simulate(scenario.world, scenario.end);
  const blamed = looks.flatMap(({ verdict }) => verdict.causes.filter(({ node }) => node === "cart"));
  expect(blamed[0]?.against).toEqual([
    "it has not reported since, and said healthy before",
    "2 other dependents found it up before, and have not looked since",
  ]);
  expect(blamed.filter(({ level }) => level === "confirmed")).toEqual([]);
});

test("a service is never said to have reported trouble while only some of its instances do not answer", () => {
  const scenario = scenarioOf("several cut off from us", "shop", 4, { flipAfter: 3 });
  if (!scenario) throw new Error("no such services");
  const { looks } = simulate(scenario.world, scenario.end);
  const why = looks.flatMap(({ verdict }) => verdict.causes.flatMap(({ node, why }) => (node === "payments" ? why[0] : [])));
  expect(new Set(why)).toEqual(new Set(["1 of 3 instances does not answer", "2 of 3 instances do not answer"]));
});

/** What no run may ever show, however its phases and ages fall. */
const OUT_OF_QUESTION = [
  "wrong cause, confirmed",
  "dragged in",
  "undetermined incident",
  "cause not named in time",
  "never ends",
  "ends before the fault does",
  "reopened",
  "opened before the fault",
  "suffers before the fault",
  "announced work taken wrongly",
  "announced work alerts",
];

describe.each(Object.keys(CLASSES))("%s", (name) => {
  test.each<MapName>(["shop", "chain", "sock-shop", "robot-shop"])(
    "on %s: no confirmed cause is wrong, nobody is dragged in, and incidents end on evidence",
    (map) => {
      for (const flipAfter of [1, 3]) {
        const scenario = scenarioOf(name, map, 4, { flipAfter });
        if (scenario) expect(judged(scenario, OUT_OF_QUESTION), `flip_after ${flipAfter}`).toEqual([]);
      }
    },
  );
});

test("the order of answers within a moment changes nothing", () => {
  for (const name of ["two faults overlap", "own pool", "resource slow"]) {
    const scenario = scenarioOf(name, "shop", 1, { flipAfter: 2, lockstep: true });
    if (!scenario) throw new Error(name);
    const { world, end } = scenario;
    const polls = world.polls(end);
    const back = [...polls].reverse().sort((a, b) => a.at + a.latencyMs - b.at - b.latencyMs);
    const told = (run: Run): unknown => run.looks.map(({ t, verdict }) => [t, verdict.causes, [...verdict.roles]]);
    expect(told(simulate(world, end, {}, back))).toEqual(told(simulate(world, end, {}, polls)));
  }
});
