import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Both halves of the young generation: large enough that a poll's garbage dies in it, a quarter of what V8 would take. */
const YOUNG_BYTES = 8 * 2 ** 20;
/** How much garbage the old generation may hold before it is collected, in percent of what lives. */
const OLD_GARBAGE_PERCENT = 50;
const LOOK_MS = 1_000;

/**
 * Keeps the process small. V8 sizes its heap by what the start needs, reading the map, and not by what polling does;
 * its own limits can be set on the command line alone, so growth is held instead.
 * 1. `begin`: the young generation stays as it is while the map is read, of which little lives on.
 *    It is collected by this thread alone: waking others for a few megabytes costs more than they do.
 * 2. `settle`: what the start left is collected once; then the young generation grows to its bound and no further.
 */
export const heap = {
  begin(): void {
    setFlagsFromString(`--heap-growing-percent=${OLD_GARBAGE_PERCENT}`);
    setFlagsFromString("--no-parallel-scavenge");
    growYoung(false);
  },

  settle(): void {
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
    growYoung(true);
    const timer = setInterval(() => {
      const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
      if (!young || young.space_size < YOUNG_BYTES) return;
      growYoung(false);
      clearInterval(timer);
    }, LOOK_MS);
    timer.unref();
  },
};

function growYoung(on: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${on ? 2 : 1}`);
}
