import Sqlite from "better-sqlite3";
import { startCheckpointer } from "./checkpoint.ts";
import { CHECKPOINT_AT, type Connection, connect, connectToMemory, isCorrupt, logSize, setAside } from "./database.ts";
import type { History } from "./history.ts";

/** What waits to be written, in the order in which it came. */
interface Job {
  weight: number;
  run(connection: Connection): void;
}

/** Transitions, incidents and events that wait while nothing can be written; beyond that the oldest are dropped. */
const JOBS = 100_000;
/** After this many failures in a row that waiting does not heal, the file is opened anew. */
const REOPEN_AFTER = 3;

/** What waits for the file, and how it gets there: in one transaction each time, or later. Throws for no storage error. */
export interface Queue {
  add(weight: number, run: Job["run"]): void;
  /** One transaction with all that waits, with samples where asked; false, with the reason kept, when the file does not take it. */
  transact(now: number, nodes: readonly string[], samples: boolean): boolean;
  /** The same at once where possible, without states and samples; while writing fails, with the next one that succeeds. */
  write(now: number): boolean;
  /** Something else met an error of the file. */
  failed(reason: unknown, now: number): void;
  waiting(): number;
  dropped(): number;
  lastWriteAt(): number | null;
  error(): string | null;
  isOpen(): boolean;
  close(): void;
}

/** `facts`: numbers that go with every transaction; `carryOver`: what memory still knows goes into a new, empty file. */
export function createQueue(
  history: History,
  facts: () => Iterable<[key: string, value: number | null]>,
  carryOver: (now: number) => Job,
): Queue {
  const { names, head, states } = history;
  const checkpointer = startCheckpointer(history.file);
  let jobs: Job[] = [];
  let waiting = 0;
  let dropped = 0;
  let error: string | null = null;
  let failures = 0;
  /** What waits holds something that the file refuses: each job is tried by itself, and what fails is dropped. */
  let careful = false;
  /** The file cannot be opened; an empty database in memory stands in for reads. */
  let detached = false;
  let closed = false;
  let lastWriteAt: number | null = null;

  /** One transaction with all that waits; false, with the reason kept, when the file does not take it. */
  function transact(now: number, nodes: readonly string[], samples: boolean): boolean {
    if (detached || history.connection.alone) reopen(now, false);
    if (detached) {
      failures++;
      return false;
    }
    const { connection } = history;
    try {
      connection.db
        .transaction(() => {
          for (const job of jobs) if (!careful) job.run(connection);
          if (careful) runEach(connection);
          if (samples) head.write(connection);
          states.write(connection, nodes);
          names.write(connection);
          const set = connection.sql("INSERT INTO meta(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value");
          for (const [key, value] of facts()) if (value !== null) set.run(key, value);
        })
        .immediate();
    } catch (reason) {
      failed(reason, now);
      return false;
    }
    jobs = [];
    waiting = 0;
    if (samples) head.written();
    names.written();
    states.written(nodes, now);
    lastWriteAt = now;
    if (samples && logSize(history.file) > CHECKPOINT_AT) checkpointer.run();
    if (error !== null) history.log("info", `The history is written again after ${failures} failed attempts.`);
    error = null;
    failures = 0;
    careful = false;
    history.failing = false;
    for (const [id, incident] of history.incidents) if (incident.status === "resolved") history.incidents.delete(id);
    return true;
  }

  function runEach(connection: Connection): void {
    for (const job of jobs)
      try {
        connection.db.transaction(() => job.run(connection))();
      } catch (reason) {
        dropped += job.weight;
        history.log("error", `A change could not be kept: ${describe(reason)}`);
      }
  }

  function failed(reason: unknown, now: number): void {
    const sentence = describe(reason);
    if (error !== sentence) history.log("error", `The history is not written: ${sentence}`);
    error = sentence;
    history.failing = true;
    failures++;
    if (!(reason instanceof Sqlite.SqliteError) || reason.code.startsWith("SQLITE_CONSTRAINT")) careful = true;
    else if (isCorrupt(reason) || (!heals(reason.code) && failures % REOPEN_AFTER === 0)) reopen(now, isCorrupt(reason));
  }

  /** Goes on with the file opened anew: a damaged one is put aside first. Closed before, as closing removes `-wal` by name. */
  function reopen(now: number, damaged: boolean): void {
    checkpointer.settle();
    history.connection.db.close();
    try {
      if (damaged) {
        const aside = setAside(history.file);
        history.log("error", `The history ${history.file} is damaged; it is kept as ${aside} and a new one has begun.`);
      }
      history.connection = connect(history.file, false);
      detached = false;
    } catch (reason) {
      error = describe(reason);
      history.connection = connectToMemory();
      detached = true;
      return;
    }
    if (history.connection.sql("SELECT 1 FROM series LIMIT 1").get() !== undefined) return;
    const first = carryOver(now);
    jobs.unshift(first);
    waiting += first.weight;
  }

  return {
    add(weight, run) {
      jobs.push({ weight, run });
      waiting += weight;
      while (waiting > JOBS && jobs.length > 1) {
        const oldest = jobs.shift();
        waiting -= oldest?.weight ?? 0;
        dropped += oldest?.weight ?? 0;
      }
    },
    transact,
    write: (now) => !closed && !history.failing && transact(now, [], false),
    failed,
    waiting: () => waiting,
    dropped: () => dropped,
    lastWriteAt: () => lastWriteAt,
    error: () => error,
    isOpen: () => !closed && !detached,
    close() {
      closed = true;
      checkpointer.close();
      try {
        history.connection.db.close();
      } catch {
        // A connection that an error already closed.
      }
    },
  };
}

/** Waiting heals it: another process lets go of its lock, or somebody makes room. */
function heals(code: string): boolean {
  return code.startsWith("SQLITE_BUSY") || code === "SQLITE_FULL";
}

/** One short sentence for people. */
function describe(reason: unknown): string {
  if (!(reason instanceof Sqlite.SqliteError)) return `writing failed (${reason instanceof Error ? reason.message : String(reason)}).`;
  const { code } = reason;
  if (code === "SQLITE_FULL") return "the disk is full.";
  if (code.startsWith("SQLITE_BUSY") || code === "SQLITE_LOCKED") return "the database is locked by another process.";
  if (code.startsWith("SQLITE_READONLY")) return "the database is read-only.";
  if (code.startsWith("SQLITE_IOERR") || code === "SQLITE_CANTOPEN") return `the disk reports errors (${code}).`;
  if (isCorrupt(reason)) return "the database is damaged.";
  return `writing failed (${code}).`;
}
