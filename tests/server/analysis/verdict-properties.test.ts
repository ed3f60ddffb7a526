import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "../../../server/src/analysis/verdict.ts";
import type { Verdict } from "../../../server/src/domain/incident.ts";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import type { Evidence } from "../../../server/src/domain/snapshot.ts";
import { mapOf, type Needs, type Said, sceneOf } from "../../support/scene.ts";

/** A fleet of up to 200 nodes: services need later ones (and now and then an earlier one), some of which are resources. */
interface Fleet {
  needs: Needs;
  said: Record<string, Said>;
}

const MARKS = ["!", "!", "!", "~", "~", "?"];

function fleetOf(size: number, arcs: readonly [number, number, number][], name: (n: number) => string): Needs {
  const services = Math.max(2, Math.ceil(size * 0.7));
  const lists = new Map<number, Map<number, string>>();
  for (const [a, b, mark] of arcs) {
    const from = a % services;
    const to = mark % 13 === 0 ? b % services : from + 1 + (b % Math.max(1, size - from - 1));
    if (to === from || to >= size) continue;
    const list = lists.get(from) ?? new Map<number, string>();
    list.set(to, MARKS[mark % MARKS.length] ?? "!");
    lists.set(from, list);
  }
  return Object.fromEntries(
    Array.from({ length: services }, (_, n) => [name(n), [...(lists.get(n) ?? [])].map(([to, mark]) => `${name(to)}${mark}`).join(" ")]),
  );
}

const size = fc.integer({ min: 3, max: 200 });
const arcs = fc.array(fc.tuple(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000)), { minLength: 3, maxLength: 500 });
const words = fc.array(fc.tuple(fc.nat(10_000), fc.nat(4), fc.nat(10_000)), { maxLength: 40 });

function saidOf(needs: Needs, drawn: readonly (readonly [number, number, number])[]): Record<string, Said> {
  const services = Object.keys(needs);
  const said: Record<string, Said> = {};
  for (const [at, what, which] of drawn) {
    const id = services[at % services.length] ?? "";
    const targets = (needs[id] ?? "")
      .split(" ")
      .filter(Boolean)
      .map((word) => word.slice(0, -1));
    const target = targets[which % Math.max(1, targets.length)];
    const before = said[id] ?? {};
    if (what === 0) said[id] = { ...before, silent: "connect_timeout" };
    else if (what === 1) said[id] = { ...before, word: "unhealthy" };
    else if (what === 2) said[id] = { ...before, word: "degraded" };
    else if (target) said[id] = { ...before, down: [...(before.down ?? []), target] };
  }
  return said;
}

const fleet = fc.tuple(size, arcs, words).map(([n, drawn, spoken]): Fleet => {
  const needs = fleetOf(n, drawn, (node) => `n${node}`);
  return { needs, said: saidOf(needs, spoken) };
});

/** The verdict without what only sorting or naming could change. */
function gist(verdict: Verdict): unknown {
  return {
    causes: verdict.causes.map(({ node, kind, confidence, severity }) => [node, kind, confidence, severity]),
    roles: [...verdict.roles].map(([id, { role, cause }]) => [id, role, verdict.causes[cause]?.node]).sort(),
    unexplained: verdict.unexplained.map(({ node }) => node),
  };
}

function shuffled<V>(map: ReadonlyMap<string, V>): Map<string, V> {
  return new Map([...map].reverse());
}

const RUNS = { numRuns: 60 };

