import { setTimeout as sleep } from "node:timers/promises";
import type { Live } from "../domain/live.ts";
import { inTurns } from "./turns.ts";

/** The turns in which history is read have a pause between them, so that thousands of nodes do not hold up a poll. */
const PAUSE_MS = 20;
const REFRESH_MS = 300_000;
/** Whoever asks waits this long at most for the rest; what was known before is given until then. */
const PATIENCE_MS = 500;

export interface Percentiles {
  /** What is known, milliseconds by node; asking keeps it fresh, as long as somebody asks. */
  p95(): Promise<ReadonlyMap<string, number>>;
  /** What was known at a moment, epoch milliseconds: read whole for the one who asks, after all that is being read. */
  p95At(at: number): Promise<ReadonlyMap<string, number>>;
  close(): void;
}

/** The 95th percentile of each node's latency over the last day, read from history in one go for the whole board while it is looked at. */
export function createPercentiles(live: Live): Percentiles {
  let known: ReadonlyMap<string, number> = new Map();
  let readAt: number | null = null;
  let reading: Promise<void> = Promise.resolve();
  let closed = false;

  async function rest(): Promise<void> {
    await sleep(PAUSE_MS, undefined, { ref: false });
    if (closed) throw new Error("nobody waits for it any more");
  }

  /** Null where history cannot be read, or nobody waits for it any more. */
  async function read(to: number): Promise<ReadonlyMap<string, number> | null> {
    try {
      return closed ? null : await inTurns(live.history().percentiles(to), rest);
    } catch {
      // The board does without, and the next one who asks tries again.
      return null;
    }
  }

  async function readAll(): Promise<void> {
    const found = await read(live.now());
    if (found) known = found;
    else readAt = null;
  }

  const onMap = (found: ReadonlyMap<string, number>): Map<string, number> => {
    const { nodes } = live.snapshot().map;
    return new Map([...found].filter(([id]) => nodes.has(id)));
  };

  return {
    async p95() {
      const now = live.now();
      if (readAt === null || Math.abs(now - readAt) >= REFRESH_MS) {
        readAt = now;
        reading = reading.then(readAll);
      }
      await Promise.race([reading, sleep(PATIENCE_MS, undefined, { ref: false })]);
      return onMap(known);
    },
    async p95At(at) {
      const found = reading.then(() => read(at));
      reading = found.then(() => undefined);
      return onMap((await found) ?? new Map());
    },
    close() {
      closed = true;
    },
  };
}
