import { performance } from "node:perf_hooks";
import type { AggregatorConfig } from "../domain/config.ts";
import { createCleaning } from "./cleaning.ts";
import { logSize } from "./database.ts";
import type { History } from "./history.ts";
import { createPacking } from "./packing.ts";
import { createRolling } from "./rolling.ts";
import { upkeepOf } from "./upkeep.ts";

const SIZE_EVERY_MS = 5_000;

export interface Retention {
  /** One small step of what is due at `now`; true while there is more. */
  step(now: number): boolean;
  /** Bytes of the database and its log. */
  size(): number;
}

/** Rolls samples up and lets old ones go. `maxSize` is in bytes, retention in milliseconds. */
export function createRetention(history: History, maxSize: number, keep: AggregatorConfig["retention"]): Retention {
  const upkeep = upkeepOf(history);
  const rolling = createRolling(upkeep);
  const packing = createPacking(upkeep, rolling);
  const cleaning = createCleaning(upkeep, maxSize, keep);
  let sizeNow = 0;
  let sizeAt = Number.NEGATIVE_INFINITY;
  return {
    // What a clock on trial dates stays in the tail, from which it can be taken back.
    step: (now) =>
      !history.clock.aside &&
      (packing.step(now) || rolling.step(now) || rolling.compact(now) || cleaning.step(now, history.clock.probation === 0)),
    size() {
      const now = performance.now();
      if (now - sizeAt > SIZE_EVERY_MS && history.connection.db.open) {
        sizeAt = now;
        try {
          sizeNow = upkeep.pages("page_count") * upkeep.pages("page_size") + logSize(history.file);
        } catch {
          // Keeps the last known size while the file cannot be read.
        }
      }
      return sizeNow;
    },
  };
}
