import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** Copies the log into the database on a thread of its own: on a slow disk that takes longer than a poll may wait. */
export interface Checkpointer {
  /** Asks for a copy; nothing happens while one is under way. */
  run(): void;
  /** Waits for the one under way: the file may be closed or moved only after it. */
  settle(): void;
  close(): void;
}

const WAIT_MS = 2_000;

/** The thread opens the file for each copy, so that the connection of the main thread is always the last to close it. */
const SOURCE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const Sqlite = require(workerData.library);
  parentPort.on("message", () => {
    let db;
    try {
      db = new Sqlite(workerData.file, { fileMustExist: true, timeout: 0 });
      db.pragma("wal_checkpoint(PASSIVE)");
    } catch {
      // Whatever is wrong with the file, the writer meets it too, and says so.
    } finally {
      try {
        db?.close();
      } catch {}
      Atomics.store(workerData.busy, 0, 0);
      Atomics.notify(workerData.busy, 0);
    }
  });
`;

export function startCheckpointer(file: string): Checkpointer {
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const library = createRequire(import.meta.url).resolve("better-sqlite3");
  let worker: Worker | null = null;
  const gone = (): void => {
    worker = null;
    Atomics.store(busy, 0, 0);
  };
  return {
    run() {
      if (Atomics.load(busy, 0) === 1) return;
      if (!worker) {
        worker = new Worker(SOURCE, { eval: true, workerData: { file, library, busy }, resourceLimits: { maxOldGenerationSizeMb: 16 } });
        worker.on("error", gone).on("exit", gone);
        worker.unref();
      }
      Atomics.store(busy, 0, 1);
      worker.postMessage(null);
    },
    settle() {
      if (worker) Atomics.wait(busy, 0, 1, WAIT_MS);
    },
    close() {
      this.settle();
      void worker?.terminate();
      worker = null;
    },
  };
}
