import type { Range } from "../domain/history.ts";
import { concat } from "./bytes.ts";
import type { HeadNode } from "./head.ts";
import { addTally, emptyTally, type Tally } from "./histogram.ts";
import { lastLived, livedAgainIn } from "./lives.ts";
import type { Minutes } from "./minutes.ts";
import { type PollSample, readPolls } from "./polls.ts";
import { addDependencies, readDependencyHour, readHour, readMinutes, writeDependencyHour, writeHour } from "./rows.ts";
import { joinRuns, pollsOf, readRuns, runsOf, writeRuns } from "./runs.ts";
import { DAY_MS, HOUR_MS, keyOf, SERIES_SPACE, SLOT_MS } from "./samples.ts";
import { MINUTES, packNext, RAW, TIERS } from "./tiers.ts";
import { GRACE_MS, PACKED, ROLLED, timeLeft, type Upkeep } from "./upkeep.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;
/** Time alone makes an hour due at most this long before it is noticed: looking goes through all that was ever packed. */
const LOOK_EVERY_MS = 10_000;

export function hourOfSlot(slot: number): number {
  return Math.floor(slot / SLOTS_PER_HOUR);
}

/** Hours from the minutes and checks of their slots; then rows of the same hour or day into one. */
export interface Rolling {
  /** Some nodes of an hour whose slots are all done. False when nothing is due. */
  step(now: number): boolean;
  /** Some rows of hours that are rolled up, or of days that are over, into packed rows. */
  compact(now: number): boolean;
  /** What was rolled up of this hour so far lacks samples: begins again. */
  restart(hour: number): void;
  /** Adds late samples to an hour that is done. */
  addHour(slot: number, series: number, minutes: Minutes): void;
  addDependencyHour(slot: number, series: number, node: HeadNode): void;
  addRuns(slot: number, series: number, node: HeadNode): void;
}

