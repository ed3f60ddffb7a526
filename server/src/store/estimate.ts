import type { AggregatorConfig } from "../domain/config.ts";
import type { SystemMap } from "../domain/map.ts";
import { DAY_MS } from "./samples.ts";

/** Bytes of a row's share in the file, as measured with `pnpm bench:history`. */
const POLL = 6;
const MINUTE = 12;
const HOUR = 58;
const DEPENDENCY_CHECK = 3;
const DEPENDENCY_HOUR = 50;
/** One component's age in a poll. */
const AGE = 1;
/** What an instance's polls said on a day, as runs, and so of each of its dependencies. */
const RUNS = 80;
const RUNS_DEPENDENCY = 6;
const CHANGE = 100;
const STATE = 700;

/** A node, instance or edge is taken to change this often a day; a quiet fleet changes far less. */
const CHANGES_A_DAY = 2;

/** Bytes that the history will take for this map once every retention is full, on the generous side. */
export function estimateSize(map: SystemMap, keep: AggregatorConfig["retention"]): number {
  let polls = 0;
  let checks = 0;
  let instances = 0;
  let edges = 0;
  for (const node of map.nodes.values()) {
    if (node.kind !== "service") continue;
    edges += node.edges.length;
    instances += node.instances.length;
    polls += (node.instances.length * DAY_MS) / node.interval;
    checks += (node.instances.length * node.edges.length * DAY_MS) / node.interval;
  }
  const days = (ms: number): number => ms / DAY_MS;
  const spoken = instances * RUNS + edges * RUNS_DEPENDENCY;
  const subjects = map.nodes.size + instances + edges + map.systems.size;
  return Math.round(
    (polls * POLL + checks * AGE) * days(keep.raw) +
      (checks * DEPENDENCY_CHECK) / 24 +
      map.nodes.size * 1_440 * MINUTE * days(keep.minutes) +
      (map.nodes.size * HOUR + edges * DEPENDENCY_HOUR) * 24 * days(keep.hours) +
      spoken * days(keep.changes) +
      subjects * (STATE + CHANGES_A_DAY * CHANGE * days(keep.changes)),
  );
}
