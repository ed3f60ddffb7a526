import type { Transition } from "../domain/history.ts";
import type { Observation } from "../domain/observation.ts";
import type { EdgeState, InstanceState, NodeState, SystemState } from "../domain/state.ts";
import { BLIND_REASON, type Canary, isCutOff, judgeSight, type Watched } from "./blind.ts";
import { statusDamper } from "./damping.ts";
import { ageEdge, corroborateEdge, foldStatement, mergeInstances, pauseEdge } from "./edges.ts";
import { fitEdges, fitInstances, fitNodes } from "./fit.ts";
import { judgeWitnessed } from "./hearing.ts";
import { foldPoll, lastEvidence, staleReason } from "./instances.ts";
import type { MapIndex, ServiceIndex } from "./mapindex.ts";
import { hasMoved, isMaintained, isOld, type Moment } from "./nodes.ts";
import { judgePolled } from "./polled.ts";
import type { Statement } from "./report.ts";
import { Draft } from "./table.ts";
import { blamesMost, corroborated } from "./witnesses.ts";

const REFRESH_EVERY = 1_000;

/** A state and what became of it. */
export interface Step {
  state: SystemState;
  /** What moved by more than times and latencies; every instance that was polled. */
  changed: { instances: ReadonlySet<string>; edges: ReadonlySet<string>; nodes: ReadonlySet<string> };
  /** Nodes that were merely seen again: a later check, another latency. */
  seen: ReadonlySet<string>;
  /** Changes of damped status of instances, edges and nodes, and of blindness; `at` is when the change was confirmed. */
  transitions: readonly Transition[];
}

/**
 * One batch at work: drafts of the three tables, and what moved. Mutable, used by one call and thrown away.
 * Instances are folded first, then edges, then the nodes that either touches, so order within a batch cannot matter.
 */
export class Work {
  readonly #before: SystemState;
  readonly #index: MapIndex;
  readonly #instances: Draft<InstanceState>;
  readonly #edges: Draft<EdgeState>;
  readonly #nodes: Draft<NodeState>;
  readonly #now: number;
  #blind: SystemState["blind"];
  #cannotTell: boolean;
  readonly #changed = { instances: new Set<string>(), edges: new Set<string>(), nodes: new Set<string>() };
  readonly #seen = new Set<string>();
  readonly #transitions: Transition[] = [];
  /** Positions of nodes to judge again, and of those of which some statement is pending. */
  readonly #touched = new Set<number>();
  readonly #pending = new Set<number>();
  /** Positions of nodes of which some witness speaks anew. */
  readonly #spokenOf = new Set<number>();
  #cutOff = false;

  constructor(state: SystemState, index: MapIndex, now: number) {
    this.#before = state;
    this.#index = index;
    this.#instances = new Draft(fitInstances(index, state.instances));
    this.#edges = new Draft(fitEdges(index, state.edges));
    this.#nodes = new Draft(fitNodes(index, state.nodes));
    this.#now = now;
    this.#blind = state.blind;
    this.#cannotTell = state.cannotTell ?? false;
  }

