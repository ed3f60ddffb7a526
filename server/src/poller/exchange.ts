import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { Connection } from "./connection.ts";
import { deadlineFailure, type Failure, failureOf, isClosed, type Stage } from "./outcome.ts";
import type { Clock } from "./scheduler.ts";

/** Milliseconds from the first byte sent to the last received, and bytes as sent. */
export interface Limits {
  timeout: number;
  maxBody: number;
}

/**
 * What came of one request: an HTTP answer whose body is still as it was sent, or the reason that there is none. `at` is
 * the epoch time of asking, `latencyMs` runs to the last byte or the failure.
 */
export type RawAnswer =
  | {
      kind: "answer";
      at: number;
      latencyMs: number;
      httpStatus: number;
      contentType: string | null;
      contentEncoding: string | null;
      date: string | null;
      age: string | null;
      /** Where a redirect leads. */
      location?: string | null;
      body: Uint8Array;
    }
  | ({ kind: "failure"; at: number; latencyMs: number; httpStatus: number | null } & Failure);

/** A deadline that fires later than this says nothing of the service: our own event loop stood still. */
const STALL_MS = 250;
/** One that is later than this may have overtaken an answer that is waiting to be read. */
const JITTER_MS = 10;
const EMPTY = new Uint8Array(0);

/** One request and its answer, from the first byte sent to the last received; one deadline over all of it. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #connection: Connection;
  readonly #request: Dispatcher.DispatchOptions;
  readonly #clock: Clock;
  readonly #done: (answer: RawAnswer) => void;
  readonly #at: number;
  readonly #started: number;
  readonly #deadline: NodeJS.Timeout;
  #settled = false;
  /** Whether a close before the first byte may be the race of an idle connection: only while no new one was opened. */
  readonly #reused: boolean;
  readonly #opened: number;
  #resent = false;
  #begun = false;
  #httpStatus: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(
    limits: Limits,
    connection: Connection,
    request: Dispatcher.DispatchOptions,
    clock: Clock,
    done: (answer: RawAnswer) => void,
  ) {
    this.#limits = limits;
    this.#connection = connection;
    this.#request = request;
    this.#clock = clock;
    this.#done = done;
    this.#at = clock.wall();
    this.#started = clock.monotonic();
    this.#reused = connection.served > 0;
    this.#opened = connection.opened;
    this.#deadline = setTimeout(expire, limits.timeout, this);
  }

  send(): void {
    this.#connection.client.dispatch(this.#request, this);
  }

  fail(failure: Failure): void {
    if (this.#settled) return;
    const { outcome, error } = failure;
    this.#settle({ kind: "failure", at: this.#at, latencyMs: this.#elapsed(), httpStatus: this.#httpStatus, outcome, error });
    this.#connection.drop();
  }

  expired(): void {
    const late = this.#elapsed() - this.#limits.timeout;
    if (late > STALL_MS) this.#stalled();
    else if (late > JITTER_MS) this.#lookOnce();
    else this.#timedOut();
  }

  /** Once round the loop: what had come by now is read before the immediate runs. */
  #lookOnce(): void {
    const progress = this.#progress();
    setImmediate(() => (this.#progress() === progress ? this.#timedOut() : this.#stalled()));
  }

  #timedOut(): void {
    this.fail(deadlineFailure(this.#stage, this.#limits.timeout));
  }

  #stalled(): void {
    this.fail({ outcome: "aborted", error: "our own event loop stalled" });
  }

  #progress(): string {
    return `${this.#stage} ${this.#begun} ${this.#size}`;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited for its turn: it must not be sent any more.
    if (this.#settled) controller.abort(new Error("given up"));
  }

  onResponseStarted(): void {
    this.#begun = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#settled) return;
    this.#httpStatus = status;
    this.#headers = headers;
    if (Number(headers["content-length"]) > this.#limits.maxBody) this.#tooLarge();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#size += chunk.length;
    if (this.#size > this.#limits.maxBody) this.#tooLarge();
    else this.#parts.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    // The answer was there, yet read too late to know whether it came in time.
    const latencyMs = this.#elapsed();
    if (latencyMs > this.#limits.timeout + STALL_MS) {
      this.#stalled();
      return;
    }
    this.#connection.served++;
    const [first = EMPTY, second] = this.#parts;
    this.#settle({
      kind: "answer",
      at: this.#at,
      latencyMs,
      httpStatus: this.#httpStatus ?? 0,
      contentType: text(this.#headers["content-type"]),
      contentEncoding: text(this.#headers["content-encoding"]),
      date: text(this.#headers.date),
      age: text(this.#headers.age),
      location: text(this.#headers.location),
      body: second ? Buffer.concat(this.#parts, this.#size) : first,
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#settled) return;
    const raced = this.#reused && this.#opened === this.#connection.opened && !this.#begun && isClosed(error);
    if (raced && !this.#resent) {
      this.#resent = true;
      this.#connection.drop();
      this.send();
      return;
    }
    this.fail(failureOf(error, this.#stage));
  }

  get #stage(): Stage {
    return this.#httpStatus === null ? this.#connection.stage : "body";
  }

  #tooLarge(): void {
    this.fail({ outcome: "too_large", error: `answer larger than ${this.#limits.maxBody} bytes` });
  }

  #elapsed(): number {
    return this.#clock.monotonic() - this.#started;
  }

  #settle(answer: RawAnswer): void {
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#done(answer);
  }
}

function expire(exchange: Exchange): void {
  exchange.expired();
}

function text(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
