import { setTimeout as sleep } from "node:timers/promises";
import { type Asked, askAside } from "../aside.ts";
import type * as wire from "../contract/index.ts";
import type { Diffs } from "./report.ts";

export interface DiffsKeeper {
  /** What some revisions changed, as far as it is worked out within a moment; the rest is there soon after. */
  of(revisions: readonly number[]): Promise<ReadonlyMap<number, wire.RevisionDiff | null>>;
  stop(): Promise<void>;
}

const THREAD = new URL("./thread.js", import.meta.url);
/** Compared at a time, and kept; who asks waits so long for them. */
const AT_ONCE = 10;
const KEPT = 500;
const WAIT_MS = 2_000;
/** A thread that failed is not started again sooner. */
const RETRY_MS = 60_000;

/** Compares revisions of the map on a thread of its own, each once: what a revision changed never changes. */
export function keepDiffs(data: string): DiffsKeeper {
  /** Undefined for one that cannot be compared, as a map of then no longer reads: it is not asked for again. */
  const kept = new Map<number, wire.RevisionDiff | null | undefined>();
  let failedAt = Number.NEGATIVE_INFINITY;
  let running: Asked<Diffs> | null = null;
  let done: Promise<void> = Promise.resolve();
  let stopped = false;

  async function compare(revisions: readonly number[]): Promise<void> {
    running = askAside<Diffs>(THREAD, { data, revisions });
    const answer = await running.answer;
    running = null;
    if (!answer) {
      failedAt = performance.now();
      return;
    }
    for (const revision of revisions) kept.set(revision, undefined);
    for (const [revision, diff] of answer) kept.set(revision, diff);
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - KEPT))) kept.delete(oldest);
  }

  return {
    async of(revisions) {
      const missing = revisions.filter((revision) => !kept.has(revision)).slice(0, AT_ONCE);
      if (missing.length > 0 && !stopped && performance.now() - failedAt >= RETRY_MS) {
        if (!running) done = compare(missing);
        await Promise.race([done, sleep(WAIT_MS, undefined, { ref: false })]);
      }
      return new Map(
        revisions.flatMap((revision) => {
          const diff = kept.get(revision);
          return diff === undefined ? [] : [[revision, diff] as const];
        }),
      );
    },
    async stop() {
      stopped = true;
      await running?.stop();
    },
  };
}
