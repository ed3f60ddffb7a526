import type { Range } from "../../domain/history.ts";
import type { WordStep } from "../../domain/label.ts";

/** The word that holds at a moment; null before the first step. */
export function wordAt(steps: readonly WordStep[], at: number): string | null {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] as WordStep).at <= at) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1]?.word ?? null;
}

/** Each word that holds within a range, cut to it, oldest first; time before the first step is left out. */
function* spansIn(steps: readonly WordStep[], { from, to }: Range): Generator<Range & { word: string }> {
  for (const [n, { at, word }] of steps.entries()) {
    const end = Math.min(to, steps[n + 1]?.at ?? to);
    const start = Math.max(from, at);
    if (start < end) yield { from: start, to: end, word };
  }
}

/** Share of a range, 0 to 1, for which one of some words holds. */
export function shareOf(steps: readonly WordStep[], range: Range, words: readonly string[]): number {
  let held = 0;
  for (const span of spansIn(steps, range)) if (words.includes(span.word)) held += span.to - span.from;
  return range.to > range.from ? held / (range.to - range.from) : 0;
}

export const overlaps = (a: Range, b: Range): boolean => a.from < b.to && b.from < a.to;

/**
 * When fewer than `need` of some alternatives were not down, oldest first; what is unknown may have worked. A single
 * dependency is one of which one is needed.
 */
export function downTimes(alternatives: readonly (readonly WordStep[])[], need: number, within: Range): Range[] {
  const moments = [...new Set([within.from, ...alternatives.flatMap((steps) => steps.map(({ at }) => at))])]
    .filter((at) => at >= within.from && at < within.to)
    .sort((a, b) => a - b);
  const found: Range[] = [];
  for (const [n, at] of moments.entries()) {
    if (alternatives.filter((steps) => wordAt(steps, at) !== "down").length >= need) continue;
    const to = moments[n + 1] ?? within.to;
    const last = found.at(-1);
    if (last?.to === at) last.to = to;
    else found.push({ from: at, to });
  }
  return found;
}
