import { isPolled, type Maintenance, type MapNode } from "../domain/map.ts";
import type { FailureWindow, NodeState, Pending } from "../domain/state.ts";
import { MARKS, type Mark, type Status } from "../domain/status.ts";
import { BLIND_REASON } from "./blind.ts";
import { NOT_POLLED } from "./instances.ts";

/** A node of which nothing is known yet. */
export function newNode(node: MapNode): NodeState {
  const polled = isPolled(node);
  return {
    id: node.id,
    status: "unknown",
    since: 0,
    pending: null,
    confirmed: false,
    marks: [],
    reason: polled ? NOT_POLLED : "nothing has spoken of it yet",
    lastKnown: null,
    lastChecked: null,
    stale: false,
    latencyMs: null,
    outcome: null,
    window: null,
    ownWord: null,
    coverage: polled ? { known: 0, total: node.instances.length } : null,
  };
}

/** The rules' answer for one node, before it meets the state that was. */
export interface Finding {
  status: Status;
  /** When the last piece tipped into place. */
  since: number;
  confirmed: boolean;
  pending: Pending<Status> | null;
  reason: string | null;
  window: FailureWindow | null;
  marks: ReadonlySet<Mark>;
  lastChecked: number | null;
  stale: boolean;
  latencyMs: number | null;
  outcome: NodeState["outcome"];
  ownWord: Status | null;
  coverage: NodeState["coverage"];
}

export const NO_MARKS: ReadonlySet<Mark> = new Set();

/** One moment's circumstances. */
export interface Moment {
  now: number;
  blind: { since: number } | null;
  cannotTell: boolean;
}

export function isOld(checked: number | null, limit: number, now: number): boolean {
  return checked !== null && now - checked > limit;
}

/** Puts a finding in the place of what was, with since, last known status and marks. While blind nothing is known. */
export function settle(before: NodeState, finding: Finding, maintenance: readonly Maintenance[] | undefined, moment: Moment): NodeState {
  const { now, blind } = moment;
  if (blind) {
    finding.status = "unknown";
    finding.since = blind.since;
    finding.pending = null;
    finding.reason = BLIND_REASON;
    finding.window = null;
  }
  const same = finding.status === before.status && before.since !== 0;
  const since = same ? before.since : Math.max(before.since, finding.since);
  const gone = before.status !== "unknown" ? { status: before.status, at: since } : before.lastKnown;
  const lastKnown = finding.status === "unknown" ? gone : null;
  const marks = maintained(finding.marks, maintenance, now);
  return {
    id: before.id,
    status: finding.status,
    since,
    pending: finding.pending,
    confirmed: finding.confirmed,
    marks: sameMarks(before.marks, marks) ? before.marks : marks,
    reason: finding.reason,
    lastKnown,
    lastChecked: finding.lastChecked,
    stale: finding.stale,
    latencyMs: finding.latencyMs,
    outcome: finding.outcome,
    window: finding.window,
    ownWord: finding.ownWord,
    coverage: finding.coverage,
  };
}

/** True while announced work covers the moment; `to` is its end, no longer within. */
export function isMaintained(maintenance: readonly Maintenance[] | undefined, now: number): boolean {
  return maintenance?.some(({ from, to }) => from <= now && now < to) ?? false;
}

function maintained(marks: ReadonlySet<Mark>, maintenance: readonly Maintenance[] | undefined, now: number): readonly Mark[] {
  const work = isMaintained(maintenance, now);
  if (!work && marks.size === 0) return [];
  return MARKS.filter((mark) => (mark === "maintenance" ? work : marks.has(mark)));
}

function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark, at) => mark === b[at]);
}

/** True when more moved than times and latencies. */
export function hasMoved(before: NodeState, after: NodeState): boolean {
  return (
    before.status !== after.status ||
    before.since !== after.since ||
    before.confirmed !== after.confirmed ||
    before.stale !== after.stale ||
    before.reason !== after.reason ||
    before.outcome !== after.outcome ||
    before.ownWord !== after.ownWord ||
    before.marks !== after.marks ||
    !samePending(before.pending, after.pending) ||
    before.window?.firstBad !== after.window?.firstBad ||
    before.window?.lastGood !== after.window?.lastGood ||
    before.lastKnown?.status !== after.lastKnown?.status ||
    before.lastKnown?.at !== after.lastKnown?.at ||
    before.coverage?.known !== after.coverage?.known ||
    before.coverage?.total !== after.coverage?.total
  );
}

function samePending(a: Pending<Status> | null, b: Pending<Status> | null): boolean {
  return a === b || (a !== null && b !== null && a.status === b.status && a.count === b.count && a.needed === b.needed);
}
