import { lookOf } from "./status.ts";
import type { Incident, Status } from "./types.ts";

/** The worst status of a cell and the share of its time that it held; null for no data. What follows is of no matter here. */
export type Cell = readonly [Status, number, ...number[]] | null;

/** Lines of cells as they are sent: a number stands for so many more of the cell before it. */
type Packed = Readonly<Record<string, readonly (Cell | number)[]>>;

/** Cells by id, oldest first. */
export type Lines = Readonly<Record<string, readonly Cell[]>>;

/** Each line's cells one by one; equal ones are the same object. */
export function unpack(lines: Packed): Lines {
  return Object.fromEntries(
    Object.entries(lines).map(([id, line]) => {
      const cells: Cell[] = [];
      let last: Cell = null;
      for (const one of line) {
        const more = typeof one === "number" ? one : 1;
        if (typeof one !== "number") last = one;
        for (let each = 0; each < more; each++) cells.push(last);
      }
      return [id, cells];
    }),
  );
}

/** One rectangle of a strip, in cells across and in shares of its height. */
export interface Bar {
  x: number;
  width: number;
  /** 0 to 1. */
  height: number;
  /** `ok` is the line of good time, `because` trouble that another explains, `gap` no data. */
  kind: "ok" | "gap" | "because" | "degraded" | "unhealthy" | "unknown";
}

export interface Interval {
  from: number;
  to: number;
}

/** Per node, the times in which its trouble was explained by another, from the incidents of the range. */
export function explainedTimes(incidents: readonly Incident[], now: number): Map<string, Interval[]> {
  const times = new Map<string, Interval[]>();
  for (const incident of incidents) {
    const to = Math.min(now, incident.resolved_at === null ? now : Date.parse(incident.resolved_at));
    for (const one of incident.impacted) {
      const list = times.get(one.node) ?? [];
      list.push({ from: Date.parse(one.since), to });
      times.set(one.node, list);
    }
  }
  return times;
}

/**
 * A day's cells as bars: equal neighbours are one bar, bad time stands as high as its status is bad and as wide as its
 * cell, a short dip in a long cell is lower (never invisible), and a gap fills the height, hatched.
 */
export function bars(cells: readonly Cell[], range: Interval, explained: readonly Interval[] = []): Bar[] {
  const out: Bar[] = [];
  const span = (range.to - range.from) / Math.max(1, cells.length);
  cells.forEach((cell, index) => {
    const from = range.from + index * span;
    const bar = barOf(
      cell,
      explained.some((one) => one.from < from + span && one.to > from),
    );
    const last = out.at(-1);
    if (last && last.kind === bar.kind && last.height === bar.height && last.x + last.width === index) last.width++;
    else out.push({ ...bar, x: index, width: 1 });
  });
  return out;
}

function barOf(cell: Cell, because: boolean): Pick<Bar, "kind" | "height"> {
  if (cell === null) return { kind: "gap", height: 1 };
  const [status, share] = cell;
  const look = lookOf(status);
  if (look.word === "healthy") return { kind: "ok", height: look.height };
  const height = Math.max(1 / 12, Math.round(look.height * Math.min(1, Math.max(share, 0)) * 12) / 12);
  if (look.word === "unknown") return { kind: "unknown", height: 1 };
  return { kind: because ? "because" : look.solid === "degraded" ? "degraded" : "unhealthy", height };
}

/** Width of the block that shows the present, parted from what was by one pixel. */
const NOW = 4;
/** Trouble of any length is seen. */
const LEAST = 4;
const NARROWEST = 1.5;
/** Of the line of good time. */
const LINE = 2;
const LOW = lookOf("degraded").height;

/** How it stands at a strip's end. */
export interface Present {
  kind: Bar["kind"];
  /** It is degraded, not worse: its block is lower. */
  low: boolean;
}

