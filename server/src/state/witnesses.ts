import type { EdgeState } from "../domain/state.ts";
import type { ComponentStatus, Status } from "../domain/status.ts";

/** What the fresh statements about one node say, by their damped words. */
export interface Tally {
  up: number;
  degraded: number;
  down: number;
  /** Fresh statements with a known word. */
  total: number;
}

export function newTally(): Tally {
  return { up: 0, degraded: 0, down: 0, total: 0 };
}

/** Adds one word; an unknown one does not count. */
export function count(tally: Tally, word: ComponentStatus): void {
  if (word === "unknown") return;
  tally[word]++;
  tally.total++;
}

/**
 * True when so few witnesses blame a node that others see working that the fault is the blamer's own: its link, its
 * pool, its instance. One against two or more, or at most a fifth of all.
 */
export function localFault(down: number, up: number): boolean {
  return down > 0 && (down === 1 ? up >= 2 : down * 4 <= up);
}

/** The status on which witnesses agree; mixed words are a local fault, which leaves the node healthy, or shared trouble. */
export function agreed({ up, degraded, down, total }: Tally): Status {
  if (total === 0) return "unknown";
  if (up === total) return "healthy";
  if (down === total) return "unhealthy";
  return localFault(down + degraded, up) ? "healthy" : "degraded";
}

/**
 * What witnesses make of a polled service that calls itself healthy: degraded when at least two, and two thirds of
 * them, say down; unhealthy when all of three or more do; null where its own word stands.
 */
export function disputed({ down, total }: Tally): "degraded" | "unhealthy" | null {
  if (down < 2 || down * 3 < total * 2) return null;
  return down === total && total >= 3 ? "unhealthy" : "degraded";
}

/** One fresh statement with the interval of the service that makes it, milliseconds. */
export interface FreshStatement {
  edge: EdgeState;
  interval: number;
}

/** When the witness began to say what it says now. */
function began({ damped }: EdgeState): number {
  if (damped.raw === damped.status) return damped.since;
  let from = damped.run.length;
  while (from > 0 && damped.run[from - 1]?.status === damped.raw) from--;
  return damped.run[from]?.at ?? damped.since;
}

/**
 * Statements whose pending word others confirm: three or more witnesses (or both of two) that newly agree within one
 * interval flip at once. Returns those that are still pending.
 */
export function corroborated<T extends FreshStatement>(fresh: readonly T[]): readonly T[] {
  if (fresh.length < 2) return [];
  const flips: T[] = [];
  const words = new Set(
    fresh.flatMap(({ edge: { damped } }) => (damped.run.length > 0 && damped.raw !== damped.status ? [damped.raw] : [])),
  );
  for (const word of words) {
    if (word === "unknown") continue;
    const agreeing = fresh
      .filter(({ edge }) => edge.damped.raw === word)
      .map((statement) => ({ statement, at: began(statement.edge) }))
      .sort((a, b) => a.at - b.at);
    const needed = fresh.length === 2 ? 2 : 3;
    const span = agreeing.reduce((longest, { statement }) => Math.max(longest, statement.interval), 0);
    const flipped = new Set<T>();
    for (let first = 0, last = 0; first < agreeing.length; first++) {
      const until = (agreeing[first]?.at ?? 0) + span;
      while ((agreeing[last + 1]?.at ?? Number.POSITIVE_INFINITY) <= until) last++;
      if (last - first + 1 < needed) continue;
      for (const { statement } of agreeing.slice(first, last + 1)) if (statement.edge.damped.status !== word) flipped.add(statement);
    }
    flips.push(...flipped);
  }
  return flips;
}
