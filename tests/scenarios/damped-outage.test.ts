import { describe, expect, test } from "vitest";
import { replayIncidents, statesOf } from "../../server/src/analysis/replay.ts";
import { judge } from "../../server/src/analysis/verdict.ts";
import { parseMapObject } from "../../server/src/config/parse.ts";
import type { SystemMap } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import { ANSWERED } from "../support/answered.ts";

/**
 * One database under several services whose polls are spread over the interval and whose states are damped: while it
 * fails and while it recovers every service notices at another moment, and still there is one cause and one incident.
 */

const START = 1_800_000_000_000;
const DOWN_AT = 60_000;
const UP_AT = 240_000;
const END = 420_000;

function mapOf(services: number, interval: number, flipAfter: number, chained = false): SystemMap {
  const ids = Array.from({ length: services }, (_, i) => `s${i}`);
  const { map, errors } = parseMapObject({
    defaults: { interval: `${interval}ms`, timeout: "500ms", flip_after: flipAfter },
    resources: { "main-db": { kind: "database" } },
    services: Object.fromEntries(
      ids.map((id, i) => {
        const dependencies = [{ on: "main-db", criticality: "hard" }, ...(chained && i > 0 ? [{ on: "s0", criticality: "hard" }] : [])];
        return [id, { url: `http://${id}.test/`, dependencies }];
      }),
    ),
    systems: { shop: { members: ids.map((node) => ({ node, criticality: "hard" })) } },
  });
  if (!map) throw new Error(JSON.stringify(errors));
  return map;
}

/**
 * Truthful polls: each service at a phase of its own, its check `age` old when asked. One that damps its own checks
 * tells every change `lag` late, of the database and, in turn, of the first service, which the others then need too.
 */
function pollsOf(services: number, interval: number, phase: (i: number) => number, age: number, lag: number | null = null): Observation[] {
  const polls: Observation[] = [];
  for (let i = 0; i < services; i++) {
    for (let t = phase(i); t < END; t += interval) {
      const isDown = (at: number) => at >= DOWN_AT && at < UP_AT;
      const down = isDown(t - age - (lag ?? 0));
      const chained = lag !== null && i > 0;
      const firstDown = chained && isDown(t - age - 2 * lag);
      const failing = down || firstDown;
      polls.push({
        service: `s${i}`,
        instance: `s${i}`,
        at: START + t,
        latencyMs: 5,
        ...ANSWERED,
        httpStatus: failing ? 503 : 200,
        report: {
          status: failing ? "unhealthy" : "healthy",
          components: [
            { name: "main-db", status: down ? "down" : "up", criticality: "hard", ageMs: age, ...(down && { error: "refused" }) },
            ...(chained ? [{ name: "s0", status: firstDown ? "down" : "up", criticality: "hard", ageMs: age } as const] : []),
          ],
        },
      });
    }
  }
  return polls.sort((a, b) => a.at - b.at || (a.service < b.service ? -1 : 1));
}

/** A small generator with a seed, so that every run sees the same phases. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const CASES = [2, 3, 5, 12].flatMap((services) =>
  [1, 2, 3].flatMap((flipAfter) => [0, 400, 4_000].flatMap((age) => [1, 2, 3].map((seed) => ({ services, flipAfter, age, seed })))),
);

describe.each(CASES)(
  "$services services, flip_after $flipAfter, checks $age ms old, phases $seed",
  ({ services, flipAfter, age, seed }) => {
    const interval = 10_000;
    const map = mapOf(services, interval, flipAfter);
    const next = random(seed * 7_919 + services);
    const phases = Array.from({ length: services }, () => Math.floor(next() * interval));
    const polls = pollsOf(services, interval, (i) => phases[i] ?? 0, age);

    test("no cause but the database is ever named once it is known, and none is left", () => {
      let known = false;
      let last: string[] = [];
      for (const { at, state } of statesOf(map, polls)) {
        const { causes } = judge({ now: at, map, state });
        last = causes.map(({ node }) => node);
        if (last.includes("main-db")) known = true;
        if (known)
          expect(
            last.filter((node) => node !== "main-db"),
            `at ${at - START} ms`,
          ).toEqual([]);
      }
      expect(known).toBe(true);
      expect(last).toEqual([]);
    });

    test("there is one incident, or symptoms of before it was known that it absorbed, and it is cleared", () => {
      const { incidents } = replayIncidents(map, polls);
      const own = incidents.filter(({ end }) => end !== "absorbed");
      expect(own.map(({ anchor, status, end }) => ({ anchor, status, end }))).toEqual([
        { anchor: "main-db", status: "resolved", end: "cleared" },
      ]);
      if (services >= 3) expect(incidents).toHaveLength(1);
    });
  },
);

const CHAINED = [3, 5, 12].flatMap((services) =>
  [2, 3].flatMap((flipAfter) => [1, 2, 3, 4].map((seed) => ({ services, flipAfter, seed }))),
);

describe.each(CHAINED)(
  "$services services that damp their own checks and need the first, flip_after $flipAfter, phases $seed",
  ({ services, flipAfter, seed }) => {
    test("there is one incident from the first sign to the last straggler", () => {
      const interval = 5_000;
      const next = random(seed * 104_729 + services);
      const phases = Array.from({ length: services }, () => Math.floor(next() * interval));
      const polls = pollsOf(services, interval, (i) => phases[i] ?? 0, 400, 2_000);
      const { incidents } = replayIncidents(mapOf(services, interval, flipAfter, true), polls);
      const own = incidents.filter(({ end }) => end !== "absorbed");
      expect(own.map(({ anchor, status, end }) => ({ anchor, status, end }))).toEqual([
        { anchor: "main-db", status: "resolved", end: "cleared" },
      ]);
    });
  },
);
