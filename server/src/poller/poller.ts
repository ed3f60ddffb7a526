import type { PollerStats } from "../domain/live.ts";
import type { Instance, ServiceNode } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import { OUTCOMES, type Outcome } from "../domain/status.ts";
import { fetchOnce, type Line, openLine } from "./fetch.ts";
import type { LastAnswer } from "./last-answer.ts";
import { readAnswer } from "./poll.ts";
import { type Clock, createScheduler, type Scheduler } from "./scheduler.ts";
import { type PollProgress, Task } from "./task.ts";

export type { PollProgress } from "./task.ts";

export interface PollerOptions {
  /** Called once for each completed poll, from a microtask of its own. */
  onObservation(observation: Observation): void;
  /** Product and version. */
  userAgent: string;
  clock: Clock;
  /** Milliseconds between wake-ups; default 100. */
  tickMs?: number;
}

export interface Poller {
  /**
   * The instances to poll from now on. A set difference: an instance whose interval stays keeps its phase, and unless its
   * request changes, its connection and the poll under way. `lastAttempts`: instance id → epoch ms.
   */
  setTargets(services: readonly ServiceNode[], lastAttempts?: ReadonlyMap<string, number>): void;
  start(): void;
  /** Starts no more polls, gives those under way until their deadline or `graceMs`, then aborts them and closes all. */
  stop(graceMs: number): Promise<void>;
  stats(): PollerStats;
  /** How far each instance has come, by the monotonic clock. */
  progress(): readonly PollProgress[];
  /** The last answer of an instance for people to read; null before the first, and for one that is not polled. */
  lastAnswer(instance: string): LastAnswer | null;
  /** Whether our own path works: asks once and takes any sign of life at the other end, a refusal included. */
  canary(url: string, timeout: number): Promise<boolean>;
  /** Connections opened since start, over all present instances. */
  connections(): number;
  /** Whether the timer runs. */
  running(): boolean;
}

/** Ends of a poll that show that no packet got through; the rest prove that our path works, or are our own fault. */
const NO_PATH: ReadonlySet<Outcome> = new Set(["connect_timeout", "dns"]);

export function createPoller(options: PollerOptions): Poller {
  return new FleetPoller(options);
}

class FleetPoller implements Poller {
  readonly #options: PollerOptions;
  readonly #scheduler: Scheduler<Task>;
  readonly #polls = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  #tasks = new Map<string, Task>();
  #skipped = 0;
  #inFlight = 0;
  #stopped: Promise<void> | null = null;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#scheduler = createScheduler<Task>({
      clock: options.clock,
      ...(options.tickMs !== undefined && { tickMs: options.tickMs }),
      onDue: (task, due) => {
        task.owed ??= due;
        if (task.busy) this.#skipped++;
        else task.busy = this.#poll(task);
      },
      onMissed: (task, due, count) => {
        task.owed ??= due;
        this.#skipped += count;
      },
    });
  }

  async #poll(task: Task): Promise<void> {
    const { line, service, instance } = task;
    this.#inFlight++;
    task.attemptedAt = this.#options.clock.wall();
    const answer = await line.ask();
    this.#inFlight--;
    // What was asked is no longer what the map says, so the answer is about nothing.
    if (task.removed || task.line !== line) return;
    task.busy = null;
    const read = readAnswer(answer, service, instance);
    const { outcome } = read.observation;
    task.took(read, this.#scheduler.now());
    if (outcome !== "report") line.drop();
    this.#polls[outcome]++;
    this.#options.onObservation(read.observation);
  }

  setTargets(services: readonly ServiceNode[], lastAttempts?: ReadonlyMap<string, number>): void {
    const next = new Map<string, Task>();
    for (const service of services) for (const instance of service.instances) next.set(instance.id, this.#taskOf(service, instance));
    const added = [...next.values()].filter((task) => this.#tasks.get(task.id) !== task);
    for (const [id, task] of this.#tasks) {
      if (next.get(id) === task) continue;
      this.#scheduler.remove(task);
      task.line.close();
    }
    this.#tasks = next;
    const attempts = new Map(lastAttempts);
    for (const { id, attemptedAt } of added) if (attemptedAt !== null) attempts.set(id, attemptedAt);
    this.#scheduler.add(added, attempts);
  }

  /** The task as it goes on under the new map, or a new one where there was none with this id and interval. */
  #taskOf(service: ServiceNode, instance: Instance): Task {
    const task = this.#tasks.get(instance.id);
    if (task?.interval !== service.interval) return new Task(service, instance, this.#open(service, instance), task?.attemptedAt ?? null);
    if (!task.asksAs(service, instance)) {
      task.line.close();
      task.line = this.#open(service, instance);
      task.busy = null;
    }
    task.service = service;
    task.instance = instance;
    return task;
  }

  #open({ interval, timeout, maxBody, headers, tls }: ServiceNode, { url }: Instance): Line {
    return openLine({ url, headers, interval, timeout, maxBody, tls }, this.#options);
  }

  start(): void {
    this.#scheduler.start();
  }

  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#drain(graceMs);
    return this.#stopped;
  }

  async #drain(graceMs: number): Promise<void> {
    this.#scheduler.stop();
    const tasks = [...this.#tasks.values()];
    const timer = setTimeout(() => {
      for (const { line } of tasks) line.abort();
    }, graceMs);
    await Promise.all(tasks.map(({ busy }) => busy));
    clearTimeout(timer);
    for (const { line } of tasks) line.close();
  }

  stats(): PollerStats {
    const now = this.#scheduler.now();
    let overdue = 0;
    for (const task of this.#tasks.values()) if (task.isOverdue(now)) overdue++;
    return { polls: { ...this.#polls }, skipped: this.#skipped, inFlight: this.#inFlight, lagMs: this.#scheduler.lagMs(), overdue };
  }

  progress(): readonly PollProgress[] {
    const now = this.#scheduler.now();
    return Array.from(this.#tasks.values(), (task) => task.progress(now));
  }

  lastAnswer(instance: string): LastAnswer | null {
    return this.#tasks.get(instance)?.answer ?? null;
  }

  async canary(url: string, timeout: number): Promise<boolean> {
    const target = { url, headers: {}, interval: timeout, timeout, maxBody: 65_536, tls: null };
    const answer = await fetchOnce(target, this.#options);
    return answer.kind === "answer" || !NO_PATH.has(answer.outcome);
  }

  connections(): number {
    let sum = 0;
    for (const task of this.#tasks.values()) sum += task.line.opened();
    return sum;
  }

  running(): boolean {
    return this.#scheduler.running();
  }
}
