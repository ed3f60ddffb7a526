import type { Availability, Range, Span, StripCell } from "../domain/history.ts";
import { compareStatus, type Role, STATUSES, type Status, worstStatus } from "../domain/status.ts";

/** From `at` on, until the next step, `status` holds; null where the subject does not exist. */
export interface Step {
  at: number;
  status: Status | null;
  reason?: string | null;
}

/** Status words of history; anything else (a node that left the map) is no status. */
export function asStatus(word: string): Status | null {
  return (STATUSES as readonly string[]).includes(word) ? (word as Status) : null;
}

/** Appends a step as it became known: after a clock that stepped back, the later knowledge of a moment replaces the earlier. */
export function push<T extends { at: number }>(steps: T[], step: T): void {
  while (steps.length > 0 && (steps.at(-1)?.at ?? 0) >= step.at) steps.pop();
  steps.push(step);
}

/** Sorted, overlapping and touching ranges joined, cut to `within`; empty ones left out. */
export function union(ranges: Iterable<Range>, within: Range): Range[] {
  const cut = [...ranges]
    .map(({ from, to }) => ({ from: Math.max(from, within.from), to: Math.min(to, within.to) }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const joined: Range[] = [];
  for (const range of cut) {
    const last = joined.at(-1);
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else joined.push(range);
  }
  return joined;
}

/** Milliseconds that two lists of joined, sorted ranges share. */
export function overlap(a: readonly Range[], b: readonly Range[]): number {
  let sum = 0;
  let i = 0;
  let j = 0;
  for (let x = a[0], y = b[0]; x && y; x = a[i], y = b[j]) {
    sum += Math.max(0, Math.min(x.to, y.to) - Math.max(x.from, y.from));
    if (x.to < y.to) i++;
    else j++;
  }
  return sum;
}

export type Piece = Range & { status: Status | "no_data"; reason: string | null };

/** Cuts `within` into pieces without gap or overlap: the steps' statuses where seen, `no_data` elsewhere. */
export function tile(steps: readonly Step[], unseen: readonly Range[], within: Range): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: Piece): void => {
    if (piece.from >= piece.to) return;
    const last = pieces.at(-1);
    if (last && last.status === piece.status && last.reason === piece.reason) last.to = piece.to;
    else pieces.push(piece);
  };
  let next = 0;
  const known = (range: Range): void => {
    let at = range.from;
    while (at < range.to) {
      while (next < steps.length && (steps[next]?.at ?? 0) <= at) next++;
      const step = steps[next - 1];
      const to = Math.min(range.to, steps[next]?.at ?? range.to);
      if (step?.status) add({ status: step.status, reason: step.reason ?? null, from: at, to });
      else add({ status: "no_data", reason: null, from: at, to });
      at = to;
    }
  };
  let at = within.from;
  for (const gap of unseen) {
    known({ from: at, to: gap.from });
    add({ status: "no_data", reason: null, from: gap.from, to: gap.to });
    at = gap.to;
  }
  known({ from: at, to: within.to });
  return pieces;
}

/**
 * At most `most` pieces for a chart that cannot show more: neighbours that are each shorter than its finest mark become
 * one with the worst of their statuses, and say how many they were. Longer ones stay as they are; all still tile the range.
 */
export function coarsened(pieces: readonly Piece[], most: number): readonly Piece[] {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (pieces.length <= most || !first || !last) return pieces;
  // Every other piece may be a joined one, and a mark holds two halves of joined ones at most.
  const width = ((last.to - first.from) * 4) / most;
  const coarse: Piece[] = [];
  let joined: Piece[] = [];
  const close = (): void => {
    const [one] = joined;
    if (!one) return;
    const known = joined.flatMap(({ status }) => (status === "no_data" ? [] : [status]));
    const status = known.length === 0 ? "no_data" : worstStatus(known);
    const end = joined.at(-1) ?? one;
    coarse.push(joined.length === 1 ? one : { status, reason: `${joined.length} changes, too short to show`, from: one.from, to: end.to });
    joined = [];
  };
  for (const piece of pieces) {
    const isShort = piece.to - piece.from < width;
    if (!isShort || piece.to - (joined[0] ?? piece).from > width) close();
    if (isShort) joined.push(piece);
    else coarse.push(piece);
  }
  close();
  return coarse;
}

