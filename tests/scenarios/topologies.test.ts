import { describe, expect, it } from "vitest";
import { judge } from "../../server/src/analysis/verdict.ts";
import { parseMapObject } from "../../server/src/config/parse.ts";
import type { SystemMap } from "../../server/src/domain/map.ts";
import { polledServices } from "../../server/src/domain/map.ts";
import type { SystemState } from "../../server/src/domain/state.ts";
import { initialState, observe } from "../../server/src/state/reduce.ts";
import { loadTopologies, mapObjectOf, type Topology } from "../support/cases.ts";
import { randomOf } from "../support/random.ts";
import { statusesWith, sweepOf } from "../support/truth.ts";

const START = 1_000_000_000;

function mapOf(topology: Topology): SystemMap {
  const polled = new Set(topology.nodes.filter(({ kind }) => kind === "service").map(({ id }) => id));
  const { map, errors } = parseMapObject(mapObjectOf(topology, polled, 10));
  if (!map) throw new Error(`${topology.name}: ${errors.map(({ message }) => message).join("; ")}`);
  return map;
}

interface Calm {
  map: SystemMap;
  state: SystemState;
}

const calmOf = (map: SystemMap): Calm => ({ map, state: observe(initialState(map), map, sweepOf(map, new Map(), START), START).state });

function causesWith({ map, state: calm }: Calm, faults: readonly string[]): string[] {
  const state = observe(calm, map, sweepOf(map, statusesWith(map, faults), START + 10_000), START + 10_000).state;
  return judge({ now: START + 10_000, map, state }).causes.map(({ node }) => node);
}

/** A fault that some report shows: the node is polled, or a polled service needs it. */
function isSeen(map: SystemMap, id: string): boolean {
  return polledServices(map).some((service) => service.id === id || service.edges.some(({ to }) => to === id));
}

describe("injected faults on real topologies", () => {
  const topologies = loadTopologies().map((topology) => ({ name: topology.name, map: mapOf(topology) }));
  const calm = new Map(topologies.map(({ name, map }) => [name, calmOf(map)]));

  it("names the one node that is down in at least 99 of 100", { timeout: 180_000 }, () => {
    let tried = 0;
    const missed: string[] = [];
    for (const { name, map } of topologies) {
      for (const id of map.nodes.keys()) {
        if (!isSeen(map, id)) continue;
        tried++;
        const causes = causesWith(calm.get(name) ?? calmOf(map), [id]);
        if (causes.length !== 1 || causes[0] !== id) missed.push(`${name}: ${id} → ${causes}`);
      }
    }
    expect(tried).toBeGreaterThan(400);
    expect({ missed: missed.length / tried <= 0.01 ? [] : missed }).toEqual({ missed: [] });
  });

  it("names both of two nodes that are down in at least 95 of 100, where neither hides behind the other", { timeout: 180_000 }, () => {
    let tried = 0;
    const missed: string[] = [];
    for (const { name, map } of topologies) {
      const random = randomOf(name);
      const ids = [...map.nodes.keys()].filter((id) => isSeen(map, id));
      const draw = (): string => ids[Math.floor(random() * ids.length)] ?? "";
      for (let n = 0; n < 40; n++) {
        const faults = [draw(), draw()] as const;
        const hides =
          faults[0] === faults[1] || statusesWith(map, [faults[0]]).has(faults[1]) || statusesWith(map, [faults[1]]).has(faults[0]);
        if (hides) continue;
        tried++;
        const causes = causesWith(calm.get(name) ?? calmOf(map), faults);
        if (!faults.every((fault) => causes.includes(fault))) missed.push(`${name}: ${faults} → ${causes}`);
      }
    }
    expect(tried).toBeGreaterThan(200);
    expect({ missed: missed.length / tried <= 0.05 ? [] : missed }).toEqual({ missed: [] });
  });
});
