import Sqlite from "better-sqlite3";
import { Checkpointer } from "./checkpoint.ts";
import { CHECKPOINT_AT, type Connection, connect, connectToMemory, isCorrupt, logSize, setAside } from "./database.ts";
import type { History } from "./history.ts";

/** What waits to be written, in the order in which it came. */
export interface Job {
  weight: number;
  run(connection: Connection): void;
}

/** What the file tells of the whole history; not written where there is none. */
export type Fact = readonly [key: string, value: number | string | null];

/** Transitions, incidents and events that wait while nothing can be written; beyond that the oldest are dropped. */
const JOBS = 100_000;
/** Upkeep that finds the thread writing waits so long, so that whoever asks for all of it does not ask without a rest. */
const PAUSE_MS = 1;
/** After this many failures in a row that waiting does not heal, the file is opened anew. */
const REOPEN_AFTER = 3;

/** What waits for the file, and how it gets there: in one transaction each time, or later. Throws for no storage error. */
export class Queue {
  readonly #history: History;
  readonly #facts: () => Iterable<Fact>;
  readonly #carryOver: (now: number) => Job;
  readonly #checkpointer: Checkpointer;
  #jobs: Job[] = [];
  #waiting = 0;
  #dropped = 0;
  #error: string | null = null;
  #failures = 0;
  /** What waits holds something that the file refuses: each job is tried by itself, and what fails is dropped. */
  #careful = false;
  /** The file cannot be opened; an empty database in memory stands in for reads. */
  #detached = false;
  #closed = false;
  #lastWriteAt: number | null = null;
  /** The flush that waits for the thread that begins the log anew. */
  #putOff: { now: number; nodes: readonly string[] } | null = null;

  /** `facts` go with every transaction; `carryOver`: what memory still knows goes into a new, empty file. */
  constructor(history: History, facts: () => Iterable<Fact>, carryOver: (now: number) => Job) {
    this.#history = history;
    this.#facts = facts;
    this.#carryOver = carryOver;
    this.#checkpointer = new Checkpointer(history.file, () => this.#catchUp());
  }

  add(weight: number, run: Job["run"]): void {
    this.#jobs.push({ weight, run });
    this.#waiting += weight;
    while (this.#waiting > JOBS && this.#jobs.length > 1) {
      const oldest = this.#jobs.shift();
      this.#waiting -= oldest?.weight ?? 0;
      this.#dropped += oldest?.weight ?? 0;
    }
  }

  /** All that waits, with samples, in one transaction; as soon as the log may be written, where it is begun anew right now. */
  flush(now: number, nodes: readonly string[]): void {
    if (this.#checkpointer.writes()) this.#putOff = { now, nodes };
    else this.transact(now, nodes, true);
  }

  /** All that waits at once where possible, without states and samples; while writing fails, with the next one that succeeds. */
  write(now: number): boolean {
    return !this.#closed && !this.#history.failing && this.transact(now, [], false);
  }

  /** A step of upkeep, which writes on its own; true while there is more to do, as where the log is begun anew right now. */
  upkeep(now: number, step: () => boolean): boolean {
    if (this.#checkpointer.writes(PAUSE_MS)) return true;
    try {
      return this.#checkpointer.without(step);
    } catch (reason) {
      this.#failed(reason, now);
      return false;
    }
  }

  /** One transaction with all that waits, with samples where asked; false, with the reason kept, when the file does not take it. */
  transact(now: number, nodes: readonly string[], samples: boolean): boolean {
    const history = this.#history;
    if (this.#detached || history.connection.alone) this.#reopen(now, false);
    if (this.#detached) {
      this.#failures++;
      return false;
    }
    try {
      this.#checkpointer.without(() => history.connection.db.transaction(() => this.#put(nodes, samples)).immediate());
    } catch (reason) {
      this.#failed(reason, now);
      return false;
    }
    this.#written(now, nodes, samples);
    return true;
  }

  waiting(): number {
    return this.#waiting;
  }

  dropped(): number {
    return this.#dropped;
  }

  lastWriteAt(): number | null {
    return this.#lastWriteAt;
  }

  error(): string | null {
    return this.#error;
  }

  isOpen(): boolean {
    return !this.#closed && !this.#detached;
  }

  close(): void {
    this.#closed = true;
    this.#checkpointer.close();
    try {
      this.#history.connection.db.close();
    } catch {
      // A connection that an error already closed.
    }
  }

  #put(nodes: readonly string[], samples: boolean): void {
    const { connection, head, names, states } = this.#history;
    if (this.#careful) this.#runEach(connection);
    else for (const job of this.#jobs) job.run(connection);
    if (samples) head.write(connection);
    states.write(connection, nodes);
    names.write(connection);
    const set = connection.sql("INSERT INTO meta(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value");
    for (const [key, value] of this.#facts()) if (value !== null) set.run(key, value);
  }

  #written(now: number, nodes: readonly string[], samples: boolean): void {
    const { head, names, states, incidents, file, log } = this.#history;
    this.#jobs = [];
    this.#waiting = 0;
    if (samples) head.written();
    names.written();
    states.written(nodes, now);
    this.#lastWriteAt = now;
    if (samples && logSize(file) > CHECKPOINT_AT) this.#checkpointer.run();
    if (this.#error !== null) log("info", `The history is written again after ${this.#failures} failed attempts.`);
    this.#error = null;
    this.#failures = 0;
    this.#careful = false;
    this.#history.failing = false;
    for (const [id, incident] of incidents) if (incident.status === "resolved") incidents.delete(id);
  }

  /** The flush that was put off. */
  #catchUp(): void {
    const due = this.#putOff;
    this.#putOff = null;
    if (due && !this.#closed) this.transact(due.now, due.nodes, true);
  }

  #runEach(connection: Connection): void {
    for (const job of this.#jobs)
      try {
        connection.db.transaction(() => job.run(connection))();
      } catch (reason) {
        this.#dropped += job.weight;
        this.#history.log("error", `A change could not be kept: ${describe(reason)}`);
      }
  }

  #failed(reason: unknown, now: number): void {
    const sentence = describe(reason);
    if (this.#error !== sentence) this.#history.log("error", `The history is not written: ${sentence}`);
    this.#error = sentence;
    this.#history.failing = true;
    this.#failures++;
    if (!(reason instanceof Sqlite.SqliteError) || reason.code.startsWith("SQLITE_CONSTRAINT")) this.#careful = true;
    else if (isCorrupt(reason) || (!heals(reason.code) && this.#failures % REOPEN_AFTER === 0)) this.#reopen(now, isCorrupt(reason));
  }

  /** Goes on with the file opened anew: a damaged one is put aside first. Closed before, as closing removes `-wal` by name. */
  #reopen(now: number, damaged: boolean): void {
    const history = this.#history;
    this.#checkpointer.settle();
    history.connection.db.close();
    try {
      if (damaged) {
        const aside = setAside(history.file);
        history.log("error", `The history ${history.file} is damaged; it is kept as ${aside} and a new one has begun.`);
      }
      history.connection = connect(history.file, false);
      this.#detached = false;
    } catch (reason) {
      this.#error = describe(reason);
      history.connection = connectToMemory();
      this.#detached = true;
      return;
    }
    if (history.connection.sql("SELECT 1 FROM series LIMIT 1").get() !== undefined) return;
    const first = this.#carryOver(now);
    this.#jobs.unshift(first);
    this.#waiting += first.weight;
  }
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
