import type { GraphEdge } from "./graph.ts";
import type { Place } from "./layout.ts";

/** All lengths are pixels. */
const ROW = 44;
const TOP = 60;
const BOTTOM = 24;
/** Below this between two layers the picture scrolls instead of shrinking. */
const NARROWEST = 150;
/** Names longer than this are cut; the list and the title hold them whole. */
const LONGEST_NAME = 26;
const MARK = 24;
/** Room for `12 m` after a name, and for the sign of a node at risk. */
const AGE = 44;
const SIGN = 18;

/** How a name is set: its share of attention decides its size. */
export interface Label {
  /** As drawn. */
  text: string;
  cause: boolean;
  bold: boolean;
  /** Whether the time in state stands beside it. */
  aged: boolean;
  atRisk: boolean;
}

export interface Spot {
  x: number;
  y: number;
  /** Of the mark and all words beside it. */
  width: number;
}

export interface Picture {
  width: number;
  height: number;
  /** Between two layers. */
  gap: number;
  layers: number;
  spots: ReadonlyMap<string, Spot>;
}

export function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** Measures a text set in so many pixels and such a weight; null where nobody can. */
export type Measure = (text: string, size: number, weight: number) => number | null;

/** Width of a label: as measured, else estimated from what wide letters take. */
function labelWidth({ text, cause, bold, aged, atRisk }: Label, measure: Measure): number {
  const size = cause ? 16 : aged ? 13 : 12;
  const words = measure(text, size, cause ? 700 : bold ? 650 : 400) ?? text.length * size * 0.58;
  return Math.ceil(MARK + words + (aged ? AGE : 0) + (atRisk ? SIGN : 0));
}

/** Puts layers and rows into a picture at least `outer` wide whose last words end inside it. */
export function picture(places: readonly Place[], outer: number, labelOf: (id: string) => Label, measure: Measure): Picture {
  const layers = Math.max(1, ...places.map((place) => place.rank + 1));
  const widths = new Map(places.map((place) => [place.id, labelWidth(labelOf(place.id), measure)]));
  const widest = (rank: number): number => Math.max(0, ...places.filter((one) => one.rank === rank).map((one) => widths.get(one.id) ?? 0));
  const last = widest(layers - 1);
  const inner = Math.max(0, ...Array.from({ length: layers - 1 }, (_, rank) => widest(rank)));
  const gap = layers === 1 ? 0 : Math.max(NARROWEST, Math.min(inner + 24, 260), (outer - last) / (layers - 1));
  const rows = Math.max(1, ...places.map((place) => place.row + 1));
  return {
    width: Math.max(outer, gap * (layers - 1) + last),
    height: TOP + (rows - 1) * ROW + BOTTOM,
    gap,
    layers,
    spots: new Map(places.map(({ id, rank, row }) => [id, { x: rank * gap, y: TOP + row * ROW, width: widths.get(id) ?? 0 }])),
  };
}

/** Edges that run between the same two rows stand so far apart, and so many of them side by side. */
const APART = 4;
const ABREAST = 5;

/**
 * The lines of edges as SVG paths, by `from>to`. To the next layer: one curve. Over several: between two rows, where no
 * words stand, each in a place of its own; so do those that go back to the left, as cycles do.
 */
export function edgeLines(edges: readonly Pick<GraphEdge, "from" | "to">[], drawn: Picture): Map<string, string> {
  const lines = new Map<string, string>();
  const taken = new Map<number, number>();
  for (const edge of edges) {
    const from = drawn.spots.get(edge.from);
    const to = drawn.spots.get(edge.to);
    if (!from || !to) continue;
    const key = `${edge.from}>${edge.to}`;
    if (to.x > from.x && Math.round((to.x - from.x) / Math.max(1, drawn.gap)) <= 1) {
      lines.set(key, shortLine(from, to, drawn.gap));
    } else {
      const lane = laneBetween(from.y, to.y);
      const place = taken.get(lane) ?? 0;
      taken.set(lane, place + 1);
      const y = lane + sideOf(place) * APART;
      lines.set(key, to.x > from.x ? longLine(from, to, drawn.gap, y) : backLine(from, to, y));
    }
  }
  return lines;
}

/** 0, 1, -1, 2, -2, and again from the middle. */
function sideOf(place: number): number {
  const turn = place % ABREAST;
  return turn % 2 === 1 ? (turn + 1) / 2 : -turn / 2;
}

function shortLine(from: Spot, to: Spot, gap: number): string {
  const [start, end] = [from.x + from.width + 6, to.x - 8];
  const bend = Math.min(end, Math.max(start, from.x + gap * 0.55));
  const middle = (bend + end) / 2;
  return `M${start} ${from.y}H${bend}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`;
}

function longLine(from: Spot, to: Spot, gap: number, lane: number): string {
  const [start, end] = [from.x + from.width + 6, to.x - 8];
  const enter = Math.max(start + 16, from.x + gap - 24);
  const leave = Math.max(enter, to.x - gap * 0.45);
  const [rise, fall] = [(start + enter) / 2, (leave + end) / 2];
  return `M${start} ${from.y}C${rise} ${from.y} ${rise} ${lane} ${enter} ${lane}H${leave}C${fall} ${lane} ${fall} ${to.y} ${end} ${to.y}`;
}

function backLine(from: Spot, to: Spot, lane: number): string {
  const [down, up] = [from.y + Math.sign(lane - from.y) * 12, to.y + Math.sign(lane - to.y) * 12];
  return `M${from.x + 8} ${down}Q${from.x + 8} ${lane} ${from.x - 12} ${lane}H${to.x + 28}Q${to.x + 8} ${lane} ${to.x + 8} ${up}`;
}

/** The space between two rows nearest to the way from one to the other. */
function laneBetween(from: number, to: number): number {
  if (from === to) return from + ROW / 2;
  return Math.round(((from + to) / 2 - TOP) / ROW - 0.5) * ROW + TOP + ROW / 2;
}
