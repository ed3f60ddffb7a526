import type { Range } from "../domain/history.ts";
import { Bytes, type Cursor, readVarint } from "./bytes.ts";
import { isSame, type PollSample, readPoll, type SaidSample, SILENT, writePoll } from "./polls.ts";

/**
 * Polls of one instance that all brought the same, at even distances: the first of them, how many, and the time from the
 * first to the last. So kept, all polls of a quiet day are one run, and every change is exact.
 */
export interface Run {
  first: PollSample;
  count: number;
  spanMs: number;
}

/** One poll's distance from the last may differ from the usual by half of it. */
const UNEVEN = 0.5;
/** Ages below a minute make no difference: every limit is longer. Above it they do once they double. */
const YOUNG_TENTHS = 600;

/** The runs of some polls of one service, those that count for nothing left out; oldest first. */
export function runsOf(polls: readonly PollSample[]): Run[] {
  return joinRuns(polls.flatMap((first) => (first.outcome === "aborted" ? [] : [{ first, count: 1, spanMs: 0 }])));
}

/** Runs that go on where another of the same instance ends become one; oldest first. */
export function joinRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  const open = new Map<number | null, Run>();
  for (const run of [...runs].sort((a, b) => a.first.at - b.first.at)) {
    const last = open.get(run.first.instance);
    if (last && goesOn(last, run)) {
      last.spanMs = run.first.at + run.spanMs - last.first.at;
      last.count += run.count;
      continue;
    }
    const begun = { ...run };
    joined.push(begun);
    open.set(run.first.instance, begun);
  }
  return joined;
}

function goesOn(last: Run, next: Run): boolean {
  const gap = next.first.at - (last.first.at + last.spanMs);
  if (gap <= 0 || !saysTheSame(last.first, next.first)) return false;
  const step = last.count > 1 ? last.spanMs / (last.count - 1) : next.count > 1 ? next.spanMs / (next.count - 1) : gap;
  const nextStep = next.count > 1 ? next.spanMs / (next.count - 1) : step;
  return Math.abs(gap - step) <= step * UNEVEN && Math.abs(nextStep - step) <= step * UNEVEN;
}

function saysTheSame(a: PollSample, b: PollSample): boolean {
  return (
    a.outcome === b.outcome &&
    a.status === b.status &&
    a.httpStatus === b.httpStatus &&
    a.said === b.said &&
    a.httpAge > 0 === b.httpAge > 0 &&
    isSame(a.words, b.words) &&
    isSame(a.traits, b.traits) &&
    isSame(a.ages.map(ageClass), b.ages.map(ageClass))
  );
}

function ageClass(age: number): number {
  return age === 0 ? 0 : age <= YOUNG_TENTHS ? 1 : 2 + Math.floor(Math.log2(age / YOUNG_TENTHS));
}

/** The bytes of some runs; `base` lies before all of them, epoch milliseconds. */
export function writeRuns(base: number, runs: readonly Run[]): Uint8Array {
  const into = new Bytes(96);
  let before: SaidSample | null = null;
  for (const { first, count, spanMs } of runs) {
    into.varint(count - 1);
    if (count > 1) into.varint(spanMs);
    writePoll(into, base, first, before);
    if (first.status !== null) before = first;
  }
  return into.view();
}

/** Reads what `writeRuns` wrote, or several such rows of one base joined. */
export function readRuns(data: Uint8Array, base: number): Run[] {
  const cursor: Cursor = { data, at: 0 };
  const runs: Run[] = [];
  let known = SILENT;
  while (cursor.at < data.length) {
    const count = readVarint(cursor) + 1;
    const spanMs = count > 1 ? readVarint(cursor) : 0;
    const first = readPoll(cursor, base, known);
    if (first.status !== null) known = first;
    runs.push({ first, count, spanMs });
  }
  return runs;
}

/** The polls of a run that fall into a range, each at its time. */
export function* pollsOf({ first, count, spanMs }: Run, { from, to }: Range): Generator<PollSample> {
  const step = count > 1 ? spanMs / (count - 1) : 1;
  for (let n = Math.max(0, Math.ceil((from - first.at) / step)); n < count; n++) {
    const at = Math.round(first.at + n * step);
    if (at >= to) return;
    if (at >= from) yield n === 0 ? first : { ...first, at };
  }
}
