import { ensure } from "./ensure.ts";
import type { HeadNode } from "./head.ts";
import { count, emptyTally, type Tally } from "./histogram.ts";
import type { Names } from "./names.ts";
import { countedLatency, readPolls } from "./polls.ts";
import { minuteOf } from "./rows.ts";
import { countedCheck, readDependencies, SLOT_MS } from "./samples.ts";

/** Tallies by the number of their minute within the slot. */
export type Minutes = Map<number, Tally>;

/** What a node's own polls of one slot come to. */
export function minutesOf(node: HeadNode, slot: number): Minutes {
  const minutes: Minutes = new Map();
  for (const poll of readPolls(node.polls.view(), slot * SLOT_MS)) {
    const latency = countedLatency(poll);
    if (latency !== undefined) count(ensure(minutes, minuteOf(poll.at), emptyTally), latency);
  }
  return minutes;
}

/** Adds what a service's checks say of other nodes, by target. */
export function addWitnessed(names: Names, service: number, node: HeadNode, slot: number, into: Map<number, Minutes>): void {
  const targets: Minutes[] = [];
  for (const { n, target } of names.components(service)) targets[n] = ensure(into, target, () => new Map());
  readDependencies(node.dependencies.view(), slot, (at, n, status, latencyMs) => {
    const minutes = targets[n];
    const latency = countedCheck(status, latencyMs);
    if (minutes && latency !== undefined) count(ensure(minutes, minuteOf(at), emptyTally), latency);
  });
}
