import { EARLIEST, type Misdated } from "../domain/clock.ts";
import type { Transition } from "../domain/history.ts";
import { type Aside, isSettled, LEAP_MS, PROBATION_MS } from "./clock.ts";
import { type HeldRow, transitionOf } from "./held.ts";
import type { History } from "./history.ts";

/** A longer silence between two signs of life is time in which Headwater did not run: it was stopped, or the clock jumped. */
const GAP_AFTER_MS = 15_000;
/** Less than this is no step of the clock, but two clocks that are read one after the other. */
const STEP_MS = 1_000;

/** What presence asks the writer to keep. */
export interface Asks {
  gap(from: number, to: number): void;
  /** No gap reaches beyond this moment any more. */
  cutGaps(at: number): void;
  /** Changes as of this moment. */
  changes(at: number, transitions: readonly Transition[]): void;
  /** What lies ahead is kept aside. */
  setAside(aside: Aside): void;
  /** What is kept aside was wrong. */
  forgetAside(aside: Aside): void;
  /** It was right, and what was dated since is not. */
  bringBack(aside: Aside, misdated: Misdated): void;
}

/**
 * Follows the signs of life, and with them the clock: what was not lived is a gap, what is lived again replaces what was
 * said of it. History always goes on by the present clock. Of one that leaps back nobody knows at first which was wrong:
 * what lies ahead is kept aside, and comes back if the clock does.
 */
export interface Presence {
  /** We are here at `now`. */
  seen(now: number): void;
  /** The first sign of life after a start: the time since the last one is a gap, however short. */
  begin(now: number): void;
}

export function createPresence(history: History, asks: Asks): Presence {
  const { memory, clock } = history;

  function seen(now: number): void {
    const { alive } = memory;
    if (alive !== null) {
      if (alive - now > STEP_MS) setBack(alive, now);
      else if (now - alive > GAP_AFTER_MS) leaveOut(alive, now);
      else live(now, Math.max(0, now - alive));
    }
    memory.began = Math.min(memory.began ?? now, now);
    memory.alive = now;
  }

  /** Time by one and the same clock. */
  function live(now: number, ms: number): void {
    clock.probation = Math.max(0, clock.probation - ms);
    if (clock.aside && isSettled(clock, now)) settle(clock.aside);
  }

  function leaveOut(alive: number, now: number): void {
    const { aside } = clock;
    if (now - alive > LEAP_MS) clock.probation = PROBATION_MS;
    if (aside && (now >= aside.reach || (aside.from < EARLIEST && now >= EARLIEST))) comeBack(aside, alive, now);
    else asks.gap(alive, now);
  }

  /** What is lived again replaces what was said of the same time: gaps end here, and what holds now has held since now. */
  function setBack(alive: number, now: number): void {
    const leaps = alive - now > LEAP_MS;
    clock.misdated = null;
    if (leaps) {
      clock.probation = PROBATION_MS;
      if (clock.aside && clock.aside.from >= EARLIEST) settle(clock.aside);
      if (!clock.aside)
        clock.aside = { reach: alive, from: now, began: memory.began, relived: memory.relivedFrom, setBacks: memory.setBacks, marks: null };
    }
    if (clock.aside) {
      clock.aside.from = Math.min(clock.aside.from, now);
      asks.setAside(clock.aside);
    }
    memory.alive = now;
    memory.liveAgain({ from: now, to: alive });
    asks.cutGaps(now);
    const ahead = history.failing ? [] : lastChanges("at > ?", now);
    if (ahead.length > 0)
      asks.changes(
        now,
        ahead.map((one) => ({ ...one, at: now, from: one.to })),
      );
    const reached = `The clock was set back from ${time(alive)} to ${time(now)}: `;
    if (leaps)
      history.log("error", `${reached}history goes on from there, and what lies ahead is kept aside until it shows which was right.`);
    else history.log("warn", `${reached}that time is lived again, and what is seen now replaces what was.`);
  }

  function settle(aside: Aside): void {
    clock.aside = null;
    asks.forgetAside(aside);
    history.log("info", `The clock is taken for right: what was dated up to ${time(aside.reach)} is not shown any more.`);
  }

  /** The clock is where it was before it leapt back: all that was dated in between was dated wrongly. */
  function comeBack(aside: Aside, alive: number, now: number): void {
    const held = history.failing ? [] : lastChanges("id >= ?", aside.marks?.transition ?? Number.MAX_SAFE_INTEGER);
    clock.aside = null;
    // We lived by it a little longer than the first and the last sign of life tell.
    clock.misdated = { from: aside.from - GAP_AFTER_MS, to: Math.min(alive + GAP_AFTER_MS, now - 1), at: now };
    asks.bringBack(aside, clock.misdated);
    memory.bringBack(aside);
    history.log("info", `The clock is right again: what it dated from ${time(aside.from)} to ${time(alive)} is dated by ${time(now)}.`);
    seen(now);
    if (held.length > 0)
      asks.changes(
        now,
        held.map((one) => ({ ...one, at: now })),
      );
  }

  /** Of every series with a change of the kind its newest. */
  function lastChanges(which: "at > ?" | "id >= ?", than: number): Transition[] {
    const rows = history.connection
      .sql(
        `SELECT id, series, at, was, became, reason, incident FROM transition WHERE ${which} AND id IN
         (SELECT max(id) FROM transition WHERE series IN (SELECT series FROM transition WHERE ${which}) GROUP BY series)`,
      )
      .all(than, than) as HeldRow[];
    return rows.flatMap((row) => transitionOf(history.names, row) ?? []);
  }

  return {
    seen,
    begin(now) {
      const { alive } = memory;
      if (alive !== null && now > alive && now - alive <= GAP_AFTER_MS) asks.gap(alive, now);
      seen(now);
    },
  };
}

function time(at: number): string {
  return new Date(at).toISOString();
}
