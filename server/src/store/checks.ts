import type { Component, Observation } from "../domain/observation.ts";
import { componentAge, type SeenChecks, seeChecks } from "../state/staleness.ts";

/** More instances than this, as after many changes of the map, begin anew. */
const INSTANCES = 20_000;

interface Last {
  seenChecks: SeenChecks;
  components: readonly Component[];
  lastReportAt: number;
}

/** The ages of reported checks, as the state stage works them out: a check that stands still grows older than it says. */
export interface Checks {
  /** Milliseconds, null where nothing tells, of the components of one more report. */
  ages(observation: Observation, components: readonly Component[]): { name: string; age: number | null }[];
}

export function createChecks(): Checks {
  const known = new Map<string, Last>();
  return {
    ages(observation, components) {
      const { instance, at } = observation;
      const before = known.get(instance) ?? { seenChecks: new Map(), components: [], lastReportAt: null };
      const seenChecks = seeChecks(before, components);
      if (known.size >= INSTANCES && !known.has(instance)) known.clear();
      known.set(instance, { seenChecks, components, lastReportAt: at });
      return components.map((component) => ({ name: component.name, age: componentAge(component, observation, seenChecks) }));
    },
  };
}
