import { polledServices, type SystemMap } from "../domain/map.ts";
import type { Clock } from "./parts.ts";

/** A wall clock that moves this much against the monotonic one was set by somebody. */
const STEP_MS = 1_000;
const LEAST_HOLD_MS = 10_000;
const MOST_HOLD_MS = 300_000;

/** A clock set forwards would make everything stale at once: ages are believed again when all was polled anew. */
export class ClockWatch {
  readonly #clock: Clock;
  #offset: number;
  #holdUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offset = clock.wall() - clock.monotonic();
  }

  /** By how many milliseconds the clock was set since the last look; 0 when it was not. */
  look(map: SystemMap): number {
    const now = this.#clock.wall();
    const offset = now - this.#clock.monotonic();
    const step = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(step) <= STEP_MS) return 0;
    const longest = Math.max(LEAST_HOLD_MS, ...polledServices(map).map(({ interval, timeout }) => interval + timeout));
    this.#holdUntil = now + Math.min(longest, MOST_HOLD_MS);
    return Math.round(step);
  }

  agesHold(): boolean {
    return this.#clock.wall() >= this.#holdUntil;
  }
}
