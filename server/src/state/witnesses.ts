import { count as counted } from "../domain/phrases.ts";
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

/** `9 of 12 dependents report it down`; degraded where none says down. */
export function tallyWords({ down, degraded, total }: Tally, it: string): string {
  const [some, word] = down > 0 ? [down, "down"] : [degraded, "degraded"];
  return `${some} of ${counted(total, "dependent")} report${total === 1 ? "s" : ""} ${it} ${word}`;
}

/**
 * True when so few witnesses blame a node that others see working that the fault is the blamer's own: its link, its
 * pool, its instance. One against two or more, or at most a fifth of all.
 */
export function localFault(down: number, up: number): boolean {
  return down > 0 && (down === 1 ? up >= 2 : down * 4 <= up);
}

/** True when a service finds most of what it needs failing: where others see those working, its own way out is the fault. */
export function blamesMost(edges: Iterable<EdgeState>): boolean {
  let known = 0;
  let bad = 0;
  for (const { stale, damped } of edges) {
    if (stale || damped.status === "unknown") continue;
    known++;
    if (damped.status !== "up") bad++;
  }
  return known >= 3 && bad * 3 >= known * 2;
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

/** When the witness began to say what it says now. */
function began({ damped }: EdgeState): number {
  if (damped.raw === damped.status) return damped.since;
  let from = damped.run.length;
  while (from > 0 && damped.run[from - 1]?.status === damped.raw) from--;
  return damped.run[from]?.at ?? damped.since;
}

/**
 * Statements whose pending word others confirm: three or more witnesses (or both of two) that newly agree within one
 * interval flip at once. `edge` and `interval` (ms, of the service that speaks) give the witnesses 0 to `count`;
 * returns the numbers of those that are still pending.
 */
export function corroborated(count: number, edge: (n: number) => EdgeState, interval: (n: number) => number): readonly number[] {
  const pending: number[] = [];
  let fresh = 0;
  for (let n = 0; n < count; n++) {
    const { stale, damped } = edge(n);
    if (stale || damped.raw === "unknown") continue;
    fresh++;
    if (damped.run.length > 0 && damped.raw !== damped.status) pending.push(n);
  }
  const needed = fresh === 2 ? 2 : 3;
  if (pending.length === 0 || fresh < needed) return [];
  return [...new Set(pending.map((n) => edge(n).damped.raw))].flatMap((word) => {
    const starts: number[] = [];
    let span = 0;
    for (let n = 0; n < count; n++) {
      const state = edge(n);
      if (state.stale || state.damped.raw !== word) continue;
      starts.push(began(state));
      span = Math.max(span, interval(n));
    }
    return pending.filter((n) => edge(n).damped.raw === word && isAmong(starts, began(edge(n)), span, needed));
  });
}

/** True when a window of length `span` holds `needed` (two or three) of the starts, this one among them. */
function isAmong(starts: readonly number[], start: number, span: number, needed: number): boolean {
  let [before2, before, after, after2] = [
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ];
  let itself = true;
  for (const other of starts) {
    if (other === start && itself) itself = false;
    else if (other <= start) {
      if (other > before) [before2, before] = [before, other];
      else if (other > before2) before2 = other;
    } else if (other < after) [after2, after] = [after, other];
    else if (other < after2) after2 = other;
  }
  if (needed === 2) return start - before <= span || after - start <= span;
  return start - before2 <= span || after - before <= span || after2 - start <= span;
}
