import type { Component, Observation } from "../domain/observation.ts";
import type { InstanceState } from "../domain/state.ts";
import { componentAge, type SeenChecks } from "./staleness.ts";

export type AgedComponent = InstanceState["components"][number];

/** A class for the sake of one compact shape: eight of these a poll, kept until the next, are most of what a poll leaves. */
class Aged implements Component {
  readonly name: string;
  readonly status: Component["status"];
  readonly computedAgeMs: number | null;
  declare readonly criticality?: NonNullable<Component["criticality"]>;
  declare readonly latencyMs?: number;
  declare readonly lastChecked?: number;
  declare readonly ageMs?: number;
  declare readonly error?: string;
  declare readonly category?: NonNullable<Component["category"]>;
  declare readonly raw?: string;

  constructor(name: string, component: Component, computedAgeMs: number | null) {
    this.name = name;
    this.status = component.status;
    this.computedAgeMs = computedAgeMs;
    if (component.criticality !== undefined) this.criticality = component.criticality;
    if (component.latencyMs !== undefined) this.latencyMs = component.latencyMs;
    if (component.lastChecked !== undefined) this.lastChecked = component.lastChecked;
    if (component.ageMs !== undefined) this.ageMs = component.ageMs;
    if (component.error !== undefined) this.error = component.error;
    if (component.category !== undefined) this.category = component.category;
    if (component.raw !== undefined) this.raw = component.raw;
  }
}

/**
 * A report's components with their ages at the time of the answer, milliseconds. A name that stands where it stood in
 * the report `before` stays that very text: equal copies of all names would otherwise outlive each poll.
 */
export function ageComponents(before: readonly AgedComponent[], observation: Observation, seen: SeenChecks): readonly AgedComponent[] {
  const components = observation.report?.components ?? [];
  const aged: AgedComponent[] = new Array(components.length);
  for (let at = 0; at < components.length; at++) {
    const component = components[at] as Component;
    const known = before[at]?.name;
    aged[at] = new Aged(known === component.name ? known : component.name, component, componentAge(component, observation, seen));
  }
  return aged;
}
