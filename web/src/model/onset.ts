import type { IncidentDetail } from "headwater/contract";
import type { Incident, NodeView } from "./types.ts";

/** One thing on the axis: a first failure, or a moment such as an acknowledgement. */
export interface Moment {
  at: number;
  text: string;
  /** Bold, and drawn as a line; otherwise a mark of a victim. */
  strong: boolean;
  /** Now, or the end: it says how far the axis has come, not how much of it is told. */
  last?: boolean;
}

interface Placed<T extends Moment> {
  moment: T;
  x: number;
  /** Whether there was room for its words, and to which side of `x` they stand. */
  label: "start" | "end" | null;
  /** How many marks stand beneath a victim's own, so that none hides another; null where there is no room for it. */
  level: number | null;
}

export interface Axis<T extends Moment> {
  placed: Placed<T>[];
  ticks: { x: number; at: number }[];
  /** False when the axis ends before now: what happened is small beside how long it lasts. */
  whole: boolean;
  /** How far time has come on it: what goes on has room before it. */
  come: number;
}

/** The moment at which all whom an incident impacted were found to be, epoch milliseconds: their states of then are those of the incident. */
export function lastSign({ opened_at, impacted, events }: Pick<IncidentDetail, "opened_at" | "impacted" | "events">): number {
  const signs = events.filter((event) => event.kind === "opened" || event.kind === "impact").map((event) => event.at);
  return Math.max(...[opened_at, ...impacted.map((one) => one.since), ...signs].map((at) => Date.parse(at)));
}

/** The status of an incident's cause by which its onset is drawn: while it is open that of its `node` now, else that of when it was judged so. */
export function causeStatus({ status, cause }: Incident, node: NodeView | undefined): string | undefined {
  return status === "open" ? node?.status : cause?.stood?.status;
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800];
const CHARACTER = 6.2;
const SPACE = 12;
/** Marks of victims stand at least so many pixels apart, else above each other. */
const MARKS = 12;
const LEVELS = 2;
/** Times are written at no fewer places than this, if the axis is short. */
const TICKS = 6;
/** An axis as many times as long as what happened on it leaves that no room to be read. */
const MOST = 20;
/** What goes on is given at least so much time, in seconds. */
const YOUNG = 30;

const stepOf = (isEnough: (seconds: number) => boolean): number => (STEPS.find(isEnough) ?? 604_800) * 1_000;

/**
 * Places moments on an axis of `width` pixels from shortly before the first to `end`. Words are written only where they
 * do not run into each other: strong ones first, then in order of time. What goes on has an axis of one of few lengths, so
 * that its marks, words and times stay where they are until it outgrows that.
 */
export function layoutAxis<T extends Moment>(moments: readonly T[], end: number, width: number, goesOn = false): Axis<T> {
  const told = [...moments].sort((a, b) => a.at - b.at);
  const events = told.filter((one) => !one.last);
  const first = events[0]?.at ?? end;
  const busy = Math.max(10_000, (events.at(-1)?.at ?? first) - first);
  const whole = events.length < 2 || end - first <= busy * MOST;
  const length = goesOn ? stepOf((one) => one >= YOUNG && one * 1_000 >= end - first) : Math.max(end - first, 1_000);
  const stop = first + (whole ? length : busy * 1.25);
  const sorted = told.filter((one) => one.at <= stop);
  const start = first - (stop - first) * 0.04;
  const scale = (at: number): number => ((at - start) / (stop - start)) * width;
  const placed: Placed<T>[] = sorted.map((moment) => ({ moment, x: scale(moment.at), label: null, level: 0 }));
  const taken: [number, number][] = [];
  const weight = ({ moment }: Placed<T>): number => (moment.last ? 0 : moment.strong ? 2 : 1);
  const byWeight = [...placed].sort((a, b) => weight(b) - weight(a));
  for (const one of byWeight) {
    const wide = one.moment.text.length * CHARACTER * (one.moment.strong ? 1.08 : 1);
    for (const side of one.x + wide > width ? (["end"] as const) : (["start", "end"] as const)) {
      const from = side === "start" ? one.x - 2 : one.x + 2 - wide;
      const room: [number, number] = [from - SPACE / 2, from + wide + SPACE / 2];
      if (room[0] < -SPACE || taken.some(([left, right]) => room[0] < right && room[1] > left)) continue;
      taken.push(room);
      one.label = side;
      break;
    }
  }
  const drawn: number[][] = Array.from({ length: LEVELS }, () => []);
  const keeps = ({ moment, label }: Placed<T>): boolean => moment.strong || label !== null;
  // One with words keeps its mark; the others take what room is left.
  for (const one of [...byWeight.filter(keeps), ...byWeight.filter((each) => !keeps(each))]) {
    const free = drawn.findIndex((level) => level.every((x) => Math.abs(one.x - x) >= MARKS));
    one.level = one.moment.strong ? 0 : free === -1 ? null : free;
    if (one.level !== null) drawn[one.level]?.push(one.x);
  }
  const seconds = (stop - start) / 1_000;
  const step = stepOf((one) => seconds / one <= Math.max(TICKS, width / 180));
  const ticks: Axis<T>["ticks"] = [];
  for (let at = Math.ceil(start / step) * step; at < stop && at <= end; at += step) ticks.push({ at, x: scale(at) });
  return { placed, ticks, whole, come: whole ? scale(end) : width };
}
