import type { Range, Transition } from "../domain/history.ts";
import type { Status } from "../domain/status.ts";
import type { Aside, Marks } from "./clock.ts";
import type { Connection } from "./database.ts";
import { ensure } from "./ensure.ts";
import { heldAt } from "./held.ts";
import { SET_BACKS } from "./lives.ts";
import type { Names } from "./names.ts";
import { asStatus, push, type Step, union } from "./timeline.ts";
import { decodeWord } from "./words.ts";

/** Steps kept in memory for one node or system, and for all together; older ones are read from the file. */
const STEPS = 1_024;
const STEPS_IN_ALL = 400_000;
const STEPS_AT_LEAST = 64;
const GAPS = 10_000;
/** Of one subject and range; one that changes once a minute reaches it after ten weeks. */
const READ_AT_MOST = 100_000;

const ALWAYS: Range = { from: -8.64e15, to: 8.64e15 };

interface Line {
  steps: Step[];
  /** Steps before this moment are in the file only. */
  from: number;
}

/**
 * The status changes of nodes and systems, the blind times and the gaps, so that strips and availability of the whole
 * board take no query; bounded per subject and in all.
 */
export interface Memory {
  /** A change that was committed, or will be. */
  note(transition: Transition): void;
  /** Steps of a range, from the one that holds at its beginning on. */
  steps(kind: "node" | "system", id: string, range: Range): Step[];
  addGap(gap: Range): void;
  /** Ends every gap at a moment that is lived again. */
  cutGaps(at: number): void;
  /** The clock was set back from the end of a time to its beginning: from there on what is known later counts. */
  liveAgain(again: Range): void;
  /** The earliest moment to which the clock was ever set back; before it changes are known in the order of their times. */
  relivedFrom: number | null;
  /** The times that were lived again, the oldest first. */
  setBacks: readonly Range[];
  gaps(within: Range): Range[];
  /** Whether history lasted at that moment: after its beginning, in no gap, not after the last sign of life. */
  isLived(at: number): boolean;
  /** Joined ranges in which nothing was seen: gaps, blind times, before the beginning, after the last sign of life. */
  unseen(within: Range): Range[];
  blindSince(): number | null;
  /** The status that holds now; null where there is none. */
  last(kind: "node" | "system", id: string): Status | null;
  /** First and last moment of the history; set by the writer. */
  began: number | null;
  alive: number | null;
  /** Everything as it was known before the clock leapt back; what is known since is forgotten. */
  bringBack(aside: Aside): void;
  /** Reads a series again, after a rename. */
  reload(kind: "node" | "system", id: string): void;
}

/** What was known of `at` and later is known anew: of one subject, or of all. */
export type OnRevised = (at: number, subject?: "node" | "system", id?: string) => void;

