import type { Transition } from "../domain/history.ts";
import type { EdgeState, InstanceState, NodeState, SystemState } from "../domain/state.ts";
import { fitEdges, fitInstances, fitNodes } from "./fit.ts";
import { lastEvidence } from "./instances.ts";
import type { MapIndex, ServiceIndex } from "./mapindex.ts";
import { Draft } from "./table.ts";

const REFRESH_EVERY = 1_000;

/** One batch on paper: drafts of the three tables, and what moved. Mutable, used for one batch and thrown away. */
export class Sheet {
  readonly before: SystemState;
  readonly index: MapIndex;
  readonly instances: Draft<InstanceState>;
  readonly edges: Draft<EdgeState>;
  readonly nodes: Draft<NodeState>;
  readonly now: number;
  blind: SystemState["blind"];
  cannotTell: boolean;
  readonly changed = { instances: new Set<string>(), edges: new Set<string>(), nodes: new Set<string>() };
  readonly seen = new Set<string>();
  readonly transitions: Transition[] = [];
  /** Positions of nodes to judge again, and of those of which some statement is pending. */
  readonly touched = new Set<number>();
  readonly pending = new Set<number>();
  /** Positions of nodes of which some witness speaks anew. */
  readonly spokenOf = new Set<number>();
  /** Some poll found no way out. */
  cutOff = false;

  constructor(state: SystemState, index: MapIndex, now: number) {
    this.before = state;
    this.index = index;
    this.instances = new Draft(fitInstances(index, state.instances));
    this.edges = new Draft(fitEdges(index, state.edges));
    this.nodes = new Draft(fitNodes(index, state.nodes));
    this.now = now;
    this.blind = state.blind;
    this.cannotTell = state.cannotTell ?? false;
  }

  putInstance(position: number, { node }: ServiceIndex, instance: InstanceState): void {
    this.instances.put(position, instance, dueAfter(lastEvidence(instance), node.maxAge));
    this.changed.instances.add(instance.id);
  }

  putEdge(position: number, before: EdgeState, after: EdgeState): void {
    if (before === after) return;
    const { node } = this.index.reporter[position] as ServiceIndex;
    this.edges.put(position, after, dueAfter(after.stale ? null : after.checkedAt, node.componentMaxAge));
    const target = this.index.target[position] as number;
    if (hasSpokenAnew(before, after)) {
      const key = this.index.edges.names[position] as string;
      this.changed.edges.add(key);
      this.touched.add(target);
      this.spokenOf.add(target);
      if (before.damped.status !== after.damped.status) this.#touchBlamed(position);
      if (after.damped.run.length > 0 && after.damped.raw !== after.damped.status) this.pending.add(target);
      this.report("edge", key, before.damped.status, after.damped.status, after.error);
    } else if (this.isPolled(target)) {
      if (isFirstSince(this.nodes.at(target), before, after)) {
        this.touched.add(target);
        this.spokenOf.add(target);
      }
    } else if (!this.touched.has(target)) this.#refresh(target, after);
  }

  /** How much a service blames in all decides what its word against each is worth. */
  #touchBlamed(position: number): void {
    const service = this.index.reporter[position] as ServiceIndex;
    for (let offset = 0; offset < service.edges.length; offset++) {
      const { status } = this.edges.at(service.firstEdge + offset).damped;
      if (status === "down" || status === "degraded") this.touched.add(service.targets[offset] as number);
    }
  }

  /** A statement that says the same again only dates the node it speaks of, once a second: many speak of a shared one. */
  #refresh(target: number, edge: EdgeState): void {
    if (edge.stale || edge.checkedAt === null) return;
    const node = this.nodes.at(target);
    if (node.lastChecked !== null && edge.checkedAt < node.lastChecked + REFRESH_EVERY) return;
    this.nodes.put(target, { ...node, lastChecked: edge.checkedAt, latencyMs: edge.latencyMs }, Number.POSITIVE_INFINITY);
    this.seen.add(node.id);
  }

  isPolled(position: number): boolean {
    return (this.index.service[position]?.instances.length ?? 0) > 0;
  }

  /** The state itself where nothing moved at all. */
  state(): SystemState {
    const before = this.before;
    const [instances, edges, nodes] = [this.instances.done(), this.edges.done(), this.nodes.done()];
    const same = instances === before.instances && edges === before.edges && nodes === before.nodes && this.blind === before.blind;
    if (same && this.cannotTell === (before.cannotTell ?? false)) return before;
    return { instances, edges, nodes, blind: this.blind, ...(this.cannotTell ? { cannotTell: true } : {}) };
  }

  report(subject: Transition["subject"], id: string, from: string, to: string, reason: string | null): void {
    if (from !== to) this.transitions.push({ subject, id, at: this.now, from, to, reason, incident: null });
  }
}

/** The first moment at which evidence of `time` is past its limit. */
export function dueAfter(time: number | null, limit: number): number {
  return time === null ? Number.POSITIVE_INFINITY : time + limit + 1;
}

/** True when a polled node that calls itself well is blamed by the first check since it does: what went on from before may be a dispute now. */
function isFirstSince({ status, since, marks }: NodeState, before: EdgeState, { checkedAt, damped }: EdgeState): boolean {
  if (status !== "healthy" && !marks.includes("disputed")) return false;
  return damped.status !== "up" && (before.checkedAt ?? since) < since && since <= (checkedAt ?? since);
}

/** True when a statement moved by more than its times, its latency and the results it keeps. */
function hasSpokenAnew(before: EdgeState, after: EdgeState): boolean {
  const [a, b] = [before.damped, after.damped];
  return (
    before.stale !== after.stale ||
    before.error !== after.error ||
    before.window !== after.window ||
    before.checkedAt === null ||
    (a !== b &&
      (a.status !== b.status ||
        a.since !== b.since ||
        a.raw !== b.raw ||
        a.pending !== b.pending ||
        a.confirmed !== b.confirmed ||
        a.flapping !== b.flapping ||
        a.intermittent !== b.intermittent))
  );
}
