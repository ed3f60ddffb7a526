import type { HistoryWriter, StoreHealth, Transition } from "../domain/history.ts";
import type { Incident, IncidentEvent } from "../domain/incident.ts";
import type { SystemMap } from "../domain/map.ts";
import type { SystemState } from "../domain/state.ts";
import { ownWords, type ToldWords } from "../state/ownwords.ts";
import type { Step } from "../state/reduce.ts";
import type { Log } from "./parts.ts";

/** Changes held at most while nothing can be committed; beyond, the oldest are let go. */
const MOST_HELD = 100_000;

/** Nodes that one step may name in the log: where a resource takes a thousand with it, the history names them all. */
const TOLD_AT_ONCE = 50;

/** What is on its way to the history: transitions at once, with whatever they led to; states once a second. */
export class Ledger {
  readonly #writer: HistoryWriter;
  readonly #log: Log;
  #transitions: Transition[] = [];
  #unsaved = { instances: new Set<string>(), edges: new Set<string>(), nodes: new Set<string>() };
  /** Edges that moved since services were last heard, and the words that were taken down of them. */
  #moved = new Set<string>();
  #told: ToldWords | null = null;

  constructor(writer: HistoryWriter, log: Log) {
    this.#writer = writer;
    this.#log = log;
  }

  /** Takes down what moved; nodes that changed are also logged. */
  note({ changed, transitions }: Step): void {
    for (const kind of ["instances", "edges", "nodes"] as const) for (const id of changed[kind]) this.#unsaved[kind].add(id);
    for (const id of changed.edges) this.#moved.add(id);
    this.#take(transitions);
    this.#tell(transitions.filter(({ subject }) => subject === "node"));
  }

  /** Takes down what services say of themselves while something they need is down: labels are judged by it. */
  hear(map: SystemMap, state: SystemState, now: number): void {
    const { told, rows } = ownWords(this.#told, map, state, this.#moved, now);
    this.#told = told;
    if (this.#moved.size > 0) this.#moved = new Set();
    this.#take(rows);
  }

  /** What was taken down of a node goes on under its new name. */
  rename(from: string, to: string): void {
    const known = this.#told?.get(from);
    if (!known || !this.#told) return;
    const told = new Map(this.#told).set(to, known);
    told.delete(from);
    this.#told = told;
  }

  #take(transitions: readonly Transition[]): void {
    for (const transition of transitions) this.#transitions.push(transition);
    const over = this.#transitions.length - MOST_HELD;
    if (over > 0) {
      this.#transitions.splice(0, over);
      this.#log.error({ dropped: over }, "too many changes wait to be committed: the oldest are dropped");
    }
  }

  #tell(nodes: readonly Transition[]): void {
    for (const { id: node, from, to, reason } of nodes.slice(0, TOLD_AT_ONCE)) this.#log.info({ node, from, to, reason }, "node changed");
    if (nodes.length > TOLD_AT_ONCE) this.#log.info({ nodes: nodes.length - TOLD_AT_ONCE }, "more nodes changed with these");
  }

  /** Durable on return, before anybody is shown it. `rows` join the transitions noted since the last commit. */
  commit(now: number, rows: readonly Transition[], incidents: readonly Incident[], events: readonly IncidentEvent[]): void {
    const transitions = rows.length > 0 ? [...this.#transitions, ...rows] : this.#transitions;
    if (transitions.length === 0 && incidents.length === 0 && events.length === 0) return;
    this.#writer.commit({ at: now, transitions, incidents, events });
    this.#transitions = [];
    for (const event of events) {
      const fields = { incident: event.incident, node: event.node, event: event.kind };
      if (event.kind === "impact") this.#log.debug(fields, event.text);
      else this.#log.warn(fields, event.text);
    }
  }

  /** Saves the states that moved, writes what is queued, and lets the history tidy up for a moment. */
  save(now: number, state: SystemState): StoreHealth {
    this.#writer.saveState(state, this.#unsaved);
    this.#unsaved = { instances: new Set(), edges: new Set(), nodes: new Set() };
    this.#writer.flush(now);
    this.#writer.maintain(now);
    return this.#writer.health();
  }
}
