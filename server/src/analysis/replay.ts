import type { Incident, IncidentEvent, Verdict } from "../domain/incident.ts";
import { polledServices, type SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { Evidence, Rollup } from "../domain/snapshot.ts";
import type { SystemState } from "../domain/state.ts";
import { age, initialState, observe } from "../state/reduce.ts";
import { advance } from "./incidents.ts";
import { rollUp } from "./rollup.ts";
import { judge } from "./verdict.ts";

/** One replayed moment. */
export interface Moment {
  at: number;
  evidence: Evidence;
  verdict: Verdict;
  rollup: Rollup;
}

/** Damping over recorded polls, moment by moment; a value. `polls` must be in order of `at`. */
export function* statesOf(map: SystemMap, polls: Iterable<Observation>): Generator<{ at: number; state: SystemState }> {
  let state = initialState(map);
  let batch: Observation[] = [];
  const flush = (): { at: number; state: SystemState } | null => {
    const at = batch[0]?.at;
    if (at === undefined) return null;
    state = observe(age(state, map, at).state, map, batch, at).state;
    batch = [];
    return { at, state };
  };
  for (const poll of polls) {
    if (batch[0] && poll.at !== batch[0].at) {
      const moment = flush();
      if (moment) yield moment;
    }
    batch.push(poll);
  }
  const last = flush();
  if (last) yield last;
}

/** The verdict at each of some times (epoch ms, ascending), after all polls up to and including it, one at a time. */
export function* momentsOf(map: SystemMap, polls: Iterable<Observation>, times: readonly number[]): Generator<Moment> {
  let state = initialState(map);
  let next = 0;
  for (const step of statesOf(map, polls)) {
    for (let at = times[next]; at !== undefined && at < step.at; at = times[++next]) yield momentOf(map, age(state, map, at).state, at);
    state = step.state;
  }
  for (; next < times.length; next++) {
    const at = times[next] ?? 0;
    yield momentOf(map, age(state, map, at).state, at);
  }
}

/** The same for times in any order, all at once; in the order given. */
export function judgeAt(map: SystemMap, polls: Iterable<Observation>, times: readonly number[]): Moment[] {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const moments = new Map([...momentsOf(map, polls, sorted)].map((moment) => [moment.at, moment]));
  return times.flatMap((at) => moments.get(at) ?? []);
}

export function momentOf(map: SystemMap, state: SystemState, at: number): Moment {
  const evidence = { now: at, map, state };
  return { at, evidence, verdict: judge(evidence), rollup: rollUp(map, state) };
}

/** All that happened to incidents over a recording, oldest first, and how they stand at its end. */
export function replayIncidents(map: SystemMap, polls: Iterable<Observation>): { events: IncidentEvent[]; incidents: readonly Incident[] } {
  const events: IncidentEvent[] = [];
  let incidents: readonly Incident[] = [];
  let nextId = 1;
  for (const { at, state } of statesOf(map, polls)) {
    const evidence = { now: at, map, state };
    const verdict = judge(evidence);
    const settings = { settle: null, unreachableAfter: null };
    const step = advance({ incidents, verdict, evidence, mapRevision: 1, nextId, settings, frozen: verdict.blind });
    incidents = step.incidents;
    nextId = step.nextId;
    events.push(...step.events);
  }
  return { events, incidents };
}

/** Polled services that we cannot tell about: status unknown, and no witness calls them down. */
export function unknownNodes({ map, state }: Evidence): string[] {
  const blamed = new Set<string>();
  for (const edge of state.edges.values()) if (!edge.stale && edge.damped.status === "down") blamed.add(edge.to);
  return polledServices(map).flatMap(({ id }) => ((state.nodes.get(id)?.status ?? "unknown") === "unknown" && !blamed.has(id) ? [id] : []));
}
