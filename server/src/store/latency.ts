import type { LatencyPoint, Range } from "../domain/history.ts";
import type { Outcome } from "../domain/status.ts";
import { ensure } from "./ensure.ts";
import type { HeadNode, HeadSlot } from "./head.ts";
import { answered, count, emptyTally, exactPercentiles, percentiles, type Tally } from "./histogram.ts";
import type { History } from "./history.ts";
import { lastLived } from "./lives.ts";
import { countedLatency, type PollSample, readPolls, readSilent } from "./polls.ts";
import { readHour, readMinutes } from "./rows.ts";
import { countedCheck, HOUR_MS, MINUTE_MS, readDependencies, SLOT_MS, slotOf } from "./samples.ts";
import { HOURS, MINUTES, oldestSlot, RAW, rowsOf } from "./tiers.ts";
import { PACKED } from "./upkeep.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;
const SHARES = [0.5, 0.95, 0.99] as const;
const SECOND = 1_000;
/** Widths that people read well; the range decides which. */
const WIDTHS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800].map(
  (seconds) => seconds * SECOND,
);

/** The narrowest width at which the range has at most `maxPoints` buckets, aligned to the epoch. */
export function bucketWidth({ from, to }: Range, maxPoints: number): number {
  const most = Math.max(1, maxPoints);
  const fits = (width: number): boolean => Math.ceil(to / width) - Math.floor(from / width) <= most;
  return WIDTHS.find(fits) ?? Math.ceil((to - from) / Math.max(1, most - 1) / 86_400_000) * 86_400_000;
}

/** A poll that brought no report. */
export interface Failure {
  at: number;
  outcome: Outcome;
}

interface Bucket {
  tally: Tally;
  /** The latencies themselves, as long as all of the bucket came from samples. */
  exact: number[] | null;
}

/**
 * Latencies of a node in buckets: from the samples where buckets are narrower than a minute, else from minutes, hours
 * where those are gone or the buckets are that wide, and from memory for what is not packed yet. A few rows a step; what
 * is in memory at the beginning is read from there, whatever becomes of it meanwhile.
 */
export function* latencySeries(history: History, series: number, range: Range, width: number): Generator<void, LatencyPoint[]> {
  const buckets = new Map<number, Bucket>();
  const bucketAt = (at: number): Bucket => {
    return ensure(buckets, Math.floor(at / width) * width, () => ({ tally: emptyTally(), exact: [] }));
  };
  const addSample = (at: number, latency: number | null | undefined): void => {
    if (latency === undefined || at < range.from || at >= range.to) return;
    const bucket = bucketAt(at);
    count(bucket.tally, latency);
    if (latency !== null) bucket.exact?.push(latency);
  };
  /** The tally that a minute or hour adds to. */
  const partAt = (at: number): Tally => {
    const bucket = bucketAt(Math.max(at, range.from));
    bucket.exact = null;
    return bucket.tally;
  };

  const { connection } = history;
  const firstSlot = slotOf(range.from);
  const endSlot = slotOf(range.to - 1) + 1;
  const { heads, open } = headsIn(history, firstSlot, endSlot);
  const minutesFrom = Math.max(firstSlot, oldestSlot(connection, MINUTES) ?? endSlot);
  const samplesFrom = width < MINUTE_MS ? Math.max(minutesFrom, oldestSlot(connection, RAW) ?? endSlot) : endSlot;
  const hoursUntil = width >= HOUR_MS ? endSlot : minutesFrom;
  /** Hours that are shown from their row, whole, also where minutes of them are at hand. */
  const rolled = new Set<number>();
  const isRolled = (slot: number): boolean => rolled.has(Math.floor(slot / SLOTS_PER_HOUR));

  for (const rows of rowsOf(history, HOURS, series, Math.floor(firstSlot / SLOTS_PER_HOUR), Math.ceil(hoursUntil / SLOTS_PER_HOUR))) {
    for (const [hour, data] of rows) {
      rolled.add(hour);
      readHour(data, partAt(hour * HOUR_MS));
    }
    yield;
  }
  const sampled = new Set<number>();
  for (const rows of rowsOf(history, RAW, series, samplesFrom, endSlot)) {
    for (const [slot, data] of rows) {
      if (isRolled(slot) || open.has(slot)) continue;
      sampled.add(slot);
      for (const poll of readPolls(data, slot * SLOT_MS)) addSample(poll.at, countedLatency(poll));
    }
    yield;
  }
  for (const rows of rowsOf(history, MINUTES, series, minutesFrom, endSlot)) {
    for (const [slot, data] of rows) {
      if (isRolled(slot) || sampled.has(slot) || open.has(slot)) continue;
      readMinutes(data, (minute) => {
        const at = slot * SLOT_MS + minute * MINUTE_MS;
        return at + MINUTE_MS > range.from && at < range.to ? partAt(at) : null;
      });
    }
    yield;
  }
  for (const { slot, nodes } of heads) {
    if (isRolled(slot)) continue;
    const own = nodes.get(series);
    if (own) for (const poll of readPolls(own.polls.view(), slot * SLOT_MS)) addSample(poll.at, countedLatency(poll));
    else
      for (const [service, node] of nodes) {
        const numbers = history.names.numbersOf(service, series);
        if (numbers.size === 0) continue;
        addChecks(node, numbers, slot, addSample);
        yield;
      }
  }
  return [...buckets].sort((a, b) => a[0] - b[0]).map(([at, bucket]) => point(at, bucket));
}

