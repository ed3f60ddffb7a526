import type { Fact, Statement } from "./facts.ts";
import { needs, opening, passage } from "./prices.ts";

/** Why a node is in trouble: over which statement (null: it is a cause), and at what price. */
export interface Reason {
  via: Statement | null;
  price: number;
}

export type Reasons = Map<Fact, Reason>;

const CLOSE = 1e-9;

/**
 * Gives every node in trouble its cheapest reason: a node in trouble that it needs, or a fault of its own. Where the
 * cheapest reasons run in a circle, the circle is opened where that costs least, so nothing explains itself.
 */
export function chooseReasons(active: ReadonlySet<Fact>, forced: ReadonlySet<Fact>, announced: ReadonlySet<string>): Reasons {
  const reasons: Reasons = new Map();
  for (const fact of active) reasons.set(fact, cheapest(fact, active, forced, announced, null));
  const settled = new Set<Fact>();
  for (const start of active) {
    for (let circle = findCircle(start, reasons, settled); circle !== null; circle = findCircle(start, reasons, settled)) {
      openCircle(circle, active, forced, announced, reasons);
    }
    for (let at: Fact | undefined = start; at && !settled.has(at); at = reasons.get(at)?.via?.to) settled.add(at);
  }
  return reasons;
}

function cheapest(
  fact: Fact,
  active: ReadonlySet<Fact>,
  forced: ReadonlySet<Fact>,
  announced: ReadonlySet<string>,
  banned: ReadonlySet<Fact> | null,
): Reason {
  let best: Reason = { via: null, price: opening(fact, announced) };
  if (forced.has(fact)) return best;
  const needed = needs(fact);
  for (const statement of fact.out) {
    if (!active.has(statement.to) || banned?.has(statement.to)) continue;
    const price = passage(statement, needed);
    if (price < best.price - CLOSE || (price < best.price + CLOSE && best.via && sooner(statement.to, best.via.to))) {
      best = { via: statement, price };
    }
  }
  return best;
}

function sooner(a: Fact, b: Fact): boolean {
  return (a.window?.firstBad ?? Number.POSITIVE_INFINITY) < (b.window?.firstBad ?? Number.POSITIVE_INFINITY);
}

function findCircle(start: Fact, reasons: Reasons, settled: ReadonlySet<Fact>): Fact[] | null {
  const path = new Map<Fact, number>();
  const walk: Fact[] = [];
  for (let at: Fact | undefined = start; at && !settled.has(at); at = reasons.get(at)?.via?.to) {
    const seen = path.get(at);
    if (seen !== undefined) return walk.slice(seen);
    path.set(at, walk.length);
    walk.push(at);
  }
  return null;
}

/** Gives that member another reason, outside all that hangs on the circle, for which this costs least. */
function openCircle(
  circle: readonly Fact[],
  active: ReadonlySet<Fact>,
  forced: ReadonlySet<Fact>,
  announced: ReadonlySet<string>,
  reasons: Reasons,
): void {
  const banned = hangingOn(circle, active, reasons);
  let choice: { fact: Fact; reason: Reason; regret: number } | null = null;
  for (const fact of circle) {
    const reason = cheapest(fact, active, forced, announced, banned);
    const regret = reason.price - (reasons.get(fact)?.price ?? 0);
    if (choice === null || regret < choice.regret - CLOSE || (regret < choice.regret + CLOSE && preferred(fact, choice.fact))) {
      choice = { fact, reason, regret };
    }
  }
  if (choice) reasons.set(choice.fact, choice.reason);
}

/** In a circle, the first to fail; then the one that most blame; then the earlier declared. */
function preferred(a: Fact, b: Fact): boolean {
  const first = a.window?.firstBad ?? Number.POSITIVE_INFINITY;
  const second = b.window?.firstBad ?? Number.POSITIVE_INFINITY;
  if (first !== second) return first < second;
  if (a.blames.length !== b.blames.length) return a.blames.length > b.blames.length;
  return a.vertex.n < b.vertex.n;
}

function hangingOn(circle: readonly Fact[], active: ReadonlySet<Fact>, reasons: Reasons): Set<Fact> {
  const hanging = new Set(circle);
  const waiting = [...circle];
  for (let fact = waiting.pop(); fact; fact = waiting.pop()) {
    for (const { from, link } of fact.in) {
      if (active.has(from) && !hanging.has(from) && reasons.get(from)?.via?.link === link) {
        hanging.add(from);
        waiting.push(from);
      }
    }
  }
  return hanging;
}

/** The cause at the end of a node's chain of reasons. */
export function causeOf(fact: Fact, reasons: Reasons): Fact {
  let at = fact;
  for (let next = reasons.get(at)?.via?.to; next; next = reasons.get(at)?.via?.to) at = next;
  return at;
}