  /** Counts one poll into its instance and into what its service says of others. */
  poll(observation: Observation): void {
    const position = this.#index.instances.position.get(observation.instance);
    const service = position === undefined ? undefined : this.#index.owner[position];
    if (position === undefined || !service) return;
    const before = this.#instances.at(position);
    // A last poll that lies in the future was dated by a clock that has been set back since: it makes nothing late.
    if (before.lastPollAt !== null && observation.at < before.lastPollAt && before.lastPollAt <= this.#now) return;
    const { instance, statements } = foldPoll(before, service, observation, this.#blind !== null);
    this.#putInstance(position, service, instance);
    this.#report("instance", before.id, before.damped.status, instance.damped.status, instance.reason ?? null);
    this.#touched.add(service.at);
    if (isCutOff(observation.outcome)) this.#cutOff = true;
    if (service.edges.length > 0) this.#speak(service, instance, statements, observation);
  }

  #speak(service: ServiceIndex, instance: InstanceState, own: readonly (Statement | null)[] | null, observation: Observation): void {
    const { node } = service;
    const { at } = observation;
    let statements = own;
    let speaking = own ? 1 : 0;
    if (service.instances.length > 1) {
      const merged = mergeInstances(
        service,
        service.instances.map((position) => this.#instances.at(position)),
        at,
      );
      speaking = merged.speaking;
      // A poll without a statement adds no result while other instances speak: theirs were counted when they came.
      if (!own && speaking > 0) return;
      if (own) statements = merged.statements;
    }
    const voices = speaking > 0 ? speaking : service.instances.length;
    const limits = voices === 1 ? node : { downAfter: node.downAfter * voices, upAfter: node.upAfter * voices };
    // A failure without a list (a gateway's bare 5xx) tells of no component that it is up again.
    const { report } = observation;
    const failuresOnly = report?.failuresOnly || (report?.status === "healthy" && instance.failuresOnly);
    for (let offset = 0; offset < service.edges.length; offset++) {
      const position = service.firstEdge + offset;
      const before = this.#edges.at(position);
      const statement = statements?.[offset] ?? (own && failuresOnly && before.checkedAt !== null ? recovered(at) : null);
      const after =
        instance.phase && !own
          ? pauseEdge(before, at, instance.phaseCount >= node.downAfter)
          : foldStatement(before, statement, at, limits, this.#blind !== null);
      this.#putEdge(position, before, after);
    }
  }

  #putInstance(position: number, { node }: ServiceIndex, instance: InstanceState): void {
    this.#instances.put(position, instance, dueAfter(lastEvidence(instance), node.maxAge));
    this.#changed.instances.add(instance.id);
  }

  #putEdge(position: number, before: EdgeState, after: EdgeState): void {
    if (before === after) return;
    const { node } = this.#index.reporter[position] as ServiceIndex;
    this.#edges.put(position, after, dueAfter(after.stale ? null : after.checkedAt, node.componentMaxAge));
    const target = this.#index.target[position] as number;
    if (hasSpokenAnew(before, after)) {
      const key = this.#index.edges.names[position] as string;
      this.#changed.edges.add(key);
      this.#touched.add(target);
      this.#spokenOf.add(target);
      if (before.damped.status !== after.damped.status) this.#touchBlamed(position);
      if (after.damped.run.length > 0 && after.damped.raw !== after.damped.status) this.#pending.add(target);
      this.#report("edge", key, before.damped.status, after.damped.status, after.error);
    } else if (!this.#touched.has(target)) this.#refresh(target, after);
  }

  /** How much a service blames in all decides what its word against each is worth. */
  #touchBlamed(position: number): void {
    const service = this.#index.reporter[position] as ServiceIndex;
    for (let offset = 0; offset < service.edges.length; offset++) {
      const { status } = this.#edges.at(service.firstEdge + offset).damped;
      if (status === "down" || status === "degraded") this.#touched.add(service.targets[offset] as number);
    }
  }

  /** A statement that says the same again only dates the node it speaks of, once a second: many speak of a shared one. */
  #refresh(target: number, edge: EdgeState): void {
    if (this.#isPolled(target) || edge.stale || edge.checkedAt === null) return;
    const node = this.#nodes.at(target);
    if (node.lastChecked !== null && edge.checkedAt < node.lastChecked + REFRESH_EVERY) return;
    this.#nodes.put(target, { ...node, lastChecked: edge.checkedAt, latencyMs: edge.latencyMs }, Number.POSITIVE_INFINITY);
    this.#seen.add(node.id);
  }

  #isPolled(position: number): boolean {
    return (this.#index.service[position]?.instances.length ?? 0) > 0;
  }

  /** Judges our own sight when something gives reason to; going blind or seeing again touches every node. */
  look(canary: Canary): void {
    if (!this.#cutOff && !this.#blind && !this.#cannotTell) return;
    const sight = judgeSight(this.#watched(), canary, this.#blind !== null);
    const cannotTell = sight === "cannot_tell";
    const blind = sight === "blind";
    if (blind === (this.#blind !== null) && cannotTell === this.#cannotTell) return;
    this.#cannotTell = cannotTell;
    if (blind !== (this.#blind !== null)) {
      this.#blind = blind ? { since: this.#now } : null;
      const [from, to] = blind ? ["clear", "blind"] : ["blind", "clear"];
      this.#transitions.push({ subject: "blind", id: "*", at: this.#now, from, to, reason: null, incident: null });
      for (let at = 0; at < this.#index.owner.length; at++) blind ? this.#loseSight(at) : this.#regainSight(at);
      if (blind) for (let at = 0; at < this.#index.reporter.length; at++) this.#clearEdge(at);
    }
    for (let at = 0; at < this.#index.node.length; at++) this.#touched.add(at);
  }

  *#watched(): Iterable<Watched> {
    for (let at = 0; at < this.#index.owner.length; at++) yield { instance: this.#instances.at(at), host: this.#index.host[at] ?? "" };
  }

  #loseSight(position: number): void {
    const before = this.#instances.at(position);
    const { raw } = before.damped;
    const damped = { ...statusDamper.lose(before.damped, this.#now), raw };
    this.#putInstance(position, this.#index.owner[position] as ServiceIndex, { ...before, damped, window: null });
    this.#report("instance", before.id, before.damped.status, "unknown", BLIND_REASON);
  }

  /** An instance whose latest poll brought a report leaves unknown by it; the others wait for their next. */
  #regainSight(position: number): void {
    const before = this.#instances.at(position);
    const { raw } = before.damped;
    const at = before.lastReportAt;
    const service = this.#index.owner[position] as ServiceIndex;
    if (at === null || at !== before.lastPollAt || raw === "unknown") {
      // What it was asked while we were blind tells nothing: its silence counts from here.
      this.#putInstance(position, service, { ...before, damped: { ...before.damped, since: this.#now } });
      return;
    }
    const damped = statusDamper.step(before.damped, raw, at, service.node);
    const bad = damped.status === "degraded" || damped.status === "unhealthy";
    const window = bad ? { lastGood: before.lastGood ?? null, firstBad: at } : null;
    this.#putInstance(position, service, { ...before, damped, window });
    this.#report("instance", before.id, before.damped.status, damped.status, before.reason ?? null);
  }

  #clearEdge(position: number): void {
    const before = this.#edges.at(position);
    if (before.damped.run.length === 0) return;
    this.#putEdge(position, before, { ...before, damped: { ...before.damped, run: [], pending: null } });
  }

  /** Time alone: evidence past its limit, announced work that begins or ends. */
  age(): void {
    const { owner, reporter } = this.#index;
    this.#edges.sweep(this.#now, (position, edge) => {
      const limit = (reporter[position] as ServiceIndex).node.componentMaxAge;
      const old = !edge.stale && isOld(edge.checkedAt, limit, this.#now);
      if (old) this.#putEdge(position, edge, ageEdge(edge, this.#now));
      return old || edge.stale ? Number.POSITIVE_INFINITY : dueAfter(edge.checkedAt, limit);
    });
    this.#instances.sweep(this.#now, (position, instance) => {
      const service = owner[position] as ServiceIndex;
      const { maxAge } = service.node;
      if (!isOld(lastEvidence(instance), maxAge, this.#now)) return dueAfter(lastEvidence(instance), maxAge);
      this.#touched.add(service.at);
      if (instance.damped.status === "unknown") return Number.POSITIVE_INFINITY;
      const lost = { ...instance, damped: statusDamper.lose(instance.damped, this.#now), window: null, reason: staleReason(maxAge) };
      this.#putInstance(position, service, lost);
      this.#report("instance", instance.id, instance.damped.status, "unknown", lost.reason);
      return dueAfter(lastEvidence(lost), maxAge);
    });
    for (const [id, works] of this.#index.maintenance) {
      const position = this.#index.nodes.position.get(id);
      if (position === undefined) continue;
      if (this.#nodes.at(position).marks.includes("maintenance") !== isMaintained(works, this.#now)) this.#touched.add(position);
    }
  }

  /** Applies changed labels to what an instance last said. */
  relabel(position: number, change: (before: InstanceState, service: ServiceIndex) => InstanceState): void {
    const service = this.#index.owner[position] as ServiceIndex;
    const before = this.#instances.at(position);
    const after = change(before, service);
    if (after === before) return;
    this.#putInstance(position, service, after);
    this.#report("instance", before.id, before.damped.status, after.damped.status, after.reason ?? null);
  }

  /** Judges every node again, whatever touched it. */
  touchAll(): void {
    for (let at = 0; at < this.#index.node.length; at++) this.#touched.add(at);
  }

  /** Judges the touched nodes and closes the batch; `because` replaces the reason of every transition. */
  done(because?: string): Step {
    for (const target of this.#pending) if (!this.#isPolled(target)) this.#corroborate(target);
    const moment: Moment = { now: this.#now, blind: this.#blind, cannotTell: this.#cannotTell };
    for (const position of this.#touched) this.#judge(position, moment);
    return {
      state: this.#state(),
      changed: this.#changed,
      seen: this.#seen,
      transitions: because ? this.#transitions.map((row) => ({ ...row, reason: because })) : this.#transitions,
    };
  }

  /** The state itself where nothing moved at all. */
  #state(): SystemState {
    const before = this.#before;
    const [instances, edges, nodes] = [this.#instances.done(), this.#edges.done(), this.#nodes.done()];
    const same = instances === before.instances && edges === before.edges && nodes === before.nodes && this.#blind === before.blind;
    if (same && this.#cannotTell === (before.cannotTell ?? false)) return before;
    return { instances, edges, nodes, blind: this.#blind, ...(this.#cannotTell ? { cannotTell: true } : {}) };
  }

  #corroborate(target: number): void {
    if (this.#blind) return;
    const witnesses = this.#index.witnesses[target] as MapIndex["witnesses"][number];
    const position = (n: number): number => witnesses[n]?.edge as number;
    const flips = corroborated(
      witnesses.length,
      (n) => this.#edges.at(position(n)),
      (n) => witnesses[n]?.service.node.interval ?? 0,
    );
    for (const n of flips) {
      const edge = this.#edges.at(position(n));
      this.#putEdge(position(n), edge, corroborateEdge(edge));
    }
  }

  #heard(position: number): readonly EdgeState[] {
    return (this.#index.witnesses[position] ?? []).map(({ edge }) => this.#edges.at(edge));
  }

  #blamesMost(reporter: string): boolean {
    const service = this.#index.service[this.#index.nodes.position.get(reporter) ?? -1];
    return service ? blamesMost(service.edges.map((_, offset) => this.#edges.at(service.firstEdge + offset))) : false;
  }

  /** A node that was healthy undisputed is disputed only by two who say down, and only once some witness speaks anew. */
  #mayBeDisputed(position: number, before: NodeState): boolean {
    // Whoever disputed it also dates the end of the dispute.
    if (before.marks.includes("disputed")) return true;
    if (before.status === "healthy" && !this.#spokenOf.has(position)) return false;
    let blames = 0;
    for (const { edge } of this.#index.witnesses[position] ?? []) if (this.#edges.at(edge).damped.status === "down") blames++;
    return blames >= 2;
  }

  #judge(position: number, moment: Moment): void {
    const before = this.#nodes.at(position);
    const node = this.#index.node[position] as MapIndex["node"][number];
    const service = this.#index.service[position];
    const works = this.#index.maintenance.get(before.id);
    const after =
      node.kind === "service" && service && service.instances.length > 0
        ? judgePolled(
            before,
            node,
            service.instances.map((at) => this.#instances.at(at)),
            this.#mayBeDisputed(position, before) ? this.#heard(position) : [],
            works,
            moment,
          )
        : judgeWitnessed(before, this.#heard(position), (reporter) => this.#blamesMost(reporter), works, moment);
    this.#nodes.put(position, after, Number.POSITIVE_INFINITY);
    if (hasMoved(before, after)) {
      this.#changed.nodes.add(before.id);
      this.#seen.delete(before.id);
      this.#report("node", before.id, before.status, after.status, after.reason);
    } else if (before.lastChecked !== after.lastChecked || before.latencyMs !== after.latencyMs) this.#seen.add(before.id);
  }

  #report(subject: Transition["subject"], id: string, from: string, to: string, reason: string | null): void {
    if (from !== to) this.#transitions.push({ subject, id, at: this.#now, from, to, reason, incident: null });
  }
}

/** The first moment at which evidence of `time` is past its limit. */
function dueAfter(time: number | null, limit: number): number {
  return time === null ? Number.POSITIVE_INFINITY : time + limit + 1;
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

/** A check that is no longer listed by a dialect that lists failures only. */
function recovered(at: number): Statement {
  return { word: "up", stale: false, checkedAt: at, latencyMs: null, error: null, category: null };
}
