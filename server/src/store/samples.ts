import type { Observation } from "../domain/observation.ts";
import { COMPONENT_STATUSES, type ComponentStatus, OUTCOMES, type Outcome, STATUSES, type Status } from "../domain/status.ts";
import { type Bytes, type Cursor, readVarint } from "./bytes.ts";

/** Samples are kept in slots of ten minutes, by the time at which the poll was asked. */
export const SLOT_MS = 600_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** Keys of the bulk tables: time first, so that they grow at the end and old time leaves in one piece. */
export const SERIES_SPACE = 2 ** 24;

export function slotOf(at: number): number {
  return Math.floor(at / SLOT_MS);
}

export function keyOf(slot: number, series: number): number {
  return slot * SERIES_SPACE + series;
}

/** What a dependency's check said, by the number of its name within the service. */
export interface DependencySample {
  n: number;
  status: ComponentStatus;
  latencyMs: number | null;
}

/** One poll as kept. `dependencies` are the last known ones of its slot; empty without a report. */
export interface PollSample {
  at: number;
  latencyMs: number;
  outcome: Outcome;
  /** The report's own word; null without a report. */
  status: Status | null;
  /** Series of the instance; null where the service has one only. */
  instance: number | null;
  httpStatus: number | null;
  /** `n * 4 + status` of each reported component. */
  words: readonly number[];
}

const INSTANCE = 1;
const HTTP = 2;
const WORDS = 4;
const NO_REPORT = STATUSES.length;

/**
 * One poll in five to six bytes: outcome, report's word, offset in the slot, latency in tenths of a millisecond; what is
 * unusual (another instance, an HTTP status but 200, components that changed their word) follows in an extra part.
 */
export function writePoll(into: Bytes, poll: PollSample, before: readonly number[] | null): void {
  const report = poll.status === null ? NO_REPORT : STATUSES.indexOf(poll.status);
  const usualHttp = poll.httpStatus === null || (poll.outcome === "report" && poll.httpStatus === 200);
  const changed = poll.status !== null && !sameWords(poll.words, before);
  const extra = (poll.instance === null ? 0 : INSTANCE) | (usualHttp ? 0 : HTTP) | (changed ? WORDS : 0);
  into.byte(OUTCOMES.indexOf(poll.outcome) | (report << 4) | (extra ? 128 : 0));
  into.varint(((poll.at % SLOT_MS) + SLOT_MS) % SLOT_MS);
  into.varint(tenths(poll.latencyMs));
  if (!extra) return;
  into.byte(extra);
  if (poll.instance !== null) into.varint(poll.instance);
  if (!usualHttp) into.varint(poll.httpStatus ?? 0);
  if (changed) {
    into.varint(poll.words.length);
    for (const word of poll.words) into.varint(word);
  }
}

/** The polls of one slot in the order in which they finished. */
export function readPolls(data: Uint8Array, slot: number): PollSample[] {
  const cursor: Cursor = { data, at: 0 };
  const polls: PollSample[] = [];
  let known: readonly number[] = [];
  while (cursor.at < data.length) {
    const first = data[cursor.at++] ?? 0;
    const at = slot * SLOT_MS + Math.floor(readVarint(cursor));
    const latencyMs = readVarint(cursor) / 10;
    const extra = first & 128 ? (data[cursor.at++] ?? 0) : 0;
    const outcome = OUTCOMES[first & 15] ?? "aborted";
    const status = STATUSES[(first >> 4) & 7] ?? null;
    const instance = extra & INSTANCE ? readVarint(cursor) : null;
    const httpStatus = extra & HTTP ? readVarint(cursor) : outcome === "report" ? 200 : null;
    if (extra & WORDS) known = Array.from({ length: readVarint(cursor) }, () => readVarint(cursor));
    polls.push({ at, latencyMs, outcome, status, instance, httpStatus, words: status === null ? [] : known });
  }
  return polls;
}

/** The dependencies of one poll, with the latencies of their checks. */
export function writeDependencies(into: Bytes, at: number, dependencies: readonly DependencySample[]): void {
  into.varint(((at % SLOT_MS) + SLOT_MS) % SLOT_MS);
  into.varint(dependencies.length);
  for (const one of dependencies) {
    into.varint((one.n << 3) | (COMPONENT_STATUSES.indexOf(one.status) << 1) | (one.latencyMs === null ? 0 : 1));
    if (one.latencyMs !== null) into.varint(tenths(one.latencyMs));
  }
}

/** Calls `visit` for each dependency of each poll of a slot: millions a day, so without an object for each. */
export function readDependencies(
  data: Uint8Array,
  slot: number,
  visit: (at: number, n: number, status: ComponentStatus, latencyMs: number | null) => void,
): void {
  const cursor: Cursor = { data, at: 0 };
  while (cursor.at < data.length) {
    const at = slot * SLOT_MS + readVarint(cursor);
    for (let left = readVarint(cursor); left > 0; left--) {
      const head = readVarint(cursor);
      const latencyMs = head & 1 ? readVarint(cursor) / 10 : null;
      visit(at, head >> 3, COMPONENT_STATUSES[(head >> 1) & 3] ?? "unknown", latencyMs);
    }
  }
}

/** A poll's latency where it brought a report, null where it failed; undefined for one that counts for nothing. */
export function countedLatency(poll: PollSample): number | null | undefined {
  if (poll.outcome === "aborted") return undefined;
  return poll.status === null ? null : poll.latencyMs;
}

/** The same for a dependency's check: without a latency it tells nothing, unless it failed. */
export function countedCheck(status: ComponentStatus, latencyMs: number | null): number | null | undefined {
  if (status === "down") return null;
  return status === "unknown" ? undefined : (latencyMs ?? undefined);
}

/** Status word of a reported component and its number, as `words` hold them. */
export function wordOf(n: number, status: ComponentStatus): number {
  return n * 4 + COMPONENT_STATUSES.indexOf(status);
}

/** The report's part of an observation. */
export function statusOf(observation: Observation): Status | null {
  return observation.report?.status ?? null;
}

function sameWords(a: readonly number[], b: readonly number[] | null): boolean {
  return b !== null && a.length === b.length && a.every((word, i) => word === b[i]);
}

/** Up to a day in tenths of a millisecond; what is no number counts as 0. */
function tenths(ms: number): number {
  return ms > 0 ? Math.min(864_000_000, Math.round(ms * 10)) : 0;
}
