import type { Range, Transition } from "../domain/history.ts";
import type { Report } from "../domain/observation.ts";
import type { Outcome } from "../domain/status.ts";
import { type HeldRow, transitionOf } from "./held.ts";
import type { History } from "./history.ts";
import { eachPoll } from "./latency.ts";
import { isReplaced } from "./lives.ts";
import type { PollSample } from "./polls.ts";
import { pollsOf, type Run, readRuns } from "./runs.ts";
import { reportOf } from "./said.ts";
import { DAY_MS, HOUR_MS, keyOf, SLOT_MS, slotOf } from "./samples.ts";
import { getRow, oldestKey, oldestSlot, RAW } from "./tiers.ts";

/** A poll as a recording holds it; `at` in epoch milliseconds. */
export interface ExportedPoll {
  at: number;
  service: string;
  instance: string;
  outcome: Outcome;
  httpStatus: number | null;
  latencyMs: number;
  /** By the HTTP `Age`; 0 for none. */
  httpAgeMs: number;
  report: Report | null;
}

/** From when on single polls are kept, though not of all nodes in the oldest half hour; null when there are none. */
function samplesSince(history: History): number | null {
  const open = [...history.head.slots.keys()];
  const kept = oldestSlot(history.connection, RAW);
  const slots = kept === null ? open : [...open, kept];
  return slots.length === 0 ? null : Math.min(...slots) * SLOT_MS;
}

/** From when on the single polls of all nodes are kept: those of the oldest rows leave a few nodes at a time. */
export function allSamplesSince(history: History): number | null {
  const since = samplesSince(history);
  const oldest = oldestKey(history.connection, RAW.packed);
  return since === null || oldest === null ? since : Math.max(since, (oldest + 1) * RAW.per * SLOT_MS);
}

/** From when on what polls said is kept, one by one or as runs; null when there is nothing. */
export function runsSince(history: History): number | null {
  const day = oldestKey(history.connection, "run_day");
  const hour = oldestKey(history.connection, "run");
  const kept = [day === null ? [] : day * DAY_MS, hour === null ? [] : hour * HOUR_MS, samplesSince(history) ?? []].flat();
  return kept.length === 0 ? null : Math.min(...kept);
}

/**
 * Every poll of a range in the order in which they were asked, ten minutes at a time in memory: from the polls
 * themselves while those are kept, before that from runs, whose latencies are those of their first poll.
 */
export function* pollsIn(history: History, range: Range): Generator<ExportedPoll> {
  const since = samplesSince(history) ?? range.to;
  const whole = allSamplesSince(history) ?? range.to;
  const first = Math.max(range.from, runsSince(history) ?? range.to);
  for (let slot = slotOf(first); slot <= slotOf(range.to - 1); slot++) {
    const part = { from: Math.max(range.from, slot * SLOT_MS), to: Math.min(range.to, (slot + 1) * SLOT_MS) };
    const polls: ExportedPoll[] = [];
    for (const [service, series] of history.names.all("node")) {
      const names = new Map(history.names.components(series).map((component) => [component.n, component.name]));
      const add = (poll: PollSample): void => {
        const { at, instance, outcome, httpStatus, latencyMs, httpAge } = poll;
        polls.push({
          at,
          service,
          instance: instance === null ? service : (history.names.key(instance)?.key ?? service),
          outcome,
          httpStatus,
          latencyMs,
          httpAgeMs: httpAge * 1_000,
          report: reportOf(poll, (n) => names.get(n)),
        });
      };
      const before = polls.length;
      if (part.to > since) eachPoll(history, series, part, add);
      // At the edge of retention some nodes have their samples and others do not any more.
      if (polls.length === before && part.from < whole)
        for (const run of runsIn(history, series, part)) for (const poll of pollsOf(run, part)) add(poll);
    }
    yield* polls.sort((a, b) => a.at - b.at);
  }
}

/** The runs of a node's day and of the hours of it that are not packed yet, which may hold polls of a range within an hour. */
function runsIn({ connection }: History, series: number, { from }: Range): Run[] {
  const day = Math.floor(from / DAY_MS);
  const hour = Math.floor(from / HOUR_MS);
  const packed = getRow(connection, "run_day", keyOf(day, series));
  const loose = getRow(connection, "run", keyOf(hour, series));
  return [...(packed ? readRuns(packed, day * DAY_MS) : []), ...(loose ? readRuns(loose, hour * HOUR_MS) : [])];
}

/** Changes of a range, oldest first, one at a time; of a time that was lived twice the later. */
export function* changesIn({ connection, names, memory }: History, { from, to }: Range): Generator<Transition> {
  const rows = connection.sql("SELECT * FROM transition WHERE at >= ? AND at < ? ORDER BY at, id").iterate(from, to) as Iterable<HeldRow>;
  for (const row of rows) {
    const transition = isReplaced(connection, memory.setBacks, row) ? null : transitionOf(names, row);
    if (transition) yield transition;
  }
}
