import { randomUUID } from "node:crypto";
import { withContext } from "../analysis/context.ts";
import { advance } from "../analysis/incidents.ts";
import { rollUp } from "../analysis/rollup.ts";
import { withStragglers } from "../analysis/stragglers.ts";
import { judge } from "../analysis/verdict.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import type { ChangeMark, HistoryReader, HistoryWriter, Restored, StoreHealth, Transition } from "../domain/history.ts";
import type { Incident, IncidentEvent, Verdict } from "../domain/incident.ts";
import type { Actor, Lifecycle, Live, MapInfo, PollerStats, Publication, Signal } from "../domain/live.ts";
import { type AnnouncedWork, type Maintenance, type Problem, polledServices, type SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { Rollup, Snapshot } from "../domain/snapshot.ts";
import type { SystemState } from "../domain/state.ts";
import type { Poller } from "../poller/poller.ts";
import type { Canary } from "../state/blind.ts";
import { ownWords, type ToldWords } from "../state/ownwords.ts";
import { age, initialState, observe, remap, renames, type Step } from "../state/reduce.ts";
import { stalenessSignal } from "../state/signal.ts";
import { Progress } from "./progress.ts";
import { publicationOf, verdictTransitions } from "./publication.ts";
import { Works } from "./works.ts";

/** Observations that arrive within this time are reduced together. */
const BATCH_MS = 25;
/** Ages, times and rates move the board at most this often. */
const TICK_MS = 1_000;
/** Resolved incidents stay on the board this long. */
const LISTED_MS = 3_600_000;
/** A wall clock that moves this much against the monotonic one was set by somebody. */
const CLOCK_STEP_MS = 1_000;
const SIGNAL_MS = 250;
/** A step that fails again and again is logged this often. */
const SAME_FAILURE_MS = 60_000;
const CANARY_EVERY_TICKS = 10;
const CANARY_TIMEOUT_MS = 2_000;
/** Marked changes are at hand for the reasons of causes this long, and so many of them. */
const CHANGES_MS = 86_400_000;
const CHANGES = 500;

export interface Clock {
  /** Epoch milliseconds. */
  wall(): number;
  /** Milliseconds from any fixed moment; never set back. */
  monotonic(): number;
}

export interface Log {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

export interface EngineParts {
  config: AggregatorConfig;
  map: SystemMap;
  mapInfo: MapInfo;
  /** The map that the restored state belongs to, where it is another one. */
  mapBefore: SystemMap | null;
  restored: Pick<Restored, "state" | "incidents" | "nextIncidentId" | "lastAnswerAt" | "works" | "changes">;
  writer: HistoryWriter;
  reader: HistoryReader;
  createPoller: (onObservation: (observation: Observation) => void) => Poller;
  clock: Clock;
  log: Log;
  checkMap: Live["checkMap"];
}

/**
 * The only stateful object: observe → reduce → record → analyse → publish. It holds the latest state and the latest
 * published snapshot; everything that is read comes from them.
 *
 * 1. Observations of 25 ms are reduced as one batch, whose order does not matter.
 * 2. What changed is committed to the history before anybody is shown it.
 * 3. Subscribers get one publication a revision; once a second ages and latencies move, even when nothing else did.
 * 4. A step that throws is logged and tried again with the next: polling goes on, nothing half-done is published, and
 *    the staleness signal says `frozen` where that lasts.
 */
export class Engine implements Live {
  readonly boot = randomUUID();
  readonly startedAt: number;
  config: AggregatorConfig;

  readonly #parts: EngineParts;
  readonly #poller: Poller;
  readonly #listeners = new Set<(publication: Publication) => void>();
  /** The map as it was accepted, and with announced work laid over it: that one is judged by. */
  #accepted: SystemMap;
  #map: SystemMap;
  readonly #works: Works;
  #changes: readonly ChangeMark[];
  #mapInfo: MapInfo;
  #state: SystemState;
  #verdict: Verdict;
  #rollup: Rollup;
  #incidents: readonly Incident[];
  #nextIncidentId: number;
  #snapshot: Snapshot;
  #lifecycle: Lifecycle = "starting";
  #portOpen = false;
  #started = false;

  /** Polls that are done but not yet in the published snapshot, and when the oldest of them was done (monotonic). */
  #batch: Observation[] = [];
  #batchSince: number | null = null;
  #batchTimer: NodeJS.Timeout | null = null;
  #ticker: NodeJS.Timeout | null = null;
  /** Nodes whose state changed since the last publication. */
  #touched = new Set<string>();
  #unsaved = { instances: new Set<string>(), edges: new Set<string>(), nodes: new Set<string>() };
  #transitions: Transition[] = [];
  #toldWords: ToldWords | null = null;
  #dirty = true;
  readonly #progress: Progress;
  readonly #startedMonotonic: number;
  #signal: Signal | null = null;
  #signalAt = 0;
  #clockOffset: number;
  #holdAgeUntil = 0;
  #canary: Canary = "none";
  #ticks = 0;
  /** When the failure of each step was last logged, monotonic. */
  readonly #failures = new Map<string, number>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.config = parts.config;
    this.startedAt = parts.clock.wall();
    this.#clockOffset = parts.clock.wall() - parts.clock.monotonic();
    this.#works = new Works(parts.restored.works);
    this.#changes = parts.restored.changes;
    this.#accepted = parts.map;
    this.#map = this.#works.onto(parts.map);
    this.#mapInfo = parts.mapInfo;
    this.#state = parts.restored.state ?? initialState(this.#map);
    this.#incidents = parts.restored.incidents;
    this.#nextIncidentId = parts.restored.nextIncidentId;
    this.#progress = new Progress(parts.restored.lastAnswerAt);
    this.#startedMonotonic = parts.clock.monotonic();
    this.#poller = parts.createPoller((observation) => this.#receive(observation));
    // By the map of before, so that what the new one changes in roles and systems becomes a row like any other.
    const before = parts.mapBefore ? this.#works.onto(parts.mapBefore) : this.#map;
    this.#verdict = withStragglers(judge({ now: this.startedAt, map: before, state: this.#state }), this.#incidents, this.#state);
    this.#rollup = rollUp(before, this.#state);
    if (parts.restored.state) this.#carryOver(before, this.startedAt);
    this.#snapshot = this.#photograph(this.startedAt, 1);
  }

  // --- life ---------------------------------------------------------------------------------------------------

  /** Begins to poll. Instances whose last attempt is older than their interval are swept first. */
  start(): void {
    const attempts = new Map<string, number>();
    for (const instance of this.#state.instances.values()) if (instance.lastPollAt !== null) attempts.set(instance.id, instance.lastPollAt);
    this.#poller.setTargets(polledServices(this.#map), attempts);
    this.#poller.start();
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#started = true;
    this.#lifecycle = "running";
    this.#tick();
    this.#parts.writer.follow(this.#map);
  }

  portOpened(): void {
    this.#portOpen = true;
  }

  /** From now on readiness and the deep endpoint answer 503 and no incident is resolved. */
  drain(): void {
    if (this.#lifecycle === "draining") return;
    this.#lifecycle = "draining";
    this.#publish(this.now(), []);
  }

  /** No new polls; running ones are aborted after min(timeout, `graceMs`); then everything is written. */
  async stop(graceMs: number): Promise<void> {
    this.drain();
    await this.#poller.stop(graceMs);
    if (this.#batchTimer) clearTimeout(this.#batchTimer);
    if (this.#ticker) clearInterval(this.#ticker);
    this.#reduce();
    this.#attempt("conclude", () => this.#conclude(this.now(), false));
    this.#attempt("save", () => this.#save(this.now()));
  }

  /** Swaps in an accepted map: unchanged nodes keep phase, state and history. */
  applyMap(map: SystemMap, info: MapInfo, config: AggregatorConfig): void {
    this.#reduce();
    const now = this.now();
    const before = this.#map;
    for (const [from, to] of renames(before, map)) this.#works.rename(from, to);
    this.#accepted = map;
    this.#map = this.#works.onto(map);
    this.#mapInfo = info;
    this.config = config;
    this.#poller.setTargets(polledServices(map));
    const kept = new Set(polledServices(map).flatMap((service) => service.instances.map((instance) => instance.id)));
    this.#progress.keep(kept);
    this.#carryOver(before, now);
    this.#attempt("conclude", () => this.#conclude(now, true));
    this.#parts.writer.follow(this.#map);
  }

  /** Fits what is held under another map, or of before a restart, to the present one. */
  #carryOver(before: SystemMap, now: number): void {
    for (const [from, to] of renames(before, this.#map)) this.#parts.writer.renameNode(from, to);
    this.#take(before === this.#map ? age(this.#state, this.#map, now) : remap(this.#state, before, this.#map, now));
  }

  /** The running map stays; board, metrics and log tell that a newer one was refused. */
  refuseMap(at: number, problems: readonly Problem[]): void {
    this.#mapInfo = { ...this.#mapInfo, refused: { at, problems } };
    this.#publish(this.now(), []);
  }

  // --- observe, reduce, analyse, publish ----------------------------------------------------------------------

  #receive(observation: Observation): void {
    this.#batch.push(observation);
    this.#batchSince ??= this.#parts.clock.monotonic();
    this.#batchTimer ??= setTimeout(() => {
      this.#reduce();
      this.#attempt("conclude", () => this.#conclude(this.now(), false));
    }, BATCH_MS);
  }

  #reduce(): void {
    if (this.#batchTimer) clearTimeout(this.#batchTimer);
    this.#batchTimer = null;
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    for (const observation of batch) {
      this.#progress.polled(observation, this.#parts.clock.monotonic());
    }
    this.#parts.writer.append(batch);
    const count = (some: readonly Observation[]) => this.#take(observe(this.#state, this.#map, some, this.now(), this.#canary));
    try {
      count(batch);
    } catch {
      // One that cannot be counted must not take the others with it.
      for (const observation of batch) this.#attempt("observe", () => count([observation]));
    }
  }

  #attempt(step: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      const now = this.#parts.clock.monotonic();
      if (now - (this.#failures.get(step) ?? Number.NEGATIVE_INFINITY) < SAME_FAILURE_MS) return;
      this.#failures.set(step, now);
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#parts.log.error({ step, reason }, "a step of the work failed; the next is tried");
    }
  }

  #take(step: Step): void {
    this.#state = step.state;
    for (const kind of ["instances", "edges", "nodes"] as const) for (const id of step.changed[kind]) this.#unsaved[kind].add(id);
    for (const id of step.changed.nodes) this.#touched.add(id);
    for (const row of step.transitions) {
      this.#transitions.push(row);
      if (row.subject === "node") this.#parts.log.info({ node: row.id, from: row.from, to: row.to, reason: row.reason }, "node changed");
    }
    for (const id of step.seen) this.#touched.add(id);
    const words = ownWords(this.#toldWords, this.#map, this.#state, step.changed.edges, this.now());
    this.#toldWords = words.told;
    for (const row of words.rows) this.#transitions.push(row);
    // Only what moved by more than its times can move a verdict.
    if (step.changed.nodes.size > 0 || step.changed.edges.size > 0 || step.transitions.length > 0) this.#dirty = true;
  }

  #tick(): void {
    this.#reduce();
    const now = this.now();
    this.#watchClock(now);
    if (this.#ticks++ % CANARY_EVERY_TICKS === 0) void this.#askCanaries();
    if (now >= this.#holdAgeUntil) this.#attempt("age", () => this.#take(age(this.#state, this.#map, now, this.#canary)));
    // While something is wrong, evidence gains weight with each answer and incidents move with time alone.
    if (this.#troubled()) this.#dirty = true;
    this.#attempt("conclude", () => this.#conclude(now, true));
    this.#attempt("save", () => this.#save(now));
  }

  /** A clock set forwards would make everything stale at once: ages are believed again when all was polled anew. */
  #watchClock(now: number): void {
    const offset = now - this.#parts.clock.monotonic();
    if (Math.abs(offset - this.#clockOffset) > CLOCK_STEP_MS) {
      const longest = Math.max(10_000, ...polledServices(this.#map).map((service) => service.interval + service.timeout));
      this.#holdAgeUntil = now + Math.min(longest, 300_000);
      this.#parts.log.warn(
        { step_ms: Math.round(offset - this.#clockOffset) },
        "the clock was set; ages are held until everything was polled again",
      );
    }
    this.#clockOffset = offset;
  }

  /** One that works proves our path; only all of them failing says that we are cut off. */
  async #askCanaries(): Promise<void> {
    const { canaries } = this.config;
    if (canaries.length === 0) {
      this.#canary = "none";
      return;
    }
    const answers = await Promise.all(canaries.map((url) => this.#poller.canary(url, CANARY_TIMEOUT_MS)));
    this.#canary = answers.includes(true) ? "working" : "failing";
  }

  #troubled(): boolean {
    return (
      this.#verdict.causes.length > 0 ||
      this.#verdict.unexplained.length > 0 ||
      this.#rollup.status !== "healthy" ||
      this.#incidents.some((incident) => incident.status !== "resolved")
    );
  }

  #conclude(now: number, timePassed: boolean): void {
    const listed = this.#incidents.filter(({ resolvedAt }) => resolvedAt === null || now - resolvedAt < LISTED_MS);
    if (listed.length < this.#incidents.length) this.#incidents = listed;
    let changed: readonly Incident[] = [];
    if (this.#dirty) {
      const evidence = { now, map: this.#map, state: this.#state };
      const judged = withContext(judge(evidence), this.#changes, this.#map, now);
      const rollup = rollUp(this.#map, this.#state);
      const advanced = advance({
        incidents: listed,
        verdict: judged,
        evidence,
        mapRevision: this.#mapInfo.revision,
        nextId: this.#nextIncidentId,
        settings: this.config.analysis,
        frozen: this.#frozen(),
      });
      const verdict = withStragglers(judged, advanced.incidents, this.#state);
      const before = { verdict: this.#verdict, rollup: this.#rollup };
      const rows = verdictTransitions(before, { verdict, rollup }, advanced.incidents, now);
      this.#commit(now, [...this.#transitions, ...rows], advanced.changed, advanced.events);
      this.#dirty = false;
      this.#verdict = verdict;
      this.#rollup = rollup;
      this.#incidents = advanced.incidents;
      this.#nextIncidentId = advanced.nextId;
      changed = advanced.changed;
    } else this.#commit(now, this.#transitions, [], []);
    this.#publish(now, changed, timePassed);
  }

  #frozen(): boolean {
    return this.#lifecycle !== "running" || this.#state.blind !== null || this.signal().stale;
  }

  #commit(now: number, transitions: readonly Transition[], incidents: readonly Incident[], events: readonly IncidentEvent[]): void {
    if (transitions.length === 0 && incidents.length === 0 && events.length === 0) return;
    this.#parts.writer.commit({ at: now, transitions, incidents, events });
    this.#transitions = [];
    for (const event of events) {
      const fields = { incident: event.incident, node: event.node, event: event.kind };
      if (event.kind === "impact") this.#parts.log.debug(fields, event.text);
      else this.#parts.log.warn(fields, event.text);
    }
  }

  /** A revision for what moved; times alone wait for the next second. */
  #publish(now: number, incidents: readonly Incident[], timePassed = true): void {
    const before = this.#snapshot;
    const next = this.#photograph(now, before.revision + 1);
    const publication = publicationOf(before, next, this.#touched, incidents);
    const quiet = publication.nodes.length === 0 && incidents.length === 0 && publication.removed.length === 0 && next.map === before.map;
    if (quiet && !timePassed) return;
    this.#snapshot = next;
    this.#touched = new Set();
    this.#batchSince = null;
    for (const listener of this.#listeners) this.#attempt("listener", () => listener(publication));
  }

  #photograph(now: number, revision: number): Snapshot {
    return {
      now,
      map: this.#map,
      state: this.#state,
      revision,
      mapRevision: this.#mapInfo.revision,
      verdict: this.#verdict,
      rollup: this.#rollup,
      incidents: this.#incidents,
    };
  }

  #save(now: number): void {
    this.#parts.writer.saveState(this.#state, this.#unsaved);
    this.#unsaved = { instances: new Set(), edges: new Set(), nodes: new Set() };
    this.#parts.writer.flush(now);
    this.#parts.writer.maintain(now);
    this.#progress.wrote(this.#parts.writer.health().lastWriteAt, this.#parts.clock.monotonic());
  }

  // --- what the API may ask -----------------------------------------------------------------------------------

  now(): number {
    return this.#parts.clock.wall();
  }

  lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  snapshot(): Snapshot {
    return this.#snapshot;
  }

  subscribe(listener: (publication: Publication) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  mapInfo(): MapInfo {
    return this.#mapInfo;
  }

  /** Asked often (every write, page and probe), so it is worked out at most four times a second. */
  signal(): Signal {
    const now = this.#parts.clock.monotonic();
    if (this.#signal && now - this.#signalAt < SIGNAL_MS) return this.#signal;
    this.#signalAt = now;
    this.#signal = stalenessSignal({
      limits: this.config.staleness,
      limitBefore: this.#signal?.limitMs ?? null,
      instances: this.#progress.instances(this.#map, this.#state, this.#poller.progress(), now, this.now()),
      ...this.#progress.answer(now, this.now()),
      blind: this.#state.blind !== null,
      unpublishedMs: this.#batchSince === null ? null : now - this.#batchSince,
      ...this.#progress.write(now),
      uptimeMs: now - this.#startedMonotonic,
    });
    return this.#signal;
  }

  poller(): PollerStats {
    return this.#poller.stats();
  }

  store(): StoreHealth {
    return this.#parts.writer.health();
  }

  history(): HistoryReader {
    return this.#parts.reader;
  }

  lastObservation(instance: string): ReturnType<Live["lastObservation"]> {
    return this.#poller.lastAnswer(instance);
  }

  ready(): { map: boolean; store: boolean; scheduler: boolean; port: boolean } {
    return { map: this.#mapInfo.revision > 0, store: this.#parts.writer.health().open, scheduler: this.#started, port: this.#portOpen };
  }

  checkMap(file: string, text: string): ReturnType<Live["checkMap"]> {
    return this.#parts.checkMap(file, text);
  }

  note(id: number, text: string, actor: Actor): Incident | null {
    return this.#amend(id, (incident) => incident, { kind: "note", text, by: actor.name });
  }

  acknowledge(id: number, ack: { note: string | null; until: number | null; clear: boolean }, actor: Actor): Incident | null {
    const at = this.now();
    const acked = ack.clear ? null : { by: actor.name, at, until: ack.until, note: ack.note };
    return this.#amend(id, (incident) => ({ ...incident, acked }), {
      kind: ack.clear ? "unack" : "ack",
      text: ack.note ?? (ack.clear ? "acknowledgement taken back" : "acknowledged"),
      by: actor.name,
    });
  }

  markChange(change: Omit<ChangeMark, "by">, actor: Actor): void {
    const marked = { ...change, by: actor.name };
    this.#parts.writer.addChange(marked);
    const oldest = this.now() - CHANGES_MS;
    this.#changes = [marked, ...this.#changes.filter(({ at }) => at > oldest)].slice(0, CHANGES);
    this.#dirty = true;
    this.#parts.log.info({ ...marked }, "a change was marked");
  }

  announceWork(work: Maintenance, actor: Actor): AnnouncedWork | null {
    const now = this.now();
    if (!this.#works.hasRoom(now)) return null;
    const announced = this.#parts.writer.addWork({ ...work, by: actor.name, announcedAt: now, endedBy: null });
    this.#works.add(announced, now);
    this.#rework(announced, "work was announced");
    return announced;
  }

  endWork(id: number, actor: Actor): AnnouncedWork | null {
    const ended = this.#works.end(id, this.now(), actor.name);
    if (!ended) return null;
    this.#parts.writer.changeWork(ended);
    this.#rework(ended, "announced work was ended");
    return ended;
  }

  /** Lays the announced work over the map anew: marks, reasons and incidents follow at once. */
  #rework(work: AnnouncedWork, text: string): void {
    this.#parts.log.info({ ...work }, text);
    this.#reduce();
    this.#map = this.#works.onto(this.#accepted);
    this.#take(age(this.#state, this.#map, this.now(), this.#canary));
    this.#dirty = true;
    this.#attempt("conclude", () => this.#conclude(this.now(), true));
  }

  #amend(id: number, change: (incident: Incident) => Incident, event: Pick<IncidentEvent, "kind" | "text" | "by">): Incident | null {
    const listed = this.#incidents.find((incident) => incident.id === id);
    const incident = listed ?? this.#parts.reader.incident(id);
    if (!incident) return null;
    const amended = change(incident);
    const now = this.now();
    this.#commit(now, this.#transitions, [amended], [{ incident: id, at: now, node: null, ...event }]);
    if (listed) this.#incidents = this.#incidents.map((each) => (each.id === id ? amended : each));
    if (listed) this.#publish(now, [amended]);
    return amended;
  }
}
