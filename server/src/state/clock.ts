import { datedBy, type Misdated, redated } from "../domain/clock.ts";
import type { Damped, EdgeState, FailureWindow, InstanceState, NodeState, SystemState } from "../domain/state.ts";
import type { Step } from "./work.ts";

/**
 * After the clock was set: what it dated wrongly before, in the future or before it was set at all, holds since `now` at
 * the latest, and what is known to be `misdated` since that showed. Otherwise evidence of that time would seem newer than
 * any to come, or far older than it is, for as long as the clock was off.
 */
export function followClock(state: SystemState, now: number, misdated: Misdated | null): Step {
  let wrong = false;
  const moment = (at: number): number => {
    const dated = datedBy(now, redated(at, misdated));
    if (dated !== at) wrong = true;
    return dated;
  };
  /** All of them; those without a wrong moment stay the very same. */
  function corrected<T>(states: ReadonlyMap<string, T>, correct: (one: T) => T): { all: ReadonlyMap<string, T>; moved: Set<string> } {
    const all = new Map(states);
    const moved = new Set<string>();
    for (const [id, before] of states) {
      wrong = false;
      const after = correct(before);
      if (!wrong) continue;
      all.set(id, after);
      moved.add(id);
    }
    return { all, moved };
  }
  const orNull = (at: number | null): number | null => (at === null ? null : moment(at));
  const window = (of: FailureWindow | null): FailureWindow | null => of && { lastGood: orNull(of.lastGood), firstBad: moment(of.firstBad) };
  const damped = <S extends string>(of: Damped<S>): Damped<S> => ({
    ...of,
    since: moment(of.since),
    run: of.run.map((result) => ({ ...result, at: moment(result.at) })),
  });
  const instances = corrected(state.instances, (one: InstanceState) => ({
    ...one,
    damped: damped(one.damped),
    window: window(one.window),
    lastPollAt: orNull(one.lastPollAt),
    lastReportAt: orNull(one.lastReportAt),
    ...(one.lastGood === undefined ? {} : { lastGood: orNull(one.lastGood) }),
    seenChecks: new Map([...one.seenChecks].map(([name, seen]) => [name, { ...seen, firstSeen: moment(seen.firstSeen) }])),
  }));
  const edges = corrected(state.edges, (one: EdgeState) => ({
    ...one,
    damped: damped(one.damped),
    window: window(one.window),
    checkedAt: orNull(one.checkedAt),
    reportedAt: orNull(one.reportedAt),
    firstBadCheck: orNull(one.firstBadCheck),
    ...(one.lastGood === undefined ? {} : { lastGood: orNull(one.lastGood) }),
  }));
  const nodes = corrected(state.nodes, (one: NodeState) => ({
    ...one,
    since: moment(one.since),
    window: window(one.window),
    lastChecked: orNull(one.lastChecked),
    lastKnown: one.lastKnown && { ...one.lastKnown, at: moment(one.lastKnown.at) },
  }));
  return {
    state: {
      ...state,
      instances: instances.all,
      edges: edges.all,
      nodes: nodes.all,
      blind: state.blind && { since: moment(state.blind.since) },
    },
    changed: { instances: instances.moved, edges: edges.moved, nodes: nodes.moved },
    seen: new Set(),
    transitions: [],
  };
}
