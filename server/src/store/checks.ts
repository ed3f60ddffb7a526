import type { Component, Observation } from "../domain/observation.ts";
import { componentAge } from "../state/staleness.ts";

/** More instances, or names of one, than this begin anew: they are many changes of the map, or names with a time in them. */
const INSTANCES = 20_000;
const NAMES = 256;

/** The ages of reported checks, as the state stage works them out: a check that stands still grows older than it says. */
export interface Checks {
  /** Milliseconds, null where nothing tells, of the components of one more report. */
  ages(observation: Observation, components: readonly Component[]): { name: string; age: number | null }[];
}

export function createChecks(): Checks {
  /** Of each instance's checks that tell when they were made: that time, and when we first saw it. */
  const known = new Map<string, Map<string, { lastChecked: number; firstSeen: number }>>();
  return {
    ages(observation, components) {
      const { instance, at } = observation;
      let seen = known.get(instance);
      if (!seen || seen.size > NAMES) {
        if (known.size >= INSTANCES) known.clear();
        seen = new Map();
        known.set(instance, seen);
      }
      for (const { name, lastChecked } of components) {
        if (lastChecked === undefined) continue;
        const before = seen.get(name);
        if (!before) seen.set(name, { lastChecked, firstSeen: at });
        else if (before.lastChecked !== lastChecked) Object.assign(before, { lastChecked, firstSeen: at });
      }
      const sightings = seen;
      return components.map((component) => ({ name: component.name, age: componentAge(component, observation, sightings) }));
    },
  };
}
