import { randomUUID } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import type { AggregatorConfig } from "../domain/config.ts";
import type { ChangeMark, HistoryReader, StoreHealth } from "../domain/history.ts";
import type { Incident } from "../domain/incident.ts";
import type { Actor, Lifecycle, Live, MapInfo, PollerStats, Publication, Signal } from "../domain/live.ts";
import { type AnnouncedWork, type Maintenance, type Problem, polledServices, type SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { SystemState } from "../domain/state.ts";
import type { Poller } from "../poller/poller.ts";
import { followClock } from "../state/clock.ts";
import { age, initialState, observe, remap, renames, type Step } from "../state/reduce.ts";
import { Attempts } from "./attempts.ts";
import { Canaries } from "./canaries.ts";
import { Changes } from "./changes.ts";
import { ClockWatch } from "./clock-watch.ts";
import { Desk } from "./desk.ts";
import { Freshness } from "./freshness.ts";
import { Inbox } from "./inbox.ts";
import { Judgement } from "./judgement.ts";
import { Ledger } from "./ledger.ts";
import type { EngineParts } from "./parts.ts";
import { prepare } from "./prepare.ts";
import { Publisher } from "./publisher.ts";
import { Works } from "./works.ts";

/** Ages, times and rates move the board at most this often. */
const TICK_MS = 1_000;

/**
 * What runs, as one object: observe → reduce → record → analyse → publish. It holds the latest state and the latest
 * published snapshot; everything that is read comes from them.
 *
 * 1. Observations that arrive together are reduced as one batch, whose order does not matter.
 * 2. What changed is committed to the history before anybody is shown it.
 * 3. Subscribers get one publication a revision; once a second ages and latencies move, even when nothing else did.
 * 4. A step that throws is logged and tried again with the next: polling goes on, nothing half-done is published, and
 *    the staleness signal says `frozen` where that lasts.
 */
export class Engine implements Live {
  readonly boot = randomUUID();
  readonly startedAt: number;
  config: AggregatorConfig;

  /** What lasts: the first map and the restored state are large, and are let go with what follows them. */
  readonly #parts: Pick<EngineParts, "reader" | "writer" | "clock" | "log" | "checkMap">;
  readonly #poller: Poller;
  readonly #attempts: Attempts;
  readonly #inbox: Inbox;
  readonly #canaries: Canaries;
  readonly #clockWatch: ClockWatch;
  readonly #freshness: Freshness;
  readonly #ledger: Ledger;
  readonly #judgement: Judgement;
  readonly #works: Works;
  readonly #changes: Changes;
  readonly #desk: Desk;
  readonly #publisher: Publisher;
  /** The map as it was accepted, and with announced work laid over it: that one is judged by. */
  #accepted: SystemMap;
  #map: SystemMap;
  #mapInfo: MapInfo;
  #state: SystemState;
  #lifecycle: Lifecycle = "starting";
  #portOpen = false;
  #ticker: NodeJS.Timeout | null = null;

  constructor(parts: EngineParts) {
    const { clock, log, restored, writer, reader, checkMap } = parts;
    this.#parts = { clock, log, writer, reader, checkMap };
    this.config = parts.config;
    this.startedAt = clock.wall();
    this.#attempts = new Attempts(clock, log);
    this.#inbox = new Inbox(clock, () => this.#work());
    this.#clockWatch = new ClockWatch(clock, writer);
    this.#freshness = new Freshness(clock, restored.lastAnswerAt);
    this.#ledger = new Ledger(writer, log);
    this.#works = new Works(restored.works);
    this.#changes = new Changes(restored.changes);
    // By the map of before, so that what the new one changes in roles and systems becomes a row like any other.
    const mapBefore = parts.mapBefore && this.#works.onto(parts.mapBefore);
    this.#accepted = parts.map;
    this.#map = this.#works.onto(parts.map);
    this.#mapInfo = parts.mapInfo;
    this.#state = restored.state ? followClock(restored.state, this.startedAt, this.#clockWatch.misdated).state : initialState(this.#map);
    this.#poller = parts.createPoller((observation) => this.#receive(observation));
    this.#canaries = new Canaries((url, timeout) => this.#poller.canary(url, timeout));
    const before = mapBefore ?? this.#map;
    this.#judgement = new Judgement({ now: this.startedAt, map: before, state: this.#state }, restored);
    if (restored.state) this.#count(this.#carryOver(before, this.startedAt));
    this.#publisher = new Publisher(clock, this.#attempts, this.#photograph(this.startedAt, 1));
    this.#desk = new Desk(
      this.#parts,
      { judgement: this.#judgement, ledger: this.#ledger, works: this.#works, changes: this.#changes },
      {
        incident: (amended) => this.#publish(this.now(), [amended], true),
        context: () => this.#judgement.upset(),
        works: () => this.#rework(),
      },
    );
  }

  // --- life ---------------------------------------------------------------------------------------------------

  /** Begins to poll. Instances whose last attempt is older than their interval are swept first. */
  start(): void {
    const attempts = new Map<string, number>();
    for (const { id, lastPollAt } of this.#state.instances.values()) if (lastPollAt !== null) attempts.set(id, lastPollAt);
    this.#poller.setTargets(polledServices(this.#map), attempts);
    this.#freshness.targetsChanged();
    this.#poller.start();
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
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
    this.#publish(this.now(), [], true);
  }

  /** No new polls; running ones are aborted after min(timeout, `graceMs`); then everything is written. */
  async stop(graceMs: number): Promise<void> {
    this.drain();
    await this.#poller.stop(graceMs);
    this.#inbox.close();
    if (this.#ticker) clearInterval(this.#ticker);
    this.#work();
    this.#attempts.run("save", () => this.#save(this.now()));
  }

  /**
   * Swaps in an accepted map: unchanged nodes keep phase, state and history. What is worked out of it comes in turns, so that
   * no poll waits for all of it; until it is published, all see the map of before.
   */
  async applyMap(map: SystemMap, info: MapInfo, config: AggregatorConfig): Promise<void> {
    await prepare(this.#works.onto(map), this.#map);
    if (this.lifecycle() === "draining") return;
    this.#reduce();
    const now = this.now();
    const before = this.#map;
    for (const [from, to] of renames(before, map)) {
      this.#works.rename(from, to);
      this.#changes.rename(from, to);
    }
    this.#accepted = map;
    this.#map = this.#works.onto(map);
    this.#mapInfo = info;
    this.config = config;
    this.#poller.setTargets(polledServices(map));
    this.#freshness.targetsChanged();
    this.#take(this.#carryOver(before, now));
    await breathe();
    this.#attempts.run("conclude", () => this.#conclude(this.now(), true));
    await breathe();
    if (this.lifecycle() !== "draining") this.#parts.writer.follow(this.#map);
  }

  /** Fits what is held under another map, or of before a restart, to the present one. */
  #carryOver(before: SystemMap, now: number): Step {
    for (const [from, to] of renames(before, this.#map)) {
      this.#parts.writer.renameNode(from, to);
      this.#judgement.rename(from, to);
      this.#ledger.rename(from, to);
    }
    return before === this.#map ? age(this.#state, this.#map, now) : remap(this.#state, before, this.#map, now);
  }

  /** The running map stays; board, metrics and log tell that a newer one was refused. */
  refuseMap(at: number, problems: readonly Problem[]): void {
    this.#mapInfo = { ...this.#mapInfo, refused: { at, problems } };
    this.#publish(this.now(), [], true);
  }

  // --- observe, reduce, analyse, publish ----------------------------------------------------------------------

  #receive(observation: Observation): void {
    this.#publisher.polled();
    this.#inbox.add(observation);
  }

  #work(): void {
    this.#reduce();
    this.#attempts.run("conclude", () => this.#conclude(this.now(), false));
  }

  #reduce(): void {
    const asked = this.#inbox.take();
    if (asked.length === 0) return;
    for (const observation of asked) this.#freshness.polled(observation);
    this.#parts.writer.append(asked);
    const batch = asked.map((observation) => this.#clockWatch.dated(observation));
    const count = (some: readonly Observation[]) => this.#take(observe(this.#state, this.#map, some, this.now(), this.#canaries.say));
    try {
      count(batch);
    } catch {
      // One that cannot be counted must not take the others with it.
      for (const observation of batch) this.#attempts.run("observe", () => count([observation]));
    }
  }

  #take(step: Step): void {
    this.#count(step);
    this.#publisher.note(step);
  }

  #count(step: Step): void {
    const { changed, transitions } = step;
    this.#state = step.state;
    this.#ledger.note(step);
    // Only what moved by more than its times can move a verdict.
    if (changed.nodes.size > 0 || changed.edges.size > 0 || transitions.length > 0) this.#judgement.upset();
  }

  #tick(): void {
    this.#reduce();
    const now = this.now();
    const step = this.#clockWatch.look(this.#map);
    if (step !== 0) {
      this.#parts.log.warn({ step_ms: step }, "the clock was set; ages are held until everything was polled again");
      this.#take(followClock(this.#state, now, this.#clockWatch.misdated));
      this.#changes.followClock(this.#clockWatch.misdated);
      this.#judgement.followClock(this.#clockWatch.misdated);
    }
    this.#canaries.tick(this.config.canaries);
    if (this.#clockWatch.agesHold()) this.#attempts.run("age", () => this.#take(age(this.#state, this.#map, now, this.#canaries.say)));
    this.#judgement.passTime(now);
    this.#attempts.run("words", () => this.#ledger.hear(this.#map, this.#state, now));
    this.#attempts.run("conclude", () => this.#conclude(now, true));
    this.#attempts.run("save", () => this.#save(now));
  }

  #conclude(now: number, timePassed: boolean): void {
    if (!this.#judgement.due) {
      this.#ledger.commit(now, [], [], []);
      this.#publish(now, [], timePassed);
      return;
    }
    const next = this.#judgement.conclude({
      evidence: { now, map: this.#map, state: this.#state },
      changes: this.#changes.latest,
      mapRevision: this.#mapInfo.revision,
      settings: this.config.analysis,
      frozen: this.#lifecycle !== "running" || this.#state.blind !== null || this.signal().stale,
    });
    this.#ledger.commit(now, next.rows, next.changed, next.events);
    this.#judgement.adopt(next);
    this.#publisher.judged();
    this.#publish(now, next.changed, timePassed);
  }

  #publish(now: number, incidents: readonly Incident[], timePassed: boolean): void {
    this.#publisher.publish((revision) => this.#photograph(now, revision), incidents, timePassed);
  }

  #photograph(now: number, revision: number): Snapshot {
    return { now, map: this.#map, state: this.#state, revision, mapRevision: this.#mapInfo.revision, ...this.#judgement.held };
  }

  #save(now: number): void {
    this.#freshness.wrote(this.#ledger.save(now, this.#state));
  }

  /** Lays the announced work over the map anew: marks, reasons and incidents follow at once. */
  #rework(): void {
    this.#reduce();
    this.#map = this.#works.onto(this.#accepted);
    this.#take(age(this.#state, this.#map, this.now(), this.#canaries.say));
    this.#judgement.upset();
    this.#attempts.run("conclude", () => this.#conclude(this.now(), true));
  }

  // --- what the API may ask -----------------------------------------------------------------------------------

  now(): number {
    return this.#parts.clock.wall();
  }

  lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  snapshot(): Snapshot {
    return this.#publisher.snapshot;
  }

  subscribe(listener: (publication: Publication) => void): () => void {
    return this.#publisher.subscribe(listener);
  }

  mapInfo(): MapInfo {
    return this.#mapInfo;
  }

  signal(): Signal {
    return this.#freshness.signal(this.config.staleness, () => this.#poller.progress(), this.#state, this.#publisher.waitingSince);
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
    const store = this.#parts.writer.health().open;
    return { map: this.#mapInfo.revision > 0, store, scheduler: this.#ticker !== null, port: this.#portOpen };
  }

  checkMap(file: string, text: string): ReturnType<Live["checkMap"]> {
    return this.#parts.checkMap(file, text);
  }

  note(id: number, text: string, actor: Actor): Incident | null {
    return this.#desk.note(id, text, actor);
  }

  acknowledge(id: number, ack: { note: string | null; until: number | null; clear: boolean }, actor: Actor): Incident | null {
    return this.#desk.acknowledge(id, ack, actor);
  }

  markChange(change: Omit<ChangeMark, "by">, actor: Actor): void {
    this.#desk.markChange(change, actor);
  }

  announceWork(work: Maintenance, actor: Actor): AnnouncedWork | null {
    return this.#desk.announceWork(work, actor);
  }

  endWork(id: number, actor: Actor): AnnouncedWork | null {
    return this.#desk.endWork(id, actor);
  }
}
