import type { Component, Observation } from "../domain/observation.ts";
import type { InstanceState } from "../domain/state.ts";

/** The `Date` header counts whole seconds: a check within the second it names is not in the future. */
const DATE_GRAIN = 1_000;

export type SeenChecks = InstanceState["seenChecks"];

/** What an instance last reported, and when (epoch ms). */
type Reported = Pick<InstanceState, "seenChecks" | "components" | "lastReportAt">;

const NONE: SeenChecks = new Map();

/**
 * First sightings after one more report. Only a `lastChecked` that stands still is kept: one that the last report did
 * not name was first seen now, and checks that move, the usual case, cost nothing.
 */
export function seeChecks(before: Reported, components: readonly Component[]): SeenChecks {
  let seen: Map<string, { lastChecked: number; firstSeen: number }> | null = null;
  for (const [at, { name, lastChecked }] of components.entries()) {
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
