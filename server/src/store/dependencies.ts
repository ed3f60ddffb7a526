import type { DependencyLatency, LatencyPoint, Range } from "../domain/history.ts";
import { ensure } from "./ensure.ts";
import { addTally, count, emptyTally, type Tally } from "./histogram.ts";
import type { History } from "./history.ts";
import { bucketWidth, headsIn, point } from "./latency.ts";
import { readDependency } from "./rows.ts";
import { countedCheck, HOUR_MS, keyOf, readDependencies, SLOT_MS, slotOf } from "./samples.ts";
import { DEPENDENCY_HOURS, getRow, oldestKey, rowsOf } from "./tiers.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;

/**
 * Latencies of the checks by which one service looks at one node: from the single checks while those are kept (an hour),
 * else from hours. `numbers`: the reported names that mean the node.
 */
export function* dependencyLatency(
  history: History,
  service: number,
  numbers: ReadonlySet<number>,
  range: Range,
  maxPoints: number,
): Generator<void, DependencyLatency> {
  const oldest = oldestKey(history.connection, "dep");
  const fine = oldest !== null && slotOf(range.from) >= oldest;
  const narrow = bucketWidth(range, maxPoints);
  const width = fine ? narrow : Math.max(narrow, HOUR_MS);
  const buckets = new Map<number, Tally>();
  const tallyAt = (at: number): Tally => ensure(buckets, Math.floor(Math.max(at, range.from) / width) * width, emptyTally);

  const rolled = new Set<number>();
  const open = headsIn(history, slotOf(range.from), slotOf(range.to - 1) + 1);
  const heads = new Map(open.heads.map((head) => [head.slot, head]));
  const kept = Math.min(oldest ?? Number.POSITIVE_INFINITY, ...heads.keys());
  const [first, last] = [Math.floor(range.from / HOUR_MS), Math.ceil(range.to / HOUR_MS)];
  if (!fine)
    for (const rows of rowsOf(history, DEPENDENCY_HOURS, service, first, last)) {
      for (const [hour, data] of rows) {
        rolled.add(hour);
        readDependency(data, numbers, tallyAt(hour * HOUR_MS));
      }
      yield;
    }
  for (let slot = Math.max(slotOf(range.from), kept); slot <= slotOf(range.to - 1); slot++) {
    if (rolled.has(Math.floor(slot / SLOTS_PER_HOUR))) continue;
    const late = heads.get(slot)?.nodes.get(service)?.dependencies.view();
    const row = open.open.has(slot) ? null : getRow(history.connection, "dep", keyOf(slot, service));
    for (const data of [row, late]) {
      if (!data) continue;
      readDependencies(data, slot, (at, n, status, latencyMs) => {
        const latency = countedCheck(status, latencyMs);
        if (latency !== undefined && numbers.has(n) && at >= range.from && at < range.to) count(tallyAt(at), latency);
      });
    }
    yield;
  }

  const whole = emptyTally();
  const points: LatencyPoint[] = [];
  for (const [at, tally] of [...buckets].sort((a, b) => a[0] - b[0])) {
    const one = point(at, { tally, exact: null });
    if (one.count === 0) continue;
    addTally(whole, tally);
    points.push(one);
  }
  return { bucket: width, latency: points, whole: point(range.from, { tally: whole, exact: null }) };
}