export function createRolling(upkeep: Upkeep): Rolling {
  const { history, sql, transaction, put, get, isDone } = upkeep;
  let rolling: { hour: number; left: number[] } | null = null;
  /** When nothing was due, and after how many marks. */
  let idle = { at: Number.NEGATIVE_INFINITY, marks: 0 };

  function step(now: number): boolean {
    if (!rolling) {
      if (upkeep.marks() === idle.marks && Math.abs(now - idle.at) < LOOK_EVERY_MS) return false;
      const open = new Set([...history.head.slots.keys()].map(hourOfSlot));
      // The divisor stands in the text: bound numbers are floating, and so would be the quotient.
      const slot = `slot / ${SLOTS_PER_HOUR}`;
      const hours = sql(
        `SELECT DISTINCT ${slot} FROM done WHERE tier = ${PACKED} AND ${slot} NOT IN (SELECT slot FROM done WHERE tier = ${ROLLED}) ORDER BY 1`,
      ).pluck();
      const hour = (hours.all() as number[]).find((one) => (one + 1) * HOUR_MS + GRACE_MS <= now && !open.has(one));
      if (hour === undefined) {
        idle = { at: now, marks: upkeep.marks() };
        return false;
      }
      const nodes = new Set<number>();
      for (let slot = hour * SLOTS_PER_HOUR; slot < (hour + 1) * SLOTS_PER_HOUR; slot++)
        for (const key of sql("SELECT key FROM minute WHERE key >= ? AND key < ?")
          .pluck()
          .all(slot * SERIES_SPACE, (slot + 1) * SERIES_SPACE))
          nodes.add(Number(key) % SERIES_SPACE);
      rolling = { hour, left: [...nodes].sort((a, b) => b - a) };
    }
    const { hour, left } = rolling;
    const mayGoOn = timeLeft();
    transaction(() => {
      for (let series = left.pop(); series !== undefined; series = mayGoOn() ? left.pop() : undefined) rollNode(hour, series);
      if (left.length === 0) upkeep.markDone(ROLLED, hour);
    });
    if (left.length === 0) rolling = null;
    return true;
  }

  function rollNode(hour: number, series: number): void {
    const own = emptyTally();
    const dependencies = new Map<number, Tally>();
    const polls: PollSample[] = [];
    for (let slot = hour * SLOTS_PER_HOUR; slot < (hour + 1) * SLOTS_PER_HOUR; slot++) {
      const minutes = get("minute", keyOf(slot, series));
      if (minutes) readMinutes(minutes, () => own);
      const checks = get("dep", keyOf(slot, series));
      if (checks) addDependencies(checks, slot, dependencies);
      const samples = get("raw", keyOf(slot, series));
      if (samples) polls.push(...lastLived(readPolls(samples, slot * SLOT_MS), history.memory.setBacks));
    }
    if (polls.length > 0) put("run", keyOf(hour, series), writeRuns(hour * HOUR_MS, runsOf(polls)));
    put("hour", keyOf(hour, series), writeHour(own));
    if (dependencies.size > 0) put("dep_hour", keyOf(hour, series), writeDependencyHour(dependencies));
  }

  /** Takes the polls of a time that was lived again out of a row of runs. */
  function cutRuns(table: "run" | "run_day", slot: number, slotMs: number, series: number, again: Range): void {
    const key = keyOf(slot, series);
    const before = get(table, key);
    if (!before) return;
    const base = slot * slotMs;
    const end = { from: again.to, to: base + slotMs };
    const kept = readRuns(before, base).flatMap((run) => [...pollsOf(run, { from: base, to: again.from }), ...pollsOf(run, end)]);
    put(table, key, writeRuns(base, runsOf(kept)));
  }

  /** All runs of a node's day into one row, once the day is over; false when there is none to do. */
  function packRuns(isOver: (day: number) => boolean): boolean {
    const { first } = sql("SELECT min(key) AS first FROM run").get() as { first: number | null };
    if (first === null) return false;
    const series = first % SERIES_SPACE;
    const day = Math.floor(Math.floor(first / SERIES_SPACE) / 24);
    if (!isOver(day)) return false;
    const before = get("run_day", keyOf(day, series));
    const runs = before ? readRuns(before, day * DAY_MS) : [];
    for (let hour = day * 24; hour < (day + 1) * 24; hour++) {
      const row = get("run", keyOf(hour, series));
      if (row) runs.push(...readRuns(row, hour * HOUR_MS));
      sql("DELETE FROM run WHERE key = ?").run(keyOf(hour, series));
    }
    put("run_day", keyOf(day, series), writeRuns(day * DAY_MS, joinRuns(runs)));
    return true;
  }

  function compact(now: number): boolean {
    const mayGoOn = timeLeft();
    let some = false;
    transaction(() => {
      const isDayOver = (day: number): boolean => (day + 1) * DAY_MS + HOUR_MS / 2 <= now && !rolling;
      while (mayGoOn() && packRuns(isDayOver)) some = true;
      for (const tier of TIERS) {
        const isOver = tier === RAW || tier === MINUTES ? (pack: number) => isDone(ROLLED, hourOfSlot(pack * tier.per)) : isDayOver;
        while (mayGoOn() && packNext(history.connection, tier, isOver)) some = true;
      }
    });
    return some;
  }

  return {
    step,
    compact,
    restart(hour) {
      if (rolling?.hour === hour) rolling = null;
    },
    addHour(slot, series, minutes) {
      const key = keyOf(hourOfSlot(slot), series);
      const own = emptyTally();
      for (const tally of minutes.values()) addTally(own, tally);
      const before = get("hour", key);
      if (before) readHour(before, own);
      put("hour", key, writeHour(own));
    },
    addRuns(slot, series, node) {
      const hour = hourOfSlot(slot);
      const { setBacks } = history.memory;
      const late = runsOf(lastLived(readPolls(node.polls.view(), slot * SLOT_MS), setBacks));
      const again = livedAgainIn(setBacks, { from: slot * SLOT_MS, to: (slot + 1) * SLOT_MS });
      if (again) {
        const from = Math.min(again.from, ...late.map(({ first }) => first.at));
        cutRuns("run", hour, HOUR_MS, series, { ...again, from });
        cutRuns("run_day", Math.floor(hour / 24), DAY_MS, series, { ...again, from });
      }
      const key = keyOf(hour, series);
      put("run", key, concat(get("run", key), writeRuns(hour * HOUR_MS, late)));
    },
    addDependencyHour(slot, series, node) {
      if (node.dependencies.length === 0) return;
      const key = keyOf(hourOfSlot(slot), series);
      const dependencies = new Map<number, Tally>();
      addDependencies(node.dependencies.view(), slot, dependencies);
      const before = get("dep_hour", key);
      if (before) readDependencyHour(before, dependencies);
      put("dep_hour", key, writeDependencyHour(dependencies));
    },
  };
}
