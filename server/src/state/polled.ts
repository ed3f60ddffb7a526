import type { Maintenance, ServiceNode } from "../domain/map.ts";
import type { EdgeState, FailureWindow, InstanceState, NodeState, Pending } from "../domain/state.ts";
import { type Mark, type Status, worstStatus } from "../domain/status.ts";
import { isCutOff } from "./blind.ts";
import { hear, witnessedWindow } from "./hearing.ts";
import { combineInstances, lastEvidence } from "./instances.ts";
import { type Finding, isOld, type Moment, NO_MARKS, settle } from "./nodes.ts";
import { disputed, tallyWords } from "./witnesses.ts";

/**
 * Since when a service that calls itself healthy is well, as far as that ends a blame: while a dispute stands nothing does.
 * What was said before its first good answer is of before, in whatever order the two come.
 */
function wellSince(before: NodeState, finding: Finding): number {
  if (before.marks.includes("disputed")) return Number.NEGATIVE_INFINITY;
  if (before.status === "healthy") return before.since;
  return finding.since;
}

/**
 * What a witness says of a service that is well since then: nothing by what it saw before, for of a service that mends its
 * callers know only later; who blamed it before and has looked again speaks by its newest word, confirmed or not.
 */
function saidSince(edge: EdgeState, well: number): EdgeState[] {
  const { damped, checkedAt } = edge;
  if (damped.status === "up") return [edge];
  if ((checkedAt ?? 0) < well) return [];
  if (damped.since >= well || damped.raw === damped.status) return [edge];
  return damped.raw === "unknown" ? [] : [{ ...edge, damped: { ...damped, status: damped.raw } }];
}

/** A polled service from its instances, and from those who call it: a probe that lies is disputed. */
export function judgePolled(
  before: NodeState,
  node: ServiceNode,
  instances: readonly InstanceState[],
  witnesses: readonly EdgeState[],
  maintenance: readonly Maintenance[] | undefined,
  moment: Moment,
): NodeState {
  const only = instances.length === 1 ? (instances[0] as InstanceState) : null;
  const finding = only ? fromOne(only) : fromSeveral(node, instances);
  finding.stale = isOld(finding.lastChecked, node.maxAge, moment.now);
  if (finding.status === "healthy" && !moment.blind) {
    const well = wellSince(before, finding);
    dispute(
      finding,
      witnesses.flatMap((edge) => saidSince(edge, well)),
    );
  }
  // Healthy again by what its callers say: it has been so since the last of them did, not since its own word.
  if (finding.status === "healthy" && before.marks.includes("disputed")) finding.since = Math.max(finding.since, hear(witnesses).since);
  if (moment.cannotTell && finding.status === "unknown" && finding.reason && instances.every(({ outcome }) => isCutOff(outcome)))
    finding.reason = `${finding.reason}; cannot tell us from them`;
  return settle(before, finding, maintenance, moment);
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

/** Not asked yet, or not since it was lost to age or blindness: right after a start, a gap or a reload it is not silent. */
function isUnheard({ lastPollAt, damped }: InstanceState): boolean {
  return lastPollAt === null || (damped.status === "unknown" && lastPollAt < damped.since);
}

function fromSeveral(node: ServiceNode, all: readonly InstanceState[]): Finding {
  const polled = all.filter((instance) => !isUnheard(instance));
  const instances = polled.length > 0 ? polled : all;
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
    coverage: { known: coverage.known, total: coverage.total + all.length - instances.length },
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
  const hearing = hear(edges);
  const status = disputed(hearing.words);
  if (!status) return;
  finding.status = status;
  finding.since = Math.max(finding.since, hearing.badSince);
  finding.confirmed = disputed(hearing.certain) === status;
  finding.marks = new Set([...finding.marks, "disputed"]);
  finding.reason = `calls itself healthy, ${tallyWords(hearing.words, "it")}`;
  finding.window = witnessedWindow(hearing, edges);
}
