import { Bytes, type Cursor, readVarint } from "./bytes.ts";
import type { Connection } from "./database.ts";
import { keyOf, SERIES_SPACE } from "./samples.ts";

/**
 * A table of rows by slot and series, and the one that takes them once their time is over: all of one hour or day in one
 * row, so that a chart reads a few dozen rows and not thousands.
 */
export interface Tier {
  table: "raw" | "minute" | "hour" | "dep_hour";
  packed: "raw_pack" | "minute_pack" | "hour_pack" | "dep_pack";
  /** Slots of `table` in one of `packed`. */
  per: number;
}

/** Half an hour of polls: an hour of them is over half a page, which leaves the other half empty. */
export const RAW: Tier = { table: "raw", packed: "raw_pack", per: 3 };
export const MINUTES: Tier = { table: "minute", packed: "minute_pack", per: 6 };
export const HOURS: Tier = { table: "hour", packed: "hour_pack", per: 24 };
export const DEPENDENCY_HOURS: Tier = { table: "dep_hour", packed: "dep_pack", per: 24 };
export const TIERS = [RAW, MINUTES, HOURS, DEPENDENCY_HOURS] as const;

export type Table = Tier["table"] | Tier["packed"] | "dep" | "run" | "run_day";

export function putRow({ sql }: Connection, table: Table, key: number, data: Uint8Array): void {
  sql(`INSERT OR REPLACE INTO ${table}(key, data) VALUES(?, ?)`).run(key, data);
}

export function getRow({ sql }: Connection, table: Table, key: number): Uint8Array | null {
  const row = sql(`SELECT data FROM ${table} WHERE key = ?`).get(key) as { data: Uint8Array } | undefined;
  return row?.data ?? null;
}

/** Oldest slot with a row, packed or not, in slots of the tier's table; null without any. */
export function oldestSlot(connection: Connection, tier: Tier): number | null {
  const packed = oldestKey(connection, tier.packed);
  const loose = oldestKey(connection, tier.table);
  if (packed === null) return loose;
  return loose === null ? packed * tier.per : Math.min(loose, packed * tier.per);
}

/** Adds a part to a packed row: which slot of it, and its bytes. A slot may have several parts: they add up. */
export function addPart(into: Bytes, index: number, data: Uint8Array): void {
  into.byte(index);
  into.varint(data.length);
  into.append(data);
}

/** Calls `visit` for the parts of a packed row, with the slot of each. */
export function eachPart(tier: Tier, pack: number, data: Uint8Array, visit: (slot: number, part: Uint8Array) => void): void {
  const cursor: Cursor = { data, at: 0 };
  while (cursor.at < data.length) {
    const slot = pack * tier.per + (data[cursor.at++] ?? 0);
    const length = readVarint(cursor);
    visit(slot, data.subarray(cursor.at, cursor.at + length));
    cursor.at += length;
  }
}

/** A row of one series, by its slot. */
export type SlotRow = readonly [slot: number, data: Uint8Array];

/**
 * The rows of a series in slots [from, to), oldest first, those of one packed row at a time; a slot may come more than
 * once. Whoever reads may pause between: rows that are packed meanwhile are neither missed nor told twice, and the file
 * may be opened anew.
 */
export function* rowsOf(
  source: { readonly connection: Connection },
  tier: Tier,
  series: number,
  from: number,
  to: number,
): Generator<SlotRow[]> {
  const oldest = oldestSlot(source.connection, tier);
  if (oldest === null) return;
  const loose = oldestKey(source.connection, tier.table) ?? Number.POSITIVE_INFINITY;
  const start = Math.max(from, oldest);
  for (let pack = Math.floor(start / tier.per); pack * tier.per < to; pack++) {
    const rows: SlotRow[] = [];
    const data = getRow(source.connection, tier.packed, keyOf(pack, series));
    if (data)
      eachPart(tier, pack, data, (slot, part) => {
        if (slot >= start && slot < to) rows.push([slot, part]);
      });
    for (let slot = Math.max(start, pack * tier.per, loose); slot < Math.min(to, (pack + 1) * tier.per); slot++) {
      const row = getRow(source.connection, tier.table, keyOf(slot, series));
      if (row) rows.push([slot, row]);
    }
    if (rows.length > 0) yield rows;
  }
}

/** Packs the rows of the series that has the oldest one; false when none is ready by `isOver(pack)`. Inside a transaction. */
export function packNext(connection: Connection, tier: Tier, isOver: (pack: number) => boolean): boolean {
  const first = (connection.sql(`SELECT min(key) AS key FROM ${tier.table}`).get() as { key: number | null }).key;
  if (first === null) return false;
  const pack = Math.floor(Math.floor(first / SERIES_SPACE) / tier.per);
  if (!isOver(pack)) return false;
  const series = first % SERIES_SPACE;
  const into = new Bytes(1_024);
  const before = getRow(connection, tier.packed, keyOf(pack, series));
  if (before) into.append(before);
  const remove = connection.sql(`DELETE FROM ${tier.table} WHERE key = ?`);
  for (let index = 0; index < tier.per; index++) {
    const key = keyOf(pack * tier.per + index, series);
    const data = getRow(connection, tier.table, key);
    if (!data) continue;
    addPart(into, index, data);
    remove.run(key);
  }
  putRow(connection, tier.packed, keyOf(pack, series), into.view());
  return true;
}

/** Slot of a table's oldest row; null without any. */
export function oldestKey({ sql }: Connection, table: Table): number | null {
  const { key } = sql(`SELECT min(key) AS key FROM ${table}`).get() as { key: number | null };
  return key === null ? null : Math.floor(key / SERIES_SPACE);
}
