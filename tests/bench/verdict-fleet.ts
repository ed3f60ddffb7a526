import type { SystemMap } from "../../server/src/domain/map.ts";
import type { Evidence } from "../../server/src/domain/snapshot.ts";
import { age, initialState, observe } from "../../server/src/state/reduce.ts";
import { Table } from "../../server/src/state/table.ts";
import { randomOf } from "../support/random.ts";
import { mapOf } from "../support/scene.ts";
import { statusesWith, sweepOf } from "../support/truth.ts";

const START = 1_000_000_000;

/**
 * A layered fleet of a given size with about 2.8 edges a node and a few hubs: entry services, six middle layers, leaves
 * that are mostly stores. Seeded, so every run measures the same.
 */
export function layeredMap(size: number): SystemMap {
  const random = randomOf(`fleet:${size}`);
  const services = Math.round(size * 0.76);
  const needs: Record<string, string> = {};
  for (let n = 0; n < services; n++) {
    const targets = new Map<number, string>();
    const fanOut = Math.max(1, Math.min(40, Math.round(Math.exp(1.25 + 0.8 * (random() + random() + random() - 1.5)))));
    for (let k = 0; k < fanOut; k++) {
      const hub = random() < 0.2;
      const to = hub ? size - 1 - Math.floor(random() ** 3 * size * 0.05) : n + 1 + Math.floor(random() ** 2 * (size - n - 1));
      if (to > n && to < size) targets.set(to, random() < 0.7 ? "!" : random() < 0.75 ? "~" : "?");
    }
    needs[`n${n}`] = [...targets].map(([to, mark]) => `n${to}${mark}`).join(" ");
  }
  return mapOf(needs);
}

/** The fleet in calm, with a small outage and with a large one; truthful reports, two sweeps into the trouble. */
export function fleetScene(size: number): { evidence: Evidence; edges: number; failing: number }[] {
  const map = layeredMap(size);
  let edges = 0;
  for (const node of map.nodes.values()) if (node.kind === "service") edges += node.edges.length;
  const used = new Map<string, number>();
  for (const node of map.nodes.values())
    if (node.kind === "service") for (const { to } of node.edges) used.set(to, (used.get(to) ?? 0) + 1);
  const ranked = [...used].sort((a, b) => a[1] - b[1] || a[0].localeCompare(b[0])).map(([id]) => id);
  const faults = [[], [ranked[Math.floor(ranked.length * 0.8)] ?? ""], [ranked.at(-1) ?? ""]];
  return faults.map((down) => {
    const status = statusesWith(map, down);
    let state = initialState(map);
    for (let n = 0; n < 30; n++) {
      const at = START + n * 10_000;
      state = observe(age(state, map, at).state, map, sweepOf(map, n < 28 ? new Map() : status, at, "degraded"), at).state;
    }
    return { evidence: { now: START + 290_000, map, state }, edges, failing: status.size };
  });
}

/** The same moment as values that nobody has read before, as after a sweep of all services. */
export function unread({ now, map, state }: Evidence): Evidence {
  const again = <V>(held: ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
    held instanceof Table
      ? new Table<V>(
          held.keyed,
          held.chunks.map((chunk) => [...chunk]),
          held.due,
        )
      : held;
  return { now, map, state: { ...state, nodes: again(state.nodes), edges: again(state.edges) } };
}
