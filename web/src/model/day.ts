import { type Interval, isBad, isKnown, isUnknown, type Lines } from "./strip.ts";

/** What the last day was like on the whole board. */
export interface DayFacts {
  /** Whether anything was known in it. */
  seen: boolean;
  /** Nodes that had trouble. */
  dips: number;
  /** Nodes that had none while they were seen, and were unknown at times. */
  unknown: number;
  /** When nothing at all was seen (`whole`: not since the day began); the last two. */
  gaps: (Interval & { whole: boolean })[];
}

/**
 * The day in facts. Cells move on with time, what happened does not: a gap that ends or begins within a cell in which some
 * node was only healthy is as long as that cell's share tells.
 */
export function dayFacts(strips: { from: string; to: string; cells: number; nodes: Lines }): DayFacts {
  const nodes = Object.values(strips.nodes);
  const dips = nodes.filter((cells) => cells.some(isBad)).length;
  const unknown = nodes.filter((cells) => !cells.some(isBad) && cells.some(isUnknown)).length;
  const from = Date.parse(strips.from);
  const span = (Date.parse(strips.to) - from) / Math.max(1, strips.cells);
  const gaps: Interval[] = [];
  for (let index = 0; index < strips.cells && nodes.length > 0; index++) {
    if (!nodes.every((cells) => (cells[index] ?? null) === null)) continue;
    const start = from + index * span;
    const last = gaps.at(-1);
    if (last && Math.abs(last.to - start) < 1) last.to = start + span;
    else gaps.push({ from: start, to: start + span });
  }
  /** How much of a cell, which lies beside a gap, nobody saw; none of it where that is not to be told, or to which of two gaps it belongs. */
  const unseenAt = (time: number): number => {
    const index = Math.floor((time - from) / span);
    if (gaps.filter((gap) => gap.from - span < time && time < gap.to + span).length > 1) return 0;
    const shares = nodes.flatMap((cells) => (cells[index]?.[0] === "healthy" ? [cells[index][1]] : []));
    return shares.length === 0 ? 0 : span * (1 - Math.min(1, Math.max(...shares)));
  };
  return {
    seen: nodes.some((cells) => cells.some(isKnown)),
    dips,
    unknown,
    gaps: gaps.slice(-2).map((gap) => ({
      from: gap.from - unseenAt(gap.from - span / 2),
      to: gap.to + unseenAt(gap.to + span / 2),
      whole: gap.from === from,
    })),
  };
}

/** The day's facts as sentences: of what nobody saw nothing is claimed. */
export function dayWords({ seen, dips, unknown, gaps }: DayFacts, minute: (at: number) => string): string {
  if (!seen) return "Unknown: nothing was seen.";
  const found = dips === 0 ? "No trouble seen" : `${dips} ${dips === 1 ? "node" : "nodes"} had trouble`;
  const dark = gaps.map((gap) => (gap.whole ? `No data before ${minute(gap.to)}.` : `No data ${minute(gap.from)} to ${minute(gap.to)}.`));
  return [`${found}${unknown > 0 ? `, ${unknown} unknown at times` : ""}.`, ...dark].join(" ");
}
