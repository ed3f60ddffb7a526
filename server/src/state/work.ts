import type { Transition } from "../domain/history.ts";
import type { Observation } from "../domain/observation.ts";
import type { InstanceState, SystemState } from "../domain/state.ts";
import { type Canary, isCutOff } from "./blind.ts";
import { statusDamper } from "./damping.ts";
import { ageEdge, foldStatement, mergeInstances, pauseEdge } from "./edges.ts";
import { foldPoll, lastEvidence, staleReason } from "./instances.ts";
import { corroborate, judgeNode } from "./judging.ts";
import type { MapIndex, ServiceIndex } from "./mapindex.ts";
import { isMaintained, isOld, type Moment } from "./nodes.ts";
import type { Statement } from "./report.ts";
import { dueAfter, Sheet } from "./sheet.ts";
import { look } from "./sight.ts";

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
 * One batch at work, used by one call and thrown away. Instances are folded first, then edges, then the nodes that
 * either touches, so order within a batch cannot matter.
 */
export class Work {
  readonly #sheet: Sheet;

  constructor(state: SystemState, index: MapIndex, now: number) {
    this.#sheet = new Sheet(state, index, now);
  }

  /** Counts one poll into its instance and into what its service says of others. */
  poll(observation: Observation): void {
    const sheet = this.#sheet;
    const position = sheet.index.instances.position.get(observation.instance);
    const service = position === undefined ? undefined : sheet.index.owner[position];
    if (position === undefined || !service) return;
    const before = sheet.instances.at(position);
    // A last poll that lies in the future was dated by a clock that has been set back since: it makes nothing late.
    if (before.lastPollAt !== null && observation.at < before.lastPollAt && before.lastPollAt <= sheet.now) return;
    const { instance, statements } = foldPoll(before, service, observation, sheet.blind !== null);
    sheet.putInstance(position, service, instance);
    sheet.report("instance", before.id, before.damped.status, instance.damped.status, instance.reason ?? null);
    sheet.touched.add(service.at);
    if (isCutOff(observation.outcome)) sheet.cutOff = true;
    if (service.edges.length > 0) this.#speak(service, instance, statements, observation);
  }

  #speak(service: ServiceIndex, instance: InstanceState, own: readonly (Statement | null)[] | null, observation: Observation): void {
    const sheet = this.#sheet;
    const { node } = service;
    const { at } = observation;
    let statements = own;
    let speaking = own ? 1 : 0;
    if (service.instances.length > 1) {
      const merged = mergeInstances(
        service,
        service.instances.map((position) => sheet.instances.at(position)),
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
      const before = sheet.edges.at(position);
      const statement = statements?.[offset] ?? (own && failuresOnly && before.checkedAt !== null ? recovered(at) : null);
      const after =
        instance.phase && !own
          ? pauseEdge(before, at, instance.phaseCount >= node.downAfter)
          : foldStatement(before, statement, at, limits, sheet.blind !== null);
      sheet.putEdge(position, before, after);
    }
  }

  /** Judges our own sight, when something gives reason to. */
  look(canary: Canary): void {
    look(this.#sheet, canary);
  }

  /** Time alone: evidence past its limit, announced work that begins or ends. */
  age(): void {
    const sheet = this.#sheet;
    const { owner, reporter } = sheet.index;
    sheet.edges.sweep(sheet.now, (position, edge) => {
      const limit = (reporter[position] as ServiceIndex).node.componentMaxAge;
      const old = !edge.stale && isOld(edge.checkedAt, limit, sheet.now);
      if (old) sheet.putEdge(position, edge, ageEdge(edge, sheet.now));
      return old || edge.stale ? Number.POSITIVE_INFINITY : dueAfter(edge.checkedAt, limit);
    });
    sheet.instances.sweep(sheet.now, (position, instance) => {
      const service = owner[position] as ServiceIndex;
      const { maxAge } = service.node;
      if (!isOld(lastEvidence(instance), maxAge, sheet.now)) return dueAfter(lastEvidence(instance), maxAge);
      sheet.touched.add(service.at);
      if (instance.damped.status === "unknown") return Number.POSITIVE_INFINITY;
      const lost = { ...instance, damped: statusDamper.lose(instance.damped, sheet.now), window: null, reason: staleReason(maxAge) };
      sheet.putInstance(position, service, lost);
      sheet.report("instance", instance.id, instance.damped.status, "unknown", lost.reason);
      return dueAfter(lastEvidence(lost), maxAge);
    });
    for (const [id, works] of sheet.index.maintenance) {
      const position = sheet.index.nodes.position.get(id);
      if (position === undefined) continue;
      if (sheet.nodes.at(position).marks.includes("maintenance") !== isMaintained(works, sheet.now)) sheet.touched.add(position);
    }
  }

  /** Applies changed labels to what an instance last said. */
  relabel(position: number, change: (before: InstanceState, service: ServiceIndex) => InstanceState): void {
    const sheet = this.#sheet;
    const service = sheet.index.owner[position] as ServiceIndex;
    const before = sheet.instances.at(position);
    const after = change(before, service);
    if (after === before) return;
    sheet.putInstance(position, service, after);
    sheet.report("instance", before.id, before.damped.status, after.damped.status, after.reason ?? null);
  }

  /** Judges a node again, where the map has it. */
  touch(id: string): void {
    const position = this.#sheet.index.nodes.position.get(id);
    if (position !== undefined) this.#sheet.touched.add(position);
  }

  /** Judges every node again, whatever touched it. */
  touchAll(): void {
    for (let at = 0; at < this.#sheet.index.node.length; at++) this.#sheet.touched.add(at);
  }

  /** Judges the touched nodes and closes the batch; `because` replaces the reason of every transition. */
  done(because?: string): Step {
    const sheet = this.#sheet;
    for (const target of sheet.pending) if (!sheet.isPolled(target)) corroborate(sheet, target);
    const moment: Moment = { now: sheet.now, blind: sheet.blind, cannotTell: sheet.cannotTell };
    for (const position of sheet.touched) judgeNode(sheet, position, moment);
    return {
      state: sheet.state(),
      changed: sheet.changed,
      seen: sheet.seen,
      transitions: because ? sheet.transitions.map((row) => ({ ...row, reason: because })) : sheet.transitions,
    };
  }
}

/** A check that is no longer listed by a dialect that lists failures only. */
function recovered(at: number): Statement {
  return { word: "up", stale: false, checkedAt: at, latencyMs: null, error: null, category: null };
}
