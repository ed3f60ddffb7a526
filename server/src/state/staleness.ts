import type { Component, Observation } from "../domain/observation.ts";
import type { InstanceState } from "../domain/state.ts";

/** The `Date` header counts whole seconds: a check within the second it names is not in the future. */
const DATE_GRAIN = 1_000;

export type SeenChecks = InstanceState["seenChecks"];

/** First sightings after one more report: a `lastChecked` that did not move keeps the time it was first seen. */
export function seeChecks(seen: SeenChecks, components: readonly Component[], at: number): SeenChecks {
  let next: Map<string, { lastChecked: number; firstSeen: number }> | null = null;
  let same = 0;
  for (const { name, lastChecked } of components) {
    if (lastChecked === undefined) continue;
    next ??= new Map();
    const before = seen.get(name);
    if (before?.lastChecked === lastChecked) same++;
    next.set(name, before?.lastChecked === lastChecked ? before : { lastChecked, firstSeen: at });
  }
  return next === null ? (seen.size === 0 ? seen : new Map()) : same === next.size && same === seen.size ? seen : next;
}

/**
 * Age of a component's check at the time of the answer, milliseconds: the largest of what it states, the answer's
 * `Date` minus its `lastChecked`, the time since that same `lastChecked` was first seen, and the HTTP `Age`.
 * Null when nothing tells; a check in the future tells nothing by itself, until it stands still.
 */
export function componentAge(component: Component, observation: Observation, seen: SeenChecks): number | null {
  let age: number | null = null;
  const suggest = (suggested: number | null | undefined): void => {
    if (suggested !== null && suggested !== undefined && suggested >= 0) age = Math.max(age ?? 0, suggested);
  };
  suggest(component.ageMs);
  suggest(observation.httpAge);
  if (component.lastChecked === undefined) return age;
  const { date, at, latencyMs } = observation;
  const answered = date ?? at + latencyMs;
  const future = component.lastChecked - answered > DATE_GRAIN;
  if (!future && date !== null) suggest(Math.max(0, date - component.lastChecked));
  const standing = at - (seen.get(component.name)?.firstSeen ?? at);
  if (!future || standing > 0) suggest(standing);
  return age;
}
