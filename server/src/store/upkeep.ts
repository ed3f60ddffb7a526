import { performance } from "node:perf_hooks";
import type { History } from "./history.ts";
import { getRow, putRow, type Table } from "./tiers.ts";

/** One step holds up the event loop for about this long, at most. */
const BUDGET_MS = 4;
/** A poll may end this long after the slot in which it was asked. */
export const GRACE_MS = 90_000;
/** What `done` tells: slots that are packed, hours that are rolled up. */
export const PACKED = 0;
export const ROLLED = 1;

/** What every kind of upkeep needs of the file; the connection may be replaced between steps. */
export interface Upkeep {
  readonly history: History;
  sql(text: string): ReturnType<History["connection"]["sql"]>;
  transaction(work: () => void): void;
  put(table: Table, key: number, data: Uint8Array): void;
  get(table: Table, key: number): Uint8Array | null;
  isDone(tier: number, slot: number): boolean;
  markDone(tier: number, slot: number): void;
  /** How often something was marked. */
  marks(): number;
  pages(name: "page_count" | "freelist_count" | "page_size"): number;
}

export function upkeepOf(history: History): Upkeep {
  const sql = (text: string) => history.connection.sql(text);
  let marks = 0;
  return {
    history,
    sql,
    transaction: (work) => history.connection.db.transaction(work).immediate(),
    put: (table, key, data) => putRow(history.connection, table, key, data),
    get: (table, key) => getRow(history.connection, table, key),
    isDone: (tier, slot) => sql("SELECT 1 FROM done WHERE tier = ? AND slot = ?").get(tier, slot) !== undefined,
    markDone(tier, slot) {
      marks++;
      sql("INSERT OR IGNORE INTO done(tier, slot) VALUES(?, ?)").run(tier, slot);
    },
    marks: () => marks,
    pages: (name) => Number(history.connection.db.pragma(name, { simple: true })),
  };
}

/** Says whether a step that begins now may go on. */
export function timeLeft(): () => boolean {
  const until = performance.now() + BUDGET_MS;
  return () => performance.now() < until;
}
