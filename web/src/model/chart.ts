import type { NodeHistory } from "headwater/contract";
import { DAY, HOUR, latency, MINUTE } from "./time.ts";

export interface ChartRow {
  at: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

const MOST = 100_000;

/**
 * The latency series as rows. Between buckets further apart than two, and at the edges of every gap, stands a row
 * without values, so that no line is drawn over time we did not see.
 */
export function chartRows(history: Pick<NodeHistory, "latency" | "bucket_ms" | "gaps">): ChartRow[] {
  const rows: ChartRow[] = [];
  const none = { p50: null, p95: null, p99: null };
  let before: number | null = null;
  for (const point of history.latency) {
    const at = Date.parse(point.at);
    if (before !== null && at - before > history.bucket_ms * 2) rows.push({ at: before + history.bucket_ms, ...none });
    rows.push({ at, p50: point.p50, p95: point.p95, p99: point.p99 });
    before = at;
  }
  for (const gap of history.gaps) rows.push({ at: Date.parse(gap.from), ...none });
  return rows.sort((a, b) => a.at - b.at);
}

/** The powers of ten that hold all values, in milliseconds: at least one decade. */
export function chartRange(rows: readonly ChartRow[]): [number, number] {
  let low = MOST;
  let high = 1;
  for (const row of rows) {
    for (const value of [row.p50, row.p95, row.p99]) {
      if (value === null) continue;
      low = Math.min(low, Math.max(1, value));
      high = Math.max(high, value);
    }
  }
  if (low > high) return [1, 1_000];
  const floor = 10 ** Math.floor(Math.log10(low));
  return [floor, Math.max(floor * 10, Math.min(MOST, 10 ** Math.ceil(Math.log10(high))))];
}

/**
 * Words at the lines' ends: lines that end closer than `apart` (a share of the scale, which is logarithmic) share one.
 */
export function endLabels(last: ChartRow, [low, high]: readonly [number, number], apart: number): { value: number; text: string }[] {
  const labels: { value: number; names: string[] }[] = [];
  for (const name of ["p50", "p95", "p99"] as const) {
    const value = last[name];
    if (value === null) continue;
    const before = labels.at(-1);
    if (before && Math.log(value / before.value) / Math.log(high / low) < apart) before.names.push(name);
    else labels.push({ value, names: [name] });
  }
  return labels.map(({ value, names }) => ({
    value,
    text: `${names.length > 1 ? `${names[0]} to ${names.at(-1)}` : names[0]} ${latency(value)}`,
  }));
}

const STEPS = [MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY];
const LONGEST = 5 * DAY;
const TICKS = 7;

/** Round moments from a little after `from` to `to`, epoch milliseconds, equally far apart: seven at most within a month. */
export function timeTicks(from: number, to: number): number[] {
  const step = STEPS.find((one) => (to - from) / one <= TICKS) ?? LONGEST;
  const ticks: number[] = [];
  for (let tick = Math.ceil((from + (to - from) / 25) / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

/** A tick at every power of ten. */
export function latencyTicks(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let tick = low; tick <= high; tick *= 10) ticks.push(tick);
  return ticks;
}
