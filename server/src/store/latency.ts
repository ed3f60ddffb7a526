import type { LatencyPoint, Range } from "../domain/history.ts";
import type { Outcome } from "../domain/status.ts";
import { ensure } from "./ensure.ts";
import { answered, count, emptyTally, exactPercentiles, percentiles, type Tally } from "./histogram.ts";
import type { History } from "./history.ts";
import { countedLatency, type PollSample, readPolls } from "./polls.ts";
import { readHour, readMinutes } from "./rows.ts";
import { countedCheck, HOUR_MS, MINUTE_MS, readDependencies, SLOT_MS, slotOf } from "./samples.ts";
import { eachRow, HOURS, MINUTES, oldestSlot, RAW } from "./tiers.ts";
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

interface Bucket {
  tally: Tally;
  /** The latencies themselves, as long as all of the bucket came from samples. */
  exact: number[] | null;
}

/**
 * Latencies of a node in buckets: from the samples where buckets are narrower than a minute, else from minutes, hours
 * where those are gone or the buckets are that wide, and from memory for what is not packed yet.
 */
export function latencySeries(history: History, series: number, range: Range, width: number): LatencyPoint[] {
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
  const minutesFrom = Math.max(firstSlot, oldestSlot(connection, MINUTES) ?? endSlot);
  const samplesFrom = width < MINUTE_MS ? Math.max(minutesFrom, oldestSlot(connection, RAW) ?? endSlot) : endSlot;
  const hoursUntil = width >= HOUR_MS ? endSlot : minutesFrom;
  /** Hours that are shown from their row, whole, also where minutes of them are at hand. */
  const rolled = new Set<number>();
  const isRolled = (slot: number): boolean => rolled.has(Math.floor(slot / SLOTS_PER_HOUR));

  eachRow(connection, HOURS, series, Math.floor(firstSlot / SLOTS_PER_HOUR), Math.ceil(hoursUntil / SLOTS_PER_HOUR), (hour, data) => {
    rolled.add(hour);
    readHour(data, partAt(hour * HOUR_MS));
  });
  const sampled = new Set<number>();
  eachRow(connection, RAW, series, samplesFrom, endSlot, (slot, data) => {
    if (isRolled(slot) || isOpen(history, slot)) return;
    sampled.add(slot);
    for (const poll of readPolls(data, slot * SLOT_MS)) addSample(poll.at, countedLatency(poll));
  });
  eachRow(connection, MINUTES, series, minutesFrom, endSlot, (slot, data) => {
    if (isRolled(slot) || sampled.has(slot) || isOpen(history, slot)) return;
    readMinutes(data, (minute) => {
      const at = slot * SLOT_MS + minute * MINUTE_MS;
      return at + MINUTE_MS > range.from && at < range.to ? partAt(at) : null;
    });
  });
  for (const { slot, nodes } of history.head.slots.values()) {
    if (slot < firstSlot || slot >= endSlot || isRolled(slot)) continue;
    const own = nodes.get(series);
    if (own) for (const poll of readPolls(own.polls.view(), slot * SLOT_MS)) addSample(poll.at, countedLatency(poll));
    else for (const service of nodes.keys()) addChecks(history, service, series, slot, addSample);
  }
  return [...buckets].sort((a, b) => a[0] - b[0]).map(([at, bucket]) => point(at, bucket));
}

/** In the open slots, what one service says of a node that is not polled itself. */
function addChecks(
  history: History,
  service: number,
  target: number,
  slot: number,
  add: (at: number, ms: number | null | undefined) => void,
): void {
  const numbers = new Set(history.names.components(service).flatMap((one) => (one.target === target ? [one.n] : [])));
  const node = history.head.slots.get(slot)?.nodes.get(service);
  if (!node || numbers.size === 0) return;
  readDependencies(node.dependencies.view(), slot, (at, n, status, latencyMs) => {
    if (numbers.has(n)) add(at, countedCheck(status, latencyMs));
  });
}

/** Polls that brought no report, newest first, as far back as samples reach. */
export function failuresOf(history: History, series: number, range: Range, limit: number): { at: number; outcome: Outcome }[] {
  const failures: { at: number; outcome: Outcome }[] = [];
  eachPoll(history, series, range, (poll) => {
    if (poll.status === null && poll.outcome !== "aborted") failures.push({ at: poll.at, outcome: poll.outcome });
  });
  return failures.sort((a, b) => b.at - a.at).slice(0, limit);
}

/** All polls of a node that samples still tell of, packed, loose and open. */
export function eachPoll(history: History, series: number, range: Range, visit: (poll: PollSample) => void): void {
  const first = slotOf(range.from);
  const end = slotOf(range.to - 1) + 1;
  const some = (slot: number, data: Uint8Array): void => {
    for (const poll of readPolls(data, slot * SLOT_MS)) if (poll.at >= range.from && poll.at < range.to) visit(poll);
  };
  eachRow(history.connection, RAW, series, first, end, (slot, data) => {
    if (!isOpen(history, slot)) some(slot, data);
  });
  for (const { slot, nodes } of [...history.head.slots.values()].sort((a, b) => a.slot - b.slot)) {
    const open = nodes.get(series);
    if (open && slot >= first && slot < end) some(slot, open.polls.view());
  }
}

export function point(at: number, { tally, exact }: Bucket): LatencyPoint {
  const answers = answered(tally);
  const [p50 = null, p95 = null, p99 = null] = exact ? exactPercentiles(exact, SHARES) : percentiles(tally, SHARES);
  return { at, count: answers + tally.failed, failed: tally.failed, p50, p95, p99 };
}

/** A slot whose samples are all in memory: what the file may hold of it already are copies. */
export function isOpen({ connection, head }: History, slot: number): boolean {
  return head.slots.has(slot) && connection.sql("SELECT 1 FROM done WHERE tier = ? AND slot = ?").get(PACKED, slot) === undefined;
}
