import { setTimeout as sleep } from "node:timers/promises";
import type { Live } from "../domain/live.ts";

const DAY_MS = 86_400_000;
/** History is read in turns of this length with a pause between, so that thousands of nodes do not hold up a poll. */
const TURN_MS = 8;
const PAUSE_MS = 60;
const REFRESH_MS = 300_000;
/** Whoever asks waits this long at most for the rest. */
const PATIENCE_MS = 500;

export interface Percentiles {
  /** What is known, milliseconds by node; asking keeps it fresh, as long as somebody asks. */
  p95(): Promise<ReadonlyMap<string, number>>;
  close(): void;
}

/** The 95th percentile of each node's latency over the last day, read from history bit by bit while the board is looked at. */
export function createPercentiles(live: Live): Percentiles {
  const known = new Map<string, number>();
  let readAt: number | null = null;
  let reading: Promise<void> = Promise.resolve();
  let closed = false;

  async function readAll(): Promise<void> {
    let turn = performance.now();
    for (const id of live.snapshot().map.nodes.keys()) {
      if (closed) return;
      const value = readP95(live, id);
      if (value === null) known.delete(id);
      else known.set(id, value);
      if (performance.now() - turn < TURN_MS) continue;
      await sleep(PAUSE_MS, undefined, { ref: false });
      turn = performance.now();
    }
  }

  return {
    async p95() {
      const now = live.now();
      const { nodes } = live.snapshot().map;
      for (const id of known.keys()) if (!nodes.has(id)) known.delete(id);
      if (readAt === null || Math.abs(now - readAt) >= REFRESH_MS) {
        readAt = now;
        reading = reading.then(readAll);
      }
      await Promise.race([reading, sleep(PATIENCE_MS, undefined, { ref: false })]);
      return known;
    },
    close() {
      closed = true;
    },
  };
}

/** Null where no poll brought an answer, or history cannot be read: the board does without. */
function readP95(live: Live, id: string): number | null {
  try {
    const to = live.now();
    const { latency } = live.history().nodeHistory(id, to - DAY_MS, to, 1);
    const [fullest] = [...latency].sort((a, b) => b.count - a.count);
    return fullest?.p95 ?? null;
  } catch {
    return null;
  }
}
