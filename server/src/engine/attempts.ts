import type { Clock, Log } from "./parts.ts";

/** A step that fails again and again is logged this often. */
const SAME_FAILURE_MS = 60_000;

/** Runs steps of which one that throws must not take the others with it. */
export class Attempts {
  readonly #clock: Clock;
  readonly #log: Log;
  /** When the failure of each step was last logged, monotonic. */
  readonly #logged = new Map<string, number>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  run(step: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      const now = this.#clock.monotonic();
      if (now - (this.#logged.get(step) ?? Number.NEGATIVE_INFINITY) < SAME_FAILURE_MS) return;
      this.#logged.set(step, now);
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#log.error({ step, reason }, "a step of the work failed; the next is tried");
    }
  }
}
