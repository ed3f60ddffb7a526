import type { Fact, Statement } from "./facts.ts";
import { needs, opening, passage } from "./prices.ts";
import { circlesOf } from "./scc.ts";

/** Why a node is in trouble: over which statement (null: it is a cause, its own), from which cause so many steps away, and at what price. */
interface Reason {
  via: Statement | null;
  cause: Fact;
  steps: number;
  price: number;
}

export type Reasons = Map<Fact, Reason>;

interface Option {
  via: Statement;
  price: number;
}

/** Prices that differ by less are equal: sums of the same differ by the order in which they are made. */
export const CLOSE = 1e-9;
/** In larger circles the first to fail is opened without trying every member. */
const TRIED_AT_MOST = 30;

/**
 * Gives every node in trouble its cheapest reason: a node in trouble that it needs, or a fault of its own. What they
 * need is settled first. In a circle the members are settled one by one from what lies outside; where nothing does, the
 * circle is opened at the member from which the rest is explained most cheaply, so nothing explains itself.
 */
export function chooseReasons(active: ReadonlySet<Fact>, forced: ReadonlySet<Fact>, announced: ReadonlySet<string>): Reasons {
  const given = { active, forced, announced };
  const reasons: Reasons = new Map();
  const sorted = [...active].sort((a, b) => a.vertex.circle - b.vertex.circle);
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    const first = sorted[start] as Fact;
    while (sorted[end]?.vertex.circle === first.vertex.circle) end++;
    if (end === start + 1) reasons.set(first, reasonOf(first, given, reasons));
    else settleTogether(sorted.slice(start, end), given, reasons);
  }
  return reasons;
}

/** Those in trouble, those that are causes by inference, and those on which work was announced. */
interface Given {
  active: ReadonlySet<Fact>;
  forced: ReadonlySet<Fact>;
  announced: ReadonlySet<string>;
}

/** The reason of a node when all that it needs is settled; of equal ones the first. */
function reasonOf(fact: Fact, { forced, announced }: Given, reasons: Reasons): Reason {
  const reason = ownReason(fact, announced);
  if (forced.has(fact)) return reason;
  const [needed, own] = [needs(fact), reason.price];
  for (const link of fact.vertex.out) {
    const via = fact.toward(link, reasons);
    if (!via) continue;
    const price = passage(via, needed);
    if (price >= own - CLOSE || (reason.via !== null && !isBetter(price, via, reason.price, reason.via))) continue;
    reason.via = via;
    reason.price = price;
  }
  const below = reason.via && reasons.get(reason.via.to);
  if (!below) return reason;
  reason.cause = below.cause;
  reason.steps = below.steps + 1;
  return reason;
}

function ownReason(fact: Fact, announced: ReadonlySet<string>): Reason {
  return { via: null, cause: fact, steps: 0, price: opening(fact, announced) };
}

/** Settles nodes of which each needs all others at some distance, though not only over such as are in trouble. */
function settleTogether(members: readonly Fact[], given: Given, reasons: Reasons): void {
  const { active, forced, announced } = given;
  const ways: Choices["ways"] = new Map();
  for (const fact of members) if (!forced.has(fact)) ways.set(fact, optionsOf(fact, active, opening(fact, announced)));
  for (const circle of circlesOf(members, (fact, number) => ways.get(fact)?.[number]?.via.to)) {
    const [only] = circle;
    if (!only || reasons.has(only)) continue;
    if (circle.length === 1) reasons.set(only, reasonOf(only, given, reasons));
    else settle(circle, { ways, announced }, reasons);
  }
}

/** Ways to explain a node that are cheaper than a fault of its own, cheapest first. */
function optionsOf(fact: Fact, active: ReadonlySet<Fact>, own: number): Option[] {
  const needed = needs(fact);
  const options: Option[] = [];
  for (const link of fact.vertex.out) {
    const via = fact.toward(link, active);
    if (!via) continue;
    const price = passage(via, needed);
    if (price < own - CLOSE) insert({ via, price }, options);
  }
  return options;
}

/** Puts an option where it belongs among the few of a node, behind its equals. */
function insert(option: Option, options: Option[]): void {
  const { price, via } = option;
  let place = options.length;
  for (let before = options[place - 1]; before && isBetter(price, via, before.price, before.via); before = options[place - 1])
    options[place--] = before;
  options[place] = option;
}

