import type { DependencyLatency, LatencyPoint, Range } from "../domain/history.ts";
import { ensure } from "./ensure.ts";
import { addTally, count, emptyTally, type Tally } from "./histogram.ts";
import type { History } from "./history.ts";
import { bucketWidth, isOpen, point } from "./latency.ts";
import { readDependency } from "./rows.ts";
import { countedCheck, HOUR_MS, keyOf, readDependencies, SLOT_MS, slotOf } from "./samples.ts";
import { DEPENDENCY_HOURS, eachRow, getRow, oldestKey } from "./tiers.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;

/**
 * Latencies of the checks by which one service looks at one node: from the single checks while those are kept (an hour),
 * else from hours. `numbers`: the reported names that mean the node.
 */
export function dependencyLatency(
  history: History,
  service: number,
  numbers: ReadonlySet<number>,
  range: Range,
  maxPoints: number,
): DependencyLatency {
  const oldest = oldestKey(history.connection, "dep");
  const fine = oldest !== null && slotOf(range.from) >= oldest;
  const narrow = bucketWidth(range, maxPoints);
  const width = fine ? narrow : Math.max(narrow, HOUR_MS);
  const buckets = new Map<number, Tally>();
  const tallyAt = (at: number): Tally => ensure(buckets, Math.floor(Math.max(at, range.from) / width) * width, emptyTally);

  const rolled = new Set<number>();
  if (!fine)
    eachRow(
      history.connection,
      DEPENDENCY_HOURS,
      service,
      Math.floor(range.from / HOUR_MS),
      Math.ceil(range.to / HOUR_MS),
      (hour, data) => {
        rolled.add(hour);
        readDependency(data, numbers, tallyAt(hour * HOUR_MS));
      },
    );
  const kept = Math.min(oldest ?? Number.POSITIVE_INFINITY, ...history.head.slots.keys());
  for (let slot = Math.max(slotOf(range.from), kept); slot <= slotOf(range.to - 1); slot++) {
    if (rolled.has(Math.floor(slot / SLOTS_PER_HOUR))) continue;
    const data = isOpen(history, slot)
      ? history.head.slots.get(slot)?.nodes.get(service)?.dependencies.view()
      : getRow(history.connection, "dep", keyOf(slot, service));
    if (!data) continue;
    readDependencies(data, slot, (at, n, status, latencyMs) => {
      const latency = countedCheck(status, latencyMs);
      if (latency !== undefined && numbers.has(n) && at >= range.from && at < range.to) count(tallyAt(at), latency);
    });
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
