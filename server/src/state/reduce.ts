import type { SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { SystemState } from "../domain/state.ts";
import type { Canary } from "./blind.ts";
import { fitEdges, fitInstances, fitNodes } from "./fit.ts";
import { indexOf } from "./mapindex.ts";
import { type Step, Work } from "./work.ts";

export { remap, renames } from "./remap.ts";
export type { Step } from "./work.ts";

const NOTHING = new Map<string, never>();

/** The state before any poll: everything unknown, nothing confirmed. */
export function initialState(map: SystemMap): SystemState {
  const index = indexOf(map);
  return {
    instances: fitInstances(index, NOTHING),
    edges: fitEdges(index, NOTHING),
    nodes: fitNodes(index, NOTHING),
    blind: null,
  };
}

/**
 * Counts one batch of finished polls. The order within the batch does not matter; an aborted poll counts for nothing,
 * nor does one of an instance that the map does not hold, nor one asked before a result already counted (unless the
 * clock was set back since).
 * `now` (epoch ms) dates the transitions; `canary` says what addresses outside the fleet tell of our own path.
 */
export function observe(
  state: SystemState,
  map: SystemMap,
  observations: readonly Observation[],
  now: number,
  canary: Canary = "none",
): Step {
  const work = new Work(state, indexOf(map), now);
  for (const observation of inOrder(observations)) work.poll(observation);
  work.look(canary);
  return work.done();
}

/** Lets time pass without a result: components and nodes grow stale, announced work begins and ends. Cheap when nothing does. */
export function age(state: SystemState, map: SystemMap, now: number, canary: Canary = "none"): Step {
  const work = new Work(state, indexOf(map), now);
  work.age();
  work.look(canary);
  return work.done();
}

/** By the time asked, then by instance, so that a batch is the same batch however it arrived. */
function inOrder(observations: readonly Observation[]): readonly Observation[] {
  const counted = observations.filter(({ outcome }) => outcome !== "aborted");
  if (counted.length < 2) return counted;
  return counted.sort(
    (a, b) => a.at - b.at || compare(a.instance, b.instance) || a.latencyMs - b.latencyMs || compare(JSON.stringify(a), JSON.stringify(b)),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
