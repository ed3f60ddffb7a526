import { ensure } from "./ensure.ts";
import { addTally, emptyTally, percentiles, type Tally } from "./histogram.ts";
import type { History } from "./history.ts";
import { isOpen } from "./latency.ts";
import { addWitnessed, type Minutes, minutesOf } from "./minutes.ts";
import { readHour, readMinutes } from "./rows.ts";
import { DAY_MS, HOUR_MS, SERIES_SPACE, SLOT_MS } from "./samples.ts";
import { eachPart, HOURS, type Table } from "./tiers.ts";
import { ROLLED } from "./upkeep.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;
/** Rows that are read before others get their turn. */
const ROWS_A_TURN = 200;

/**
 * The 95th percentile of every node's latency over the hours of the last day, milliseconds: from hours where they are
 * rolled up, from minutes and open slots of the rest. Each table is read once from end to end, a few rows a turn.
 */
export function* dayPercentiles(history: History, to: number): Generator<void, Map<string, number>> {
  const tallies = new Map<number, Tally>();
  const of = (series: number): Tally => ensure(tallies, series, emptyTally);
  const first = Math.floor((to - DAY_MS) / HOUR_MS) + 1;
  const last = Math.floor(to / HOUR_MS);

  yield* eachRow(history, HOURS.packed, Math.floor(first / HOURS.per), Math.floor(last / HOURS.per), (pack, series, data) =>
    eachPart(HOURS, pack, data, (hour, part) => {
      if (hour >= first && hour <= last) readHour(part, of(series));
    }),
  );
  yield* eachRow(history, "hour", first, last, (_hour, series, data) => readHour(data, of(series)));
  const { sql } = history.connection;
  const rolled = new Set(sql("SELECT slot FROM done WHERE tier = ? AND slot >= ?").pluck().all(ROLLED, first) as number[]);
  for (let hour = first; hour <= last; hour++)
    if (!rolled.has(hour))
      yield* eachRow(history, "minute", hour * SLOTS_PER_HOUR, (hour + 1) * SLOTS_PER_HOUR - 1, (slot, series, data) => {
        if (!isOpen(history, slot)) readMinutes(data, () => of(series));
      });
  yield* addOpen(history, first * SLOTS_PER_HOUR, of);

  const found = new Map<string, number>();
  for (const [id, series] of history.names.all("node")) {
    const tally = tallies.get(series);
    const [p95 = null] = tally ? percentiles(tally, [0.95]) : [];
    if (p95 !== null) found.set(id, p95);
  }
  return found;
}

/** Rows of slots [from, to] in the order of their keys; never one statement across two turns, as that would keep writers out. */
function* eachRow(
  history: History,
  table: Table,
  from: number,
  to: number,
  visit: (slot: number, series: number, data: Uint8Array) => void,
): Generator<void> {
  const end = (to + 1) * SERIES_SPACE;
  for (let after = from * SERIES_SPACE - 1; ; yield) {
    // Asked anew each turn: meanwhile the file may have been opened again, and the statement of before is closed.
    const rows = history.connection.sql(`SELECT key, data FROM ${table} WHERE key > ? AND key < ? ORDER BY key LIMIT ${ROWS_A_TURN}`);
    const some = rows.all(after, end) as { key: number; data: Uint8Array }[];
    for (const { key, data } of some) visit(Math.floor(key / SERIES_SPACE), key % SERIES_SPACE, data);
    if (some.length < ROWS_A_TURN) return;
    after = some.at(-1)?.key ?? end;
  }
}

function* addOpen(history: History, first: number, of: (series: number) => Tally): Generator<void> {
  for (const { slot, nodes } of [...history.head.slots.values()]) {
    if (slot < first || !isOpen(history, slot)) continue;
    const witnessed = new Map<number, Minutes>();
    for (const [series, node] of nodes) {
      for (const tally of minutesOf(node, slot).values()) addTally(of(series), tally);
      addWitnessed(history.names, series, node, slot, witnessed);
      yield;
    }
    for (const [target, minutes] of witnessed) if (!nodes.has(target)) for (const tally of minutes.values()) addTally(of(target), tally);
  }
}
