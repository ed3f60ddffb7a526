import type { Edge, Redundancy } from "../domain/map.ts";
import type { ErrorCategory } from "../domain/observation.ts";
import { COMPONENT_STATUSES, type ComponentStatus, type Criticality, effectOf, type Status, worstStatus } from "../domain/status.ts";
import type { AgedComponent } from "./aged.ts";
import type { ServiceIndex } from "./mapindex.ts";

/** What one instance's latest report says of one dependency. `word` is unknown where what it says is too old. */
export interface Statement {
  word: ComponentStatus;
  stale: boolean;
  checkedAt: number;
  latencyMs: number | null;
  error: string | null;
  category: ErrorCategory | null;
}

/** The edge that a reported component speaks of; a repeated name (`db#2`) speaks of the same one. */
function edgeOf(service: ServiceIndex, name: string): number | undefined {
  const edge = service.component.get(name);
  return edge === undefined && name.includes("#") ? service.component.get(name.replace(/#\d+$/, "")) : edge;
}

const badness = (word: ComponentStatus): number => (word === "unknown" ? -1 : COMPONENT_STATUSES.indexOf(word));

/** The components of one report, sorted to the service's edges. */
export interface Sorted {
  /** Aligned with the edges; null where no component speaks of one. Of several the worst fresh one counts. */
  statements: readonly (Statement | null)[];
  /** Fresh components that no edge names. */
  unmapped: readonly AgedComponent[];
  /** Some hard component states an age, and all that do are too old. */
  stopped: boolean;
  /** Some component has a known word, however old. */
  speaks: boolean;
}

/** Sorts aged components to the edges that they speak of. `reportedAt`: epoch ms. */
export function sortComponents(service: ServiceIndex, components: readonly AgedComponent[], reportedAt: number): Sorted {
  const statements: (Statement | null)[] = new Array(service.edges.length).fill(null);
  const unmapped: AgedComponent[] = [];
  const limit = service.node.componentMaxAge;
  let hardOld = 0;
  let hardFresh = 0;
  let speaks = false;
  for (const component of components) {
    const at = edgeOf(service, component.name);
    const age = component.computedAgeMs ?? 0;
    const stale = age > limit;
    const criticality = at === undefined ? component.criticality : service.edges[at]?.criticality;
    if (criticality === "hard" && component.computedAgeMs !== null) stale ? hardOld++ : hardFresh++;
    if (component.status !== "unknown") speaks = true;
    if (at === undefined) {
      if (!stale) unmapped.push(component);
      continue;
    }
    const word = stale ? "unknown" : component.status;
    const before = statements[at];
    if (before && badness(before.word) >= badness(word)) continue;
    statements[at] = {
      word,
      stale,
      checkedAt: reportedAt - age,
      latencyMs: component.latencyMs ?? null,
      error: component.error ?? null,
      category: component.category ?? null,
    };
  }
  return { statements, unmapped, stopped: hardOld > 0 && hardFresh === 0, speaks };
}

/**
 * A redundancy group as one component: down when fewer than `need` members are not down, degraded when fewer are up.
 * Unknown members count neither way: the group is judged by the others.
 */
function groupStatus(members: readonly ComponentStatus[], need: number): ComponentStatus {
  const known = members.filter((member) => member !== "unknown");
  if (known.length === 0) return "unknown";
  const enough = Math.min(need, known.length);
  if (known.filter((member) => member !== "down").length < enough) return "down";
  return known.filter((member) => member === "up").length < enough ? "degraded" : "up";
}

/** One thing that a report lets its service suffer from. */
interface Effect {
  status: "degraded" | "unhealthy";
  /** What people call it: the dependency's id, a group's ids, or the name of an unmapped component. */
  name: string;
  down: boolean;
  error: string | null;
}

/** What a poll that brought a report says of the service, before damping. */
export interface Reading {
  status: Status;
  /** The worst effect of a component; null where none lowers the service. */
  effect: Effect | null;
  /** All hard components that state an age are too old: the checks behind the report have stopped. */
  checksStopped: boolean;
}

/** What counts of a report besides its components: its own word as a whole, and how old the copy is that we got. */
export interface Said {
  /** The report's status by its dialect's rules. */
  status: Status;
  /** The answer's own word; undefined: `status` is taken for it, null: it says nothing. */
  word: Status | null | undefined;
  httpAge: number | null;
}

/** The worst of what the report says and what the declared dependencies imply; unmapped components count as they state, else soft. */
export function readReport(service: ServiceIndex, said: Said, { statements, unmapped, stopped, speaks }: Sorted): Reading {
  const { edges, node } = service;
  if (stopped || (said.httpAge !== null && said.httpAge > node.maxAge)) return { status: "unknown", effect: null, checksStopped: true };
  let effect: Effect | null = null;
  const suffer = (word: ComponentStatus, criticality: Criticality, name: string, error: string | null): void => {
    const status = effectOf(word, criticality);
    if (status === "healthy" || (effect && (effect.status === "unhealthy" || status === "degraded"))) return;
    effect = { status, name, down: word === "down", error };
  };
  for (let at = 0; at < edges.length; at++) {
    const edge = edges[at] as Edge;
    const statement = statements[at];
    if (statement && edge.group === null) suffer(statement.word, edge.criticality, edge.to, statement.error);
  }
  for (let group = 0; group < node.groups.length; group++) {
    const { need, criticality, members } = node.groups[group] as Redundancy;
    const words = edges.flatMap((edge, at) => (edge.group === group ? [statements[at]?.word ?? "unknown"] : []));
    suffer(groupStatus(words, need), criticality, members.join(" and "), null);
  }
  for (const { status, criticality, name, error } of unmapped) suffer(status, criticality ?? "soft", name, error ?? null);
  // Without a word of its own the report is what its components make of it, where they say anything.
  const own = said.word === undefined ? said.status : (said.word ?? (speaks ? "healthy" : said.status));
  const found = effect as Effect | null;
  if (!found) return { status: own, effect: null, checksStopped: false };
  // A word that nobody knows hides no component that is known to fail.
  return { status: own === "unknown" ? found.status : worstStatus([own, found.status]), effect: found, checksStopped: false };
}