/** In an open slot, what one service says of a node that is not polled itself. */
function addChecks(
  node: HeadNode,
  numbers: ReadonlySet<number>,
  slot: number,
  add: (at: number, ms: number | null | undefined) => void,
): void {
  readDependencies(node.dependencies.view(), slot, (at, n, status, latencyMs) => {
    if (numbers.has(n)) add(at, countedCheck(status, latencyMs));
  });
}

/** Polls that brought no report, newest first, as far back as samples reach. */
export function* failuresOf(history: History, series: number, range: Range, limit: number): Generator<void, Failure[]> {
  const failures: Failure[] = [];
  const first = slotOf(range.from);
  const end = slotOf(range.to - 1) + 1;
  const { heads, open } = headsIn(history, first, end);
  const some = (slot: number, data: Uint8Array): void =>
    readSilent(data, slot * SLOT_MS, (at, outcome) => {
      if (outcome !== "aborted" && at >= range.from && at < range.to) failures.push({ at, outcome });
    });
  for (const rows of rowsOf(history, RAW, series, first, end)) {
    for (const [slot, data] of rows) if (!open.has(slot)) some(slot, data);
    yield;
  }
  for (const { slot, nodes } of heads) {
    const own = nodes.get(series);
    if (own) some(slot, own.polls.view());
  }
  return failures.sort((a, b) => b.at - a.at).slice(0, limit);
}

/** All polls of a node that samples still tell of, packed, loose and open; of a time that was lived twice the later. */
export function eachPoll(history: History, series: number, range: Range, visit: (poll: PollSample) => void): void {
  const first = slotOf(range.from);
  const end = slotOf(range.to - 1) + 1;
  const { heads, open } = headsIn(history, first, end);
  const polls = new Map<number, PollSample[]>();
  const some = (slot: number, data: Uint8Array): void => void ensure(polls, slot, () => []).push(...readPolls(data, slot * SLOT_MS));
  for (const rows of rowsOf(history, RAW, series, first, end)) for (const [slot, data] of rows) if (!open.has(slot)) some(slot, data);
  for (const { slot, nodes } of heads) {
    const own = nodes.get(series);
    if (own) some(slot, own.polls.view());
  }
  for (const [, written] of polls)
    for (const poll of lastLived(written, history.memory.setBacks)) if (poll.at >= range.from && poll.at < range.to) visit(poll);
}

export function point(at: number, { tally, exact }: Bucket): LatencyPoint {
  const answers = answered(tally);
  const [p50 = null, p95 = null, p99 = null] = exact ? exactPercentiles(exact, SHARES) : percentiles(tally, SHARES);
  return { at, count: answers + tally.failed, failed: tally.failed, p50, p95, p99 };
}

/**
 * Slots [first, end) of which something is in memory, oldest first; those in `open` are there whole. What memory holds of
 * the others came late, and is in no row yet.
 */
export function headsIn(history: History, first: number, end: number): { heads: HeadSlot[]; open: ReadonlySet<number> } {
  const heads = [...history.head.slots.values()].filter(({ slot }) => slot >= first && slot < end).sort((a, b) => a.slot - b.slot);
  return { heads, open: new Set(heads.flatMap(({ slot }) => (isOpen(history, slot) ? [slot] : []))) };
}

/** A slot whose samples are all in memory: what the file may hold of it already are copies. */
export function isOpen({ connection, head }: History, slot: number): boolean {
  return head.slots.has(slot) && connection.sql("SELECT 1 FROM done WHERE tier = ? AND slot = ?").get(PACKED, slot) === undefined;
}
