import { OUTCOMES, type Outcome, STATUSES, type Status } from "../domain/status.ts";
import { type Bytes, type Cursor, readVarint } from "./bytes.ts";
import { tenths } from "./samples.ts";

/** What a report said, in small numbers; see `said.ts` for what they mean. Lists are empty without a report. */
export interface SaidSample {
  /** The report's own word, phase and manner. */
  said: number;
  /** Name and status of each component, in the order of the report. */
  words: readonly number[];
  /** Stated criticality and category of error, of the components that have one. */
  traits: readonly number[];
}

/** One poll as kept: all that a verdict needs. */
export interface PollSample extends SaidSample {
  at: number;
  latencyMs: number;
  outcome: Outcome;
  /** The report's status by its dialect's rules; null without a report. */
  status: Status | null;
  /** Series of the instance; null where the service has one only. */
  instance: number | null;
  httpStatus: number | null;
  /** Age of each component's check in tenths of a second, plus 1; 0 where nothing tells. Empty where none has an age. */
  ages: readonly number[];
  /** Seconds by the HTTP `Age`; 0 for none. */
  httpAge: number;
}

const INSTANCE = 1;
const HTTP = 2;
const WORDS = 4;
const SAID = 8;
const TRAITS = 16;
const AGES = 32;
const HTTP_AGE = 64;
const NO_REPORT = STATUSES.length;

/**
 * One poll in five to six bytes: outcome, report's status, milliseconds since `base`, latency in tenths of one; what is
 * unusual (another instance, an HTTP status but 200, what it says otherwise than `before`) and ages follow in an extra
 * part. Without `before` it is told whole, so that rows of the same slot can be joined.
 */
export function writePoll(into: Bytes, base: number, poll: PollSample, before: SaidSample | null): void {
  const report = poll.status === null ? NO_REPORT : STATUSES.indexOf(poll.status);
  const usualHttp = poll.httpStatus === null || (poll.outcome === "report" && poll.httpStatus === 200);
  const speaks = poll.status !== null;
  const extra =
    (poll.instance === null ? 0 : INSTANCE) |
    (usualHttp ? 0 : HTTP) |
    (speaks && !isSame(poll.words, before?.words) ? WORDS : 0) |
    (speaks && poll.said !== before?.said ? SAID : 0) |
    (speaks && !isSame(poll.traits, before?.traits) ? TRAITS : 0) |
    (poll.ages.length > 0 ? AGES : 0) |
    (poll.httpAge > 0 ? HTTP_AGE : 0);
  into.byte(OUTCOMES.indexOf(poll.outcome) | (report << 4) | (extra ? 128 : 0));
  into.varint(Math.max(0, Math.floor(poll.at - base)));
  into.varint(tenths(poll.latencyMs));
  if (!extra) return;
  into.byte(extra);
  if (poll.instance !== null) into.varint(poll.instance);
  if (!usualHttp) into.varint(poll.httpStatus ?? 0);
  if (extra & WORDS) writeList(into, poll.words);
  if (extra & SAID) into.varint(poll.said);
  if (extra & TRAITS) writeList(into, poll.traits);
  if (extra & AGES) writeList(into, poll.ages);
  if (extra & HTTP_AGE) into.varint(poll.httpAge);
}

/** The polls of some bytes in the order in which they were written. */
export function readPolls(data: Uint8Array, base: number): PollSample[] {
  const cursor: Cursor = { data, at: 0 };
  const polls: PollSample[] = [];
  let known = SILENT;
  while (cursor.at < data.length) {
    const poll = readPoll(cursor, base, known);
    if (poll.status !== null) known = poll;
    polls.push(poll);
  }
  return polls;
}

/**
 * Calls `visit` for the polls that brought no report, without making anything of the others: failures are few among the
 * thousands of polls of a day.
 */
export function readSilent(data: Uint8Array, base: number, visit: (at: number, outcome: Outcome) => void): void {
  const cursor: Cursor = { data, at: 0 };
  while (cursor.at < data.length) {
    const first = data[cursor.at++] ?? 0;
    const at = base + readVarint(cursor);
    readVarint(cursor);
    if (first & 128) skipExtra(cursor, data[cursor.at++] ?? 0);
    if (((first >> 4) & 7) === NO_REPORT) visit(at, OUTCOMES[first & 15] ?? "aborted");
  }
}

function skipExtra(cursor: Cursor, extra: number): void {
  for (const part of [INSTANCE, HTTP, WORDS, SAID, TRAITS, AGES, HTTP_AGE])
    if (extra & part) {
      const value = readVarint(cursor);
      if (part === WORDS || part === TRAITS || part === AGES)
        for (let left = Math.min(value, cursor.data.length); left > 0; left--) readVarint(cursor);
    }
}

/** What a poll without a report says. */
export const SILENT: SaidSample = { said: 0, words: [], traits: [] };

/** One poll; `known`: what the last one with a report said. */
export function readPoll(cursor: Cursor, base: number, known: SaidSample): PollSample {
  const { data } = cursor;
  const first = data[cursor.at++] ?? 0;
  const at = base + readVarint(cursor);
  const latencyMs = readVarint(cursor) / 10;
  const extra = first & 128 ? (data[cursor.at++] ?? 0) : 0;
  const outcome = OUTCOMES[first & 15] ?? "aborted";
  const status = STATUSES[(first >> 4) & 7] ?? null;
  const instance = extra & INSTANCE ? readVarint(cursor) : null;
  const httpStatus = extra & HTTP ? readVarint(cursor) : outcome === "report" ? 200 : null;
  const words = extra & WORDS ? readList(cursor) : known.words;
  const said = extra & SAID ? readVarint(cursor) : known.said;
  const traits = extra & TRAITS ? readList(cursor) : known.traits;
  const ages = extra & AGES ? readList(cursor) : [];
  const httpAge = extra & HTTP_AGE ? readVarint(cursor) : 0;
  return { at, latencyMs, outcome, status, instance, httpStatus, ages, httpAge, ...(status === null ? SILENT : { said, words, traits }) };
}

/** A poll's latency where it brought a report, null where it failed; undefined for one that counts for nothing. */
export function countedLatency(poll: PollSample): number | null | undefined {
  if (poll.outcome === "aborted") return undefined;
  return poll.status === null ? null : poll.latencyMs;
}

export function isSame(a: readonly number[], b: readonly number[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
}

function writeList(into: Bytes, list: readonly number[]): void {
  into.varint(list.length);
  for (const value of list) into.varint(value);
}

function readList(cursor: Cursor): number[] {
  // A length that the bytes cannot hold is damage: no list is longer than what is left.
  const length = Math.min(readVarint(cursor), cursor.data.length);
  return Array.from({ length }, () => readVarint(cursor));
}
