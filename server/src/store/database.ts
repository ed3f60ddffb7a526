import { accessSync, closeSync, constants, existsSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { ensure } from "./ensure.ts";
import { makeFolder } from "./folder.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "./migrations.ts";

export type Log = (level: "info" | "warn" | "error", text: string) => void;

/** Why the history cannot be opened: the data folder, a later Headwater's file, another process, another program's file. */
export type StoreOpenCode = "not_writable" | "newer" | "locked" | "foreign" | "missing" | "damaged" | "failed";

/** One sentence for people in `message`; nothing was changed on disk. */
export class StoreOpenError extends Error {
  readonly code: StoreOpenCode;
  constructor(code: StoreOpenCode, message: string) {
    super(message);
    this.name = "StoreOpenError";
    this.code = code;
  }
}

/** A database and its prepared statements, each prepared once. */
export interface Connection {
  readonly db: Sqlite.Database;
  /** The disk has no room for the index that processes share: nobody else can read the file, and it is to be opened anew. */
  readonly alone: boolean;
  sql(text: string): Sqlite.Statement<unknown[], unknown>;
}

/** An open file and what `read` made of it. */
export interface Opened<T> {
  content: T;
  /** Lets another process serve from this folder. */
  release(): void;
}

/** "HWdb", so that another program's SQLite file is recognised as such. */
const APPLICATION_ID = 0x48576462;
const DATABASE = "headwater.db";
/** Of `auto_vacuum`: space is given back when asked, a few pages at a time. */
const INCREMENTAL = 2;
/** How long a start waits for the lock; while running a write waits far less, as it holds up the event loop. */
const OPEN_WAIT_MS = 2_000;
const WRITE_WAIT_MS = 15;
/** Size of the log, in bytes, at which it is copied into the database; it is cut to that when it begins anew. */
export const CHECKPOINT_AT = 4 * 1024 * 1024;
/** Up to this size the whole file is checked at start; larger ones by `doctor`. */
const CHECK_UP_TO = 32 * 1024 * 1024;

/** The database's file for a data folder; a path that names a file is taken as it is. */
export function databaseFile(path: string): string {
  const full = resolve(path);
  const isFile = existsSync(full) ? statSync(full).isFile() : full.endsWith(".db");
  return isFile ? full : join(full, DATABASE);
}

/**
 * Opens, creating folder and file, and migrates; `read` makes of it what the caller needs. A file that is damaged, or
 * turns out so while it is read, is set aside and a new one begun. Throws `StoreOpenError`.
 */
export function openDatabase<T>(path: string, log: Log, read: (file: string, connection: Connection) => T): Opened<T> {
  const file = databaseFile(path);
  prepareFolder(dirname(file));
  refuseFolder(file);
  refuseNewer(peekVersion(file), file);
  const release = takeLock(file);
  const attempt = (): T => {
    const connection = connect(file, true);
    try {
      return read(file, connection);
    } catch (error) {
      connection.db.close();
      throw error;
    }
  };
  try {
    try {
      return { content: attempt(), release };
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      const aside = basename(setAside(file));
      log("error", `The history ${file} is damaged; it is kept as ${aside} and a new one has begun: what came before is not shown.`);
      return { content: attempt(), release };
    }
  } catch (error) {
    release();
    throw asOpenError(error, file);
  }
}

/** For commands beside a running server: reads only, takes no lock, changes nothing. Throws `StoreOpenError`. */
export function openForReading(path: string): { file: string; connection: Connection } {
  const file = databaseFile(path);
  if (!existsSync(file)) throw new StoreOpenError("missing", `There is no history at ${file}.`);
  refuseFolder(file);
  if (statSync(file).size === 0) throw new StoreOpenError("missing", `${file} is empty: there is no history yet.`);
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: OPEN_WAIT_MS });
    const connection = statements(db);
    try {
      refuseForeign(db, file);
      refuseNewer(Number(db.pragma("user_version", { simple: true })), file);
    } catch (error) {
      db.close();
      throw error;
    }
    return { file, connection };
  } catch (error) {
    throw asOpenError(error, file);
  }
}

/** True for a file of an earlier version, which lacks tables of this one: only the server brings it up to date. */
export function isEarlier({ db }: Connection): boolean {
  return Number(db.pragma("user_version", { simple: true })) < SCHEMA_VERSION;
}

/** Moves the file and its log out of the way, under a name with the time; returns the new name. */
export function setAside(file: string): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
  let aside = `${file}.corrupt-${stamp}`;
  for (let n = 2; existsSync(aside); n++) aside = `${file}.corrupt-${stamp}-${n}`;
  for (const suffix of ["", "-wal", "-shm"]) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  return aside;
}

/** Opens the file, at a start or again: after an I/O error, or when it was replaced. On a full disk for this process alone. */
export function connect(file: string, atStart: boolean): Connection {
  try {
    return openAs(file, atStart, false);
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || error.code !== "SQLITE_IOERR_SHMSIZE") throw error;
    return openAs(file, atStart, true);
  }
}

