import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ServiceNode, SystemMap } from "../../../server/src/domain/map.ts";
import type { Observation } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import { atOnce } from "../../../server/src/domain/turns.ts";
import { indexing } from "../../../server/src/state/mapindex.ts";
import { age, initialState, observe, remap } from "../../../server/src/state/reduce.ts";
import { at, mapOf, resource, says, service } from "./make.ts";

const after = (map: SystemMap, polls: readonly Observation[], from: SystemState = initialState(map)): SystemState =>
  polls.reduce((state, one) => observe(state, map, [one], one.at).state, from);

const before = mapOf([service("a", ["db"]), service("b", ["a?"]), resource("db")]);
const state = after(before, [
  says("a", 0, "healthy", { db: "up" }),
  says("b", 1, "healthy", { a: "down" }),
  says("a", 10, "healthy", { db: "down" }),
]);

test("the same map loaded again changes nothing", () => {
  const again = mapOf([service("a", ["db"]), service("b", ["a?"]), resource("db")]);
  const step = remap(state, before, again, at(20));
  expect(step.transitions).toEqual([]);
  expect([...step.state.nodes]).toEqual([...state.nodes]);
  expect([...step.state.edges]).toEqual([...state.edges]);
  expect([...step.state.instances]).toEqual([...state.instances]);
  expect([...step.changed.nodes, ...step.changed.edges, ...step.changed.instances]).toEqual([]);
});

test("new nodes begin unknown, the others keep state and streak", () => {
  const grown = mapOf([service("new", ["a"]), service("a", ["db"]), service("b", ["a?"]), resource("db")]);
  const step = remap(state, before, grown, at(20));
  expect(step.state.nodes.get("new")).toMatchObject({ status: "unknown", confirmed: false });
  expect(step.state.instances.get("a")).toEqual(state.instances.get("a"));
  expect(step.state.edges.get("a>db")?.damped.pending).toEqual({ status: "down", count: 1, needed: 3 });
  expect(step.changed.nodes).toContain("new");
  expect(step.changed.edges).toContain("new>a");
  expect(step.changed.instances).toContain("new");
  expect([...step.state.nodes.keys()]).toEqual(["new", "a", "b", "db"]);
});

test("removed ones leave, and their history ends in unknown for the map's sake", () => {
  const shrunk = mapOf([service("a", ["db"]), resource("db")]);
  const step = remap(state, before, shrunk, at(20));
  expect([step.state.nodes.has("b"), step.state.edges.has("b>a"), step.state.instances.has("b")]).toEqual([false, false, false]);
  expect(step.transitions).toEqual([
    { subject: "instance", id: "b", at: at(20), from: "degraded", to: "unknown", reason: "map", incident: null },
    { subject: "edge", id: "b>a", at: at(20), from: "down", to: "unknown", reason: "map", incident: null },
    { subject: "node", id: "b", at: at(20), from: "degraded", to: "unknown", reason: "map", incident: null },
  ]);
});

test("a node that lost its last witness is unknown, for the map's sake", () => {
  const cut = mapOf([service("a"), service("b", ["a?"]), resource("db")]);
  const { transitions } = remap(state, before, cut, at(20));
  expect(transitions).toContainEqual({
    subject: "node",
    id: "db",
    at: at(20),
    from: "healthy",
    to: "unknown",
    reason: "map",
    incident: null,
  });
});

describe("a renamed node", () => {
  /** The reports go on naming what they named. */
  const named = (node: ServiceNode, component: string): ServiceNode => ({
    ...node,
    edges: node.edges.map((edge) => ({ ...edge, components: [component] })),
  });
  const renamed = mapOf([
    named(service("shop", ["store"], { renamedFrom: "a" }), "db"),
    named(service("b", ["shop?"]), "a"),
    { ...resource("store"), renamedFrom: "db" },
  ]);
  const step = remap(state, before, renamed, at(20));
  test("takes over state, streaks and statements, of its instances too", () => {
    expect(step.state.nodes.get("shop")).toMatchObject({ id: "shop", status: "healthy", since: at(0), pending: { count: 1 } });
    expect(step.state.instances.get("shop")).toEqual({ ...state.instances.get("a"), id: "shop", service: "shop" });
    expect(step.state.edges.get("shop>store")).toEqual({ ...state.edges.get("a>db"), from: "shop", to: "store" });
    expect(step.state.edges.get("b>shop")).toEqual({ ...state.edges.get("b>a"), to: "shop" });
    expect(step.state.nodes.get("store")?.status).toBe("healthy");
  });
  test("is no change of status, and is saved under its new id", () => {
    expect(step.transitions).toEqual([]);
    expect(step.changed.nodes).toEqual(new Set(["shop", "store"]));
  });
  test("is renamed once: the same line in a later revision means nothing", () => {
    const polled = after(renamed, [says("shop", 30, "unhealthy", { db: "up" })], step.state);
    expect(remap(polled, renamed, mapOf([...renamed.nodes.values()]), at(40)).state.instances.get("shop")).toEqual(
      polled.instances.get("shop"),
    );
  });
  test("of several instances they are found by their addresses", () => {
    const fleet = mapOf([service("a", [], { count: 2 })]);
    const held = after(fleet, [says("a", 0, "healthy", {}, { instance: "a#1" })]);
    const old = fleet.nodes.get("a");
    if (old?.kind !== "service") throw new Error("a is a service");
    const instances = old.instances.map((instance, n) => ({ ...instance, id: `z${n}`, service: "z" }));
    const moved = remap(held, fleet, mapOf([{ ...old, id: "z", renamedFrom: "a", instances }]), at(10));
    expect(moved.state.instances.get("z1")).toMatchObject({ service: "z", damped: { status: "healthy" } });
    expect(moved.state.instances.get("z0")?.damped.status).toBe("unknown");
  });
});

