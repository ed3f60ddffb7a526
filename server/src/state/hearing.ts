import type { Maintenance } from "../domain/map.ts";
import type { EdgeState, FailureWindow, NodeState, Pending } from "../domain/state.ts";
import type { ComponentStatus, Status } from "../domain/status.ts";
import { type Moment, NO_MARKS, settle } from "./nodes.ts";
import { agreed, count, newTally, type Tally, tallyWords } from "./witnesses.ts";

const MOST_DOUBTED = 20;

/** All witnesses of one node, heard once. Only fresh statements with a known word count. */
export interface Hearing {
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

/** Hears every witness once. */
export function hear(edges: Iterable<EdgeState>): Hearing {
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
export function witnessedWindow({ firstBad }: Hearing, edges: Iterable<EdgeState>): FailureWindow | null {
  if (firstBad === Number.POSITIVE_INFINITY) return null;
  let lastGood: number | null = null;
  for (const { lastGood: good } of edges)
    if (good !== null && good !== undefined && good <= firstBad) lastGood = Math.max(lastGood ?? good, good);
  return { lastGood, firstBad };
}

/**
 * A resource, or a service that is not polled, from what its witnesses say. Where they disagree, a witness that
 * `blamesMost` of what it depends on speaks of its own side and is left out.
 */
export function judgeWitnessed(
  before: NodeState,
  edges: readonly EdgeState[],
  blamesMost: (reporter: string) => boolean,
  maintenance: readonly Maintenance[] | undefined,
  moment: Moment,
): NodeState {
  const all = hear(edges);
  const blamers = all.words.total - all.words.up;
  // More blamers than this, or than see it up, are shared trouble however much each of them blames.
  const doubtful = blamers > 0 && blamers <= Math.min(all.words.up, MOST_DOUBTED) && agreed(all.words) !== "healthy";
  const hearing = doubtful ? hear(edges.filter(({ from, damped }) => damped.status === "up" || !blamesMost(from))) : all;
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
      reason: witnessedReason(status, all),
      window: trouble ? witnessedWindow(hearing, edges) : null,
      marks,
      lastChecked: latest ? latest.checkedAt : before.lastChecked,
      stale: all.spoken && words.total === 0,
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

/** Who is left out of the judgement is counted all the same: they do say so. */
function witnessedReason(status: Status, { words, blaming, error, spoken }: Hearing): string | null {
  if (status === "healthy") return null;
  if (status === "unknown") return spoken ? "stale: no fresh word from its dependents" : "nothing has spoken of it yet";
  const detail = error === null ? "" : `: ${error}`;
  if (words.total === 1) return `${blaming?.from ?? "its dependent"} reports it ${words.down > 0 ? "down" : "degraded"}${detail}`;
  return `${tallyWords(words, "it")}${detail}`;
}
