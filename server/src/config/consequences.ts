import { type Effects, Failures, SYSTEM_PREFIX } from "../analysis/effects.ts";
import type { SystemMap } from "../domain/map.ts";
import type { Status } from "../domain/status.ts";

/** The failure of `failed` alone now leaves `node` (or system) in another status than before. */
export interface Shift {
  failed: string;
  node: string;
  system: boolean;
  before: Status;
  after: Status;
}

/** Shifts that are listed one by one; whom they touch is counted in full. */
const MOST_SHIFTS = 1_000;

interface Consequences {
  shifts: Shift[];
  affected: Set<string>;
  /** Nodes that some single failure now makes unhealthy and did not before. */
  newlyAtRisk: Set<string>;
}

/** Lets every node of either map fail alone in both, and gathers what ends otherwise. */
export function consequences(base: SystemMap, head: SystemMap): Consequences {
  const found: Consequences = { shifts: [], affected: new Set(), newlyAtRisk: new Set() };
  const [old, now] = [new Failures(base), new Failures(head)];
  for (const failed of new Set([...base.nodes.keys(), ...head.nodes.keys()])) {
    const before = base.nodes.has(failed) ? old.of(failed) : NOTHING;
    const after = head.nodes.has(failed) ? now.of(failed) : NOTHING;
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const was: Status = before.get(key) ?? "healthy";
      const is: Status = after.get(key) ?? "healthy";
      if (was === is || key === failed) continue;
      const system = key.startsWith(SYSTEM_PREFIX);
      const node = system ? key.slice(SYSTEM_PREFIX.length) : key;
      if (found.shifts.length < MOST_SHIFTS) found.shifts.push({ failed, node, system, before: was, after: is });
      if (base.nodes.has(failed) && head.nodes.has(failed)) found.affected.add(failed);
      const [there, here] = system ? [base.systems, head.systems] : [base.nodes, head.nodes];
      if (there.has(node) && here.has(node)) found.affected.add(node);
      if (!system && is === "unhealthy") found.newlyAtRisk.add(node);
    }
  }
  return found;
}

const NOTHING: Effects = new Map();
