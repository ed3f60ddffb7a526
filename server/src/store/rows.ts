import { Bytes, type Cursor, readVarint } from "./bytes.ts";
import { ensure } from "./ensure.ts";
import { count, emptyTally, readTally, skipTally, type Tally, writeTally } from "./histogram.ts";
import { countedCheck, MINUTE_MS, readDependencies, SLOT_MS, slotOf } from "./samples.ts";

/** Row of a slot's minutes: each the minute's number in its slot, then its tally. */
export function writeMinutes(tallies: ReadonlyMap<number, Tally>): Uint8Array {
  const into = new Bytes(160);
  for (const [minute, tally] of [...tallies].sort((a, b) => a[0] - b[0])) {
    into.byte(minute);
    writeTally(into, tally);
  }
  return into.view();
}

/** Adds each minute of a row into the tally that `into` names for it; null leaves it out. */
export function readMinutes(data: Uint8Array, into: (minute: number) => Tally | null): void {
  const cursor: Cursor = { data, at: 0 };
  while (cursor.at < data.length) readTally(cursor, into(data[cursor.at++] ?? 0) ?? emptyTally());
}

/** Row of one node's hour. */
export function writeHour(own: Tally): Uint8Array {
  const into = new Bytes(96);
  writeTally(into, own);
  return into.view();
}

/** Adds an hour row into `own`. */
export function readHour(data: Uint8Array, own: Tally): void {
  readTally({ data, at: 0 }, own);
}

/** Row of one service's hour of dependencies, by the number of the reported name. */
export function writeDependencyHour(dependencies: ReadonlyMap<number, Tally>): Uint8Array {
  const into = new Bytes(512);
  for (const [n, tally] of dependencies) {
    into.varint(n);
    writeTally(into, tally);
  }
  return into.view();
}

/** Adds the row's tallies into `dependencies`. */
export function readDependencyHour(data: Uint8Array, dependencies: Map<number, Tally>): void {
  const cursor: Cursor = { data, at: 0 };
  while (cursor.at < data.length) {
    const n = readVarint(cursor);
    readTally(cursor, ensure(dependencies, n, emptyTally));
  }
}

/** Adds the tallies of some numbers only into one. */
export function readDependency(data: Uint8Array, numbers: ReadonlySet<number>, into: Tally): void {
  const cursor: Cursor = { data, at: 0 };
  while (cursor.at < data.length) {
    if (numbers.has(readVarint(cursor))) readTally(cursor, into);
    else skipTally(cursor);
  }
}

/** Adds a slot's dependency checks to the tallies by number of the reported name. */
export function addDependencies(data: Uint8Array, slot: number, into: Map<number, Tally>): void {
  readDependencies(data, slot, (_at, n, status, latencyMs) => {
    const latency = countedCheck(status, latencyMs);
    if (latency !== undefined) count(ensure(into, n, emptyTally), latency);
  });
}

/** Number of a moment's minute within its slot. */
export function minuteOf(at: number): number {
  return Math.floor((at - slotOf(at) * SLOT_MS) / MINUTE_MS);
}