/** A rectangle that stands on the ground of a strip, pixels. */
export interface Block {
  kind: Bar["kind"];
  x: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** Where the past of a strip ends: at its edge, before the block of the present, or with a last outline that goes on until now. */
export type PastEnd = "edge" | "parted" | "on";

/** The end of a past before a present. Two outlines beside each other would be read as two times. */
export function pastEnd(past: readonly Bar[], present: Present["kind"] | undefined): PastEnd {
  if (present === undefined) return "edge";
  return present === "unknown" && past.at(-1)?.kind === "unknown" ? "on" : "parted";
}

/** The bars of so many cells as rectangles. */
export function pastBlocks(past: readonly Bar[], cells: number, end: PastEnd, size: Size): Block[] {
  const scale = (end === "edge" ? size.width : size.width - NOW - 1) / Math.max(1, cells);
  return past.map(
    ({ kind, x, width, height }, index): Block => ({
      kind,
      x: x * scale,
      width:
        end === "on" && index === past.length - 1
          ? size.width - x * scale
          : Math.max(width * scale, kind === "ok" || kind === "gap" ? 0 : NARROWEST),
      height: kind === "ok" ? LINE : Math.max(LEAST, height * size.height),
    }),
  );
}

/** The block of the present, at the edge. */
export function presentBlock({ kind, low }: Present, size: Size): Block {
  return { kind, x: size.width - NOW, width: NOW, height: kind === "ok" ? LINE : low ? size.height * LOW : size.height };
}

/** Later ones are drawn over earlier ones: the worse a time, the surer it is seen. */
const KINDS: readonly Bar["kind"][] = ["ok", "gap", "because", "unknown", "degraded", "unhealthy"];

/** Rectangles as one SVG path a kind, for those that occur: a thousand strips are then a few thousand elements, not ten. */
export function outlines(drawn: readonly Block[], height: number): [Bar["kind"], string][] {
  return KINDS.flatMap((kind) => {
    const path = drawn.filter((block) => block.kind === kind).map((block) => outline(block, height));
    return path.length > 0 ? [[kind, path.join("")] as [Bar["kind"], string]] : [];
  });
}

/** One rectangle as an SVG path, in a strip of this height. */
export function outline({ x, width, height: high }: Block, height: number): string {
  return `M${short(x)} ${short(height - high)}h${short(width)}v${short(high)}h${short(-width)}z`;
}

/** Thousandths of a pixel are enough. */
const short = (value: number): number => Math.round(value * 1_000) / 1_000;

/** What the cells of a strip are: how much time all of them cover, and in which unit it is told. */
export interface StripTime {
  /** `last 24 hours`. */
  words: string;
  unit: "h" | "d";
  /** Units that all cells cover. */
  length: number;
}

export const DAY_STRIP: StripTime = { words: "last 24 hours", unit: "h", length: 24 };
export const NINETY_DAYS: StripTime = { words: "last 90 days", unit: "d", length: 90 };

/** What a strip shows, in words, for those who cannot see it. */
export function describeStrip(cells: readonly Cell[], time: StripTime = DAY_STRIP): string {
  const share = (test: (cell: Cell) => boolean): number =>
    Math.round((cells.filter(test).length / Math.max(1, cells.length)) * time.length * 10) / 10;
  const bad = share(isBad);
  const unknown = share(isUnknown);
  const gap = share((cell) => cell === null);
  const seen = cells.some(isKnown);
  const parts = [
    ...(bad > 0 ? [`trouble in ${bad} ${time.unit}`] : seen ? ["no trouble"] : []),
    ...(unknown > 0 ? [`unknown in ${unknown} ${time.unit}`] : []),
    ...(gap > 0 ? [`no data for ${gap} ${time.unit}`] : []),
  ];
  return `${time.words}: ${parts.join(", ")}`;
}

/** A cell in which something was known, and the worst of it too. */
export const isKnown = (cell: Cell): cell is NonNullable<Cell> => cell !== null && !isUnknown(cell);
export const isUnknown = (cell: Cell): boolean => cell !== null && lookOf(cell[0]).word === "unknown";
export const isBad = (cell: Cell): boolean => isKnown(cell) && lookOf(cell[0]).rank > 0;
