import { effect, type Fact, type Facts, type Statement } from "./facts.ts";
import {
  contradiction,
  dismissal,
  hasOwnFault,
  isCoping,
  isDoubtful,
  mustBeExplained,
  needs,
  opening,
  ownTrouble,
  passage,
} from "./prices.ts";
import { WEIGHTS } from "./weights.ts";

/** Which nodes are taken to be in trouble, and which bad statements speak of their reporter's side instead. */
export interface Reading {
  active: Set<Fact>;
  /** Bad statements about nodes that are not in trouble. */
  strays: Set<Statement>;
}

/**
 * Decides for each node that only its callers blame whether it is in trouble: what naming it costs, with all that
 * contradicts it, against the cost of its callers' statements being faults on their side or mistakes.
 */
export function readWitnesses(facts: Facts, announced: ReadonlySet<string>): Reading {
  const active = new Set(facts.nodes.filter(mustBeExplained));
  const waiting = new Set(facts.nodes.filter((fact) => fact.blames.length > 0 && !active.has(fact)));
  const doubtful = new Set(facts.nodes.filter((fact) => ownTrouble(fact) > 0 && !active.has(fact) && !isCoping(fact)));
  // A node believed in trouble makes it likelier that those above it are: look again until nothing moves.
  for (let moved = true; moved; ) {
    moved = false;
    for (const fact of waiting) {
      const dearer = troublePrice(fact, active, announced) - sideways(fact, active);
      if (dearer > 0 && dearer > relief(fact, active, announced)) continue;
      active.add(fact);
      waiting.delete(fact);
      moved = true;
    }
    for (const fact of doubtful) {
      if (
        !fact.bad.some(
          (statement) =>
            active.has(statement.to) && saysBad(statement) && !isSlip(statement) && Number.isFinite(passage(statement, ownTrouble(fact))),
        )
      )
        continue;
      active.add(fact);
      doubtful.delete(fact);
      waiting.delete(fact);
      moved = true;
    }
  }
  const strays = new Set<Statement>();
  for (const fact of waiting) for (const blame of fact.blames) strays.add(blame);
  gatherEgress(facts, active, strays, announced);
  return { active, strays };
}

/** A report that contradicts itself for the first time, and alone in what it says: most of these are mistakes. */
function isSlip(statement: Statement): boolean {
  return isDoubtful(statement) && statement.repeats < 2 && !statement.to.blames.some((other) => other !== statement && isDoubtful(other));
}

function saysBad(statement: Statement): boolean {
  return statement.says === "down" || statement.says === "degraded";
}

/** What it costs to take a blamed node to be in trouble. */
export function troublePrice(fact: Fact, active: ReadonlySet<Fact>, announced: ReadonlySet<string>): number {
  let reason = opening(fact, announced);
  const needed = needs(fact);
  for (const link of fact.vertex.out) {
    const statement = fact.toward(link, active);
    if (statement) reason = Math.min(reason, passage(statement, needed));
  }
  return reason + contradiction(fact);
}

/** What it costs to put all statements against a node down to its callers. */
export function sideways(fact: Fact, active: ReadonlySet<Fact>): number {
  let price = 0;
  for (const blame of fact.blames) price += Math.min(dismissal(blame, otherReason(blame, active)), WEIGHTS.localFault);
  return price;
}

/**
 * What is saved elsewhere if a blamed node is in trouble: callers that are unwell beyond all they report, and do not
 * blame it (they leave it out, or looked through a cache), would need no fault of their own.
 */
export function relief(fact: Fact, active: ReadonlySet<Fact>, announced: ReadonlySet<string>): number {
  let saved = 0;
  for (const statement of fact.in) {
    const { from, says } = statement;
    if (!active.has(from) || saysBad(statement) || says === "outdated" || !hasOwnFault(from)) continue;
    if (from.vertex.circle === fact.vertex.circle) continue;
    const needed = needs(from);
    let now = opening(from, announced);
    for (const link of from.vertex.out) {
      const other = link.to === fact.vertex ? undefined : from.toward(link, active);
      if (other) now = Math.min(now, passage(other, needed));
    }
    saved += Math.max(0, now - passage(statement, needed));
  }
  return saved;
}

/** Since when its reporter says the same of a node that is in trouble for certain, and does not in turn need the reporter; null for none. */
function otherReason({ from, to }: Statement, active: ReadonlySet<Fact>): number | null {
  let since: number | null = null;
  for (const other of from.bad) {
    if (other.to === to || other.to.vertex.circle === from.vertex.circle || effect(other) === 0) continue;
    if (other.says !== "outdated" && active.has(other.to)) since = Math.min(since ?? other.badSince, other.badSince);
  }
  return since;
}

/** One egress: a service that blames most of what it needs, some of which others use without trouble, or three unseen ones. */
function gatherEgress(facts: Facts, active: Set<Fact>, strays: Set<Statement>, announced: ReadonlySet<string>): void {
  for (const fact of facts.reporters) {
    if (fact.bad.length < 2 || !fact.bad.some((statement) => isLone(statement, active))) continue;
    const bad = fact.bad.filter((statement) => effect(statement) > 0 && statement.says !== "outdated");
    if (bad.length < 2) continue;
    const lone = bad.filter((statement) => isLone(statement, active));
    if (lone.length === 0) continue;
    const stray = bad.filter((statement) => strays.has(statement));
    const told = fact.out.filter((statement) => statement.says !== "none").length;
    const together = stray.length + lone.length;
    if (together * 3 < told * 2) continue;
    const unseen = lone.filter(({ to }) => !to.fine && to.ups.length === 0).length;
    let egress = WEIGHTS.localFault + WEIGHTS.furtherLink * (together - 1) + WEIGHTS.unseenTarget * unseen;
    for (const { to } of lone) for (const blame of to.blames) if (blame.from !== fact) egress += dismissal(blame);
    let apart = stray.length > 0 ? WEIGHTS.localFault + WEIGHTS.furtherLink * (stray.length - 1) : 0;
    for (const statement of lone) apart += troublePrice(statement.to, active, announced);
    if (egress >= apart) continue;
    for (const { to } of lone) {
      active.delete(to);
      for (const blame of to.blames) strays.add(blame);
    }
  }
}

/** The only word, but for contradictory ones, against a node that has no trouble of its own and none below it. */
function isLone(statement: Statement, active: ReadonlySet<Fact>): boolean {
  const { to } = statement;
  return (
    active.has(to) &&
    !mustBeExplained(to) &&
    to.blames.every((blame) => blame === statement || (isDoubtful(blame) && blame.repeats < WEIGHTS.lasting)) &&
    !to.out.some(({ to: below, criticality }) => active.has(below) && criticality !== "informational")
  );
}
