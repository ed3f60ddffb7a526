import { request } from "undici";
import type { Alert } from "./book.ts";
import { backoff, enqueue, verdictOn, type Waiting, worthRepeating } from "./queue.ts";
import type { Letter, Target } from "./targets.ts";

export interface CourierOptions {
  target: Target;
  /** Epoch milliseconds. */
  now: () => number;
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void; error(fields: object, text: string): void };
}

export interface CourierStats {
  /** Alerts since start: taken by the receiver; dropped because too many waited or because it refused them for good. */
  sent: number;
  dropped: number;
  waiting: number;
  /** Letters in a row that the receiver did not take. */
  failures: number;
}

const WAITING_AT_MOST = 1_000;
const TIMEOUT_MS = 5_000;

/**
 * Brings alerts to one receiver, one letter at a time and in order: the next goes only when the one before was taken.
 * What is not taken is tried again, more and more seldom and without end; what is refused for good is dropped and counted.
 */
export class Courier {
  readonly target: Target;
  readonly #options: CourierOptions;
  readonly #ending = new AbortController();
  #waiting: Waiting = [];
  #busy: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #sent = 0;
  #dropped = 0;
  #failures = 0;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.target = options.target;
  }

  offer(alerts: readonly Alert[]): void {
    if (alerts.length === 0 || this.#ending.signal.aborted) return;
    const { waiting, dropped } = enqueue(this.#waiting, alerts, WAITING_AT_MOST);
    this.#waiting = waiting;
    if (dropped > 0) this.#drop(dropped, "too many wait");
    this.#start();
  }

  repeat(alerts: readonly Alert[]): void {
    this.offer(worthRepeating(this.#waiting, alerts));
  }

  stats(): CourierStats {
    return { sent: this.#sent, dropped: this.#dropped, waiting: this.#waiting.length, failures: this.#failures };
  }

  /** Brings what waits, for at most so many milliseconds, and stops; what is left is said to the log and told anew after a start. */
  async stop(graceMs: number): Promise<void> {
    const late = setTimeout(() => this.#ending.abort(), graceMs);
    if (this.#timer) this.#wake();
    await this.#busy;
    clearTimeout(late);
    this.#ending.abort();
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#say("warn", { waiting: this.#waiting.length }, "stopped with alerts that were not taken");
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#ending.signal.aborted) {
      const letter = this.#waiting.slice(0, Math.max(1, this.target.batch(this.#waiting)));
      const { verdict, reason } = await this.#send(letter);
      if (verdict === "again") {
        this.#failed(reason);
        break;
      }
      const gone = new Set(letter);
      const before = this.#waiting.length;
      this.#waiting = this.#waiting.filter((alert) => !gone.has(alert));
      const done = before - this.#waiting.length;
      if (verdict === "refused") this.#drop(done, reason);
      else {
        this.#sent += done;
        if (this.#failures > 0) this.#say("info", {}, "alerts are taken again");
        this.#failures = 0;
      }
    }
    this.#busy = null;
  }

  /** The first failure of a row is told; the next attempt comes later and later. */
  #failed(reason: string): void {
    if (this.#ending.signal.aborted) return;
    this.#failures += 1;
    if (this.#failures === 1) this.#say("warn", { reason }, "alerts are not taken; trying again until they are");
    this.#timer = setTimeout(() => this.#wake(), backoff(this.#failures));
    this.#timer.unref();
  }

  #wake(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#start();
  }

  #start(): void {
    if (this.#waiting.length > 0 && !this.#timer && !this.#ending.signal.aborted) this.#busy ??= this.#work();
  }

  #drop(count: number, reason: string): void {
    this.#dropped += count;
    this.#say("error", { reason, dropped: this.#dropped }, "alerts were dropped");
  }

  #say(level: "info" | "warn" | "error", fields: object, text: string): void {
    this.#options.log[level]({ receiver: this.target.name, ...fields }, text);
  }

  async #send(alerts: readonly Alert[]): Promise<{ verdict: ReturnType<typeof verdictOn>; reason: string }> {
    let letter: Letter;
    try {
      letter = this.target.write(alerts, this.#options.now());
    } catch {
      return { verdict: "refused", reason: "it cannot be written" };
    }
    try {
      const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const { url, headers, body } = letter;
      const answer = await request(url, { method: "POST", headers, body, signal });
      await answer.body.dump({ limit: 16_384 });
      return { verdict: verdictOn(answer.statusCode), reason: `status ${answer.statusCode}` };
    } catch (error) {
      // A code or a class name only: messages of the network name addresses.
      return { verdict: "again", reason: (error as NodeJS.ErrnoException).code ?? (error as Error).name };
    }
  }
}
