import type { Incident } from "../../domain/incident.ts";
import { isPolled, type SystemMap } from "../../domain/map.ts";

/** Stragglers are waited for at least this long after their cause has cleared. */
const STRAGGLER_WAIT = 180_000;
/** A hard system member is unknown for at least this long before that is an incident. */
const UNREACHABLE_AFTER = 120_000;

/** How long a failure of the node may take to be confirmed; of a resource, by the slowest of those that see it. Milliseconds. */
export function settleOf(map: SystemMap, node: string): number {
  const declared = map.nodes.get(node);
  if (isPolled(declared)) return declared.downAfter * declared.interval + declared.timeout;
  let longest = 0;
  for (const one of map.nodes.values()) {
    if (one.kind !== "service" || !one.edges.some(({ to }) => to === node)) continue;
    longest = Math.max(longest, one.downAfter * one.interval + one.timeout);
  }
  return longest;
}

/** How long the victims of a cause that has cleared may take to come round, milliseconds. */
export function stragglerWait(map: SystemMap, incident: Incident): number {
  let wait = STRAGGLER_WAIT;
  for (const { node } of incident.impacted) {
    const declared = map.nodes.get(node);
    if (declared?.kind === "service") wait = Math.max(wait, (declared.upAfter + 1) * declared.interval);
  }
  return wait;
}

/**
 * Its cause is not among those named now, while nothing says that it cleared: it is on its way to that for as long as
 * stragglers may take. `named`: the nodes of the verdict's causes.
 */
export function isBetween(incident: Incident, named: ReadonlySet<string>, map: SystemMap, now: number): boolean {
  const { status, cause, anchor, unnamedSince = now } = incident;
  if (status !== "open" || cause === null || named.has(anchor)) return false;
  return now - unnamedSince < stragglerWait(map, incident);
}

/** How long a node that a system needs may be unknown before that is an incident, milliseconds. */
export function unreachableAfter(map: SystemMap, node: string): number {
  const declared = map.nodes.get(node);
  return Math.max(UNREACHABLE_AFTER, declared?.kind === "service" ? 5 * declared.interval : 0);
}
