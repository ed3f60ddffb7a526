import { type Damped, type Pending, RESULTS_KEPT } from "../domain/state.ts";
import type { ComponentStatus, Status } from "../domain/status.ts";
import { blipsOf, isFlapping, isSteady, type Order, worstOfRecent } from "./flapping.ts";

/** How many results in a row it takes to flip. */
export interface Limits {
  downAfter: number;
  upAfter: number;
}

const STEADY = 10;

/** Damping over one vocabulary; every function takes and gives values. */
export interface Damper<S extends string> {
  /** Before any result: unknown, unconfirmed. */
  initial: Damped<S>;
  /** Counts one raw result, asked at `at`. */
  step(damped: Damped<S>, result: S, at: number, limits: Limits): Damped<S>;
  /** Forgets the run that was building. */
  clear(damped: Damped<S>): Damped<S>;
  /** Nothing is known any more, whatever the streak: evidence too old, a phase, blindness. */
  lose(damped: Damped<S>, at: number): Damped<S>;
  /** The same results read anew: what was taken for the latest result is `raw` now, and so is the state where it was the same. */
  reread(damped: Damped<S>, raw: S, at: number): Damped<S>;
  /** Takes the latest raw result as confirmed by others, from the start of its run. */
  corroborate(damped: Damped<S>): Damped<S>;
}

