import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ERROR_CATEGORIES } from "../../../server/src/domain/observation.ts";
import type { Damped, EdgeState, InstanceState, NodeState, SystemState } from "../../../server/src/domain/state.ts";
import { COMPONENT_STATUSES, CRITICALITIES, MARKS, OUTCOMES, PHASES, STATUSES } from "../../../server/src/domain/status.ts";
import { initialState, observe } from "../../../server/src/state/reduce.ts";
import { decodeState, encodeState, type StateKind, type StateOf, stateCodec } from "../../../server/src/state/serialise.ts";
import { at, mapOf, resource, says, service } from "./make.ts";

const time = fc.integer({ min: 0, max: 2_000_000_000_000 });
const amount = fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0);
const small = fc.nat(50);
const maybe = <T>(inner: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(inner, { nil: null });
const word = <S extends string>(words: readonly S[]): fc.Arbitrary<S> => fc.constantFrom(...words);

function damped<S extends string>(words: readonly S[]): fc.Arbitrary<Damped<S>> {
  const status = word(words);
  return fc.record(
    {
      status,
      since: time,
      pending: maybe(fc.record({ status, count: small, needed: small })),
      raw: status,
      recent: fc.array(status, { maxLength: 20 }),
      run: fc.array(fc.record({ status, at: time }), { maxLength: 5 }),
      flapping: fc.boolean(),
      intermittent: fc.boolean(),
      held: small,
      confirmed: fc.boolean(),
    },
    { requiredKeys: ["status", "since", "pending", "raw", "recent", "run", "flapping", "intermittent", "confirmed"] },
  ) as fc.Arbitrary<Damped<S>>;
}

const window = maybe(fc.record({ lastGood: maybe(time), firstBad: time }));
const component = fc.record(
  {
    name: fc.string(),
    status: word(COMPONENT_STATUSES),
    computedAgeMs: maybe(amount),
    criticality: word(CRITICALITIES),
    latencyMs: amount,
    lastChecked: time,
    ageMs: amount,
    error: fc.string(),
    category: word(ERROR_CATEGORIES),
    raw: fc.string(),
  },
  { requiredKeys: ["name", "status", "computedAgeMs"] },
) as fc.Arbitrary<InstanceState["components"][number]>;

const instance: fc.Arbitrary<InstanceState> = fc.record({
  id: fc.string(),
  service: fc.string(),
  damped: damped(STATUSES),
  outcome: maybe(word(OUTCOMES)),
  httpStatus: maybe(fc.integer({ min: 100, max: 599 })),
  format: maybe(fc.string()),
  phase: maybe(word(PHASES)),
  phaseCount: small,
  lastPollAt: maybe(time),
  lastReportAt: maybe(time),
  latencyMs: maybe(amount),
  error: maybe(fc.string()),
  components: fc.array(component, { maxLength: 6 }),
  ownWord: maybe(word(STATUSES)),
  seenChecks: fc
    .array(fc.tuple(fc.string(), fc.record({ lastChecked: time, firstSeen: time })), { maxLength: 4 })
    .map((rows) => new Map(rows)),
  window,
  lastGood: maybe(time),
  reason: maybe(fc.string()),
});

const edge: fc.Arbitrary<EdgeState> = fc.record({
  from: fc.string(),
  to: fc.string(),
  damped: damped(COMPONENT_STATUSES),
  checkedAt: maybe(time),
  reportedAt: maybe(time),
  stale: fc.boolean(),
  latencyMs: maybe(amount),
  error: maybe(fc.string()),
  category: maybe(word(ERROR_CATEGORIES)),
  window,
  lastGood: maybe(time),
  firstBadCheck: maybe(time),
});

const node: fc.Arbitrary<NodeState> = fc.record({
  id: fc.string(),
  status: word(STATUSES),
  since: time,
  pending: maybe(fc.record({ status: word(STATUSES), count: small, needed: small })),
  confirmed: fc.boolean(),
  marks: fc.uniqueArray(word(MARKS)),
  reason: maybe(fc.string()),
  lastKnown: maybe(fc.record({ status: word(STATUSES), at: time })),
  lastChecked: maybe(time),
  stale: fc.boolean(),
  latencyMs: maybe(amount),
  outcome: maybe(word(OUTCOMES)),
  window,
  ownWord: maybe(word(STATUSES)),
  coverage: maybe(fc.record({ known: small, total: small })),
});

describe("what was encoded comes back equal", () => {
  test("instances", () => {
    fc.assert(
      fc.property(instance, (state) => {
        expect(stateCodec.decode("instance", stateCodec.encode("instance", state))).toEqual(state);
      }),
    );
  });
  test("edges", () => {
    fc.assert(
      fc.property(edge, (state) => {
        expect(stateCodec.decode("edge", stateCodec.encode("edge", state))).toEqual(state);
      }),
    );
  });
  test("nodes", () => {
    fc.assert(
      fc.property(node, (state) => {
        expect(stateCodec.decode("node", stateCodec.encode("node", state))).toEqual(state);
      }),
    );
  });
});

describe("what is not a state is null, never an error", () => {
  const map = mapOf([service("a", ["db"]), resource("db")]);
  const { state } = observe(initialState(map), map, [says("a", 0, "healthy", { db: { status: "down", error: "refused" } })], at(0));
  const held = state.instances.get("a");
  if (!held) throw new Error("the instance is missing");
  const good = encodeState("instance", held) as unknown[];
  test.each([
    ["null", null],
    ["a text", "state"],
    ["an object", { version: 1 }],
    ["another version", [2, good[1]]],
    ["another kind", encodeState("node", state.nodes.get("a") as NodeState)],
    ["a truncated row", [1, (good[1] as unknown[]).slice(0, 5)]],
    ["a word that does not exist", [1, (good[1] as unknown[]).with(3, 99)]],
    ["a number that is none", [1, (good[1] as unknown[]).with(8, "yesterday")]],
  ])("%s", (_, json) => {
    expect(decodeState("instance", json)).toBeNull();
  });
  test("the good one it is made from is read", () => {
    expect(decodeState("instance", good)).toEqual(held);
  });
  test.each(["", "{", "[1,[", "nonsense"])("the text %j", (text) => {
    expect(stateCodec.decode("edge", text)).toBeNull();
  });
  test("any JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        for (const kind of ["instance", "edge", "node"] as const) expect(() => decodeState(kind, json)).not.toThrow();
      }),
    );
  });
});

