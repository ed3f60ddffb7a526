import { type Label, type Outage, settleOf } from "./outages.ts";
import { lengthOf, type Scene } from "./scene.ts";
import { overlaps } from "./spans.ts";

/** How likely as many falls of the service meet as many outages if they have nothing to do with each other. */
export function byChance(label: Label, outages: readonly Outage[], falls: number, count: number, { steps, facts }: Scene): number {
  const lead = 2 * settleOf(label.service);
  const near = outages.map(({ from, to }) => ({ from: from - lead, to }));
  const own = steps.node(label.service.id).filter(({ at, word }, n) => {
    const moment = { from: at, to: at + 1 };
    return n > 0 && word === "unhealthy" && !near.some((range) => overlaps(range, moment));
  }).length;
  const window = lengthOf(near) / near.length;
  // Half an event more than was seen: what never happened may still happen.
  const each = 1 - Math.exp((-(own + 0.5) / Math.max(1, facts.to - facts.from)) * window);
  return tail(falls, count, each);
}

/** Probability of `least` successes or more in `count` tries of probability `each`. */
function tail(least: number, count: number, each: number): number {
  let sum = 0;
  let ways = 1;
  for (let k = 0; k <= count; k++) {
    if (k > 0) ways = (ways * (count - k + 1)) / k;
    if (k >= least) sum += ways * each ** k * (1 - each) ** (count - k);
  }
  return Math.min(1, sum);
}
