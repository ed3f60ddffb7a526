import { humanDuration } from "../domain/duration.ts";
import type { Maintenance, MapNode, ServiceNode } from "../domain/map.ts";
import type { EdgeState, FailureWindow, InstanceState, NodeState, Pending } from "../domain/state.ts";
import { type ComponentStatus, MARKS, type Mark, type Status, worstStatus } from "../domain/status.ts";
import { BLIND_REASON } from "./blind.ts";
import { combineInstances, NOT_POLLED } from "./instances.ts";
import { agreed, count, disputed, newTally, type Tally } from "./witnesses.ts";

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
  witnesses: Iterable<EdgeState>,
  maintenance: readonly Maintenance[] | undefined,
  moment: Moment,
): NodeState {
  const only = instances.length === 1 ? (instances[0] as InstanceState) : null;
  const finding = only ? fromOne(only) : fromSeveral(node, instances);
  finding.stale = isOld(finding.lastChecked, node.maxAge, moment.now);
  if (finding.status === "healthy" && !moment.blind) dispute(finding, witnesses);
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

/** All witnesses of one node, heard once. Only fresh statements with a known word count. */
interface Hearing {
  /** By damped words; by the words that are pending; by confirmed words alone. */
  words: Tally;
  soon: Tally;
  certain: Tally;
  /** Newest `since` of a counted statement, and of one that is not up. */
  since: number;
  badSince: number;
  firstBad: number;
  lastGood: number | null;
  pending: Pending<ComponentStatus> | null;
  flapping: number;
  intermittent: number;
  /** The statement checked last, and any that was ever made. */
  latest: EdgeState | null;
  spoken: boolean;
  /** The first to say down, else degraded. */
  blaming: EdgeState | null;
  error: string | null;
}

function hear(edges: Iterable<EdgeState>): Hearing {
  const hearing: Hearing = {
    words: newTally(),
    soon: newTally(),
    certain: newTally(),
    since: 0,
    badSince: 0,
    firstBad: Number.POSITIVE_INFINITY,
    lastGood: null,
    pending: null,
    flapping: 0,
    intermittent: 0,
    latest: null,
    spoken: false,
    blaming: null,
    error: null,
  };
  for (const edge of edges) {
    if (edge.checkedAt === null) continue;
    hearing.spoken = true;
    const { damped } = edge;
    const { status, since, pending } = damped;
    if (edge.stale || status === "unknown") continue;
    count(hearing.words, status);
    count(hearing.soon, pending?.status ?? status);
    if (damped.confirmed) count(hearing.certain, status);
    if (since > hearing.since) hearing.since = since;
    if (damped.flapping) hearing.flapping++;
    if (damped.intermittent) hearing.intermittent++;
    if (pending && pending.count > (hearing.pending?.count ?? 0)) hearing.pending = pending;
    if (!hearing.latest || isNewer(edge, hearing.latest)) hearing.latest = edge;
    if (status === "up") continue;
    if (since > hearing.badSince) hearing.badSince = since;
    if (edge.window && edge.window.firstBad < hearing.firstBad) hearing.firstBad = edge.window.firstBad;
    const worse = hearing.blaming?.damped.status !== status && status === "down";
    if (!hearing.blaming || worse) hearing.blaming = edge;
    if (edge.error !== null && (hearing.error === null || worse)) hearing.error = edge.error;
  }
  return hearing;
}

/** After the last check that any witness found good before the first bad one, and no later than that. */
function witnessedWindow({ firstBad }: Hearing, edges: Iterable<EdgeState>): FailureWindow | null {
  if (firstBad === Number.POSITIVE_INFINITY) return null;
  let lastGood: number | null = null;
  for (const { lastGood: good } of edges)
    if (good !== null && good !== undefined && good <= firstBad) lastGood = Math.max(lastGood ?? good, good);
  return { lastGood, firstBad };
}

function dispute(finding: Finding, edges: Iterable<EdgeState>): void {
  const hearing = hear(edges);
  const status = disputed(hearing.words);
  if (!status) return;
  finding.status = status;
  finding.since = Math.max(finding.since, hearing.badSince);
  finding.confirmed = disputed(hearing.certain) === status;
  finding.marks = new Set([...finding.marks, "disputed"]);
  finding.reason = `calls itself healthy, ${hearing.words.down} of ${hearing.words.total} dependents report it down`;
  finding.window = witnessedWindow(hearing, edges);
}

/** A resource, or a service that is not polled, from what its witnesses say. */
export function judgeWitnessed(
  before: NodeState,
  edges: Iterable<EdgeState>,
  maintenance: readonly Maintenance[] | undefined,
  moment: Moment,
): NodeState {
  const hearing = hear(edges);
  const { words, pending, latest } = hearing;
  const status = agreed(words);
  const trouble = status === "degraded" || status === "unhealthy";
  const soon = agreed(hearing.soon);
  let marks = NO_MARKS;
  if (hearing.flapping + hearing.intermittent > 0) {
    const half = (count: number): boolean => count * 2 >= words.total;
    marks = new Set([
      ...(half(hearing.flapping) ? ["flapping" as const] : []),
      ...(half(hearing.intermittent) ? ["intermittent" as const] : []),
    ]);
  }
  return settle(
    before,
    {
      status,
      since: words.total === 0 ? moment.now : trouble ? hearing.badSince : hearing.since,
      confirmed: agreed(hearing.certain) === status,
      pending: soon === status || !pending ? null : { status: soon, count: pending.count, needed: pending.needed },
      reason: witnessedReason(status, hearing),
      window: trouble ? witnessedWindow(hearing, edges) : null,
      marks,
      lastChecked: latest ? latest.checkedAt : before.lastChecked,
      stale: hearing.spoken && words.total === 0,
      latencyMs: latest ? latest.latencyMs : before.latencyMs,
      outcome: null,
      ownWord: null,
      coverage: null,
    },
    maintenance,
    moment,
  );
}

/** True when `edge` was checked later than the other, or at the same time and slower. */
function isNewer(edge: EdgeState, than: EdgeState): boolean {
  const [a, b] = [edge.checkedAt ?? -1, than.checkedAt ?? -1];
  return a > b || (a === b && (edge.latencyMs ?? -1) > (than.latencyMs ?? -1));
}

function witnessedReason(status: Status, { words, blaming, error, spoken }: Hearing): string | null {
  if (status === "healthy") return null;
  if (status === "unknown") return spoken ? "stale: no fresh word from its dependents" : "nothing has spoken of it yet";
  const word = words.down > 0 ? "down" : "degraded";
  const detail = error === null ? "" : `: ${error}`;
  if (words.total === 1) return `${blaming?.from ?? "its dependent"} reports it ${word}${detail}`;
  return `${words[word]} of ${words.total} dependents report it ${word}${detail}`;
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
