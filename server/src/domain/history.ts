import type { Misdated } from "./clock.ts";
import type { Incident, IncidentEvent } from "./incident.ts";
import type { AnnouncedWork, SystemMap } from "./map.ts";
import type { Observation } from "./observation.ts";
import type { SystemState } from "./state.ts";
import type { Outcome, Role, Status } from "./status.ts";

/** One text file of an accepted map, so that a revision can be loaded again. */
export interface MapFile {
  path: string;
  text: string;
}

export interface Revision {
  revision: number;
  /** Epoch milliseconds. */
  acceptedAt: number;
  /** SHA-256 over the files, hex. */
  hash: string;
  commit: string | null;
  summary: string;
  /** The configuration as text; references stay references. */
  files: readonly MapFile[];
}

/** What a list tells of a revision. */
export type RevisionHead = Omit<Revision, "files">;

/** Kept by their place in this list: new ones go to the end. */
export const TRANSITION_SUBJECTS = ["node", "edge", "instance", "system", "role", "blind", "word"] as const;
export type TransitionSubject = (typeof TRANSITION_SUBJECTS)[number];

/** A change of a damped state is a row; history, availability and replay derive from it. */
export interface Transition {
  subject: TransitionSubject;
  /** Node id, edge key, instance id, system id; `*` for blind; the service's id for its own word. */
  id: string;
  at: number;
  from: string | null;
  /**
   * A status; for a role its word or `none`; for blind `blind` or `clear`; `removed` for a node or system that left the
   * map, which the history adds by itself when it follows the next map. A service's own word is kept while something it
   * needs is down, and ends with `none`.
   */
  to: string;
  /** For people; `map` where a revision changed it. */
  reason: string | null;
  incident: number | null;
}

/** What becomes durable together, before any answer or event shows it. */
export interface Commit {
  at: number;
  transitions: readonly Transition[];
  incidents: readonly Incident[];
  events: readonly IncidentEvent[];
}

export interface StoreHealth {
  /** Epoch milliseconds of the last durable write; null before the first. */
  lastWriteAt: number | null;
  queued: number;
  dropped: number;
  /** False while the file cannot be opened at all, or is closed. */
  open: boolean;
  /** Short sentence while writing fails; null when all is well. */
  error: string | null;
  sizeBytes: number;
}

/** What a restart takes over. */
export interface Restored {
  state: SystemState | null;
  /** Not resolved, and resolved within the last hour. */
  incidents: readonly Incident[];
  nextIncidentId: number;
  revision: Revision | null;
  /** Announced work that is not over, or was not an hour ago; marked changes of the last day. */
  works: readonly AnnouncedWork[];
  changes: readonly ChangeMark[];
  /** The last moment of which anything durable tells; the time since then is a gap. */
  lastDurableAt: number | null;
  lastAnswerAt: number | null;
}

/**
 * The writing side. `append` queues and never blocks; `commit` is durable when it returns. Neither throws for a disk
 * that is full, locked or gone: they keep a bounded queue, `health().error` tells, and they heal by themselves.
 */
export interface HistoryWriter {
  restore(now: number): Restored;
  /** The clock was set: the time that it dated wrongly before, where that shows by `now`, epoch milliseconds. */
  misdated(now: number): Misdated | null;
  append(observations: readonly Observation[]): void;
  /** Durable on return where the disk allows; returns false when it only could be queued. */
  commit(batch: Commit): boolean;
  /** Instances, edges and nodes that changed since the last call, for the next restart. */
  saveState(state: SystemState, changed: { instances: Iterable<string>; edges: Iterable<string>; nodes: Iterable<string> }): void;
  acceptRevision(revision: Omit<Revision, "revision">): number;
  renameNode(from: string, to: string): void;
  /** The map from now on: tells which node a reported component's name means. */
  follow(map: SystemMap): void;
  addEvent(event: IncidentEvent): boolean;
  addChange(change: ChangeMark): boolean;
  /** Keeps announced work under an id of its own. */
  addWork(work: Omit<AnnouncedWork, "id">): AnnouncedWork;
  /** Replaces what is kept under its id. */
  changeWork(work: AnnouncedWork): boolean;
  /** Writes what is queued, and the mark "alive at `now`" (at least every 5 s), which is also the end of a gap. */
  flush(now: number): void;
  /** Rolls up, deletes what is past its retention, gives space back, in small steps; true while there is more to do. */
  maintain(now: number): boolean;
  health(): StoreHealth;
  close(): void;
}

/** From `from` up to but not including `to`, epoch milliseconds. */
export interface Range {
  from: number;
  to: number;
}

/** A deploy or other change that somebody marked, shown in timelines. */
export interface ChangeMark {
  at: number;
  node: string | null;
  text: string;
  link: string | null;
  by: string | null;
}

/** The node's new name where the change was marked on it; the very mark where it was not. */
export function renameInChange(change: ChangeMark, from: string, to: string): ChangeMark {
  return change.node === from ? { ...change, node: to } : change;
}

