import type { Range, Transition } from "../domain/history.ts";
import type { Status } from "../domain/status.ts";
import type { Connection } from "./database.ts";
import { ensure } from "./ensure.ts";
import { heldAt } from "./held.ts";
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
  /** The clock was set back to `at`: from there on what is known later counts. */
  liveAgain(at: number): void;
  /** The earliest moment to which the clock was ever set back; before it changes are known in the order of their times. */
  relivedFrom: number | null;
  gaps(within: Range): Range[];
  /** Joined ranges in which nothing was seen: gaps, blind times, before the beginning, after the last sign of life. */
  unseen(within: Range): Range[];
  blindSince(): number | null;
  /** The status that holds now; null where there is none. */
  last(kind: "node" | "system", id: string): Status | null;
  /** First and last moment of the history; set by the writer. */
  began: number | null;
  alive: number | null;
  /** Reads a series again, after a rename. */
  reload(kind: "node" | "system", id: string): void;
}

/** What was known of `at` and later is known anew: of one subject, or of all. */
export type OnRevised = (at: number, subject?: "node" | "system", id?: string) => void;

/** `slack`: how long after its last sign of life a running history still counts as seeing, in milliseconds. */
export function loadMemory(connection: () => Connection, names: Names, slack: number, revised: OnRevised): Memory {
  const lines = new Map<number, Line>();
  const blind: Step[] = [];
  let gaps: Range[] = [];
  const subjects = [...names.all("node"), ...names.all("system")];
  const share = Math.max(STEPS_AT_LEAST, Math.min(STEPS, Math.floor(STEPS_IN_ALL / Math.max(1, subjects.length))));
  for (const [, series] of subjects) load(series);
  const blindSeries = names.find("blind", "*");
  if (blindSeries !== null) for (const step of read(blindSeries, STEPS)) push(blind, step);
  for (const row of connection().sql("SELECT start, stop FROM gap ORDER BY id DESC LIMIT ?").all(GAPS) as { start: number; stop: number }[])
    gaps.unshift({ from: row.start, to: row.stop });
  const meta = connection().sql("SELECT key, value FROM meta WHERE key IN ('began', 'alive', 'relived')").all() as {
    key: string;
    value: number;
  }[];

  /** Newest steps of a series as they became known; a blind time is a step without a status. */
  function read(series: number, limit: number, { from, to }: Range = { from: -8.64e15, to: 8.64e15 }): Step[] {
    const rows = connection()
      .sql("SELECT id, at, became FROM transition WHERE series = ? AND at >= ? AND at < ? ORDER BY at DESC LIMIT ?")
      .raw()
      .all(series, from, to, limit) as [number, number, number | string][];
    return rows.sort((a, b) => a[0] - b[0]).map(([, at, became]) => stepOf(at, decodeWord(became)));
  }

  function stepOf(at: number, word: string): Step {
    return { at, status: word === "blind" ? null : word === "clear" ? "healthy" : asStatus(word) };
  }

  function load(series: number): void {
    const steps: Step[] = [];
    const newest = read(series, share);
    for (const step of newest) push(steps, step);
    lines.set(series, { steps, from: newest.length < share ? Number.NEGATIVE_INFINITY : (steps[0]?.at ?? 0) });
  }

  function blindRanges(): Range[] {
    return blind.flatMap((step, i) => (step.status === null ? [{ from: step.at, to: blind[i + 1]?.at ?? Number.POSITIVE_INFINITY }] : []));
  }

  const memory: Memory = {
    began: meta.find((row) => row.key === "began")?.value ?? null,
    alive: meta.find((row) => row.key === "alive")?.value ?? null,
    relivedFrom: meta.find((row) => row.key === "relived")?.value ?? null,
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
      gaps = gaps.flatMap(({ from, to }) => (from >= at ? [] : [{ from, to: Math.min(to, at) }]));
      revised(at);
    },
    liveAgain(at) {
      memory.relivedFrom = Math.min(memory.relivedFrom ?? at, at);
      revised(at);
    },
    gaps: (within) => union(gaps, within),
    unseen(within) {
      const outside: Range[] = [{ from: Number.NEGATIVE_INFINITY, to: memory.began ?? Number.POSITIVE_INFINITY }];
      if (memory.alive !== null) outside.push({ from: memory.alive + slack, to: Number.POSITIVE_INFINITY });
      return union([...outside, ...gaps, ...blindRanges()], within);
    },
    blindSince() {
      const last = blind.at(-1);
      return last && last.status === null ? last.at : null;
    },
    last(kind, id) {
      const series = names.find(kind, id);
      return (series === null ? undefined : lines.get(series))?.steps.at(-1)?.status ?? null;
    },
    reload(kind, id) {
      const series = names.find(kind, id);
      if (series !== null) load(series);
      revised(Number.NEGATIVE_INFINITY, kind, id);
    },
  };
  return memory;
}
