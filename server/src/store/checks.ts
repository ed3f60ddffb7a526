import type { Component, Observation } from "../domain/observation.ts";
import { componentAge } from "../state/staleness.ts";

/** More instances, or names of one, than this begin anew: they are many changes of the map, or names with a time in them. */
const INSTANCES = 20_000;
const NAMES = 256;

/** The ages of reported checks, as the state stage works them out: a check that stands still grows older than it says. */
export interface Checks {
  /** Works out the ages of one more report's components: milliseconds, null where nothing tells. */
  of(observation: Observation): (component: Component) => number | null;
}

interface Sighting {
  lastChecked: number;
  firstSeen: number;
}

const NONE: ReadonlyMap<string, Sighting> = new Map();

export function createChecks(): Checks {
  /** Of each instance's checks that tell when they were made: that time, and when we first saw it. */
  const known = new Map<string, Map<string, Sighting>>();

  function sightingsOf(instance: string): Map<string, Sighting> {
    const seen = known.get(instance);
    if (seen && seen.size <= NAMES) return seen;
    if (known.size >= INSTANCES) known.clear();
    const fresh = new Map<string, Sighting>();
    known.set(instance, fresh);
    return fresh;
  }

  return {
    of: (observation) => (component) => {
      const { name, lastChecked } = component;
      if (lastChecked === undefined) return componentAge(component, observation, NONE);
      const seen = sightingsOf(observation.instance);
      const before = seen.get(name);
      if (!before) seen.set(name, { lastChecked, firstSeen: observation.at });
      else if (before.lastChecked !== lastChecked) Object.assign(before, { lastChecked, firstSeen: observation.at });
      return componentAge(component, observation, seen);
    },
  };
}
