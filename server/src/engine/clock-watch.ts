import { type Misdated, redated } from "../domain/clock.ts";
import { polledServices, type SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { EngineParts } from "./parts.ts";

/** A wall clock that moves this much against the monotonic one was set by somebody. */
const STEP_MS = 1_000;
const LEAST_HOLD_MS = 10_000;
const MOST_HOLD_MS = 300_000;

/**
 * A clock set forwards would make everything stale at once: ages are believed again when all was polled anew. What it
 * dated before, history may know to be wrong.
 */
export class ClockWatch {
  readonly #clock: EngineParts["clock"];
  readonly #writer: EngineParts["writer"];
  #offset: number;
  #holdUntil = 0;
  #misdated: Misdated | null;

  constructor(clock: EngineParts["clock"], writer: EngineParts["writer"]) {
    this.#clock = clock;
    this.#writer = writer;
    this.#offset = clock.wall() - clock.monotonic();
    this.#misdated = writer.misdated(clock.wall());
  }

  /** The time that was dated wrongly, as of the last look. */
  get misdated(): Misdated | null {
    return this.#misdated;
  }

  /** The very poll, or with its time put right where it was asked by a wrong clock and answered after it. */
  dated(poll: Observation): Observation {
    const at = redated(poll.at, this.#misdated);
    return at === poll.at ? poll : { ...poll, at };
  }

  /** By how many milliseconds the clock was set since the last look; 0 when it was not. */
  look(map: SystemMap): number {
    const now = this.#clock.wall();
    const offset = now - this.#clock.monotonic();
    const step = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(step) <= STEP_MS) return 0;
    this.#misdated = this.#writer.misdated(now);
    const longest = Math.max(LEAST_HOLD_MS, ...polledServices(map).map(({ interval, timeout }) => interval + timeout));
    this.#holdUntil = now + Math.min(longest, MOST_HOLD_MS);
    return Math.round(step);
  }

  agesHold(): boolean {
    return this.#clock.wall() >= this.#holdUntil;
  }
}
