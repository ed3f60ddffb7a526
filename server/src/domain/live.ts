import type { AggregatorConfig } from "./config.ts";
import type { ChangeMark, HistoryReader, StoreHealth } from "./history.ts";
import type { Incident } from "./incident.ts";
import type { AnnouncedWork, Maintenance, Problem } from "./map.ts";
import type { Observation } from "./observation.ts";
import type { Snapshot } from "./snapshot.ts";

/** The staleness signal, from memory: what `/staleness`, the metrics and the board's freshness all say. */
export interface Signal {
  stale: boolean;
  because: readonly StaleCode[];
  lastAnswerAt: number | null;
  ageMs: number | null;
  limitMs: number;
  /** Instances with a fresh report, and all. */
  reporting: number;
  instances: number;
  overdue: number;
  lastWriteAt: number | null;
  writeAgeMs: number | null;
}

export const STALE_CODES = ["no_answers", "few_reporting", "overdue", "blind", "frozen", "history", "starting", "nothing_to_poll"] as const;
export type StaleCode = (typeof STALE_CODES)[number];

/** What moved with one published revision. */
export interface Publication {
  snapshot: Snapshot;
  /** The snapshot before, for working out what moved. */
  before: Snapshot | null;
  /** Nodes whose status, role, reason, pending or marks moved. */
  nodes: readonly string[];
  /** Nodes that were merely seen again: last_checked, latency. */
  seen: readonly string[];
  removed: readonly string[];
  incidents: readonly Incident[];
}

export interface MapInfo {
  revision: number;
  loadedAt: number;
  hash: string;
  commit: string | null;
  warnings: readonly Problem[];
  refused: { at: number; problems: readonly Problem[] } | null;
}

export interface PollerStats {
  /** Completed polls by outcome, since start. */
  polls: Readonly<Record<string, number>>;
  skipped: number;
  inFlight: number;
  /** Worst lateness of a poll's start over the last interval, ms. */
  lagMs: number;
  overdue: number;
}

/** Who does a write, for timelines. */
export interface Actor {
  name: string;
}

export type Lifecycle = "starting" | "running" | "draining";

/** What the API may ask of the running aggregator. Every read comes from memory; none starts a poll. */
export interface Live {
  readonly boot: string;
  readonly startedAt: number;
  readonly config: AggregatorConfig;
  lifecycle(): Lifecycle;
  now(): number;
  snapshot(): Snapshot;
  subscribe(listener: (publication: Publication) => void): () => void;
  signal(): Signal;
  mapInfo(): MapInfo;
  poller(): PollerStats;
  store(): StoreHealth;
  history(): HistoryReader;
  /** The last answer of an instance, redacted. */
  lastObservation(instance: string): Pick<Observation, "httpStatus" | "latencyMs" | "body"> | null;
  /** The four checks of our own readiness. */
  ready(): { map: boolean; store: boolean; scheduler: boolean; port: boolean };
  note(incident: number, text: string, actor: Actor): Incident | null;
  acknowledge(incident: number, ack: { note: string | null; until: number | null; clear: boolean }, actor: Actor): Incident | null;
  markChange(change: Omit<ChangeMark, "by">, actor: Actor): void;
  /** Announces work, from now on held beside the map's own; null where too much is announced already. */
  announceWork(work: Maintenance, actor: Actor): AnnouncedWork | null;
  /** Ends announced work now, or calls it off; null for one that is over or that nobody announced here. */
  endWork(id: number, actor: Actor): AnnouncedWork | null;
  /** Validates map text as if the file stood in the folder, without applying it. */
  checkMap(file: string, text: string): { errors: readonly Problem[]; warnings: readonly Problem[] };
}
