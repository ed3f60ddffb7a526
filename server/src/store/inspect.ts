import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Connection } from "./database.ts";
import { logSize } from "./database.ts";
import { SCHEMA_VERSION } from "./migrations.ts";
import { HOUR_MS, SERIES_SPACE, SLOT_MS } from "./samples.ts";

/** Copies the database by SQLite's own backup, and checks the copy. Throws for a copy that cannot be written or is not whole. */
export async function copyDatabase({ db }: Connection, target: string): Promise<void> {
  // A writer elsewhere makes a backup in small steps begin again with each write: take the rest in one step.
  await db.backup(target, { progress: ({ remainingPages }) => Math.max(1, remainingPages) });
  const copy = new Sqlite(target, { fileMustExist: true });
  try {
    copy.pragma("journal_mode = DELETE");
    const found = copy.pragma("quick_check(1)", { simple: true });
    if (found !== "ok") throw new Error(`the history is damaged (${String(found)}): \`headwater doctor\` tells more`);
  } finally {
    copy.close();
  }
}

interface TableFacts {
  name: string;
  bytes: number;
  rows: number;
  /** Epoch milliseconds of the oldest and newest row, where rows have a time. */
  oldest: number | null;
  newest: number | null;
}

export interface Examination {
  file: string;
  bytes: number;
  logBytes: number;
  freeBytes: number;
  version: number;
  knownVersion: number;
  journal: string;
  /** What the check found; empty when all is well. */
  damage: string[];
  tables: TableFacts[];
  began: number | null;
  alive: number | null;
  gaps: number;
  /** Damaged files that were set aside before, by name. */
  setAside: string[];
}

/** Where a table's rows have their time: a column, or the slot in their key, of so many milliseconds. */
const TIMES: Record<string, string | number> = {
  transition: "at",
  gap: "start",
  incident: "opened_at",
  incident_version: "at",
  incident_event: "at",
  revision: "accepted_at",
  change: "at",
  work: "start",
  tail: SLOT_MS,
  raw: SLOT_MS,
  dep: SLOT_MS,
  minute: SLOT_MS,
  raw_pack: HOUR_MS / 2,
  minute_pack: HOUR_MS,
  hour: HOUR_MS,
  dep_hour: HOUR_MS,
  run: HOUR_MS,
  run_day: 24 * HOUR_MS,
  hour_pack: 24 * HOUR_MS,
  dep_pack: 24 * HOUR_MS,
};

/**
 * Reads the whole file: integrity, sizes, times; of a damaged one what can be read. `quick` leaves out what compares
 * indexes with their tables.
 */
export function examine(file: string, { db, sql }: Connection, quick: boolean): Examination {
  const damage: string[] = [];
  /** What a damaged part cannot tell is told as damage. */
  const attempt = <T>(what: string, read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      damage.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return otherwise;
    }
  };
  const pragma = (name: string): string => attempt(name, () => String(db.pragma(name, { simple: true })), "?");
  const check = attempt("check", () => db.pragma(quick ? "quick_check(20)" : "integrity_check(20)") as Record<string, string>[], []);
  damage.push(...check.map((row) => Object.values(row)[0] ?? "").filter((text) => text !== "ok"));
  const sizes = new Map(
    attempt(
      "sizes",
      () =>
        sql(
          "SELECT m.tbl_name AS name, sum(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_schema m ON m.name = s.name WHERE s.aggregate = true GROUP BY m.tbl_name",
        ).all() as { name: string; bytes: number }[],
      [],
    ).map((row) => [row.name, row.bytes]),
  );
  const names = attempt(
    "tables",
    () => sql("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as string[],
    [],
  );
  const meta = (key: string): number | null =>
    attempt("meta", () => (sql("SELECT value FROM meta WHERE key = ?").pluck().get(key) as number | undefined) ?? null, null);
  return {
    file,
    bytes: statSync(file).size,
    logBytes: logSize(file),
    freeBytes: Number(pragma("freelist_count")) * Number(pragma("page_size")) || 0,
    version: Number(pragma("user_version")),
    knownVersion: SCHEMA_VERSION,
    journal: pragma("journal_mode"),
    tables: names.flatMap((name) => attempt<TableFacts | null>(name, () => factsOf(sql, name, sizes.get(name) ?? 0), null) ?? []),
    began: meta("began"),
    alive: meta("alive"),
    gaps: attempt("gaps", () => sql("SELECT count(*) FROM gap").pluck().get() as number, 0),
    setAside: readdirSync(dirname(file)).filter(
      (name) => name.startsWith(`${basename(file)}.corrupt-`) && statSync(join(dirname(file), name)).isFile(),
    ),
    damage: [...new Set(damage)],
  };
}

function factsOf(sql: Connection["sql"], name: string, bytes: number): TableFacts {
  const time = TIMES[name];
  const column = typeof time === "string" ? time : "key";
  const range = time === undefined ? "NULL AS oldest, NULL AS newest" : `min(${column}) AS oldest, max(${column}) AS newest`;
  const row = sql(`SELECT count(*) AS rows, ${range} FROM "${name}"`).get() as {
    rows: number;
    oldest: number | null;
    newest: number | null;
  };
  const at = (value: number | null): number | null =>
    value === null || typeof time !== "number" ? value : Math.floor(value / SERIES_SPACE) * time;
  return { name, bytes, rows: row.rows, oldest: at(row.oldest), newest: at(row.newest) };
}
