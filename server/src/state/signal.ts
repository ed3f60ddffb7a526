import type { Signal, StaleCode } from "../domain/live.ts";

/** One polled instance as the signal sees it. Ages are milliseconds by the monotonic clock. */
export interface PolledInstance {
  interval: number;
  timeout: number;
  maxAge: number;
  /** Since the poll that brought its last report, or by the wall clock since a persisted one; null for none. */
  reportAgeMs: number | null;
  /** True when its last completed poll brought a report. */
  reports: boolean;
  /** Since the due time of its first poll that has not completed (`aborted` does not complete); null when none is due. */
  dueAgeMs: number | null;
  /** Since its last completed poll; null when none has completed yet. */
  completedAgeMs: number | null;
}

export interface SignalInput {
  /** From the configuration: `limit` null works it out, `overdueLimit` is a share, `writeLimit` milliseconds. */
  limits: { limit: number | null; overdueLimit: number; writeLimit: number };
  instances: Counted;
  /** Limit of the signal before this one; null for the first. */
  limitBefore: number | null;
  /** The newest poll that brought a report, persisted ones included; epoch ms and its age. */
  lastAnswerAt: number | null;
  answerAgeMs: number | null;
  blind: boolean;
  /** Age of the oldest completed poll that the published snapshot does not hold; null when it holds all. */
  unpublishedMs: number | null;
  lastWriteAt: number | null;
  writeAgeMs: number | null;
  /** Since the process started: stands in for the age of a write that never was. */
  uptimeMs: number;
}

const LEAST_LIMIT = 15_000;
const OVERDUE_SLACK = 5_000;
const OVERDUE_INTERVALS = 5;
const FROZEN = 15_000;

/** What the signal takes from all instances together. */
export interface Counted {
  instances: number;
  /** With a fresh report. */
  reporting: number;
  overdue: number;
  /** Some instance has not completed a poll for several intervals. */
  stuck: boolean;
  /** Limits for the age of the newest answer, milliseconds: by the shortest interval of those that report, and of all. */
  limitOfReporting: number | null;
  limitOfAll: number | null;
  /** For so many milliseconds nothing of this changes by time alone. */
  holdsMs: number;
}

/** Counts all instances; that is the dear part of the signal. */
export function countInstances(all: Iterable<PolledInstance>): Counted {
  let instances = 0;
  let reporting = 0;
  let overdue = 0;
  let stuck = false;
  let holdsMs = OVERDUE_SLACK;
  let fastest: PolledInstance | null = null;
  let fastestReporting: PolledInstance | null = null;
  for (const one of all) {
    instances++;
    if (one.reportAgeMs !== null && one.reportAgeMs <= one.maxAge) {
      reporting++;
      holdsMs = Math.min(holdsMs, one.maxAge - one.reportAgeMs);
    }
    const late = one.timeout + OVERDUE_SLACK - (one.dueAgeMs ?? 0);
    const left = OVERDUE_INTERVALS * one.interval - Math.max(one.dueAgeMs ?? 0, one.completedAgeMs ?? 0);
    if (one.dueAgeMs !== null && late < 0) overdue++;
    if (one.dueAgeMs !== null && left < 0) stuck = true;
    holdsMs = Math.max(0, Math.min(holdsMs, late, left));
    if (isFaster(one, fastest)) fastest = one;
    if (one.reports && isFaster(one, fastestReporting)) fastestReporting = one;
  }
  return { instances, reporting, overdue, stuck, limitOfReporting: limitOf(fastestReporting), limitOfAll: limitOf(fastest), holdsMs };
}

/** Whether this aggregator can be trusted right now, and if not, one code for each reason that holds. */
export function stalenessSignal(input: SignalInput): Signal {
  const { instances, reporting, overdue, stuck, limitOfReporting, limitOfAll } = input.instances;
  const limitMs = input.limits.limit ?? limitOfReporting ?? input.limitBefore ?? limitOfAll ?? LEAST_LIMIT;
  const holds: Record<StaleCode, boolean> = {
    no_answers: input.answerAgeMs !== null && input.answerAgeMs > limitMs,
    few_reporting: reporting * 2 < instances,
    overdue: overdue > input.limits.overdueLimit * instances || stuck,
    blind: input.blind,
    frozen: input.unpublishedMs !== null && input.unpublishedMs > FROZEN,
    history: (input.writeAgeMs ?? input.uptimeMs) > input.limits.writeLimit,
    starting: input.answerAgeMs === null,
    nothing_to_poll: instances === 0,
  };
  const because = (Object.keys(holds) as StaleCode[]).filter((code) => holds[code]);
  return {
    stale: because.length > 0,
    because,
    lastAnswerAt: input.lastAnswerAt,
    ageMs: input.answerAgeMs,
    limitMs,
    reporting,
    instances,
    overdue,
    lastWriteAt: input.lastWriteAt,
    writeAgeMs: input.writeAgeMs,
  };
}

/** Shorter interval, or the same with a longer timeout. */
function isFaster(one: PolledInstance, than: PolledInstance | null): boolean {
  return !than || one.interval < than.interval || (one.interval === than.interval && one.timeout > than.timeout);
}

function limitOf(instance: PolledInstance | null): number | null {
  return instance && Math.max(LEAST_LIMIT, 2 * instance.interval + instance.timeout);
}