function openAs(file: string, atStart: boolean, alone: boolean): Connection {
  const db = new Sqlite(file, { timeout: atStart ? OPEN_WAIT_MS : WRITE_WAIT_MS });
  try {
    if (alone) db.pragma("locking_mode = EXCLUSIVE");
    refuseForeign(db, file);
    refuseNewer(Number(db.pragma("user_version", { simple: true })), file);
    if (atStart && statSync(file).size <= CHECK_UP_TO && db.pragma("quick_check(1)", { simple: true }) !== "ok")
      throw new Sqlite.SqliteError("quick_check failed", "SQLITE_CORRUPT");
    // Said again to a file that has it so already, it writes to the disk all the same.
    if (db.pragma("auto_vacuum", { simple: true }) !== INCREMENTAL) db.pragma(`auto_vacuum = ${INCREMENTAL}`);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.pragma(`journal_size_limit = ${CHECKPOINT_AT}`);
    // A thread copies the log far earlier; this is for when it cannot.
    db.pragma("wal_autocheckpoint = 8000");
    db.pragma("temp_store = MEMORY");
    migrate(db);
    db.pragma(`busy_timeout = ${WRITE_WAIT_MS}`);
    return statements(db, alone);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** An empty history in memory, for a while without a file. */
export function connectToMemory(): Connection {
  const db = new Sqlite(":memory:");
  migrate(db);
  return statements(db);
}

/** Bytes of the log beside the database. */
export function logSize(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** What can be done about a damaged file. */
export const AFTER_DAMAGE = "At its next start `headwater serve` keeps it aside and begins a new one; or put a backup in its place.";

/** True for errors that say the file itself is broken. */
export function isCorrupt(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && (error.code.startsWith("SQLITE_CORRUPT") || error.code === "SQLITE_NOTADB");
}

/** True for everything that SQLite or opening says is wrong with the file; anything else is a mistake of ours. */
export function isStoreError(error: unknown): boolean {
  return error instanceof StoreOpenError || error instanceof Sqlite.SqliteError;
}

function statements(db: Sqlite.Database, alone = false): Connection {
  const prepared = new Map<string, Sqlite.Statement<unknown[], unknown>>();
  return {
    db,
    alone,
    sql: (text) => ensure(prepared, text, () => db.prepare<unknown[], unknown>(text)),
  };
}

function migrate(db: Sqlite.Database): void {
  const from = Number(db.pragma("user_version", { simple: true }));
  if (from === SCHEMA_VERSION) return;
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(from)) db.exec(step);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  }).immediate();
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new StoreOpenError("not_writable", `The data folder ${folder} is not writable.`);
  }
}

/** The version in the file's header, without opening it as a database; 0 when there is none. */
function peekVersion(file: string): number {
  if (!existsSync(file)) return 0;
  const header = Buffer.alloc(64);
  try {
    const handle = openSync(file, "r");
    const read = readSync(handle, header, 0, 64, 0);
    closeSync(handle);
    return read === 64 && header.toString("latin1", 0, 15) === "SQLite format 3" ? header.readUInt32BE(60) : 0;
  } catch {
    throw new StoreOpenError("not_writable", `The history ${file} cannot be read.`);
  }
}

function refuseFolder(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new StoreOpenError("failed", `${file} is a folder, no history.`);
}

function refuseNewer(version: number, file: string): void {
  if (version > SCHEMA_VERSION)
    throw new StoreOpenError(
      "newer",
      `The history ${file} was written by a newer Headwater (version ${version}, this one knows ${SCHEMA_VERSION}); it was left untouched. Run that version, or put the backup of before its first start in place.`,
    );
}

function refuseForeign(db: Sqlite.Database, file: string): void {
  if (Number(db.pragma("application_id", { simple: true })) === APPLICATION_ID) return;
  const tables = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get();
  if (tables !== 0) throw new StoreOpenError("foreign", `${file} is a database of another program; it was left untouched.`);
}

/** A lock that the kernel drops with the process: an exclusive transaction on an empty database beside ours. */
function takeLock(file: string): () => void {
  let lock: Sqlite.Database | null = null;
  try {
    lock = new Sqlite(`${file}.lock`, { timeout: 0 });
    // A full disk has no room even for an empty journal.
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    throw asOpenError(error, file);
  }
}

/** What is wrong with the file, as one sentence. */
export function asOpenError(error: unknown, file: string): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  if (isCorrupt(error))
    return new StoreOpenError("damaged", `The history ${file} is damaged (${(error as Error).message}). ${AFTER_DAMAGE}`);
  const code = error instanceof Sqlite.SqliteError ? error.code : "";
  if (code.startsWith("SQLITE_BUSY")) return new StoreOpenError("locked", `The history ${file} is in use by another process.`);
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code === "SQLITE_PERM")
    return new StoreOpenError("not_writable", `The history ${file} is not writable.`);
  if (code === "SQLITE_FULL") return new StoreOpenError("not_writable", `The disk that holds ${file} is full.`);
  return new StoreOpenError("failed", `The history ${file} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`);
}
