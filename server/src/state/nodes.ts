import { humanDuration } from "../domain/duration.ts";
import type { Maintenance, MapNode, ServiceNode } from "../domain/map.ts";
import type { EdgeState, FailureWindow, InstanceState, NodeState, Pending } from "../domain/state.ts";
import { type ComponentStatus, MARKS, type Mark, type Status, worstStatus } from "../domain/status.ts";
import { BLIND_REASON } from "./blind.ts";
import { combineInstances, NOT_POLLED } from "./instances.ts";
import { agreed, disputed, type Tally, tally } from "./witnesses.ts";

/** A node of which nothing is known yet. */
export function newNode(node: MapNode): NodeState {
  const polled = node.kind === "service" && node.instances.length > 0;
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
interface Finding {
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

/** One moment's circumstances. */
export interface Moment {
  now: number;
  blind: { since: number } | null;
  cannotTell: boolean;
}

/** A polled service from its instances, and from those who call it: a probe that lies is disputed. */
export function judgePolled(
  before: NodeState,
  node: ServiceNode,
  instances: readonly InstanceState[],
  witnesses: () => readonly EdgeState[],
  maintenance: readonly Maintenance[] | undefined,
  moment: Moment,
): NodeState {
  const only = instances.length === 1 ? (instances[0] as InstanceState) : null;
  const finding = only ? fromOne(only) : fromSeveral(node, instances);
  finding.stale = isOld(finding.lastChecked, node.maxAge, moment.now);
  if (finding.status === "healthy" && !moment.blind) dispute(finding, witnesses());
  if (moment.cannotTell && finding.status === "unknown" && finding.reason && isCutOffReason(instances))
    finding.reason = `${finding.reason}; cannot tell us from them`;
  return settle(before, finding, maintenance, moment);
}

function isCutOffReason(instances: readonly InstanceState[]): boolean {
  return instances.every(({ outcome }) => outcome === "connect_timeout" || outcome === "dns");
}

export function isOld(checked: number | null, limit: number, now: number): boolean {
  return checked !== null && now - checked > limit;
}

/** Time of the newest evidence for an instance's status: its last report, or while unknown its last poll. */
export function lastEvidence(instance: InstanceState): number | null {
  return instance.damped.status === "unknown" ? instance.lastPollAt : instance.lastReportAt;
}

function fromOne(instance: InstanceState): Finding {
  const { damped } = instance;
  return {
    status: damped.status,
    since: damped.since,
    confirmed: damped.confirmed,
    pending: damped.pending,
    reason: instance.reason ?? null,
    window: instance.window,
    marks: marksOf([instance]),
    lastChecked: lastEvidence(instance),
    stale: false,
    latencyMs: instance.latencyMs,
    outcome: instance.outcome,
    ownWord: instance.ownWord,
    coverage: { known: damped.status === "unknown" ? 0 : 1, total: 1 },
  };
}

function fromSeveral(node: ServiceNode, instances: readonly InstanceState[]): Finding {
  const view = (status: (instance: InstanceState) => Status): { status: Status; coverage: { known: number; total: number } } =>
    combineInstances(
      instances.map((instance) => ({ status: status(instance), draining: instance.phase === "draining" })),
      node.need,
    );
  const { status, coverage } = view(({ damped }) => damped.status);
  const soon = view(({ damped }) => damped.pending?.status ?? damped.status).status;
  const certain = view(({ damped }) => (damped.confirmed ? damped.status : "unknown")).status;
  const newest = instances.reduce<InstanceState | null>(
    (latest, one) => ((one.lastPollAt ?? -1) > (latest?.lastPollAt ?? -1) ? one : latest),
    null,
  );
  const failing = instances.filter(({ window }) => window !== null);
  const first = failing.reduce<FailureWindow | null>(
    (earliest, { window }) => (window && (!earliest || window.firstBad < earliest.firstBad) ? window : earliest),
    null,
  );
  const checked = instances.flatMap((instance) =>
    status === "unknown" || instance.damped.status !== "unknown" ? (lastEvidence(instance) ?? []) : [],
  );
  const words = instances.flatMap(({ ownWord }) => ownWord ?? []);
  return {
    status,
    since: Math.max(...instances.map(({ damped }) => damped.since)),
    confirmed: certain === status,
    pending:
      soon === status
        ? null
        : longest(
            soon,
            instances.map(({ damped }) => damped.pending),
          ),
    reason: reasonOfSeveral(status, instances),
    window: status === "degraded" || status === "unhealthy" ? first : null,
    marks: marksOf(instances),
    lastChecked: checked.length > 0 ? Math.max(...checked) : null,
    stale: false,
    latencyMs: newest?.latencyMs ?? null,
    outcome: newest?.outcome ?? null,
    ownWord: words.length > 0 ? worstStatus(words) : null,
    coverage,
  };
}

function longest(status: Status, pending: readonly (Pending<string> | null)[]): Pending<Status> {
  let count = 0;
  let needed = 1;
  for (const one of pending)
    if (one && one.count > count) {
      count = one.count;
      needed = one.needed;
    }
  return { status, count, needed };
}

function reasonOfSeveral(status: Status, instances: readonly InstanceState[]): string | null {
  if (status === "healthy") return null;
  const serving = instances.filter(({ phase }) => phase !== "draining");
  const counted = serving.length > 0 ? serving : instances;
  const worst = worstStatus(counted.map(({ damped }) => damped.status));
  const word = counted.some(({ damped }) => damped.status === "unhealthy") ? "unhealthy" : worst;
  const those = counted.filter(({ damped }) => damped.status === word);
  const detail = those.find(({ reason }) => reason)?.reason;
  if (those.length === counted.length) return detail ?? null;
  const what = word === "unknown" ? "silent" : word;
  return `${those.length} of ${counted.length} instances ${what}${detail ? `: ${detail}` : ""}`;
}

const NO_MARKS: ReadonlySet<Mark> = new Set();

function marksOf(instances: readonly InstanceState[]): ReadonlySet<Mark> {
  let marks: Set<Mark> | null = null;
  for (const { damped, phase } of instances) {
    if (!damped.flapping && !damped.intermittent && !phase) continue;
    marks ??= new Set();
    if (damped.flapping) marks.add("flapping");
    if (damped.intermittent) marks.add("intermittent");
    if (phase) marks.add(phase);
  }
  return marks ?? NO_MARKS;
}

function dispute(finding: Finding, edges: readonly EdgeState[]): void {
  const fresh = freshWords(edges);
  if (fresh.length < 2) return;
  const counts = tally(fresh.map(({ damped }) => damped.status));
  const status = disputed(counts);
  if (!status) return;
  const blaming = fresh.filter(({ damped }) => damped.status === "down");
  finding.status = status;
  finding.since = Math.max(finding.since, newestSince(blaming));
  finding.confirmed = disputed(tally(fresh.map(({ damped }) => (damped.confirmed ? damped.status : "unknown")))) === status;
  finding.marks = new Set([...finding.marks, "disputed"]);
  finding.reason = `calls itself healthy, ${counts.down} of ${counts.total} dependents report it down`;
  finding.window = witnessedWindow(blaming, fresh);
}

function freshWords(edges: readonly EdgeState[]): readonly EdgeState[] {
  return edges.filter(({ stale, damped }) => !stale && damped.status !== "unknown");
}

function newestSince(edges: readonly EdgeState[]): number {
  return edges.reduce((newest, { damped }) => Math.max(newest, damped.since), 0);
}

/** After the last check that any witness found good before the first bad one, and no later than that. */
function witnessedWindow(bad: readonly EdgeState[], all: readonly EdgeState[]): FailureWindow | null {
  let firstBad = Number.POSITIVE_INFINITY;
  for (const { window } of bad) if (window) firstBad = Math.min(firstBad, window.firstBad);
  if (firstBad === Number.POSITIVE_INFINITY) return null;
  let lastGood: number | null = null;
  for (const { lastGood: good } of all)
    if (good !== null && good !== undefined && good <= firstBad) lastGood = Math.max(lastGood ?? good, good);
  return { lastGood, firstBad };
}

/** A resource, or a service that is not polled, from what its witnesses say. */
export function judgeWitnessed(
  before: NodeState,
  edges: readonly EdgeState[],
  maintenance: readonly Maintenance[] | undefined,
  moment: Moment,
): NodeState {
  const fresh = freshWords(edges);
  const counts = tally(fresh.map(({ damped }) => damped.status));
  const status = agreed(counts);
  const bad = fresh.filter(({ damped }) => damped.status !== "up");
  const trouble = status === "degraded" || status === "unhealthy";
  const soon = agreed(tally(fresh.map(({ damped }) => damped.pending?.status ?? damped.status)));
  const pendings = fresh.map(({ damped }) => damped.pending);
  const certain = fresh.every(({ damped }) => damped.confirmed)
    ? status
    : agreed(tally(fresh.map(({ damped }): ComponentStatus => (damped.confirmed ? damped.status : "unknown"))));
  const half = (marked: (edge: EdgeState) => boolean): boolean => fresh.length > 0 && fresh.filter(marked).length * 2 >= fresh.length;
  const marks = new Set<Mark>();
  if (half(({ damped }) => damped.flapping)) marks.add("flapping");
  if (half(({ damped }) => damped.intermittent)) marks.add("intermittent");
  const latest = newestCheck(fresh.length > 0 ? fresh : edges);
  const spoken = edges.some(({ checkedAt }) => checkedAt !== null);
  return settle(
    before,
    {
      status,
      since: fresh.length > 0 ? newestSince(trouble ? bad : fresh) : moment.now,
      confirmed: certain === status,
      pending: soon === status ? null : longest(soon, pendings),
      reason: witnessedReason(status, counts, bad, spoken),
      window: trouble ? witnessedWindow(bad, edges) : null,
      marks,
      lastChecked: latest?.checkedAt ?? null,
      stale: spoken && fresh.length === 0,
      latencyMs: latest?.latencyMs ?? null,
      outcome: null,
      ownWord: null,
      coverage: null,
    },
    maintenance,
    moment,
  );
}

/** The statement checked last; of several the slowest. */
function newestCheck(edges: readonly EdgeState[]): EdgeState | null {
  let latest: EdgeState | null = null;
  for (const edge of edges) if (edge.checkedAt !== null && (!latest || isNewer(edge, latest))) latest = edge;
  return latest;
}

/** True when `edge` was checked later than what is held, or at the same time and slower. */
export function isNewer(
  edge: Pick<EdgeState, "checkedAt" | "latencyMs">,
  than: { checkedAt: number | null; latencyMs: number | null },
): boolean {
  const [a, b] = [edge.checkedAt ?? -1, than.checkedAt ?? -1];
  return a > b || (a === b && (edge.latencyMs ?? -1) > (than.latencyMs ?? -1));
}

function witnessedReason(status: Status, counts: Tally, bad: readonly EdgeState[], spoken: boolean): string | null {
  if (status === "healthy") return null;
  if (status === "unknown") return spoken ? "stale: no fresh word from its dependents" : "nothing has spoken of it yet";
  const word = counts.down > 0 ? "down" : "degraded";
  const those = bad.filter(({ damped }) => damped.status === word);
  const error = those.find((edge) => edge.error)?.error;
  const detail = error ? `: ${error}` : "";
  if (counts.total === 1) return `${those[0]?.from ?? "its dependent"} reports it ${word}${detail}`;
  return `${those.length} of ${counts.total} dependents report it ${word}${detail}`;
}

/** Puts a finding in the place of what was: since, last known status and marks; the same value where nothing moved. */
function settle(before: NodeState, finding: Finding, maintenance: readonly Maintenance[] | undefined, moment: Moment): NodeState {
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

/** Why an instance is unknown whose evidence is too old. */
export function staleReason(maxAge: number): string {
  return `stale: nothing heard for ${humanDuration(maxAge)}`;
}
