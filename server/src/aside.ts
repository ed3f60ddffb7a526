import { Worker } from "node:worker_threads";

/** A thread that answers one question and ends. */
export interface Asked<A> {
  /** Null where it failed, or took too long. */
  answer: Promise<A | null>;
  stop(): Promise<void>;
}

/** A thread that takes longer, or more memory, is ended. */
const LONGEST_MS = 120_000;
const MEMORY_MB = 1_024;

/** Starts a thread on a built file with its question; it posts its answer once. Does not keep the process alive. */
export function askAside<A>(thread: URL, question: unknown): Asked<A> {
  const worker = new Worker(thread, { workerData: question, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  worker.unref();
  const answer = new Promise<A | null>((resolve) => {
    const late = setTimeout(() => void worker.terminate(), LONGEST_MS).unref();
    worker.once("message", resolve);
    worker.once("error", () => resolve(null));
    worker.once("exit", () => {
      clearTimeout(late);
      resolve(null);
    });
  });
  return { answer, stop: async () => void (await worker.terminate()) };
}
