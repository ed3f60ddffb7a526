import type { Range } from "../domain/history.ts";
import { STATUSES } from "../domain/status.ts";
import type { Memory } from "./memory.ts";
import { DAY_MS } from "./samples.ts";
import { heldTimes } from "./timeline.ts";

/** Days that are kept: a quarter. */
export const DAYS_KEPT = 92;
/** Days that are worked out in one go: of one subject that changes all the time, some thousand changes are read at once. */
const AT_ONCE = 16;
/** The unseen time of so many ranges is remembered while the days of all subjects are worked out. */
const SIGHTS = 32;
const WORDS = STATUSES.length;

/** The subjects that have days. */
export type DaySubject = "node" | "system";

/** One subject's whole days, a ring by day; those in [from, to) are worked out, days since the epoch. */
interface Kept {
  from: number;
  to: number;
  held: Uint32Array;
}

/**
 * How long each status held on each UTC day, of every node and system: 1.5 kB each, so that ninety days of the whole
 * board are read from memory. A day that is over is worked out once, from its changes, when somebody first asks.
 */
export interface Days {
  /**
   * Milliseconds by day and status (`day * 4 + index in STATUSES`) of `count` days from `first` on, at most 92, up to
   * the moment `to`; what is missing to a day's length was not seen.
   */
  read(subject: DaySubject, id: string, first: number, count: number, to: number): Float64Array;
  /** What was worked out of `at` and later no longer holds: of one subject, or of all. */
  forget(at: number, subject?: DaySubject, id?: string): void;
}

export function createDays(memory: Memory): Days {
  const sights = new Map<string, readonly Range[]>();
  const kept = { node: new Map<string, Kept>(), system: new Map<string, Kept>() };

  /** Times of days [from, to), none beyond `until`. */
  function work(subject: DaySubject, id: string, from: number, to: number, until: number): Float64Array {
    const whole = { from: from * DAY_MS, to: to * DAY_MS };
    return heldTimes(memory.steps(subject, id, whole), unseenIn(whole, until), whole, to - from);
  }

  /** The same for all subjects, so worked out once. */
  function unseenIn(whole: Range, until: number): readonly Range[] {
    const key = `${whole.from} ${whole.to} ${until} ${memory.alive}`;
    const known = sights.get(key);
    if (known) return known;
    const seen = { from: whole.from, to: Math.min(whole.to, until) };
    const unseen = memory.unseen(seen);
    if (seen.to < whole.to) unseen.push({ from: seen.to, to: whole.to });
    if (sights.size >= SIGHTS) sights.clear();
    sights.set(key, unseen);
    return unseen;
  }

  /** Works out whole days up to `to`, and those before that are asked for. */
  function extend(subject: DaySubject, id: string, first: number, to: number): Kept {
    let line = kept[subject].get(id);
    if (!line || line.to < first || first < line.from) {
      line = { from: first, to: first, held: new Uint32Array(DAYS_KEPT * WORDS) };
      kept[subject].set(id, line);
    }
    while (line.to < to) {
      const next = Math.min(to, line.to + AT_ONCE);
      const held = work(subject, id, line.to, next, Number.POSITIVE_INFINITY);
      for (let day = line.to; day < next; day++)
        for (let word = 0; word < WORDS; word++)
          line.held[(day % DAYS_KEPT) * WORDS + word] = Math.round(held[(day - line.to) * WORDS + word] ?? 0);
      line.to = next;
      line.from = Math.max(line.from, next - DAYS_KEPT);
    }
    return line;
  }

  return {
    read(subject, id, first, count, to) {
      const out = new Float64Array(count * WORDS);
      // A day counts as over once something was written after it; until then it may still change.
      const over = Math.min(first + count, Math.floor(Math.min(to, memory.alive ?? 0) / DAY_MS));
      if (over > first) {
        const { held } = extend(subject, id, first, over);
        for (let day = first; day < over; day++)
          for (let word = 0; word < WORDS; word++) out[(day - first) * WORDS + word] = held[(day % DAYS_KEPT) * WORDS + word] ?? 0;
      }
      const open = Math.max(first, over);
      if (open < first + count) out.set(work(subject, id, open, first + count, to), (open - first) * WORDS);
      return out;
    },
    forget(at, subject, id) {
      if (subject === undefined) sights.clear();
      const day = Math.floor(at / DAY_MS);
      const lines = subject === undefined || id === undefined ? [...kept.node.values(), ...kept.system.values()] : [kept[subject].get(id)];
      for (const line of lines) if (line && line.to > day) line.to = Math.max(line.from, day);
    },
  };
}
