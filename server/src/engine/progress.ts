import { polledServices, type SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { SystemState } from "../domain/state.ts";
import type { PolledInstance } from "../state/signal.ts";

/** What of the work was completed when, by the monotonic clock, so that a clock that is set cannot fake or hide a standstill. */
export class Progress {
  readonly #reports = new Map<string, number>();
  #answerAt: number | null;
  #answerSeen: number | null = null;
  #writtenAt: number | null = null;
  #writtenSeen: number | null = null;

  /** `lastAnswerAt`: the newest persisted answer, epoch milliseconds. */
  constructor(lastAnswerAt: number | null) {
    this.#answerAt = lastAnswerAt;
  }

  polled(observation: Observation, monotonic: number): void {
    if (observation.report === null) return;
    this.#reports.set(observation.instance, monotonic);
    this.#answerAt = observation.at;
    this.#answerSeen = monotonic;
  }

  /** Epoch milliseconds of the newest durable write, asked after each attempt. */
  wrote(at: number | null, monotonic: number): void {
    if (at === this.#writtenAt) return;
    this.#writtenAt = at;
    this.#writtenSeen = monotonic;
  }

  /** Forgets instances that the map no longer has. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#reports.keys()) if (!ids.has(id)) this.#reports.delete(id);
  }

  answer(monotonic: number, wall: number): { lastAnswerAt: number | null; answerAgeMs: number | null } {
    const age =
      this.#answerSeen !== null ? monotonic - this.#answerSeen : this.#answerAt !== null ? Math.max(0, wall - this.#answerAt) : null;
    return { lastAnswerAt: this.#answerAt, answerAgeMs: age };
  }

  write(monotonic: number): { lastWriteAt: number | null; writeAgeMs: number | null } {
    return { lastWriteAt: this.#writtenAt, writeAgeMs: this.#writtenSeen === null ? null : monotonic - this.#writtenSeen };
  }

  /** Each polled instance for the staleness signal; reports of before a restart are aged by the wall clock. */
  *instances(
    map: SystemMap,
    state: SystemState,
    polls: ReadonlyMap<string, { owedMs: number | null; completedMs: number | null }>,
    monotonic: number,
    wall: number,
  ): Iterable<PolledInstance> {
    for (const { interval, timeout, maxAge, instances } of polledServices(map)) {
      for (const { id } of instances) {
        const held = state.instances.get(id);
        const seen = this.#reports.get(id);
        const persisted = held?.lastReportAt ?? null;
        const reportAgeMs = seen !== undefined ? monotonic - seen : persisted === null ? null : Math.max(0, wall - persisted);
        const reports = held !== undefined && held.lastReportAt !== null && held.lastReportAt === held.lastPollAt;
        const poll = polls.get(id);
        yield {
          interval,
          timeout,
          maxAge,
          reportAgeMs,
          reports,
          dueAgeMs: poll?.owedMs ?? null,
          completedAgeMs: poll?.completedMs ?? null,
        };
      }
    }
  }
}
