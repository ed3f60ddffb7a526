import type { Component } from "../domain/observation.ts";
import type { ComponentStatus, Criticality } from "../domain/status.ts";
import type { Document } from "./dialect.ts";
import { categoryOf, redactName, redactValue } from "./redact.ts";
import { fold, worse } from "./vocabulary.ts";

const MAX_COMPONENTS = 500;
const TOO_MANY = `only ${MAX_COMPONENTS} components are kept, those that fail before those that are up`;
/** Thirty days: longer ones are no latencies. */
const MAX_LATENCY = 2_592_000_000;

/** Longer texts than this are no mere repetition of the status. */
const MAX_WORD = 12;

/** One component as a dialect found it: free texts are still raw, absent and null fields are left out of the result. */
interface Found {
  name: string;
  status: ComponentStatus;
  criticality?: Criticality | null | undefined;
  /** Milliseconds. */
  latencyMs?: number | null | undefined;
  /** Epoch milliseconds. */
  lastChecked?: number | null | undefined;
  ageMs?: number | null | undefined;
  error?: string | null | undefined;
  /** The word as it stood, when it is none that we know. */
  raw?: string | null | undefined;
}

/** A class for the sake of one compact shape: a literal keeps what is added to it in a list of its own, made anew as it grows. */
class Listed implements Component {
  readonly name: string;
  readonly status: ComponentStatus;

  constructor(name: string, status: ComponentStatus) {
    this.name = name;
    this.status = status;
  }
}

/** The components of one answer, in the order in which they were found. */
export class ComponentList {
  readonly items: Component[] = [];
  /** Worst status of those not kept, by how much they count. */
  readonly beyond: { hard: ComponentStatus; other: ComponentStatus } = { hard: "up", other: "up" };
  readonly #names = new Map<string, number>();
  /** Behind this none of those kept is up but such as came later. */
  #room = MAX_COMPONENTS;
  readonly #doc: Pick<Document, "warn">;

  constructor(doc: Pick<Document, "warn">) {
    this.#doc = doc;
  }

  /** Keeps names apart (`db`, `db#2`), redacts, bounds; beyond the limit only the effect on the service is kept, with a warning. */
  add(found: Found): void {
    if (this.items.length >= MAX_COMPONENTS && !this.#makesRoom(found)) {
      this.#count(found);
      return;
    }
    const component: Component = new Listed(unique(this.#names, redactName(found.name) || "unnamed"), found.status);
    if (found.criticality) component.criticality = found.criticality;
    if (usable(found.latencyMs, MAX_LATENCY)) component.latencyMs = found.latencyMs;
    if (found.lastChecked != null) component.lastChecked = found.lastChecked;
    if (usable(found.ageMs, Number.MAX_SAFE_INTEGER)) component.ageMs = found.ageMs;
    if (found.error && found.status !== "up") describe(component, found.error);
    if (found.raw) component.raw = redactValue(component.name, found.raw, 80);
    this.items.push(component);
  }

  /** One that fails takes the place of the last that is up, as causes are found by those that fail. */
  #makesRoom({ status }: Found): boolean {
    if (status !== "down" && status !== "degraded") return false;
    while (this.#room > 0 && this.items[this.#room - 1]?.status !== "up") this.#room -= 1;
    if (this.#room === 0) return false;
    this.#room -= 1;
    this.items.splice(this.#room, 1);
    this.#doc.warn("too_many_components", TOO_MANY);
    return true;
  }

  #count({ criticality, status }: Found): void {
    this.#doc.warn("too_many_components", TOO_MANY);
    if (criticality === "hard") this.beyond.hard = worse(this.beyond.hard, status);
    else if (criticality !== "informational") this.beyond.other = worse(this.beyond.other, status);
  }
}

function describe(component: Component, text: string): void {
  const error = redactValue(component.name, text);
  if (!error || (error.length <= MAX_WORD && fold(error) === component.status)) return;
  component.error = error;
  component.category = categoryOf(text);
}

function unique(names: Map<string, number>, name: string): string {
  const seen = names.get(name);
  names.set(name, (seen ?? 0) + 1);
  if (seen === undefined) return name;
  let next = seen + 1;
  while (names.has(`${name}#${next}`)) next += 1;
  names.set(name, next);
  names.set(`${name}#${next}`, 1);
  return `${name}#${next}`;
}

function usable(value: number | null | undefined, limit: number): value is number {
  return value != null && value >= 0 && value <= limit;
}
