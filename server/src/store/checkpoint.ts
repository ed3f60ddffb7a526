import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { CHECKPOINT_AT } from "./database.ts";

const WAIT_MS = 2_000;
/** What both threads share: whether a copy is under way, who writes, and how often the main thread has written. */
const [BUSY, PEN, WRITES] = [0, 1, 2];
const [FREE, MAIN, WORKER] = [0, 1, 2];

/**
 * 1. All that is in the log is copied; the main thread goes on writing.
 * 2. When it has not written meanwhile, the next write begins the log anew, and has to see its first page on the disk. The
 *    thread does that by a write of its own, for which it takes the pen; else it copies again, at last with the pen.
 * It opens the file each time, so that the connection of the main thread is always the last to close it.
 */
const SOURCE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { library, file, shared, limit } = workerData;
  const Sqlite = require(library);
  function take() {
    while (Atomics.compareExchange(shared, ${PEN}, ${FREE}, ${WORKER}) !== ${FREE}) Atomics.wait(shared, ${PEN}, ${MAIN}, 100);
  }
  function give() {
    Atomics.store(shared, ${PEN}, ${FREE});
    Atomics.notify(shared, ${PEN});
  }
  function copy(db) {
    for (let attempt = 1; ; attempt++) {
      const before = Atomics.load(shared, ${WRITES});
      db.pragma("wal_checkpoint(PASSIVE)");
      take();
      try {
        const last = attempt === 3;
        if (!last && Atomics.load(shared, ${WRITES}) !== before) continue;
        if (last) db.pragma("wal_checkpoint(PASSIVE)");
        db.prepare("INSERT INTO meta(key, value) VALUES('logs', 1) ON CONFLICT(key) DO UPDATE SET value = value + 1").run();
        return;
      } finally {
        give();
      }
    }
  }
  parentPort.on("message", () => {
    let db;
    try {
      db = new Sqlite(file, { fileMustExist: true, timeout: 0 });
      db.pragma("synchronous = NORMAL");
      db.pragma("journal_size_limit = " + limit);
      copy(db);
    } catch {
      // Whatever is wrong with the file, the writer meets it too, and says so.
    } finally {
      try {
        db?.close();
      } catch {}
      Atomics.store(shared, ${BUSY}, 0);
      Atomics.notify(shared, ${BUSY});
      parentPort.postMessage(null);
    }
  });
`;

/** Copies the log into the database and begins it anew on a thread of its own: on a slow disk that takes longer than a poll may wait. */
export class Checkpointer {
  readonly #file: string;
  readonly #onDone: () => void;
  readonly #shared = new Int32Array(new SharedArrayBuffer(12));
  #worker: Worker | null = null;

  /** `onDone` is called after each copy, from the event loop. */
  constructor(file: string, onDone: () => void) {
    this.#file = file;
    this.#onDone = onDone;
  }

  /** Asks for a copy; nothing happens while one is under way. */
  run(): void {
    if (Atomics.load(this.#shared, BUSY) === 1) return;
    this.#worker ??= this.#start();
    Atomics.store(this.#shared, BUSY, 1);
    this.#worker.postMessage(null);
  }

  /** Whether the thread has the pen, for `waitMs` to come at that: who writes now waits for the disk. */
  writes(waitMs = 0): boolean {
    return Atomics.wait(this.#shared, PEN, WORKER, waitMs) === "timed-out";
  }

  /** Does what writes to the file while the thread does not. */
  without<T>(work: () => T): T {
    const until = performance.now() + WAIT_MS;
    // After that it is for the database's own lock.
    while (Atomics.compareExchange(this.#shared, PEN, FREE, MAIN) !== FREE && performance.now() < until)
      Atomics.wait(this.#shared, PEN, WORKER, WAIT_MS);
    try {
      return work();
    } finally {
      Atomics.add(this.#shared, WRITES, 1);
      if (Atomics.compareExchange(this.#shared, PEN, MAIN, FREE) === MAIN) Atomics.notify(this.#shared, PEN);
    }
  }

  /** Waits for the one under way: the file may be closed or moved only after it. */
  settle(): void {
    if (this.#worker) Atomics.wait(this.#shared, BUSY, 1, WAIT_MS);
  }

  close(): void {
    this.settle();
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #start(): Worker {
    const library = createRequire(import.meta.url).resolve("better-sqlite3");
    const workerData = { file: this.#file, library, shared: this.#shared, limit: CHECKPOINT_AT };
    const worker = new Worker(SOURCE, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 16 } });
    const gone = (): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#shared.fill(0, BUSY, WRITES);
      this.#onDone();
    };
    worker.on("message", () => this.#onDone());
    worker.on("error", gone).on("exit", gone);
    worker.unref();
    return worker;
  }
}
