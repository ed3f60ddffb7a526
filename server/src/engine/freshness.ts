import type { StoreHealth } from "../domain/history.ts";
import type { Signal } from "../domain/live.ts";
import type { Observation } from "../domain/observation.ts";
import type { SystemState } from "../domain/state.ts";
import type { PollProgress } from "../poller/poller.ts";
import { type Counted, countInstances, type PolledInstance, type SignalInput, stalenessSignal } from "../state/signal.ts";
import type { Clock } from "./parts.ts";

/** Asked often (by every write, page and probe), the signal is worked out at most this often. */
const SIGNAL_MS = 1_000;

/** What of the work was completed when, by the monotonic clock, so that a clock that is set cannot fake or hide a standstill. */
export class Freshness {
  readonly #clock: Clock;
  readonly #started: number;
  #answerAt: number | null;
  #answerSeen: number | null = null;
  #writtenAt: number | null = null;
  #writtenSeen: number | null = null;
  #signal: Signal | null = null;
  #signalAt = 0;
  #counted: Counted | null = null;
  #countedUntil = 0;

  /** `lastAnswerAt`: the newest persisted answer, epoch milliseconds. */
  constructor(clock: Clock, lastAnswerAt: number | null) {
    this.#clock = clock;
    this.#started = clock.monotonic();
    this.#answerAt = lastAnswerAt;
  }

  polled({ report, at }: Observation): void {
    if (report === null) {
      this.#counted = null;
      return;
    }
    // The first answer ends what the signal says of a start.
    if (this.#answerSeen === null) this.#signalAt = Number.NEGATIVE_INFINITY;
    this.#answerAt = at;
    this.#answerSeen = this.#clock.monotonic();
  }

  /** Asked after each attempt to write. */
  wrote({ lastWriteAt }: StoreHealth): void {
    if (lastWriteAt === this.#writtenAt) return;
    this.#writtenAt = lastWriteAt;
    this.#writtenSeen = this.#clock.monotonic();
  }

  /** What is polled, or how, is another now: the signal is worked out anew, its limit follows from the one before. */
  targetsChanged(): void {
    this.#counted = null;
    this.#signalAt = Number.NEGATIVE_INFINITY;
  }

  /** The staleness signal. `unpublishedSince`: when the oldest poll was completed that is not published yet, monotonic. */
  signal(limits: SignalInput["limits"], polls: () => readonly PollProgress[], state: SystemState, unpublishedSince: number | null): Signal {
    const now = this.#clock.monotonic();
    if (this.#signal && now - this.#signalAt < SIGNAL_MS) return this.#signal;
    this.#signalAt = now;
    this.#signal = stalenessSignal({
      limits,
      limitBefore: this.#signal?.limitMs ?? null,
      instances: this.#count(polls, state, now),
      lastAnswerAt: this.#answerAt,
      answerAgeMs: this.#answerAge(now),
      blind: state.blind !== null,
      unpublishedMs: unpublishedSince === null ? null : now - unpublishedSince,
      lastWriteAt: this.#writtenAt,
      writeAgeMs: this.#writtenSeen === null ? null : now - this.#writtenSeen,
      uptimeMs: now - this.#started,
    });
    return this.#signal;
  }

  /** While every instance reports and is in time, the count holds for seconds; one that does not is counted each time. */
  #count(polls: () => readonly PollProgress[], state: SystemState, now: number): Counted {
    if (this.#counted && now < this.#countedUntil) return this.#counted;
    const wall = this.#clock.wall();
    const counted = countInstances(polls().map((poll) => polledInstance(poll, state, wall)));
    const well = counted.reporting === counted.instances && counted.overdue === 0 && !counted.stuck;
    this.#countedUntil = well ? now + counted.holdsMs : now;
    this.#counted = counted;
    return counted;
  }

  #answerAge(now: number): number | null {
    if (this.#answerSeen !== null) return now - this.#answerSeen;
    return this.#answerAt === null ? null : Math.max(0, this.#clock.wall() - this.#answerAt);
  }
}

/** One polled instance for the signal; a report of before a restart is aged by the wall clock. */
function polledInstance(poll: PollProgress, state: SystemState, wall: number): PolledInstance {
  const { service, instance, owedMs, completedMs, reportedMs, reports } = poll;
  const held = reportedMs === null ? state.instances.get(instance) : undefined;
  const persisted = held?.lastReportAt ?? null;
  return {
    interval: service.interval,
    timeout: service.timeout,
    maxAge: service.maxAge,
    reportAgeMs: reportedMs ?? (persisted === null ? null : Math.max(0, wall - persisted)),
    reports: completedMs === null ? persisted !== null && persisted === held?.lastPollAt : reports,
    dueAgeMs: owedMs,
    completedAgeMs: completedMs,
  };
}