describe("every verdict", () => {
  it("is independent of the order in which results arrived", () => {
    fc.assert(
      fc.property(fleet, ({ needs, said }) => {
        const scene = sceneOf(mapOf(needs), said);
        const { nodes, edges, instances } = scene.state;
        const other: Evidence = {
          ...scene,
          state: { ...scene.state, nodes: shuffled(nodes), edges: shuffled(edges), instances: shuffled(instances) },
        };
        expect(judge(other)).toEqual(judge(scene));
      }),
      RUNS,
    );
  });

  it("changes nothing but names when nodes are renamed", () => {
    fc.assert(
      fc.property(size, arcs, words, (n, drawn, spoken) => {
        const plain = fleetOf(n, drawn, (node) => `n${node}`);
        const renamed = fleetOf(n, drawn, (node) => `x${999 - node}`);
        const back = (id: string): string => `n${999 - Number(id.slice(1))}`;
        const one = judge(sceneOf(mapOf(plain), saidOf(plain, spoken)));
        const two = judge(sceneOf(mapOf(renamed), saidOf(renamed, spoken)));
        const roles = new Map([...two.roles].map(([id, role]) => [back(id), role]));
        const causes = two.causes.map((cause) => ({ ...cause, node: back(cause.node) }));
        const unexplained = two.unexplained.map(({ node, candidates }) => ({ node: back(node), candidates }));
        expect(gist({ ...two, causes, roles, unexplained })).toEqual(gist(one));
      }),
      RUNS,
    );
  });

  it("calls nobody impacted that has no path to its cause, and carries no unhealthiness over a soft edge", () => {
    fc.assert(
      fc.property(fleet, ({ needs, said }) => {
        const map = mapOf(needs);
        const verdict = judge(sceneOf(map, said));
        for (const [id, { role, cause }] of verdict.roles) {
          if (role === "impacted") expect(reaches(map, id, verdict.causes[cause]?.node ?? "")).toBe(true);
        }
        for (const [id, { to }] of verdict.steps) {
          const node = map.nodes.get(id);
          const edge = node?.kind === "service" ? node.edges.find((one) => one.to === to) : undefined;
          if (edge) expect(edge.criticality).not.toBe("informational");
          const soft = node?.kind === "service" ? node.edges.filter(({ criticality }) => criticality === "soft") : [];
          const oneUp = soft.some((one) => !said[id]?.down?.includes(one.to) && !said[id]?.silent);
          if (edge?.criticality === "soft" && said[id]?.word === "unhealthy") expect(oneUp).toBe(false);
        }
      }),
      RUNS,
    );
  });

  it("does not change when a healthy service that nobody needs is added", () => {
    fc.assert(
      fc.property(fleet, ({ needs, said }) => {
        const more = { ...needs, stranger: "stranger-db!" };
        expect(gist(judge(sceneOf(mapOf(more), said)))).toEqual(gist(judge(sceneOf(mapOf(needs), said))));
      }),
      RUNS,
    );
  });

  it("gives every cause a reason, and never two causes on one node", () => {
    fc.assert(
      fc.property(fleet, ({ needs, said }) => {
        const { causes, roles } = judge(sceneOf(mapOf(needs), said));
        expect(new Set(causes.map(({ node }) => node)).size).toBe(causes.length);
        for (const { node, why, confidence } of causes) {
          expect(why.length).toBeGreaterThan(0);
          expect(confidence).toBeGreaterThanOrEqual(0.5);
          expect(roles.get(node)?.role).toBe("root_cause");
        }
      }),
      RUNS,
    );
  });

  it("finds the one true fault when all report the truth, or names it as runner-up", () => {
    fc.assert(
      fc.property(size, arcs, fc.nat(10_000), (n, drawn, pick) => {
        const needs = fleetOf(n, drawn, (node) => `n${node}`);
        const map = mapOf(needs);
        const ids = [...map.nodes.keys()];
        const fault = ids[pick % ids.length] ?? "";
        const verdict = judge(sceneOf(map, truthOf(needs, fault)));
        const isSeen = fault in needs || Object.values(needs).some((list) => list.split(" ").some((word) => word.slice(0, -1) === fault));
        if (!isSeen) return;
        const named = verdict.causes.map(({ node }) => node);
        const near = verdict.causes.map(({ runnerUp }) => runnerUp?.node);
        const candidates = verdict.unexplained.flatMap((one) => one.candidates.map(({ node }) => node));
        // In a circle where all fail at once, nothing tells the members apart.
        const circle = named.some((node) => reaches(map, node, fault) && reaches(map, fault, node));
        const found = circle || named.includes(fault) || near.includes(fault) || candidates.includes(fault);
        expect({ fault, found, named }).toEqual({ fault, found: true, named });
        expect(named.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 150 },
    );
  });
});

function reaches(map: SystemMap, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    const node = map.nodes.get(id);
    if (node?.kind === "service") for (const edge of node.edges) seen.add(edge.to);
  }
  return false;
}

/** What everybody truthfully says when one node is down: hard dependents are unhealthy and so on up, soft ones degraded. */
function truthOf(needs: Needs, fault: string): Record<string, Said> {
  const status = new Map<string, "degraded" | "unhealthy">([[fault, "unhealthy"]]);
  for (let moved = true; moved; ) {
    moved = false;
    for (const [id, list] of Object.entries(needs)) {
      for (const word of list.split(" ").filter(Boolean)) {
        const below = status.get(word.slice(0, -1));
        if (!below || word.endsWith("?")) continue;
        const effect = below === "unhealthy" && word.endsWith("!") ? "unhealthy" : "degraded";
        if (status.get(id) === effect || status.get(id) === "unhealthy") continue;
        status.set(id, effect);
        moved = true;
      }
    }
  }
  const said: Record<string, Said> = {};
  for (const [id, list] of Object.entries(needs)) {
    const targets = list
      .split(" ")
      .filter(Boolean)
      .map((word) => word.slice(0, -1));
    const own = status.get(id);
    said[id] = {
      down: targets.filter((to) => status.get(to) === "unhealthy"),
      degraded: targets.filter((to) => status.get(to) === "degraded"),
      ...(own ? { word: own } : {}),
    };
  }
  return said;
}
