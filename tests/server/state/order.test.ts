import fc from "fast-check";
import { expect, test } from "vitest";
import type { Observation } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import { COMPONENT_STATUSES, STATUSES } from "../../../server/src/domain/status.ts";
import { age, initialState, observe } from "../../../server/src/state/reduce.ts";
import { at, fails, mapOf, resource, says, service } from "./make.ts";

const map = mapOf([
  service("a", ["x", "db", "cache?"]),
  service("b", ["x?", "db", "queue~"]),
  service("c", ["x", "db"]),
  service("d", ["db", "cache", "free"], { downAfter: 1, upAfter: 2 }),
  service("x", ["db"]),
  service("free", ["db"], { instances: [], need: 0 }),
  resource("db"),
  resource("cache"),
  resource("queue"),
]);
const polled = ["a", "b", "c", "d", "x"];

const words = fc.dictionary(fc.constantFrom("x", "db", "cache", "queue", "free", "other"), fc.constantFrom(...COMPONENT_STATUSES), {
  noNullPrototype: true,
});
const answer = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.record({ status: fc.constantFrom(...STATUSES), words }) },
);
/** Rounds of one poll of each service, ten seconds apart. */
const rounds = fc.array(fc.tuple(answer, answer, answer, answer, answer), { minLength: 1, maxLength: 6 });
/** A run is up to thirty polls: fewer runs than usual keep the tests quick. */
const SOME = { numRuns: 25 };
const shuffled = fc.shuffledSubarray(polled, { minLength: polled.length });

const well = (words: Answer["words"]): Answer => ({ status: "healthy", words });

type Answer = { status: (typeof STATUSES)[number]; words: Record<string, (typeof COMPONENT_STATUSES)[number]> };
type Rounds = readonly (readonly (Answer | null)[])[];

function polls(turns: Rounds): Observation[][] {
  return turns.map((round, turn) =>
    round.map((one, n) => {
      const [id, when] = [polled[n] as string, turn * 10 + n];
      return one ? says(id, when, one.status, one.words) : fails(id, when, "timeout");
    }),
  );
}

const content = (state: SystemState): string =>
  JSON.stringify([[...state.nodes], [...state.edges], [...state.instances], state.blind], (_key, value: unknown) =>
    value instanceof Map ? [...value] : value,
  );

test("the order of results within a batch does not matter", () => {
  fc.assert(
    fc.property(rounds, shuffled, (turns, order) => {
      let one = initialState(map);
      let other = initialState(map);
      for (const [turn, batch] of polls(turns).entries()) {
        const now = at(turn * 10 + 9);
        const first = observe(one, map, batch, now);
        const second = observe(
          other,
          map,
          order.map((id) => batch[polled.indexOf(id)] as Observation),
          now,
        );
        expect(content(second.state)).toBe(content(first.state));
        expect(second.transitions).toEqual(first.transitions);
        expect(second.changed).toEqual(first.changed);
        [one, other] = [first.state, second.state];
      }
    }),
    SOME,
  );
});

test("nor does the order in which a round's results come one by one, as far as statuses go", () => {
  fc.assert(
    fc.property(rounds, shuffled, (turns, order) => {
      let one = initialState(map);
      let other = initialState(map);
      for (const [turn, batch] of polls(turns).entries()) {
        const now = at(turn * 10 + 9);
        for (const poll of batch) one = observe(one, map, [poll], now).state;
        for (const id of order) other = observe(other, map, [batch[polled.indexOf(id)] as Observation], now).state;
        const seen = (state: SystemState) => [
          [...state.instances].map(([id, { damped }]) => [id, damped]),
          [...state.nodes]
            .filter(([id]) => polled.includes(id))
            .map(([id, { status, marks }]) => [id, marks.includes("disputed") || status]),
        ];
        expect(JSON.stringify(seen(other))).toBe(JSON.stringify(seen(one)));
      }
    }),
    // A blame from before the first good answer of the one it speaks of, which comes before that answer or after it.
    { ...SOME, examples: [[[[well({}), well({ x: "down" }), well({ x: "down" }), null, well({})]], ["d", "c", "a", "x", "b"]]] },
  );
});

test("a batch taken apart or whole, every node shows a status that its evidence allows, and no input is changed", () => {
  fc.assert(
    fc.property(rounds, (turns) => {
      let state = initialState(map);
      for (const [turn, batch] of polls(turns).entries()) {
        const copy = content(state);
        const step = observe(state, map, batch, at(turn * 10 + 9));
        expect(content(state)).toBe(copy);
        state = step.state;
        for (const [id, node] of state.nodes) {
          if (polled.includes(id) && !node.marks.includes("disputed")) expect(node.status).toBe(state.instances.get(id)?.damped.status);
          if (node.status === "healthy") expect(node.reason).toBeNull();
          if (node.status !== "unknown") expect([node.lastKnown, node.since > 0]).toEqual([null, true]);
        }
        const restless = age(state, map, at(turn * 10 + 9));
        expect(restless.transitions).toEqual([]);
      }
    }),
    SOME,
  );
});

test("every transition leads from what was to what is", () => {
  fc.assert(
    fc.property(rounds, (turns) => {
      let state = initialState(map);
      for (const [turn, batch] of polls(turns).entries()) {
        const step = observe(state, map, batch, at(turn * 10 + 9));
        const rows = new Map(step.transitions.filter(({ subject }) => subject === "node").map((row) => [row.id, row]));
        for (const [id, after] of step.state.nodes) {
          const before = state.nodes.get(id)?.status;
          const row = rows.get(id);
          expect(row ? [row.from, row.to] : [before, before]).toEqual([before, after.status]);
        }
        state = step.state;
      }
    }),
    SOME,
  );
});
