import type { Transition } from "../domain/history.ts";
import type { History } from "./history.ts";
import { decodeWord } from "./words.ts";

/** A longer silence between two signs of life is time in which Headwater did not run: it was stopped, or the clock jumped. */
const GAP_AFTER_MS = 15_000;
/** Less than this is no step of the clock, but two clocks that are read one after the other. */
const STEP_MS = 1_000;
/** A clock that stands further behind the last sign of life is not set yet: nothing is dated by it. */
const DISBELIEF_MS = 86_400_000;

/** What presence asks the writer to keep. */
interface Asks {
  gap(from: number, to: number): void;
  /** No gap reaches beyond this moment any more. */
  cutGaps(at: number): void;
  /** Changes as of this moment. */
  changes(at: number, transitions: readonly Transition[]): void;
}

/** Follows the signs of life, and with them the clock: what was not lived is a gap, what is lived again replaces what was said of it. */
export interface Presence {
  /** We are here at `now`. False while the clock is not believed. */
  seen(now: number): boolean;
  /** The first sign of life after a start: the time since the last one is a gap, however short. */
  begin(now: number): void;
  /** What a moment that cannot be dated brought, told once the clock is believed again. */
  hold(transitions: readonly Transition[]): void;
  /** Whether samples of this moment can be dated. */
  believes(at: number): boolean;
}

export function createPresence(history: History, asks: Asks): Presence {
  const { memory } = history;
  const held = new Map<string, Transition>();
  let disbelieving = false;

  const believes = (at: number): boolean => memory.alive === null || memory.alive - at <= DISBELIEF_MS;

  function seen(now: number): boolean {
    const { alive } = memory;
    if (!believes(now)) {
      if (!disbelieving)
        history.log("error", `The clock says ${time(now)}, but history reaches to ${time(alive)}: nothing is dated until it is set.`);
      disbelieving = true;
      return false;
    }
    if (alive !== null && alive - now > STEP_MS) setBack(now);
    else if (alive !== null && now - alive > GAP_AFTER_MS) asks.gap(alive, now);
    memory.began = Math.min(memory.began ?? now, now);
    memory.alive = now;
    if (disbelieving) {
      disbelieving = false;
      history.log("info", "The clock is believed again.");
      const changes = [...held.values()].map((transition) => ({ ...transition, at: now }));
      held.clear();
      if (changes.length > 0) asks.changes(now, changes);
    }
    return true;
  }

  /** What is lived again replaces what was said of the same time: gaps end here, and what holds now has held since now. */
  function setBack(now: number): void {
    memory.alive = now;
    memory.liveAgain(now);
    asks.cutGaps(now);
    const ahead = history.failing ? [] : statesAhead(now);
    if (ahead.length > 0) asks.changes(now, ahead);
    history.log("warn", `The clock was set back to ${time(now)}: that time is lived again, and what is seen now replaces what was.`);
  }

  /** For everything that changed last in what is the future now, that it is so already. */
  function statesAhead(now: number): Transition[] {
    const rows = history.connection
      .sql(
        `SELECT series, became, reason, incident FROM transition WHERE at > ? AND id IN
         (SELECT max(id) FROM transition WHERE series IN (SELECT series FROM transition WHERE at > ?) GROUP BY series)`,
      )
      .all(now, now) as { series: number; became: number | string; reason: string | null; incident: number | null }[];
    return rows.flatMap(({ series, became, reason, incident }) => {
      const subject = history.names.key(series);
      const word = decodeWord(became);
      return subject ? [{ subject: subject.kind, id: subject.key, at: now, from: word, to: word, reason, incident }] : [];
    });
  }

  return {
    seen,
    begin(now) {
      const { alive } = memory;
      if (alive !== null && now > alive && now - alive <= GAP_AFTER_MS) asks.gap(alive, now);
      seen(now);
    },
    hold(transitions) {
      for (const transition of transitions) held.set(`${transition.subject} ${transition.id}`, transition);
    },
    believes,
  };
}

function time(at: number | null): string {
  return at === null ? "never" : new Date(at).toISOString();
}
