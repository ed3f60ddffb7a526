import type { Range } from "../../domain/history.ts";
import { type LabelFacts, OWN_WORD_KEPT_MS, type WordStep } from "../../domain/label.ts";
import { type Edge, edgeKey, type ServiceNode } from "../../domain/map.ts";
import type { SystemState } from "../../domain/state.ts";
import type { Criticality } from "../../domain/status.ts";
import { downTimes, overlaps } from "./spans.ts";

/** One label: a plain edge, or the alternatives of a group, which stand and fall together. */
export interface Label {
  service: ServiceNode;
  edges: readonly Edge[];
  need: number;
  criticality: Criticality;
}

/** One outage of what a label speaks of, as its service reports it. */
export interface Outage extends Range {
  /** The part of it in which the service had time to tell, and its end is not yet near; null where it was too short. */
  told: Range | null;
}

/** Outages this close to each other are one occasion: a dependency that comes and goes proves nothing twice. */
const ONE_OCCASION_MS = 1_800_000;

/** The labels of a service that a report can speak of. */
export function labelsOf(service: ServiceNode): Label[] {
  const plain = service.edges.filter(({ group }) => group === null);
  return [
    ...plain.map((edge) => ({ service, edges: [edge], need: 1, criticality: edge.criticality })),
    ...service.groups.map(({ need, criticality }, group) => ({
      service,
      edges: service.edges.filter((edge) => edge.group === group),
      need,
      criticality,
    })),
  ];
}

/** How long a change takes from its first sign to its confirmation: what is closer in time than that has no order. */
export const settleOf = ({ downAfter, interval, timeout }: ServiceNode): number => downAfter * interval + timeout;

/** What a node or edge was, also where nothing of it changed in the time looked at. */
export class Steps {
  readonly #facts: LabelFacts;
  readonly #state: SystemState;

  constructor(facts: LabelFacts, state: SystemState) {
    this.#facts = facts;
    this.#state = state;
  }

  edge({ from, to }: Pick<Edge, "from" | "to">): readonly WordStep[] {
    const key = edgeKey(from, to);
    const damped = this.#state.edges.get(key)?.damped;
    return this.#facts.edges.get(key) ?? (damped ? [{ at: damped.since, word: damped.status }] : []);
  }

  node(id: string): readonly WordStep[] {
    const node = this.#state.nodes.get(id);
    return this.#facts.nodes.get(id) ?? (node ? [{ at: node.since, word: node.status }] : []);
  }

  word(service: string): readonly WordStep[] {
    return this.#facts.words.get(service) ?? [];
  }
}

/** Outages of a label within what was seen and no work was announced for, oldest first. */
export function outagesOf({ service, edges, need }: Label, facts: LabelFacts, steps: Steps): Outage[] {
  const touched = new Set([service.id, ...edges.map(({ to }) => to)]);
  const left = [...facts.unseen, ...facts.maintenance.filter(({ node }) => touched.has(node))];
  const down = downTimes(
    edges.map((edge) => steps.edge(edge)),
    need,
    facts,
  );
  return down
    .filter((outage) => !left.some((range) => overlaps(range, outage)))
    .map((outage) => {
      // Its end is confirmed later than it was: in that time the service may rightly be well again.
      const end = Math.min(outage.to - service.upAfter * service.interval - service.timeout, outage.from + OWN_WORD_KEPT_MS);
      const told = { from: outage.from + settleOf(service), to: end };
      return { ...outage, told: told.to - told.from >= 2 * service.interval ? told : null };
    });
}

/** Outages that could tell, of those that follow one another closely the first. */
export function occasions(outages: readonly Outage[]): { outage: Outage; told: Range }[] {
  const telling = outages.flatMap((outage) => (outage.told ? [{ outage, told: outage.told }] : []));
  return telling.filter(({ outage }, n) => {
    const before = telling[n - 1]?.outage;
    return before === undefined || outage.from - before.to >= ONE_OCCASION_MS;
  });
}
