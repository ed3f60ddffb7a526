import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** How often the event loop is asked to be on time, ms. A rarer question misses shorter delays, a denser one costs. */
const RESOLUTION_MS = 100;
const WINDOW_MS = 10_000;

/** How late the event loop served a timer, at worst, in the last 10 to 20 s: in seconds, 0 while it is on time. */
export function watchLoopDelay(): { worst(): number; close(): void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let before = 0;
  const read = () => Math.max(0, histogram.count > 0 ? histogram.max / 1e6 - RESOLUTION_MS : 0) / 1_000;
  const roll = setInterval(() => {
    before = read();
    histogram.reset();
  }, WINDOW_MS);
  roll.unref();
  return {
    worst: () => Math.max(before, read()),
    close() {
      clearInterval(roll);
      histogram.disable();
    },
  };
}

/** Files, sockets and pipes that this process holds; null where the system does not tell (all but Linux). */
export function openDescriptors(): Promise<number | null> {
  return readdir("/proc/self/fd").then(
    (open) => open.length,
    () => null,
  );
}
