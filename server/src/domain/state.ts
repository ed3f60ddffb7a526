import type { Component, ErrorCategory } from "./observation.ts";
import type { ComponentStatus, Mark, Outcome, Phase, Status } from "./status.ts";

/** A change that is being confirmed: `count` of `needed` results so far point to `status`. */
export interface Pending<S extends string> {
  status: S;
  count: number;
  needed: number;
}

/**
 * Between which two moments a thing failed: after `lastGood` (null: never seen good) and no later than `firstBad`.
 * Epoch milliseconds. "First to fail" is said only where windows do not overlap.
 */
export interface FailureWindow {
  lastGood: number | null;
  firstBad: number;
}

/** Raw results that a damped status keeps. */
export const RESULTS_KEPT = 20;

/** A damped status with its history in small. Times are epoch milliseconds. */
export interface Damped<S extends string> {
  status: S;
  /** Since when the status holds; a change dates from the first result of the run that confirmed it. 0 before any result. */
  since: number;
  pending: Pending<S> | null;
  /** The latest raw result, undamped. */
  raw: S;
  /** Oldest first, at most `RESULTS_KEPT` raw results. */
  recent: readonly S[];
  /** Raw results that differ from the status in one direction, oldest first, with their times. */
  run: readonly { status: S; at: number }[];
  flapping: boolean;
  intermittent: boolean;
  /** How many raw results came since the status last changed, at most `RESULTS_KEPT`; absent: all of `recent`. */
  held?: number;
  /** False until something but the first result after the first start has confirmed it: an incident opens only on a confirmed state. */
  confirmed: boolean;
}

/** The latest statement of one service (all its instances) about one node it depends on. */
export interface EdgeState {
  from: string;
  to: string;
  /** Damped; `unknown` where no fresh component speaks of it. */
  damped: Damped<ComponentStatus>;
  /** When the component was last checked, by the largest age that anything suggests; null when never seen. */
  checkedAt: number | null;
  /** When the report that carried it was asked. */
  reportedAt: number | null;
  /** Age is past the service's `componentMaxAge`, or its latest result is no report. */
  stale: boolean;
  latencyMs: number | null;
  error: string | null;
  category: ErrorCategory | null;
  /** Window of the present failure; null while it is up or unknown. */
  window: FailureWindow | null;
  /** When it was last checked and found up; absent or null when never. */
  lastGood?: number | null;
  /** When the present run of bad results was first checked: an `up` counts against the blame only if checked no earlier. */
  firstBadCheck: number | null;
}

export interface InstanceState {
  id: string;
  service: string;
  damped: Damped<Status>;
  outcome: Outcome | null;
  httpStatus: number | null;
  format: string | null;
  phase: Phase | null;
  phaseCount: number;
  /** Last completed poll (any outcome but `aborted`), by the time it was asked. */
  lastPollAt: number | null;
  /** Last poll that brought a report. */
  lastReportAt: number | null;
  latencyMs: number | null;
  error: string | null;
  /** The latest report's components with their ages worked out at `lastReportAt`; empty without a report. */
  components: readonly (Component & { computedAgeMs: number | null })[];
  /** The service's own word in the latest report, before roll-up. */
  ownWord: Status | null;
  /** First sightings of components' `lastChecked` that stand still, for ages that the reporter hides. */
  seenChecks: ReadonlyMap<string, { lastChecked: number; firstSeen: number }>;
  window: FailureWindow | null;
  /** Its last report with components listed the failing ones alone: one that vanishes is up again. */
  failuresOnly?: boolean;
  /** Last poll that was healthy; absent or null when never. */
  lastGood?: number | null;
  /** Why the damped status is what it is, for people; null while healthy. */
  reason?: string | null;
}

/** One node of the map as observed: its status is never rewritten by the analysis. */
export interface NodeState {
  id: string;
  status: Status;
  since: number;
  pending: Pending<Status> | null;
  confirmed: boolean;
  marks: readonly Mark[];
  /** A short sentence for people: `timeout at 2 s`, `orders-db: connection refused`, `checks stopped`. */
  reason: string | null;
  /** Last status that was not unknown, and since when it is gone. */
  lastKnown: { status: Status; at: number } | null;
  /** Time of the newest evidence for the status, epoch milliseconds. */
  lastChecked: number | null;
  /** That evidence is older than `maxAge`. */
  stale: boolean;
  latencyMs: number | null;
  outcome: Outcome | null;
  window: FailureWindow | null;
  /** Polled services only: what the reports themselves said, before the map's labels. */
  ownWord: Status | null;
  /** Known instances of all, where the node is polled. */
  coverage: { known: number; total: number } | null;
}

/** Everything that damping keeps between polls, as values. Restored from history at start. */
export interface SystemState {
  instances: ReadonlyMap<string, InstanceState>;
  edges: ReadonlyMap<string, EdgeState>;
  nodes: ReadonlyMap<string, NodeState>;
  blind: { since: number } | null;
  /** All that answered before fail without a connection, and the fleet is too small to tell us from them. */
  cannotTell?: boolean;
}
