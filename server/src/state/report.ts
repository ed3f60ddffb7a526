import type { Edge, Redundancy } from "../domain/map.ts";
import type { ErrorCategory } from "../domain/observation.ts";
import type { InstanceState } from "../domain/state.ts";
import { COMPONENT_STATUSES, type ComponentStatus, type Criticality, effectOf, type Status, worstStatus } from "../domain/status.ts";
import type { ServiceIndex } from "./mapindex.ts";

/** What one instance's latest report says of one dependency. `word` is unknown where what it says is too old. */
export interface Statement {
  word: ComponentStatus;
  /** The reported word, however old. */
  said: ComponentStatus;
  stale: boolean;
  checkedAt: number;
  latencyMs: number | null;
  error: string | null;
  category: ErrorCategory | null;
}

export type AgedComponent = InstanceState["components"][number];

/** The edge that a reported component speaks of; a repeated name (`db#2`) speaks of the same one. */
function edgeOf(service: ServiceIndex, name: string): number | undefined {
  return service.component.get(name) ?? service.component.get(name.replace(/#\d+$/, ""));
}

const badness = (word: ComponentStatus): number => (word === "unknown" ? -1 : COMPONENT_STATUSES.indexOf(word));

/** Statements of a report, aligned with the service's edges; null where no component speaks of the edge. Of several the worst fresh one counts. */
export function statementsOf(
  service: ServiceIndex,
  components: readonly AgedComponent[],
  reportedAt: number,
): readonly (Statement | null)[] {
  const statements: (Statement | null)[] = new Array(service.edges.length).fill(null);
  const limit = service.node.componentMaxAge;
  for (const component of components) {
    const edge = edgeOf(service, component.name);
    if (edge === undefined) continue;
    const age = component.computedAgeMs ?? 0;
    const stale = age > limit;
    const word = stale ? "unknown" : component.status;
    const before = statements[edge];
    if (before && badness(before.word) >= badness(word)) continue;
    statements[edge] = {
      word,
      said: component.status,
      stale,
      checkedAt: reportedAt - age,
      latencyMs: component.latencyMs ?? null,
      error: component.error ?? null,
      category: component.category ?? null,
    };
  }
  return statements;
}

/**
 * A redundancy group as one component: down when fewer than `need` members are not down, degraded when fewer are up.
 * Unknown members count neither way: the group is judged by the others.
 */
export function groupStatus(members: readonly ComponentStatus[], need: number): ComponentStatus {
  const known = members.filter((member) => member !== "unknown");
  if (known.length === 0) return "unknown";
  const enough = Math.min(need, known.length);
  if (known.filter((member) => member !== "down").length < enough) return "down";
  return known.filter((member) => member === "up").length < enough ? "degraded" : "up";
}

/** One thing that a report lets its service suffer from. */
export interface Effect {
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
export function readReport(
  service: ServiceIndex,
  said: Said,
  components: readonly AgedComponent[],
  statements: readonly (Statement | null)[],
): Reading {
  const { edges, node } = service;
  if (checksStopped(service, said, components)) return { status: "unknown", effect: null, checksStopped: true };
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
  for (const component of components) {
    if (edgeOf(service, component.name) !== undefined || isStale(service, component)) continue;
    suffer(component.status, component.criticality ?? "soft", component.name, component.error ?? null);
  }
  // Without a word of its own the report is what its components make of it, where they say anything.
  const speaks = components.some(({ status }) => status !== "unknown");
  const own = said.word === undefined ? said.status : (said.word ?? (speaks ? "healthy" : said.status));
  const found = effect as Effect | null;
  // A word that nobody knows hides no component that is known to fail.
  const status = found && own === "unknown" ? found.status : worstStatus(found ? [own, found.status] : [own]);
  return { status, effect: found, checksStopped: false };
}

function isStale(service: ServiceIndex, { computedAgeMs }: AgedComponent): boolean {
  return computedAgeMs !== null && computedAgeMs > service.node.componentMaxAge;
}

/** True when every hard component that states an age is too old, or the answer itself is an old copy. */
function checksStopped(service: ServiceIndex, { httpAge }: Said, components: readonly AgedComponent[]): boolean {
  if (httpAge !== null && httpAge > service.node.maxAge) return true;
  let aged = 0;
  for (const component of components) {
    if (component.computedAgeMs === null) continue;
    const at = edgeOf(service, component.name);
    const criticality = at === undefined ? (component.criticality ?? "soft") : (service.edges[at] as Edge).criticality;
    if (criticality !== "hard") continue;
    if (!isStale(service, component)) return false;
    aged++;
  }
  return aged > 0;
}
