import { humanDuration } from "../../domain/duration.ts";
import type { Range } from "../../domain/history.ts";
import type { LabelFacts, LabelFinding } from "../../domain/label.ts";
import { levelOf } from "../confidence.ts";
import type { Graph, Vertex } from "../graph.ts";
import type { Label, Steps } from "./outages.ts";

/** Everything that is looked at for one label. */
export interface Scene {
  facts: LabelFacts;
  steps: Steps;
  graph: Graph;
  /** When any node turned unhealthy or silent, oldest first. */
  falls: readonly { at: number; id: string }[];
}

/** What became of a service in one outage of what it needs; `unclear` where something else may be why, or nobody can tell. */
export type Fate = "fine" | "worse" | "failed" | "unclear";

const MOMENTS = 10;

/** Evidence of what is no matter of outages. */
export const NO_OUTAGES = { outages: 0, agreeing: 0, durationMs: 0, moments: [], reports: null, notes: [] } as const;

/** When nodes turned unhealthy or silent, oldest first. */
export function fallsIn(facts: LabelFacts): Scene["falls"] {
  const falls: { at: number; id: string }[] = [];
  for (const [id, steps] of facts.nodes)
    for (const [n, { at, word }] of steps.entries()) if (n > 0 && (word === "unhealthy" || word === "unknown")) falls.push({ at, id });
  return falls.sort((a, b) => a.at - b.at);
}

/** Ids of all that can be reached, the start included. */
export function reach(start: readonly (Vertex | undefined)[], next: (vertex: Vertex) => Vertex[]): Set<string> {
  const found = new Set<string>();
  const queue = start.filter((vertex) => vertex !== undefined);
  for (const vertex of queue) {
    if (found.has(vertex.id)) continue;
    found.add(vertex.id);
    queue.push(...next(vertex));
  }
  return found;
}

export const lengthOf = (ranges: readonly Range[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0);
export const namesOf = ({ edges }: Label): string => edges.map(({ to }) => to).join(" and ");

/** `in 4 of 5 outages of it`, with how long they were in all. */
export function outagesText(agreeing: readonly Range[], count: number): string {
  const length = humanDuration(lengthOf(agreeing));
  return count === 1 ? `in its only outage (${length})` : `in ${agreeing.length} of ${count} outages of it (${length} in all)`;
}

/** The finding about one label that outages speak against. `count`: outages that could tell. */
export function outageFinding(
  { service, edges, criticality }: Label,
  facts: LabelFacts,
  found: Pick<LabelFinding, "kind" | "suggested" | "confidence" | "text"> & { count: number; agreeing: readonly Range[]; notes: string[] },
): LabelFinding {
  const { kind, suggested, text, confidence, count, agreeing, notes } = found;
  const newest = agreeing.slice(-MOMENTS).reverse();
  return {
    kind,
    from: service.id,
    to: edges[0]?.to ?? null,
    component: null,
    declared: criticality,
    suggested,
    team: edges[0]?.owner ?? service.team,
    confidence: Math.round(confidence * 100) / 100,
    level: levelOf(confidence),
    text,
    evidence: {
      from: facts.from,
      to: facts.to,
      outages: count,
      agreeing: agreeing.length,
      durationMs: lengthOf(agreeing),
      moments: newest.map(({ from, to }) => ({ from, to })),
      reports: null,
      notes,
    },
    edit: suggested && { kind: "set", key: "criticality", value: suggested },
  };
}
