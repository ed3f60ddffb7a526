import type { Fact, Statement } from "./facts.ts";
import { needs, opening, passage } from "./prices.ts";
import { circlesOf } from "./scc.ts";

/** Why a node is in trouble: over which statement (null: it is a cause), from which cause so many steps away, and at what price. */
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

const NO_OPTIONS: Option[] = [];
const CLOSE = 1e-9;
/** In larger circles the first to fail is opened without trying every member. */
const TRIED_AT_MOST = 30;

/**
 * Gives every node in trouble its cheapest reason: a node in trouble that it needs, or a fault of its own. What they
 * need is settled first. In a circle the members are settled one by one from what lies outside; where nothing does, the
 * circle is opened at the member from which the rest is explained most cheaply, so nothing explains itself.
 */
export function chooseReasons(active: ReadonlySet<Fact>, forced: ReadonlySet<Fact>, announced: ReadonlySet<string>): Reasons {
  const ways: Choices["ways"] = new Map();
  for (const fact of active) {
    const others = forced.has(fact) ? [] : optionsOf(fact, active, opening(fact, announced));
    if (others.length > 0) ways.set(fact, others);
  }
  const choices = { ways, announced };
  const reasons: Reasons = new Map();
  const circles = circlesOf(active, (fact, number) => ways.get(fact)?.[number]?.via.to);
  for (const circle of circles) settle(circle, choices, reasons);
  return reasons;
}

/** Ways to explain a node that are cheaper than a fault of its own, cheapest first. */
function optionsOf(fact: Fact, active: ReadonlySet<Fact>, own: number): Option[] {
  const needed = needs(fact);
  let options: Option[] = NO_OPTIONS;
  for (const via of fact.among(active)) {
    const price = passage(via, needed);
    if (price >= own - CLOSE) continue;
    if (options === NO_OPTIONS) options = [{ via, price }];
    else insert({ via, price }, options);
  }
  return options;
}

/** Puts an option where it belongs among the few of a node, behind its equals. */
function insert(option: Option, options: Option[]): void {
  let place = options.length;
  for (let before = options[place - 1]; before && isBetter(option, before); before = options[place - 1]) options[place--] = before;
  options[place] = option;
}

function isBetter(one: Option, other: Option): boolean {
  if (Math.abs(one.price - other.price) < CLOSE) return began(one.via.to) < began(other.via.to);
  return one.price < other.price;
}

function began(fact: Fact): number {
  return fact.window?.firstBad ?? Number.MAX_SAFE_INTEGER;
}

/** What each node may be explained by beside a fault of its own, cheapest first, and what work was announced. */
interface Choices {
  ways: Map<Fact, readonly Option[]>;
  announced: ReadonlySet<string>;
}

function settle(circle: readonly Fact[], choices: Choices, reasons: Reasons): void {
  const [only] = circle;
  if (only && circle.length === 1) {
    const option = cheapest(only, choices, reasons);
    reasons.set(only, option ? suffering(option, reasons) : ownOf(only, choices));
    return;
  }
  grow(circle, choices, reasons);
  for (let left = circle.filter((fact) => !reasons.has(fact)); left.length > 0; left = left.filter((fact) => !reasons.has(fact))) {
    const first = left.length === 1 ? left[0] : openingOf(left, choices, reasons);
    if (!first) return;
    reasons.set(first, ownOf(first, choices));
    grow(left, choices, reasons);
  }
}

/** The cheapest way to explain a node by what is settled. */
function cheapest(fact: Fact, choices: Choices, reasons: Reasons): Option | undefined {
  return choices.ways.get(fact)?.find(({ via }) => reasons.has(via.to));
}

function ownOf(fact: Fact, { announced }: Choices): Reason {
  return { via: null, cause: fact, steps: 0, price: opening(fact, announced) };
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
    trial.set(fact, ownOf(fact, choices));
    grow(left, choices, trial);
    let total = 0;
    for (const one of left) total += (trial.get(one) ?? ownOf(one, choices)).price;
    if (best === null || total < best.total - CLOSE) best = { fact, total };
  }
  return best?.fact;
}

/** The cause at the end of a node's chain of reasons. */
export function causeOf(fact: Fact, reasons: Reasons): Fact {
  return reasons.get(fact)?.cause ?? fact;
}