function damper<S extends string>(order: Order<S>): Damper<S> {
  const [good, mild, silent] = order;
  const rank = (status: S): number => order.indexOf(status);
  /** Runs of equal results from the start are shared arrays: a quiet fleet then keeps no history of its own. */
  const quiet = order.map((status) =>
    Array.from({ length: RESULTS_KEPT + 1 }, (_, length) => Object.freeze(Array<S>(length).fill(status))),
  );

  function push(recent: readonly S[], result: S): readonly S[] {
    const same = quiet[rank(result)] as readonly (readonly S[])[];
    const { length } = recent;
    const next = same[Math.min(RESULTS_KEPT, length + 1)] as readonly S[];
    if (length === 0 || recent === same[length]) return next;
    const pushed = length < RESULTS_KEPT ? [...recent, result] : [...recent.slice(1), result];
    return pushed.every((status) => status === result) ? next : pushed;
  }

  /** What a run makes of the state: the mildest known of a worsening one, the worst of an improving one, else unknown. */
  function outcome(status: S, run: Damped<S>["run"]): S {
    let known = 0;
    let mildest: number = order.length;
    let worst = -1;
    for (const result of run) {
      if (result.status === silent) continue;
      known++;
      mildest = Math.min(mildest, rank(result.status));
      worst = Math.max(worst, rank(result.status));
    }
    if (known * 2 < run.length) return silent;
    const last = run[run.length - 1];
    return order[last && rank(last.status) > rank(status) ? mildest : worst] as S;
  }

  /** The last results of a run that differ from `status` in one direction. */
  function tail(run: Damped<S>["run"], status: S): Damped<S>["run"] {
    if (status === silent) return [];
    const last = run[run.length - 1];
    const direction = last ? Math.sign(rank(last.status) - rank(status)) : 0;
    let from = run.length;
    while (from > 0 && direction !== 0 && Math.sign(rank((run[from - 1] as { status: S }).status) - rank(status)) === direction) from--;
    return run.slice(from);
  }

  /** How many of the latest results in a row are the status, or for a bad one at least as bad. */
  function support(status: S, recent: readonly S[]): number {
    let count = 0;
    for (let at = recent.length - 1; at >= 0; at--, count++) {
      const result = recent[at] as S;
      if (status === good || status === silent ? result !== status : rank(result) < rank(status)) break;
    }
    return count;
  }

  function needed(status: S, limits: Limits): number {
    return status === good ? limits.upAfter : limits.downAfter;
  }

  function pendingOf(damped: Damped<S>, limits: Limits): Pending<S> | null {
    const last = damped.run[damped.run.length - 1];
    if (!last || damped.flapping) return null;
    const worse = rank(last.status) > rank(damped.status);
    const held = damped.intermittent && damped.status === mild && !worse;
    return {
      status: outcome(damped.status, damped.run),
      count: damped.run.length,
      needed: held ? STEADY : worse ? limits.downAfter : limits.upAfter,
    };
  }

  function initial(): Damped<S> {
    return {
      status: silent,
      since: 0,
      pending: null,
      raw: silent,
      recent: [],
      run: [],
      flapping: false,
      intermittent: false,
      held: 0,
      confirmed: false,
    };
  }

  /** The first result ever, or one after unknown: it sets the status, and is confirmed once enough agree. */
  function settle(damped: Damped<S>, result: S, at: number, recent: readonly S[], limits: Limits): Damped<S> {
    const first = damped.recent.length === 0 || result !== damped.status;
    const held = first ? 1 : Math.min(RESULTS_KEPT, (damped.held ?? damped.recent.length) + 1);
    const confirmed = (!first && damped.confirmed) || support(result, recent) >= needed(result, limits);
    return {
      status: result,
      since: first ? at : damped.since,
      pending: null,
      raw: result,
      recent,
      run: [],
      flapping: false,
      intermittent: false,
      held,
      confirmed,
    };
  }

  /** One result on a known state that does not flap. */
  function count(damped: Damped<S>, result: S, at: number, recent: readonly S[], limits: Limits): Damped<S> {
    const { status } = damped;
    const direction = Math.sign(rank(result) - rank(status));
    const last = damped.run[damped.run.length - 1];
    const goesOn = last && Math.sign(rank(last.status) - rank(status)) === direction;
    const run = direction === 0 ? [] : goesOn ? [...damped.run, { status: result, at }] : [{ status: result, at }];
    const held = Math.min(RESULTS_KEPT, (damped.held ?? damped.recent.length) + 1);
    const next = { ...damped, raw: result, recent, run, held, flapping: false };

    const intermittent = damped.intermittent && status === mild && direction <= 0;
    if (intermittent && !isSteady(recent, good)) return isSteady(recent, mild) ? { ...next, intermittent: false } : next;
    if (direction !== 0 && (intermittent || run.length >= (direction > 0 ? limits.downAfter : limits.upAfter))) {
      const to = outcome(status, run);
      const rest = tail(run, to);
      const since = run[0]?.at ?? at;
      return { ...next, status: to, since, run: rest, held: rest.length, intermittent: false, confirmed: true };
    }
    const confirmed = damped.confirmed || support(status, recent) >= needed(status, limits);
    const blips = direction > 0 || damped.intermittent ? blipsOf(order, status, recent.slice(-held)) : "none";
    if (blips === "bad" && status === good)
      return { ...next, status: mild, since: at, run: tail(run, mild), held: 0, intermittent: true, confirmed: true };
    return { ...next, confirmed, intermittent: status === mild ? damped.intermittent || blips === "bad" : blips !== "none" };
  }

  let last: { damped: Damped<S>; result: S; at: number; limits: Limits; next: Damped<S> } | null = null;

  /** The statements of one report mostly stand alike: they share one value, which is most of what a poll would leave behind. */
  function step(damped: Damped<S>, result: S, at: number, limits: Limits): Damped<S> {
    if (last && damped === last.damped && result === last.result && at === last.at && limits === last.limits) return last.next;
    const next = stepped(damped, result, at, limits);
    last = { damped, result, at, limits, next };
    return next;
  }

  function stepped(damped: Damped<S>, result: S, at: number, limits: Limits): Damped<S> {
    const recent = push(damped.recent, result);
    if (damped.status === result && damped.confirmed && damped.run.length === 0 && !damped.flapping && !damped.intermittent) {
      if (recent === damped.recent && damped.held === RESULTS_KEPT) return damped;
      const held = Math.min(RESULTS_KEPT, (damped.held ?? damped.recent.length) + 1);
      if (recent === quiet[rank(result)]?.[recent.length] || !isFlapping(order, recent)) return { ...damped, raw: result, recent, held };
    }
    if (isFlapping(order, recent)) {
      const status = worstOfRecent(order, recent);
      const stays = status === damped.status;
      const run = tail([...(stays ? damped.run : []), { status: result, at }], status);
      const since = stays ? damped.since : at;
      const held = stays ? Math.min(RESULTS_KEPT, (damped.held ?? damped.recent.length) + 1) : 0;
      return { status, since, pending: null, raw: result, recent, run, flapping: true, intermittent: false, held, confirmed: true };
    }
    if (damped.recent.length === 0 || damped.status === silent) return settle(damped, result, at, recent, limits);
    const next = count(damped, result, at, recent, limits);
    return { ...next, pending: pendingOf(next, limits) };
  }

  return {
    initial: initial(),
    step,
    clear: (damped) => (damped.run.length === 0 ? damped : { ...damped, run: [], pending: null }),
    lose: (damped, at) => ({
      ...damped,
      status: silent,
      since: damped.status === silent && damped.recent.length > 0 ? damped.since : at,
      pending: null,
      raw: silent,
      run: [],
      flapping: false,
      intermittent: false,
      held: 0,
      confirmed: true,
    }),
    reread: (damped, raw, at) => {
      const moves = damped.status === damped.raw;
      const [status, since, held] = moves ? [raw, at, 0] : [damped.status, damped.since, damped.held ?? 0];
      return { ...damped, status, since, held, raw, pending: null, run: [] };
    },
    corroborate: (damped) => {
      const run = damped.run.filter(({ status }) => status === damped.raw);
      const since = run[0]?.at ?? damped.since;
      return { ...damped, status: damped.raw, since, pending: null, run: [], intermittent: false, held: run.length, confirmed: true };
    },
  };
}

/** Damping of nodes and instances. */
export const statusDamper = damper<Status>(["healthy", "degraded", "unknown", "unhealthy"]);

/** Damping of statements, one step of an edge at a time. */
export const componentDamper = damper<ComponentStatus>(["up", "degraded", "unknown", "down"]);