describe("a changed label", () => {
  test("applies to the last report at once, with the reason map", () => {
    const soft = mapOf([service("a", ["db?"]), resource("db")]);
    const hard = mapOf([service("a", ["db"]), resource("db")]);
    const down = after(soft, [says("a", 0, "healthy", { db: "down" })]);
    const step = remap(down, soft, hard, at(5));
    expect(step.state.nodes.get("a")).toMatchObject({ status: "unhealthy", since: at(5), reason: "db: down" });
    expect(step.transitions).toContainEqual({
      subject: "node",
      id: "a",
      at: at(5),
      from: "degraded",
      to: "unhealthy",
      reason: "map",
      incident: null,
    });
    expect(remap(step.state, hard, soft, at(6)).state.nodes.get("a")).toMatchObject({ status: "degraded" });
  });
  test("leaves a service alone whose last poll brought no report", () => {
    const soft = mapOf([service("a", ["db?"]), resource("db")]);
    const hard = mapOf([service("a", ["db"]), resource("db")]);
    const held = after(soft, [says("a", 0, "healthy", { db: "down" }), { ...says("a", 10, "healthy"), outcome: "timeout", report: null }]);
    expect(remap(held, soft, hard, at(15)).state.nodes.get("a")?.status).toBe("degraded");
  });
});

test("a service that is polled no longer is known through its dependents", () => {
  const unpolled = mapOf([service("a", ["db"], { instances: [], need: 0 }), service("b", ["a?"]), resource("db")]);
  const step = remap(state, before, unpolled, at(20));
  expect(step.state.nodes.get("a")).toMatchObject({ status: "unhealthy", coverage: null, reason: "b reports it down" });
  expect(step.state.instances.has("a")).toBe(false);
});

describe("what is as it was need not be looked at: the outcome is that of looking at everything", () => {
  const IDS = ["a", "b", "c", "d"];
  const edgeText = fc.tuple(fc.constantFrom(...IDS, "db", "mail"), fc.constantFrom("", "?", "~")).map((parts) => parts.join(""));
  const uniqueTargets = { selector: (text: string) => text.replace(/[?~]$/, ""), maxLength: 4 };
  const shape = fc.record({
    needs: fc.uniqueArray(edgeText, uniqueTargets),
    count: fc.constantFrom(1, 1, 2),
    maxAge: fc.constantFrom(20_000, 60_000),
    componentMaxAge: fc.constantFrom(20_000, 60_000),
  });
  type Shape = typeof shape extends fc.Arbitrary<infer S> ? S : never;
  const node = (id: string, { needs, ...more }: Shape): ServiceNode =>
    service(
      id,
      needs.filter((text) => !text.startsWith(id)),
      more,
    );
  const word = fc.constantFrom("up", "degraded", "down") as fc.Arbitrary<"up" | "degraded" | "down">;
  const poll = fc.record({ from: fc.constantFrom(...IDS), healthy: fc.boolean(), words: fc.array(word, { minLength: 6, maxLength: 6 }) });

  test("of random maps, changes and polls", () => {
    fc.assert(
      fc.property(
        fc.array(shape, { minLength: 4, maxLength: 4 }),
        fc.array(poll, { minLength: 4, maxLength: 30 }),
        fc.array(fc.option(shape), { minLength: 4, maxLength: 4 }),
        fc.constantFrom(null, "d", "mail"),
        fc.integer({ min: 1, max: 70 }),
        (shapes, polls, changes, removed, later) => {
          const declared = IDS.map((id, n) => node(id, shapes[n] as Shape));
          const resources = [resource("db"), resource("mail")];
          const old = mapOf([...declared, ...resources]);
          // Everything was judged once, and time has passed, as it does every second.
          const judged = remap(initialState(old), structuredClone(old), old, at(0)).state;
          const polled = after(
            old,
            polls.map(({ from, healthy, words }, second) => {
              const said = Object.fromEntries([...IDS, "db", "mail"].map((id, n) => [id, words[n] ?? "up"]));
              const own = Object.fromEntries(Object.entries(said).filter(([id]) => id !== from));
              const { instances } = old.nodes.get(from) as ServiceNode;
              const { id } = instances[second % instances.length] as ServiceNode["instances"][number];
              return { ...says(from, second, healthy ? "healthy" : "unhealthy", own), instance: id };
            }),
            judged,
          );
          const held = age(polled, old, at(40)).state;
          const left = [...declared.map((was, n) => (changes[n] ? node(was.id, changes[n]) : was)), ...resources].filter(
            ({ id }) => id !== removed,
          );
          const next = mapOf(left);
          const copy = structuredClone(next);
          atOnce(indexing(next, old));
          const some = remap(held, old, next, at(40));
          const all = remap(held, structuredClone(old), copy, at(40));
          const shown = ({ transitions, state }: typeof some) => ({
            transitions: [...transitions].sort((x, y) => (`${x.subject}${x.id}` < `${y.subject}${y.id}` ? -1 : 1)),
            nodes: [...state.nodes],
            edges: [...state.edges],
            instances: [...state.instances],
          });
          expect(shown(some)).toEqual(shown(all));
          expect(shown(age(some.state, next, at(40 + later)))).toEqual(shown(age(all.state, copy, at(40 + later))));
        },
      ),
      { numRuns: 150 },
    );
  });
});
