import type { Observation } from "../domain/observation.ts";
import type { Clock } from "./parts.ts";

/** Observations that arrive within this time are taken together. */
const LEAST_MS = 25;
/** Batches keep a distance of so many times the work on the last one: thousands of first results must not hold up polls. */
const REST = 2;
/** What moved is shown within half a second even then; as long as the work takes 50 ms, within a tenth. */
const MOST_MS = 250;

/** Finished polls on their way to the state, taken as one batch a time. */
export class Inbox {
  readonly #clock: Clock;
  readonly #work: () => void;
  #waiting: Observation[] = [];
  #timer: NodeJS.Timeout | null = null;
  #rest = LEAST_MS;

  /** `work` is called when a batch is due, and takes it. */
  constructor(clock: Clock, work: () => void) {
    this.#clock = clock;
    this.#work = work;
  }

  add(observation: Observation): void {
    this.#waiting.push(observation);
    this.#timer ??= setTimeout(() => {
      const began = this.#clock.monotonic();
      this.#work();
      this.#rest = Math.min(MOST_MS, Math.max(LEAST_MS, REST * (this.#clock.monotonic() - began)));
    }, this.#rest);
  }

  /** All that waits; it is out of the box then. */
  take(): readonly Observation[] {
    this.close();
    const taken = this.#waiting;
    if (taken.length > 0) this.#waiting = [];
    return taken;
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