/** Time as status spans; `no_data` is time in which Headwater did not run or could not see. Spans tile the range. */
export interface Span {
  status: Status | "no_data";
  from: number;
  to: number;
  reason: string | null;
  /** The role held for most of the span; null where none or not known. */
  role: Role | null;
}

/** One bucket of a latency series; milliseconds; percentiles null where no poll brought an answer. */
export interface LatencyPoint {
  at: number;
  count: number;
  failed: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** How long the checks of one node by one service took. */
export interface DependencyLatency {
  /** Bucket width in milliseconds: an hour at least, unless all of the range is within the last hour. */
  bucket: number;
  latency: readonly LatencyPoint[];
  /** The whole range as one bucket. */
  whole: LatencyPoint;
}

export interface NodeHistory {
  from: number;
  to: number;
  spans: readonly Span[];
  /** Bucket width in milliseconds. */
  bucket: number;
  /** Latencies of our polls for a polled service, of the witnesses' checks for a resource. */
  latency: readonly LatencyPoint[];
  gaps: readonly { from: number; to: number }[];
  failures: readonly { at: number; outcome: Outcome }[];
  changes: readonly ChangeMark[];
}

/** Milliseconds of a range; they add up to its length. */
export interface Availability {
  up: number;
  degraded: number;
  down: number;
  unseen: number;
  /** Part of `down` and `degraded` that was announced; shown apart. */
  maintenance: number;
}

export interface IncidentQuery {
  open?: boolean;
  from?: number;
  to?: number;
  node?: string;
  system?: string;
  /** Node ids that belong to the team asked for. */
  nodes?: readonly string[];
  /** Id below which to go on. */
  cursor?: number;
  limit: number;
}

/**
 * The reading side; answers from SQLite, never starts a poll, never blocks one for long. What takes longer is a generator
 * of steps of a millisecond or so, so that whoever asks can let polls go first.
 */
export interface HistoryReader {
  nodeHistory(node: string, from: number, to: number, maxPoints: number): Generator<void, NodeHistory>;
  /** What `service` says of the time that its checks of `node` take; empty where it says nothing of it. */
  dependencyLatency(service: string, node: string, from: number, to: number, maxPoints: number): Generator<void, DependencyLatency>;
  /** For every node, one a turn, the range as `cells` equal spans, oldest first: worst status and the share of time it held; null is no data. */
  strips(from: number, to: number, cells: number): Iterable<readonly [string, readonly StripCell[]]>;
  /** `count` UTC days (92 at most) of every node and system, the one of `to` last, and only as far as `to`; one subject a turn. */
  days(to: number, count: number): Iterable<DayStrip>;
  /** The 95th percentile of every node's latency over the last day before `to`, in milliseconds, within 4.5 %. */
  percentiles(to: number): Generator<void, ReadonlyMap<string, number>>;
  incidents(query: IncidentQuery): { incidents: readonly Incident[]; next: number | null };
  incident(id: number): Incident | null;
  incidentEvents(id: number, limit: number): readonly IncidentEvent[];
  availability(subject: "node" | "system", id: string, from: number, to: number): Availability;
  /** Newest first, with their texts: what they take to read grows with them. */
  revisions(limit: number, cursor?: number): { revisions: readonly Revision[]; next: number | null };
  /** The same without the texts. */
  revisionHeads(limit: number, cursor?: number): { revisions: readonly RevisionHead[]; next: number | null };
  transitions(from: number, to: number, limit: number, ids?: readonly string[]): readonly Transition[];
  /** Marked changes, newest first; with `nodes`, those marked on one of them or on no node at all. */
  changes(from: number, to: number, limit: number, nodes?: readonly string[]): readonly ChangeMark[];
  /** Announced work that overlaps the range, on one of `nodes` where some are given, the latest to begin first. */
  works(from: number, to: number, limit: number, nodes?: readonly string[]): readonly AnnouncedWork[];
  gaps(from: number, to: number): readonly Range[];
  /** States, roles and systems as they were shown at a moment; null before the history begins, inside a gap and after the last sign of life. */
  statesAt(at: number): Generator<void, HistoricalStates | null>;
}

/** Whole UTC days of one subject. */
export interface DayStrip {
  subject: "node" | "system";
  id: string;
  /** Milliseconds by day and status: `day * 4 + index in STATUSES`; what is missing to a day's length was not seen. */
  held: Float64Array;
}

export type StripCell = { status: Status; share: number } | null;

export interface HistoricalStates {
  at: number;
  nodes: ReadonlyMap<string, { status: Status; since: number; reason: string | null; role: Role | null; incident: number | null }>;
  systems: ReadonlyMap<string, { status: Status; since: number }>;
  incidents: readonly Incident[];
  mapRevision: number | null;
  /** When that revision was accepted. */
  mapAcceptedAt: number | null;
}
