import { rootsOf } from "./choose.ts";
import type { Explanation } from "./explain.ts";
import type { Fact } from "./facts.ts";
import type { Vertex } from "./graph.ts";
import { needs, passage } from "./prices.ts";
import { WEIGHTS } from "./weights.ts";

/**
 * Those whose words from before a recovery should hold after all: a node in fresh trouble by its callers' words, one that a
 * caller still finds bad so that a link would be the cause, and what one needs, where that would explain it more cheaply than
 * a fault of its own. They last spoke of one fault, and a second one behind it may still be there.
 */
export function lapsedBelow({ reasons, local }: Explanation): ReadonlySet<Vertex> {
  const still = new Set<Vertex>();
  // A caller still finds bad what last said so itself: two witnesses, of which the caller's own way to it explains one.
  for (const strays of local.values()) for (const { to } of strays) if (hasLapsed(to)) follow(to, still);
  for (const { cause: fact, price } of rootsOf(reasons)) {
    // Callers still find it bad: what it last said of the reason may be true as well.
    if (hasLapsed(fact) && fact.blames.length > 0) follow(fact, still);
    for (const statement of fact.out) {
      const { to, says } = statement;
      if ((says !== "none" && says !== "outdated") || reasons.has(to) || !hasLapsed(to)) continue;
      if (passage(statement, needs(fact)) + WEIGHTS.oldWord >= price) continue;
      still.add(fact.vertex);
      follow(to, still);
    }
  }
  return still;
}

/** It said that it is in trouble, and that was set aside. */
function hasLapsed({ word, trouble }: Fact): boolean {
  return word !== null && word > 0 && trouble === 0;
}

/** Its word stands on those of what it blamed. */
function follow(start: Fact, still: Set<Vertex>): void {
  const waiting = [start];
  for (let fact = waiting.pop(); fact; fact = waiting.pop()) {
    if (still.has(fact.vertex)) continue;
    still.add(fact.vertex);
    for (const { to, says } of fact.out) if (says === "outdated") waiting.push(to);
  }
}
