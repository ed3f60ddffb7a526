import { nextOnPhase, phaseOf } from "./phase.ts";

/** Both in milliseconds: `monotonic` never jumps, `wall` is the epoch. */
export interface Clock {
  monotonic(): number;
  wall(): number;
}

/** Something that is due once per interval. The scheduler owns `due` and `removed`. */
export interface Timed {
  readonly id: string;
  /** Milliseconds. */
  interval: number;
  /** When it is due next, in the scheduler's pinned time (see `now`); Infinity while unscheduled. */
  due: number;
  removed: boolean;
}

export interface SchedulerOptions<T> {
  clock: Clock;
  /** Milliseconds between wake-ups; a due time is served by the first one at or after it. Default 100. */
  tickMs?: number;
  onDue(task: T, due: number): void;
  /** `count` due times of this task from `due` on passed without us: they are never made up. */
  onMissed(task: T, due: number, count: number): void;
}

export interface Scheduler<T> {
  /**
   * Adds tasks. Those whose last attempt (epoch ms) is unknown or older than their interval are swept evenly within
   * min(interval, 10 s); all then join their phase, never sooner than an interval after that attempt.
   */
  add(tasks: readonly T[], lastAttempts?: ReadonlyMap<string, number>): void;
  remove(task: T): void;
  start(): void;
  stop(): void;
  /** Wall time as of creation, carried on by the monotonic clock. */
  now(): number;
  /** Serves everything due by `now`; called by the timer. */
  advance(now: number): void;
  /** Worst lateness of a due time in the last 10 to 20 s, ms. */
  lagMs(): number;
  /** False once the timer has been stopped or has not been started. */
  running(): boolean;
}

const SWEEP_MS = 10_000;
/** A small fleet is swept in this rhythm and need not wait for the whole window. */
const SWEEP_STEP_MS = 100;
const LAG_WINDOW_MS = 10_000;

/**
 * One timer for all tasks. Ticks lie on multiples of `tickMs`, follow the monotonic clock and correct themselves, so a
 * task on a fixed phase meets the same tick in every round.
 */
export function createScheduler<T extends Timed>(options: SchedulerOptions<T>): Scheduler<T> {
  const { clock, onDue, onMissed } = options;
  const tickMs = options.tickMs ?? 100;
  const offset = clock.wall() - clock.monotonic();
  const wheel = new Map<number, T[]>();
  const waiting: { tasks: readonly T[]; lastAttempts: ReadonlyMap<string, number> | undefined }[] = [];
  let lastTick = 0;
  let timer: NodeJS.Timeout | null = null;
  let started = false;
  let lag = 0;
  let lagBefore = 0;
  let lagSince = 0;

  const now = () => clock.monotonic() + offset;

  function place(task: T, due: number): void {
    task.due = due;
    const tick = Math.max(Math.ceil(due / tickMs), lastTick + 1);
    const slot = wheel.get(tick);
    if (slot) slot.push(task);
    else wheel.set(tick, [task]);
  }

  function schedule(tasks: readonly T[], lastAttempts: ReadonlyMap<string, number> | undefined): void {
    const at = now();
    const swept: T[] = [];
    for (const task of tasks) {
      if (task.removed) continue;
      const last = lastAttempts?.get(task.id);
      if (last === undefined || last > at || at - last > task.interval) swept.push(task);
      else place(task, joinPhase(task, last + task.interval - slack(task.interval), at));
    }
    swept.forEach((task, index) => {
      const window = Math.min(task.interval, SWEEP_MS, swept.length * SWEEP_STEP_MS);
      place(task, at + (index / swept.length) * window);
    });
  }

  function serve(task: T, at: number, tick: number): void {
    const late = at - tick * tickMs;
    if (late > lag) lag = late;
    const due = task.due;
    if (late > slack(task.interval)) {
      place(task, joinPhase(task, at, at));
      onMissed(task, due, Math.floor((at - due) / task.interval) + 1);
      return;
    }
    // From the planned time, not from now: a late tick must not push the next one.
    place(task, joinPhase(task, due + task.interval, at));
    onDue(task, due);
  }

  function advance(at: number): void {
    const tick = Math.floor(at / tickMs);
    if (at - lagSince >= LAG_WINDOW_MS) {
      lagBefore = at - lagSince >= 2 * LAG_WINDOW_MS ? 0 : lag;
      lag = 0;
      lagSince = at;
    }
    const from = lastTick + 1;
    lastTick = Math.max(lastTick, tick);
    // After a long sleep of the machine, walk what is there and not every tick that has passed.
    const ticks = tick - from > wheel.size ? [...wheel.keys()].filter((key) => key <= tick).sort((a, b) => a - b) : range(from, tick);
    for (const key of ticks) {
      const slot = wheel.get(key);
      if (!slot) continue;
      wheel.delete(key);
      for (const task of slot) if (!task.removed) serve(task, at, key);
    }
  }

  function arm(): void {
    const at = now();
    // Timers may fire a fraction early; the next whole millisecond after the tick is soon enough.
    timer = setTimeout(wake, Math.max(1, Math.ceil((Math.floor(at / tickMs) + 1) * tickMs - at)));
  }

  function wake(): void {
    arm();
    advance(now());
  }

  return {
    add(tasks, lastAttempts) {
      for (const task of tasks) {
        task.removed = false;
        task.due = Number.POSITIVE_INFINITY;
      }
      if (started) schedule(tasks, lastAttempts);
      else waiting.push({ tasks, lastAttempts });
    },
    remove(task) {
      task.removed = true;
    },
    start() {
      if (started) return;
      started = true;
      lagSince = now();
      lastTick = Math.floor(lagSince / tickMs);
      for (const { tasks, lastAttempts } of waiting.splice(0)) schedule(tasks, lastAttempts);
      arm();
    },
    stop() {
      if (timer) clearTimeout(timer);
      timer = null;
    },
    now,
    advance,
    lagMs: () => Math.max(lag, lagBefore),
    running: () => timer !== null,
  };
}

/** How late a due time may be served: beyond it the time counts as missed. Bounds the burst after a stall to 5 %. */
function slack(interval: number): number {
  return Math.min(interval / 2, Math.max(200, interval / 20));
}

function joinPhase(task: Timed, earliest: number, at: number): number {
  const phase = phaseOf(task.id, task.interval);
  const due = nextOnPhase(earliest, phase, task.interval);
  return due > at ? due : nextOnPhase(Math.floor(at) + 1, phase, task.interval);
}

function* range(from: number, to: number): Iterable<number> {
  for (let n = from; n <= to; n++) yield n;
}
