import { causeOf, type Reasons, rootsOf } from "./choose.ts";
import { type Fact, isBad, type Statement } from "./facts.ts";
import { isBlamedRoot } from "./hidden.ts";
import { hasOwnFault, needs, passage } from "./prices.ts";
import { WEIGHTS } from "./weights.ts";
import type { Reading } from "./witnesses.ts";

/**
 * Healthy-looking nodes that must have carried a failure on: services in trouble without a reported reason, or silent themselves,
 * need them, and they need a node in trouble. Returns those that make the explanation cheaper.
 */
export function findCarriers(reading: Reading, reasons: Reasons): Set<Fact> {
  const gains = new Map<Fact, number>();
  for (const { cause: fact, price } of rootsOf(reasons)) {
    if (!fact.silent && !hasOwnFault(fact)) continue;
    for (const statement of fact.out) {
      const carrier = statement.to;
      if (reading.active.has(carrier) || statement.criticality === "informational") continue;
      const saved = price - passage(statement, needs(fact));
      if (saved > 0) gains.set(carrier, (gains.get(carrier) ?? 0) + saved);
    }
  }
  const found = new Set<Fact>();
  for (const [carrier, gain] of gains) {
    let price = Number.POSITIVE_INFINITY;
    for (const statement of carrier.out) {
      if (statement.criticality !== "hard" || !reading.active.has(statement.to)) continue;
      if (dependsOn(causeOf(statement.to, reasons), carrier)) continue;
      price = Math.min(price, passage(statement, 2));
    }
    if (gain > price + (carrier.fine ? WEIGHTS.silentCarrier : 0)) found.add(carrier);
  }
  return found;
}

/** A cause that itself needs the carrier cannot stand behind it. */
function dependsOn(cause: Fact, carrier: Fact): boolean {
  return cause.out.some((statement) => statement.to === carrier);
}

/**
 * Nodes between one that its callers alone find bad and what is in trouble below it, each of which finds the next one bad already, so
 * that damping only has to confirm it: what is being confirmed opens nothing, but it explains.
 */
export function findUnconfirmed({ active }: Reading, reasons: Reasons): ReadonlySet<Fact> {
  const ends = new Map<Fact, Fact>();
  const dead = new Set<Fact>();
  for (const { cause: root } of rootsOf(reasons)) if (isBlamedRoot(root, reasons)) goDown(root, active, reasons, ends, dead);
  return new Set(ends.keys());
}

/**
 * Adds the nodes passed on the shortest way down to one in trouble for another reason, each with that one; or to `dead` all from which
 * there is no such way, so that each is passed once.
 */
function goDown(root: Fact, active: ReadonlySet<Fact>, reasons: Reasons, ends: Map<Fact, Fact>, dead: Set<Fact>): void {
  const above = new Map<Fact, Fact | null>([[root, null]]);
  let turnedBack = false;
  for (const [fact] of above) {
    for (const statement of fact.out) {
      const { to } = statement;
      if (above.has(to) || dead.has(to) || !pointsTo(statement, active)) continue;
      above.set(to, fact);
      const end = active.has(to) ? to : ends.get(to);
      if (!end) continue;
      if (causeOf(end, reasons) !== root) {
        for (let at: Fact | null = fact; at && at !== root; at = above.get(at) ?? null) ends.set(at, end);
        return;
      }
      turnedBack = true;
    }
  }
  if (!turnedBack) for (const fact of above.keys()) if (fact !== root) dead.add(fact);
}

/** Its reporter's latest word on it is bad, confirmed or not; who is not polled says nothing, and passes on what it needs hard. */
function pointsTo({ from, to, says, criticality, state }: Statement, active: ReadonlySet<Fact>): boolean {
  if (!from.vertex.polled) return criticality === "hard" && (active.has(to) || to.vertex.polled);
  return criticality !== "informational" && says !== "outdated" && state !== undefined && !state.stale && isBad(state.damped.raw);
}
