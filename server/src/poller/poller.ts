import type { PollerStats } from "../domain/live.ts";
import type { Instance, ServiceNode } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import { OUTCOMES, type Outcome } from "../domain/status.ts";
import { fetchOnce, type Line, openLine } from "./fetch.ts";
import { LastAnswer } from "./last-answer.ts";
import { readAnswer } from "./poll.ts";
import { type Clock, createScheduler, type Timed } from "./scheduler.ts";

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
  progress(): Iterable<PollProgress>;
  /** The last answer of an instance for people to read; null before the first, and for one that is not polled. */
  lastAnswer(instance: string): LastAnswer | null;
  /** Whether our own path works: asks once and takes any sign of life at the other end, a refusal included. */
  canary(url: string, timeout: number): Promise<boolean>;
  /** Connections opened since start, over all present instances. */
  connections(): number;
  /** Whether the timer runs. */
  running(): boolean;
}

/** Times are milliseconds ago, null for never. */
export interface PollProgress {
  service: ServiceNode;
  instance: string;
  /** Since when a poll is owed. */
  owedMs: number | null;
  /** Since the last poll was completed; an aborted one is not. */
  completedMs: number | null;
  /** Since the last poll that brought a report was completed. */
  reportedMs: number | null;
  /** Whether the last completed poll brought one. */
  reports: boolean;
}

interface Polled extends Timed {
  service: ServiceNode;
  instance: Instance;
  line: Line;
  /** Epoch ms of the last poll's start, of whatever address. */
  attemptedAt: number | null;
  busy: Promise<void> | null;
  /** Due time of the oldest poll that has not been completed, in the scheduler's time; null when nothing is owed. */
  owed: number | null;
  /** When the last poll was completed, in the scheduler's time; null before the first. */
  completed: number | null;
  /** The same of the last poll that brought a report. */
  reported: number | null;
  answer: LastAnswer | null;
}

const OVERDUE_MS = 5_000;
/** Ends of a poll that show that no packet got through; the rest prove that our path works, or are our own fault. */
const NO_PATH: ReadonlySet<Outcome> = new Set(["connect_timeout", "dns"]);

export function createPoller(options: PollerOptions): Poller {
  const { onObservation, clock } = options;
  const polls = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  let polled = new Map<string, Polled>();
  let skipped = 0;
  let inFlight = 0;
  let stopped: Promise<void> | null = null;

  const scheduler = createScheduler<Polled>({
    clock,
    ...(options.tickMs !== undefined && { tickMs: options.tickMs }),
    onDue(task, due) {
      task.owed ??= due;
      if (task.busy) skipped++;
      else task.busy = poll(task);
    },
    onMissed(task, due, count) {
      task.owed ??= due;
      skipped += count;
    },
  });

  async function poll(task: Polled): Promise<void> {
    const { line, service, instance } = task;
    inFlight++;
    task.attemptedAt = clock.wall();
    const answer = await line.ask();
    inFlight--;
    // What was asked is no longer what the map says, so the answer is about nothing.
    if (task.removed || task.line !== line) return;
    task.busy = null;
    const read = readAnswer(answer, service, instance);
    const { observation } = read;
    task.answer ??= new LastAnswer();
    task.answer.keep(read);
    if (observation.outcome !== "report") line.drop();
    if (observation.outcome !== "aborted") {
      task.owed = null;
      task.completed = scheduler.now();
      if (observation.report) task.reported = task.completed;
    }
    polls[observation.outcome]++;
    onObservation(observation);
  }

  function open(service: ServiceNode, { url }: Instance): Line {
    const { interval, timeout, maxBody, headers, tls } = service;
    return openLine({ url, headers, interval, timeout, maxBody, tls }, options);
  }

  /** The task as it goes on under the new map, or a new one where there was none with this id and interval. */
  function take(service: ServiceNode, instance: Instance): Polled {
    const task = polled.get(instance.id);
    if (task?.interval !== service.interval) {
      const line = open(service, instance);
      const attemptedAt = task?.attemptedAt ?? null;
      const fresh = {
        due: Number.POSITIVE_INFINITY,
        removed: false,
        busy: null,
        owed: null,
        completed: null,
        reported: null,
        answer: null,
      };
      return { id: instance.id, interval: service.interval, service, instance, line, attemptedAt, ...fresh };
    }
    if (!sameRequest(task, service, instance)) {
      task.line.close();
      task.line = open(service, instance);
      task.busy = null;
    }
    task.service = service;
    task.instance = instance;
    return task;
  }

  function overdueBy(task: Polled, now: number): number {
    const since = Math.min(task.owed ?? task.due, task.due);
    return now > since + task.service.timeout + OVERDUE_MS ? now - since : 0;
  }

  function overdue(): number {
    const now = scheduler.now();
    let count = 0;
    for (const task of polled.values()) if (overdueBy(task, now) > 0) count++;
    return count;
  }

  async function drain(graceMs: number): Promise<void> {
    scheduler.stop();
    const tasks = [...polled.values()];
    const timer = setTimeout(() => {
      for (const { line } of tasks) line.abort();
    }, graceMs);
    await Promise.all(tasks.map(({ busy }) => busy));
    clearTimeout(timer);
    for (const { line } of tasks) line.close();
  }

  return {
    setTargets(services, lastAttempts) {
      const next = new Map<string, Polled>();
      for (const service of services) for (const instance of service.instances) next.set(instance.id, take(service, instance));
      const added = [...next.values()].filter((task) => polled.get(task.id) !== task);
      for (const [id, task] of polled) {
        if (next.get(id) === task) continue;
        scheduler.remove(task);
        task.line.close();
      }
      polled = next;
      const attempts = new Map(lastAttempts);
      for (const { id, attemptedAt } of added) if (attemptedAt !== null) attempts.set(id, attemptedAt);
      scheduler.add(added, attempts);
    },
    start: () => scheduler.start(),
    stop(graceMs) {
      stopped ??= drain(graceMs);
      return stopped;
    },
    stats: () => ({ polls: { ...polls }, skipped, inFlight, lagMs: scheduler.lagMs(), overdue: overdue() }),
    *progress() {
      const now = scheduler.now();
      const since = (time: number | null) => (time === null || time > now ? null : now - time);
      for (const { service, id, owed, due, completed, reported } of polled.values())
        yield {
          service,
          instance: id,
          owedMs: since(Math.min(owed ?? due, due)),
          completedMs: since(completed),
          reportedMs: since(reported),
          reports: reported !== null && reported === completed,
        };
    },
    lastAnswer: (instance) => polled.get(instance)?.answer ?? null,
    async canary(url, timeout) {
      const target = { url, headers: {}, interval: timeout, timeout, maxBody: 65_536, tls: null };
      const answer = await fetchOnce(target, options);
      return answer.kind === "answer" || !NO_PATH.has(answer.outcome);
    },
    connections() {
      let sum = 0;
      for (const task of polled.values()) sum += task.line.opened();
      return sum;
    },
    running: scheduler.running,
  };
}

/** Whether the connection and a poll under way still belong to what the map now says. */
function sameRequest({ service: a, instance }: Polled, b: ServiceNode, to: Instance): boolean {
  const part = ({ timeout, maxBody, headers, tls }: ServiceNode) => JSON.stringify([timeout, maxBody, headers, tls]);
  return instance.url === to.url && part(a) === part(b);
}
