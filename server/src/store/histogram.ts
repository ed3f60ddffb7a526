import { type Bytes, type Cursor, readVarint } from "./bytes.ts";

/**
 * Latencies on a fixed logarithmic scale: eight buckets an octave from 0.1 ms up, each 9 % wide. The scale is the same
 * everywhere, so histograms of minutes add up to that of their hour, and a percentile is at most 4.5 % off.
 */
const PER_OCTAVE = 8;
const LOWEST_MS = 0.1;
const BUCKETS = 21 * PER_OCTAVE;

/** Polls of some span of time: those with an answer by latency, and the number without. */
export interface Tally {
  failed: number;
  /** Number of answers by bucket. */
  counts: Uint32Array;
}

export function emptyTally(): Tally {
  return { failed: 0, counts: new Uint32Array(BUCKETS) };
}

/** Bucket of a latency in milliseconds; below and above the scale, its ends. */
export function bucketOf(latencyMs: number): number {
  if (!(latencyMs > LOWEST_MS)) return 0;
  return Math.min(BUCKETS - 1, Math.floor(Math.log2(latencyMs / LOWEST_MS) * PER_OCTAVE));
}

/** The latency, in milliseconds, that stands for a bucket: its geometric middle. */
export function bucketMiddle(bucket: number): number {
  return LOWEST_MS * 2 ** ((bucket + 0.5) / PER_OCTAVE);
}

/** Counts one poll: its latency in milliseconds, or null for one without an answer. */
export function count(tally: Tally, latencyMs: number | null): void {
  if (latencyMs === null) tally.failed++;
  else add(tally.counts, bucketOf(latencyMs), 1);
}

/** Adds `other` into `tally`. */
export function addTally(tally: Tally, other: Tally): void {
  tally.failed += other.failed;
  for (let bucket = 0; bucket < BUCKETS; bucket++) add(tally.counts, bucket, other.counts[bucket] ?? 0);
}

/** Number of answers. */
export function answered({ counts }: Tally): number {
  let sum = 0;
  for (const n of counts) sum += n;
  return sum;
}

/** Nearest-rank percentiles in milliseconds, for shares in ascending order; null for each when nothing answered. */
export function percentiles(tally: Tally, shares: readonly number[]): (number | null)[] {
  const total = answered(tally);
  if (total === 0) return shares.map(() => null);
  let bucket = 0;
  let seen = tally.counts[0] ?? 0;
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    while (seen < rank && bucket < BUCKETS - 1) seen += tally.counts[++bucket] ?? 0;
    return round(bucketMiddle(bucket));
  });
}

/** The same from the latencies themselves, which it sorts. */
export function exactPercentiles(latencies: number[], shares: readonly number[]): (number | null)[] {
  latencies.sort((a, b) => a - b);
  return shares.map((share) => latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)] ?? null);
}

/** Three digits that count: more would pretend. */
function round(ms: number): number {
  return Number(ms.toPrecision(3));
}

/** One byte for most buckets: `(count - 1) << 3 | empty buckets before it`, with 7 for "a number follows". */
export function writeTally(into: Bytes, { failed, counts }: Tally): void {
  let filled = 0;
  for (const n of counts) if (n > 0) filled++;
  into.varint(failed);
  into.varint(filled);
  let next = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const n = counts[bucket] ?? 0;
    if (n === 0) continue;
    const skip = bucket - next;
    into.varint((n - 1) * 8 + Math.min(skip, 7));
    if (skip >= 7) into.varint(skip - 7);
    next = bucket + 1;
  }
}

/** Reads what `writeTally` wrote, adding it into `tally`. */
export function readTally(from: Cursor, tally: Tally): void {
  tally.failed += readVarint(from);
  let next = 0;
  for (let left = readVarint(from); left > 0; left--) {
    const token = readVarint(from);
    const skip = token % 8 === 7 ? readVarint(from) + 7 : token % 8;
    add(tally.counts, next + skip, Math.floor(token / 8) + 1);
    next += skip + 1;
  }
}

/** Goes past a tally without reading it. */
export function skipTally(from: Cursor): void {
  readVarint(from);
  for (let left = readVarint(from); left > 0; left--) if (readVarint(from) % 8 === 7) readVarint(from);
}

function add(counts: Uint32Array, bucket: number, n: number): void {
  counts[bucket] = (counts[bucket] ?? 0) + n;
}
