import type { Component, Observation } from "../domain/observation.ts";
import type { InstanceState } from "../domain/state.ts";

/** The `Date` header counts whole seconds: a check within the second it names is not in the future. */
const DATE_GRAIN = 1_000;

export type SeenChecks = InstanceState["seenChecks"];

/** What an instance last reported, and when (epoch ms). */
interface Reported extends Pick<InstanceState, "seenChecks" | "lastReportAt"> {
  components: readonly Component[];
}

const NONE: SeenChecks = new Map();

/**
 * First sightings after one more report. Only a `lastChecked` that stands still is kept: one that the last report did
 * not name was first seen now, and checks that move, the usual case, cost nothing.
 */
export function seeChecks(before: Reported, components: readonly Component[]): SeenChecks {
  let seen: Map<string, { lastChecked: number; firstSeen: number }> | null = null;
  for (let at = 0; at < components.length; at++) {
    const { name, lastChecked } = components[at] as Component;
    if (lastChecked === undefined) continue;
    const firstSeen = sighting(before, name, lastChecked, at);
    if (firstSeen === null) continue;
    seen ??= new Map();
    seen.set(name, { lastChecked, firstSeen });
  }
  return seen ?? NONE;
}

/** First sightings after a poll without a report: those of the last report are kept, as its components are not. */
export function keepChecks(before: Reported): SeenChecks {
  if (before.lastReportAt === null || before.components.length === 0) return before.seenChecks;
  const seen = new Map(before.seenChecks);
  for (const { name, lastChecked } of before.components)
    if (lastChecked !== undefined && seen.get(name)?.lastChecked !== lastChecked)
      seen.set(name, { lastChecked, firstSeen: before.lastReportAt });
  return seen;
}

/** When this very check was first seen before now, null for never; `at` is where the component stands in its report. */
function sighting({ seenChecks, components, lastReportAt }: Reported, name: string, lastChecked: number, at: number): number | null {
  const seen = seenChecks.get(name);
  if (seen?.lastChecked === lastChecked) return seen.firstSeen;
  const same = components[at]?.name === name ? components[at] : components.find((component) => component.name === name);
  return same?.lastChecked === lastChecked ? lastReportAt : null;
}

/**
 * Age of a component's check at the time of the answer, milliseconds: the largest of what it states, the answer's
 * `Date` minus its `lastChecked`, the time since that same `lastChecked` was first seen, and the HTTP `Age`.
 * Null when nothing tells; a check in the future tells nothing by itself, until it stands still.
 */
export function componentAge(component: Component, observation: Observation, seen: SeenChecks): number | null {
  const stated = older(older(null, component.ageMs), observation.httpAge);
  const { lastChecked } = component;
  if (lastChecked === undefined) return stated;
  const { date, at, latencyMs } = observation;
  const future = lastChecked - (date ?? at + latencyMs) > DATE_GRAIN;
  const byDate = future || date === null ? null : Math.max(0, date - lastChecked);
  const standing = at - (seen.get(component.name)?.firstSeen ?? at);
  return older(older(stated, byDate), future && standing === 0 ? null : standing);
}

/** The larger of two ages, as far as they are known and none is negative. */
function older(age: number | null, other: number | null | undefined): number | null {
  if (other === null || other === undefined || other < 0) return age;
  return age === null || other > age ? other : age;
}