/** Pieces as spans with the role that was held for most of each. */
export function withRoles(pieces: readonly Piece[], roles: readonly { at: number; role: Role | null }[]): Span[] {
  let first = 0;
  return pieces.map((piece) => {
    if (piece.status === "no_data") return { ...piece, role: null };
    const held = new Map<Role | null, number>();
    while ((roles[first + 1]?.at ?? Number.POSITIVE_INFINITY) <= piece.from) first++;
    for (let i = first; i < roles.length && (roles[i]?.at ?? 0) < piece.to; i++) {
      const from = Math.max(piece.from, roles[i]?.at ?? 0);
      const to = Math.min(piece.to, roles[i + 1]?.at ?? piece.to);
      const role = roles[i]?.role ?? null;
      if (from < to) held.set(role, (held.get(role) ?? 0) + to - from);
    }
    let longest: Role | null = null;
    for (const [role, ms] of held) if (role && ms * 2 > piece.to - piece.from) longest = role;
    return { ...piece, role: longest };
  });
}

/** Milliseconds of the pieces by what they count as; `announced` are joined, sorted ranges of maintenance. */
export function availabilityOf(pieces: readonly Piece[], announced: readonly Range[]): Availability {
  const sum: Availability = { up: 0, degraded: 0, down: 0, unseen: 0, maintenance: 0 };
  const trouble: Range[] = [];
  for (const piece of pieces) {
    const ms = piece.to - piece.from;
    if (piece.status === "healthy") sum.up += ms;
    else if (piece.status === "degraded") sum.degraded += ms;
    else if (piece.status === "unhealthy") sum.down += ms;
    else sum.unseen += ms;
    if (piece.status === "degraded" || piece.status === "unhealthy") trouble.push(piece);
  }
  sum.maintenance = overlap(trouble, announced);
  return sum;
}

/** `within` in equal cells: of each the worst status and the share of its time that this held; null without data. */
export function strip(steps: readonly Step[], unseen: readonly Range[], within: Range, cells: number): StripCell[] {
  const held = heldTimes(steps, unseen, within, cells);
  const width = (within.to - within.from) / cells;
  return Array.from({ length: cells }, (_, cell) => worstOf(held, cell * STATUSES.length, width));
}

/**
 * Milliseconds that each status held in each of some equal cells, `cell * 4 + index in STATUSES`. The same as by way of
 * `tile`, for boards of thousands of nodes: sums in one array, no object for each piece.
 */
export function heldTimes(steps: readonly Step[], unseen: readonly Range[], within: Range, cells: number): Float64Array {
  const width = (within.to - within.from) / cells;
  const held = new Float64Array(cells * STATUSES.length);
  const hold = (from: number, to: number, status: Status): void => {
    const index = STATUSES.indexOf(status);
    for (let cell = Math.floor((from - within.from) / width); cell < cells; cell++) {
      const start = within.from + cell * width;
      if (start >= to) return;
      const at = cell * STATUSES.length + index;
      held[at] = (held[at] ?? 0) + Math.max(0, Math.min(to, start + width) - Math.max(from, start));
    }
  };
  let next = 0;
  let at = within.from;
  for (let gap = 0; gap <= unseen.length; gap++) {
    const end = unseen[gap]?.from ?? within.to;
    while (at < end) {
      while (next < steps.length && (steps[next]?.at ?? 0) <= at) next++;
      const to = Math.min(end, steps[next]?.at ?? end);
      const status = steps[next - 1]?.status;
      if (status) hold(at, to, status);
      at = to;
    }
    at = unseen[gap]?.to ?? end;
  }
  return held;
}

const WORST_FIRST: readonly Status[] = [...STATUSES].sort((a, b) => compareStatus(b, a));

function worstOf(held: Float64Array, from: number, width: number): StripCell {
  for (const status of WORST_FIRST) {
    const ms = held[from + STATUSES.indexOf(status)] ?? 0;
    if (ms > 0) return { status, share: Math.min(1, Math.round((ms / width) * 1_000) / 1_000) };
  }
  return null;
}