/** `slack`: how long after its last sign of life a running history still counts as seeing, in milliseconds. */
export function loadMemory(connection: () => Connection, names: Names, slack: number, aside: Aside | null, revised: OnRevised): Memory {
  const lines = new Map<number, Line>();
  const blind: Step[] = [];
  let gaps: Range[] = [];
  const subjects = [...names.all("node"), ...names.all("system")];
  const share = Math.max(STEPS_AT_LEAST, Math.min(STEPS, Math.floor(STEPS_IN_ALL / Math.max(1, subjects.length))));
  readAll(null);
  if (aside?.marks) gaps = [...cut(gapsOf("id < ?", aside.marks.gap), aside.from), ...gapsOf("id >= ?", aside.marks.gap)];
  const rows = connection().sql("SELECT key, value FROM meta WHERE key IN ('began', 'alive', 'relived', 'set_backs')").raw().all();
  const meta = new Map(rows as [string, number | string][]);
  const moment = (key: string): number | null => (meta.has(key) ? Number(meta.get(key)) : null);

  /** All that is kept in memory; only what was written before `marks`, where some are given. */
  function readAll(marks: Marks | null): void {
    lines.clear();
    blind.length = 0;
    for (const kind of ["node", "system"] as const) for (const [, series] of names.all(kind)) load(series, marks?.transition);
    const series = names.find("blind", "*");
    if (series !== null) for (const step of read(series, STEPS, ALWAYS, marks?.transition)) push(blind, step);
    gaps = gapsOf("id < ?", marks?.gap);
  }

  function gapsOf(which: "id < ?" | "id >= ?", mark = Number.MAX_SAFE_INTEGER): Range[] {
    const rows = connection().sql(`SELECT start AS "from", stop AS "to" FROM gap WHERE ${which} ORDER BY id DESC LIMIT ?`);
    return (rows.all(mark, GAPS) as Range[]).reverse();
  }

  /** Newest steps of a series as they became known; a blind time is a step without a status. */
  function read(series: number, limit: number, { from, to }: Range = ALWAYS, before = Number.MAX_SAFE_INTEGER): Step[] {
    const rows = connection()
      .sql("SELECT id, at, became FROM transition WHERE series = ? AND at >= ? AND at < ? AND id < ? ORDER BY at DESC LIMIT ?")
      .raw()
      .all(series, from, to, before, limit) as [number, number, number | string][];
    return rows.sort((a, b) => a[0] - b[0]).map(([, at, became]) => stepOf(at, decodeWord(became)));
  }

  function stepOf(at: number, word: string): Step {
    return { at, status: word === "blind" ? null : word === "clear" ? "healthy" : asStatus(word) };
  }

  function load(series: number, before?: number): void {
    const steps: Step[] = [];
    const newest = read(series, share, ALWAYS, before);
    for (const step of newest) push(steps, step);
    lines.set(series, { steps, from: newest.length < share ? Number.NEGATIVE_INFINITY : (steps[0]?.at ?? 0) });
  }

  function outside(): Range[] {
    const before = { from: Number.NEGATIVE_INFINITY, to: memory.began ?? Number.POSITIVE_INFINITY };
    return memory.alive === null ? [before] : [before, { from: memory.alive + slack, to: Number.POSITIVE_INFINITY }];
  }

  function blindRanges(): Range[] {
    return blind.flatMap((step, i) => (step.status === null ? [{ from: step.at, to: blind[i + 1]?.at ?? Number.POSITIVE_INFINITY }] : []));
  }

  const memory: Memory = {
    began: moment("began"),
    alive: moment("alive"),
    relivedFrom: moment("relived"),
    setBacks: JSON.parse(String(meta.get("set_backs") ?? "[]")) as Range[],
    note(transition) {
      const { subject, id, at, to } = transition;
      if (subject === "blind") {
        push(blind, stepOf(at, to));
        revised(at);
        if (blind.length > STEPS) blind.splice(0, STEPS / 2);
      }
      if (subject !== "node" && subject !== "system") return;
      const series = names.series(subject, id);
      const line = ensure(lines, series, () => ({ steps: [], from: Number.NEGATIVE_INFINITY }));
      push(line.steps, stepOf(at, to));
      revised(at, subject, id);
      if (line.steps.length <= share) return;
      line.steps.splice(0, share / 2);
      line.from = line.steps[0]?.at ?? at;
    },
    steps(kind, id, { from, to }) {
      const series = names.find(kind, id);
      const line = series === null ? undefined : lines.get(series);
      if (series === null || !line) return [];
      if (line.from > from) {
        const older: Step[] = [];
        const held = heldAt(connection(), series, from, memory.relivedFrom);
        if (held) older.push(stepOf(held.at, decodeWord(held.became)));
        for (const step of read(series, READ_AT_MOST, { from: from + 1, to })) push(older, step);
        return older;
      }
      const after = line.steps.findIndex((step) => step.at > from);
      if (after === -1) return line.steps.slice(-1);
      const end = line.steps.findIndex((step, i) => i >= after && step.at >= to);
      return line.steps.slice(Math.max(0, after - 1), end === -1 ? undefined : end);
    },
    addGap(gap) {
      gaps.push(gap);
      revised(gap.from);
      if (gaps.length > GAPS) gaps = gaps.slice(-GAPS);
    },
    cutGaps(at) {
      gaps = cut(gaps, at);
      revised(at);
    },
    liveAgain(again) {
      memory.relivedFrom = Math.min(memory.relivedFrom ?? again.from, again.from);
      memory.setBacks = [...memory.setBacks, again].slice(-SET_BACKS);
      revised(again.from);
    },
    gaps: (within) => union(gaps, within),
    isLived: (at) => union([...outside(), ...gaps], { from: at, to: at + 1 }).length === 0,
    unseen: (within) => union([...outside(), ...gaps, ...blindRanges()], within),
    blindSince() {
      const last = blind.at(-1);
      return last && last.status === null ? last.at : null;
    },
    last(kind, id) {
      const series = names.find(kind, id);
      return (series === null ? undefined : lines.get(series))?.steps.at(-1)?.status ?? null;
    },
    bringBack({ marks, reach, began, relived, setBacks = [] }) {
      readAll(marks);
      Object.assign(memory, { alive: reach, began, relivedFrom: relived, setBacks });
      revised(Number.NEGATIVE_INFINITY);
    },
    reload(kind, id) {
      const series = names.find(kind, id);
      if (series !== null) load(series);
      revised(Number.NEGATIVE_INFINITY, kind, id);
    },
  };
  return memory;
}

/** Ranges that end at `at`, where they reach beyond it. */
function cut(ranges: readonly Range[], at: number): Range[] {
  return ranges.flatMap(({ from, to }) => (from >= at ? [] : [{ from, to: Math.min(to, at) }]));
}
