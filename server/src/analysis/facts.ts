import type { EdgeState, FailureWindow, InstanceState, NodeState } from "../domain/state.ts";
import { type Criticality, compareStatus } from "../domain/status.ts";
import type { Graph, Link, Vertex } from "./graph.ts";

/** 0 fine, 1 degraded, 2 unhealthy. */
export type Severity = 0 | 1 | 2;

/** What one service says about one node it depends on, as far as it counts. */
export interface Statement {
  link: Link;
  from: Fact;
  to: Fact;
  /** What the edge can carry now: a redundancy group that still suffices carries like a soft edge. */
  criticality: Criticality;
  /** `none`: nothing that counts. `outdated`: bad, but checked before its target was seen to recover. */
  says: "none" | "up" | "degraded" | "down" | "outdated";
  readonly checkedAt: number;
  /** When the present run of bad results was first checked. */
  readonly badSince: number;
  /** Bad results in a row, of the last ones kept: how often it was repeated. */
  readonly repeats: number;
  readonly window: FailureWindow | null;
  readonly state: EdgeState | undefined;
}

/** What is known of one node, before any cause is named. */
export interface Fact {
  vertex: Vertex;
  state: NodeState | undefined;
  instances: readonly InstanceState[];
  /** What it says of each node that it needs. */
  readonly out: readonly Statement[];
  /** The bad ones of these, in their order; also those set aside as outdated. */
  readonly bad: readonly Statement[];
  /** What is said of it. */
  readonly in: readonly Statement[];
  /** Visits those that need it, and how much; without reading what they say, as there may be thousands. */
  dependents: (visit: (from: Fact, criticality: Criticality) => void) => void;
  /** What it says over one of its links, where that leads to one of some nodes. */
  toward: (link: Link, some: Pick<ReadonlySet<Fact>, "has">) => Statement | undefined;
  /** Polled, and its trouble is its own report's (a dispute by its callers is none). */
  trouble: Severity;
  /** What the report itself said: null for none. */
  word: Severity | null;
  /** The trouble that its reported dependencies account for. */
  implied: Severity;
  /** The same for dependencies that have recovered since it looked: it is still to notice. */
  outdated: Severity;
  /** When it, or what it needs, was last seen to recover; -Infinity for never. */
  recoveredAt: number;
  /** Polled, with a fresh report that shows no trouble. */
  fine: boolean;
  /** Polled, but unknown now. */
  silent: boolean;
  /** Silent because its deep endpoint connected and answered too late. */
  late: boolean;
  /** Bad statements about it that count. */
  blames: Statement[];
  /** Fresh words that it is up, as they stand in the state: there may be thousands, and mostly they are only counted. */
  readonly ups: readonly EdgeState[];
  /** How many of those may have looked at `at` or later; it counts no further than one more than `most`. */
  upsSince: (at: number, most: number) => number;
  /** How many of the blames say down. */
  downs: number;
  /** How much the ups count against the blames: an up checked before a blame began says nothing against it. */
  upWeight: number;
  window: FailureWindow | null;
}

export interface Facts {
  now: number;
  graph: Graph;
  /** Those in trouble, silent, blamed, or saying anything bad, in declaration order; all others are well. */
  nodes: readonly Fact[];
  /** Those that say anything bad. */
  reporters: readonly Fact[];
  factOf: (vertex: Vertex) => Fact;
}

/** Milliseconds between the polls of a node; 0 for one that is not a service. */
export function intervalOf({ vertex: { node } }: Pick<Fact, "vertex">): number {
  return node.kind === "service" ? node.interval : 0;
}

/** When what an edge says was checked; -Infinity for never. */
export function seenAt({ checkedAt, reportedAt }: EdgeState): number {
  return checkedAt ?? reportedAt ?? Number.NEGATIVE_INFINITY;
}

/**
 * Up to when a statement may speak for: half an interval of its reporter after its check, since polls are spread over one,
 * but never after the poll that brought it: who was asked before a recovery is only still to notice it.
 */
export function lastSight(state: EdgeState | undefined, interval: number): number {
  return state ? Math.min(seenAt(state) + interval / 2, state.reportedAt ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
}

/** A result that is known bad, of a node or a component. */
export function isBad(word: string | undefined): boolean {
  return word === "down" || word === "unhealthy" || word === "degraded";
}

/** The latest run of bad results; good ones after it that have not yet changed the damped word do not end it. */
export function repeatsOf(recent: readonly string[]): number {
  let end = recent.length;
  while (end > 0 && !isBad(recent[end - 1])) end--;
  let start = end;
  while (start > 0 && isBad(recent[start - 1])) start--;
  return end - start;
}

/** All bad results of those kept lie in one run, so that what came before it was good. */
export function isOneRun(recent: readonly string[]): boolean {
  let runs = 0;
  let inRun = false;
  for (const word of recent) {
    const bad = isBad(word);
    if (bad && !inRun) runs++;
    inRun = bad;
  }
  return runs === 1;
}

/** What a bad statement does to its reporter. */
export function effect(statement: Statement): Severity {
  if (statement.criticality === "informational") return 0;
  const raw = statement.says === "outdated" ? statement.state?.damped.status : statement.says;
  if (raw === "down") return statement.criticality === "hard" ? 2 : 1;
  return raw === "degraded" ? 1 : 0;
}

/** When the first of the blames on a node was checked; Infinity without any. */
export function firstBlamed({ blames }: Fact): number {
  return blames.reduce((first, { badSince }) => Math.min(first, badSince), Number.POSITIVE_INFINITY);
}

/** Its own report is fine, but older than the blames: what it says of itself next may tell another story. */
export function isOutrun(fact: Fact): boolean {
  return fact.fine && fact.blames.length > 0 && (fact.state?.lastChecked ?? Number.POSITIVE_INFINITY) < firstBlamed(fact);
}

/** It counts as fine only while damping confirms what its latest results say: its own story is on its way. */
export function isTurning({ fine, state }: Fact): boolean {
  return fine && state?.pending != null && compareStatus(state.pending.status, state.status) > 0;
}