test("a restart between two polls changes nothing: what was saved goes on as if it had never stopped", () => {
  const map = mapOf([service("a", ["db"]), service("b", ["db", "a?"]), service("c", ["db"]), resource("db")]);
  const round = (seconds: number, word: "up" | "down") =>
    ["a", "b", "c"].map((id, n) =>
      says(id, seconds + n, n === 1 ? "degraded" : "healthy", { db: { status: word, ageMs: 40, lastChecked: at(seconds) } }),
    );
  const reload = (state: SystemState): SystemState => {
    const copy = <K extends StateKind>(kind: K, held: ReadonlyMap<string, StateOf<K>>): Map<string, StateOf<K>> =>
      new Map([...held].flatMap(([id, one]) => [[id, stateCodec.decode(kind, stateCodec.encode(kind, one)) ?? one]]));
    return {
      instances: copy("instance", state.instances),
      edges: copy("edge", state.edges),
      nodes: copy("node", state.nodes),
      blind: state.blind,
    };
  };
  let running = initialState(map);
  let restarted = initialState(map);
  for (const [turn, word] of (["up", "up", "down", "up", "down", "down", "down", "up"] as const).entries()) {
    running = observe(running, map, round(turn * 10, word), at(turn * 10 + 5)).state;
    restarted = observe(reload(restarted), map, round(turn * 10, word), at(turn * 10 + 5)).state;
    for (const part of ["nodes", "edges", "instances"] as const) expect([...restarted[part]]).toEqual([...running[part]]);
  }
});
