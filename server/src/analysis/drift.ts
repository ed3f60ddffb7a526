import { LABEL_FINDINGS, type LabelFacts, type LabelFinding } from "../domain/label.ts";
import type { SystemMap } from "../domain/map.ts";
import type { SystemState } from "../domain/state.ts";
import { hurt } from "./drift/hurt.ts";
import { labelsOf, outagesOf, Steps } from "./drift/outages.ts";
import { reportFindings } from "./drift/reports.ts";
import { reviewFindings } from "./drift/reviews.ts";
import { fallsIn, type Scene } from "./drift/scene.ts";
import { unharmed } from "./drift/unharmed.ts";
import { graphOf } from "./graph.ts";

export { lookedUp } from "./drift/reports.ts";

/** What labels are judged by: the declared map, the latest reports, and what history tells. Times are epoch milliseconds. */
export interface DriftInput {
  map: SystemMap;
  /** With the reports as last heard. */
  state: SystemState;
  facts: LabelFacts;
  now: number;
  /** Age at which a review is old. */
  reviewAfter: number;
}

/**
 * Labels that are no longer true, or that nobody looks after: a pure function of history, map and reports. What
 * outages and reports say comes first, then what was merely forgotten; the surest of each first.
 */
export function drift({ map, state, facts, now, reviewAfter }: DriftInput): LabelFinding[] {
  const findings = [
    ...behaviour(map, state, withWork(map, facts)),
    ...reportFindings(map, state, facts, now),
    ...reviewFindings(map, facts, now, reviewAfter),
  ];
  const rank = ({ kind }: LabelFinding): number => LABEL_FINDINGS.indexOf(kind);
  return findings.sort(
    (a, b) => rank(a) - rank(b) || b.confidence - a.confidence || compare(a.from, b.from) || compare(a.to ?? "", b.to ?? ""),
  );
}

/** With the work that the map announces: where none of it made a node fail for all, no incident tells of it. */
function withWork({ maintenance }: SystemMap, facts: LabelFacts): LabelFacts {
  const announced = maintenance.flatMap(({ nodes, from, to }) => nodes.map((node) => ({ node, from, to })));
  return { ...facts, maintenance: [...facts.maintenance, ...announced] };
}

/** How services behaved while what they need was down. */
function behaviour(map: SystemMap, state: SystemState, facts: LabelFacts): LabelFinding[] {
  const steps = new Steps(facts, state);
  const scene: Scene = { facts, steps, graph: graphOf(map), falls: fallsIn(facts) };
  const findings: LabelFinding[] = [];
  for (const { node, polled } of scene.graph.vertices) {
    if (node.kind !== "service" || !polled) continue;
    for (const label of labelsOf(node)) {
      const outages = outagesOf(label, facts, steps);
      const finding =
        outages.length === 0 ? null : label.criticality === "hard" ? unharmed(label, outages, scene) : hurt(label, outages, scene);
      if (finding) findings.push(finding);
    }
  }
  return findings;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