function isBetter(price: number, via: Statement, otherPrice: number, other: Statement): boolean {
  if (Math.abs(price - otherPrice) < CLOSE) return began(via.to) < began(other.to);
  return price < otherPrice;
}

function began(fact: Fact): number {
  return fact.window?.firstBad ?? Number.MAX_SAFE_INTEGER;
}

/** What each node of a circle may be explained by beside a fault of its own, cheapest first, and what work was announced. */
interface Choices {
  ways: Map<Fact, readonly Option[]>;
  announced: ReadonlySet<string>;
}

function settle(circle: readonly Fact[], choices: Choices, reasons: Reasons): void {
  grow(circle, choices, reasons);
  for (let left = circle.filter((fact) => !reasons.has(fact)); left.length > 0; left = left.filter((fact) => !reasons.has(fact))) {
    const first = left.length === 1 ? left[0] : openingOf(left, choices, reasons);
    if (!first) return;
    reasons.set(first, ownReason(first, choices.announced));
    grow(left, choices, reasons);
  }
}

/** The cheapest way to explain a node by what is settled. */
function cheapest(fact: Fact, choices: Choices, reasons: Reasons): Option | undefined {
  return choices.ways.get(fact)?.find(({ via }) => reasons.has(via.to));
}

/** What it suffers from is settled, and so is the cause of that. */
function suffering({ via, price }: Option, reasons: Reasons): Reason {
  return { via, cause: causeOf(via.to, reasons), steps: (reasons.get(via.to)?.steps ?? 0) + 1, price };
}

/** Settles members one by one, always the one that is explained most cheaply by what is settled; of equals the first. */
function grow(circle: readonly Fact[], choices: Choices, reasons: Reasons): void {
  const waiting = new Map<Fact, number>();
  circle.forEach((fact, place) => {
    if (!reasons.has(fact)) waiting.set(fact, place);
  });
  const ready = new Map<Fact, Option>();
  const look = (fact: Fact): void => {
    const option = cheapest(fact, choices, reasons);
    if (option) ready.set(fact, option);
  };
  for (const fact of waiting.keys()) look(fact);
  for (;;) {
    let next: [Fact, Option] | null = null;
    for (const entry of ready) {
      const dearer = next === null ? -1 : entry[1].price - next[1].price;
      const isEqual = Math.abs(dearer) < CLOSE;
      if (dearer < 0 && !isEqual) next = entry;
      else if (isEqual && next && (waiting.get(entry[0]) ?? 0) < (waiting.get(next[0]) ?? 0)) next = entry;
    }
    if (next === null) return;
    const [fact, option] = next;
    reasons.set(fact, suffering(option, reasons));
    waiting.delete(fact);
    ready.delete(fact);
    fact.dependents((from) => {
      if (waiting.has(from)) look(from);
    });
  }
}

/** The member at which opening the circle explains it most cheaply; then the first to fail, the most blamed, the earlier declared. */
function openingOf(left: readonly Fact[], choices: Choices, reasons: Reasons): Fact | undefined {
  const ranked = [...left].sort((a, b) => began(a) - began(b) || b.blames.length - a.blames.length || a.vertex.n - b.vertex.n);
  if (left.length > TRIED_AT_MOST) return ranked[0];
  let best: { fact: Fact; total: number } | null = null;
  for (const fact of ranked) {
    const trial: Reasons = new Map(reasons);
    trial.set(fact, ownReason(fact, choices.announced));
    grow(left, choices, trial);
    let total = 0;
    for (const one of left) total += (trial.get(one) ?? ownReason(one, choices.announced)).price;
    if (best === null || total < best.total - CLOSE) best = { fact, total };
  }
  return best?.fact;
}

/** The reasons of those that are causes. */
export function rootsOf(reasons: Reasons): Reason[] {
  const roots: Reason[] = [];
  for (const reason of reasons.values()) if (reason.via === null) roots.push(reason);
  return roots;
}

/** The cause at the end of a node's chain of reasons. */
export function causeOf(fact: Fact, reasons: Reasons): Fact {
  return reasons.get(fact)?.cause ?? fact;
}
