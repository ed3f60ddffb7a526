import { advance } from "../../server/src/analysis/incidents.ts";
import { momentOf } from "../../server/src/analysis/replay.ts";
import type { Incident, IncidentEvent, Verdict } from "../../server/src/domain/incident.ts";
import { polledServices, type SystemMap } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import type { SystemState } from "../../server/src/domain/state.ts";
import { age, initialState, observe, remap } from "../../server/src/state/reduce.ts";
import { type StateKind, type StateOf, stateCodec } from "../../server/src/state/serialise.ts";
import { type Fault, START, type World } from "./simulate-world.ts";

/** What happens to Headwater itself in a run; milliseconds from its start. */
export interface Events {
  /** It is down from here to there, and starts on its saved state. */
  restart?: { from: number; to: number };
  reload?: { at: number; map: SystemMap };
}

export interface Look {
  /** Milliseconds from the start. */
  t: number;
  verdict: Verdict;
  state: SystemState;
  incidents: readonly Incident[];
}

export interface Run {
  looks: Look[];
  incidents: Incident[];
  events: IncidentEvent[];
}

const TICK = 1_000;

/**
 * Runs the polls through damping, verdict and incidents as the engine does: as answers come, and once a second while anything is
 * wrong. Each look is kept for the judges, or given to `onLook` instead.
 */
export function simulate(
  world: World,
  end: number,
  happens: Events = {},
  polls: readonly Observation[] = world.polls(end),
  onLook?: (look: Look) => void,
): Run {
  let { map } = world;
  let state = initialState(map);
  const all = new Map<number, Incident>();
  let incidents: readonly Incident[] = [];
  let nextId = 1;
  const events: IncidentEvent[] = [];
  const looks: Look[] = [];
  let troubled = true;
  let reloaded = false;
  let restarted = false;
  const look = (t: number): void => {
    const now = START + t;
    const { evidence, verdict, rollup } = momentOf(map, state, now);
    const frozen = verdict.blind || fewReport(map, state, now);
    const settings = { settle: null, unreachableAfter: null };
    const step = advance({ incidents, verdict, evidence, mapRevision: reloaded ? 2 : 1, nextId, settings, frozen });
    for (const incident of step.changed) all.set(incident.id, incident);
    incidents = step.incidents;
    nextId = step.nextId;
    events.push(...step.events);
    const here = { t, verdict, state, incidents };
    if (onLook) onLook(here);
    else looks.push(here);
    troubled =
      verdict.causes.length > 0 ||
      verdict.unexplained.length > 0 ||
      rollup.status !== "healthy" ||
      incidents.some(({ status }) => status !== "resolved");
  };
  const away = (t: number): boolean => happens.restart !== undefined && t >= happens.restart.from && t < happens.restart.to;
  let next = 0;
  for (let tick = 0; tick <= end; tick += TICK) {
    for (let poll = polls[next]; poll && poll.at + poll.latencyMs <= START + tick; poll = polls[next]) {
      const done = poll.at + poll.latencyMs;
      const batch: Observation[] = [];
      for (; polls[next] && (polls[next] as Observation).at + (polls[next] as Observation).latencyMs <= done; next++)
        batch.push(polls[next] as Observation);
      const heard = batch.filter(({ at }) => !away(at - START) && !away(done - START));
      if (heard.length === 0) continue;
      const before = state;
      state = observe(state, map, heard, done).state;
      if (state !== before) look(done - START);
    }
    if (away(tick)) continue;
    if (happens.restart && tick >= happens.restart.to && !restarted) {
      restarted = true;
      state = restored(state);
    }
    if (happens.reload && tick >= happens.reload.at && !reloaded) {
      reloaded = true;
      state = remap(state, map, happens.reload.map, START + tick).state;
      map = happens.reload.map;
      look(tick);
    }
    const before = state;
    state = age(state, map, START + tick).state;
    if (troubled || state !== before) look(tick);
  }
  return { looks, incidents: [...all.values()], events };
}

/** Under half of the instances have a fresh report: the staleness signal is on, and nothing resolves. */
function fewReport(map: SystemMap, state: SystemState, now: number): boolean {
  let total = 0;
  let fresh = 0;
  for (const { instances, maxAge } of polledServices(map))
    for (const { id } of instances) {
      total++;
      const at = state.instances.get(id)?.lastReportAt;
      if (at && now - at <= maxAge) fresh++;
    }
  return fresh * 2 < total;
}

/** The state as a restart finds it in the history. */
function restored(state: SystemState): SystemState {
  const again = <K extends StateKind>(kind: K, held: ReadonlyMap<string, StateOf<K>>): Map<string, StateOf<K>> => {
    const back = new Map<string, StateOf<K>>();
    for (const [id, one] of held) {
      const read = stateCodec.decode(kind, stateCodec.encode(kind, one));
      if (read) back.set(id, read);
    }
    return back;
  };
  return {
    instances: again("instance", state.instances),
    edges: again("edge", state.edges),
    nodes: again("node", state.nodes),
    blind: state.blind,
  };
}

/** One thing that a run got wrong. */
export interface Miss {
  rule: string;
  t: number;
  text: string;
}

/** How long a fact may take to be seen, and to be confirmed by damping, on the slowest way of all who can tell. */
function limits(world: World, fault: Fault): { detect: number; recover: number } {
  let detect = 0;
  let recover = 0;
  const telling = [...world.reach(fault)];
  const direct = new Set([fault.node, ...world.witnesses(fault.node).map(({ id }) => id)]);
  let depth = 0;
  for (const service of polledServices(world.map)) {
    if (!telling.includes(service.id) && !direct.has(service.id)) continue;
    const voices = service.instances.length;
    const look = world.checksEvery(service.id);
    const down = look + (service.downAfter * voices + 1) * service.interval + service.timeout;
    // What came and went is held until ten good results in a row, or fewer than four reversals in ten.
    const held = fault.comesFor ? 12 : service.upAfter * voices + 1;
    const up = look + held * service.interval + service.timeout;
    if (direct.has(service.id) || !world.isSeen(fault)) detect = Math.max(detect, down);
    recover = Math.max(recover, up);
    depth += look;
  }
  return { detect: detect + 2_000, recover: recover + depth + 2_000 };
}

/** Judges a run against the truth by the rules of the incident life and of the verdict. */
export function judgeRun(world: World, run: Run, end: number, options: { unsettled?: boolean } = {}): Miss[] {
  const misses: Miss[] = [];
  const said = new Set<string>();
  const miss = (rule: string, t: number, text: string): void => {
    if (said.has(`${rule} ${text}`)) return;
    said.add(`${rule} ${text}`);
    misses.push({ rule, t, text });
  };
  const faults = world.faults.map((fault) => {
    const { detect, recover } = limits(world, fault);
    return {
      fault,
      detect,
      recover,
      names: world.mayName(fault),
      reach: world.reach(fault),
      seen: world.isSeen(fault),
      namedAt: null as number | null,
    };
  });
  const alive = (one: (typeof faults)[number], t: number): boolean => t >= one.fault.from && t < one.fault.to + one.recover;
  // What each moment's verdict says.
  for (const { t, verdict } of run.looks) {
    const causes = new Set(verdict.causes.map(({ node }) => node));
    for (const cause of verdict.causes) {
      const right = faults.some((one) => alive(one, t) && one.names.has(cause.node));
      if (right) continue;
      const related = faults.filter((one) => alive(one, t) && one.reach.has(cause.node));
      const over = related.length > 0 && related.every(({ fault }) => t >= fault.to);
      const settled = related.some(({ fault, detect }) => t >= fault.from + detect && t < fault.to);
      const when = related.length === 0 ? "unrelated" : over ? "after the end" : settled ? "settled" : "before settling";
      miss(`wrong cause, ${when}`, t, `${cause.node} (${cause.kind}, ${cause.level})`);
      if (cause.level === "confirmed") miss("wrong cause, confirmed", t, cause.node);
    }
    for (const [node, { role }] of verdict.roles) {
      if (role === "impacted" && !faults.some((one) => alive(one, t) && (one.reach.has(node) || one.names.has(node))))
        miss("dragged in", t, node);
    }
    for (const one of faults) {
      if (!one.seen || one.fault.comesFor) continue;
      if (t < one.fault.from) continue;
      const named = [...one.names].some((name) => causes.has(name));
      if (named) one.namedAt ??= t;
      else if (verdict.blind || options.unsettled) continue;
      else if (faults.some((other) => other !== one && alive(other, t) && other.reach.has(one.fault.node))) continue;
      else if (t < one.fault.to && one.namedAt !== null) miss("cause dropped", t, one.fault.node);
      else if (t < one.fault.to && t >= one.fault.from + one.detect) miss("cause not named in time", t, one.fault.node);
    }
  }
  // What the incidents tell.
  const first = Math.min(...faults.map(({ fault }) => fault.from));
  for (const incident of run.incidents) {
    const { anchor, kind, end: how, openedAt, detectedAt } = incident;
    const host = faults.find(
      (one) => one.names.has(anchor) && detectedAt - START >= one.fault.from && detectedAt - START < one.fault.to + one.recover,
    );
    const t = detectedAt - START;
    if (kind === "visibility") continue;
    const announced = world.map.maintenance.find(({ nodes, from, to }) => nodes.includes(anchor) && from <= detectedAt && detectedAt < to);
    const outlasted = announced !== undefined && (incident.resolvedAt ?? START + end) >= announced.to;
    if (announced && (kind === "maintenance") === outlasted) miss("announced work taken wrongly", t, `${anchor} ${kind}`);
    if (kind === "maintenance" && incident.severity !== "info") miss("announced work alerts", t, anchor);
    if (how === "absorbed") {
      let into = run.incidents.find(({ id }) => id === incident.absorbedBy);
      for (let hops = 0; into?.end === "absorbed" && hops < 10; hops++) {
        const next: number | null = into.absorbedBy;
        into = run.incidents.find(({ id }) => id === next);
      }
      const right = faults.some((one) => one.reach.has(anchor) && into !== undefined && one.names.has(into.anchor));
      miss(right ? "absorbed symptom" : "absorbed into the wrong one", t, `${anchor} ${incident.severity}`);
    } else if (!host)
      miss(kind === "undetermined" ? "undetermined incident" : "false incident", t, `${anchor} (${kind}, ${incident.severity})`);
    if (openedAt - START < first) miss("opened before the fault", openedAt - START, anchor);
    for (const { node, since } of incident.impacted) if (since - START < first) miss("suffers before the fault", since - START, node);
  }
  for (const one of faults) {
    if (!one.seen) continue;
    const { fault, names, recover } = one;
    // Both ends of a lone witness may be named; who has a fault of its own in these minutes answers for that one.
    const others = new Set(faults.filter((other) => other !== one && other.fault.node !== fault.node).map((other) => other.fault.node));
    const own = run.incidents.filter(
      ({ anchor, kind, end: how, openedAt, resolvedAt }) =>
        names.has(anchor) &&
        (anchor === fault.node || !others.has(anchor)) &&
        how !== "absorbed" &&
        (kind === "cause" || kind === "maintenance") &&
        openedAt - START < fault.to + recover &&
        (resolvedAt === null || resolvedAt - START > fault.from),
    );
    if (own.length === 0 && fault.to - fault.from > one.detect && ![...names].some((name) => others.has(name)))
      miss("no incident", fault.from, fault.node);
    const same = faults.filter((other) => other.fault.node === fault.node).length;
    if (own.length > same && !fault.comesFor)
      miss(
        "several incidents for one fault",
        fault.from,
        own.map(({ anchor, openedAt, resolvedAt }) => `${anchor} ${openedAt - START}..${resolvedAt ? resolvedAt - START : ""}`).join("; "),
      );
    for (const incident of own) {
      const hidden = world.witnesses(fault.node).every(({ id }) => others.has(id));
      if (fault.to + recover > end || others.has(incident.anchor) || (hidden && others.size > 0)) continue;
      const resolved = incident.resolvedAt === null ? null : incident.resolvedAt - START;
      if (resolved === null) miss("never ends", end, incident.anchor);
      else if (resolved < fault.to && !fault.comesFor) miss("ends before the fault does", resolved, incident.anchor);
      else if (resolved > fault.to + recover && !fault.comesFor)
        miss("ends late", resolved, `${incident.anchor} by ${resolved - fault.to - recover} ms`);
    }
  }
  const lively = world.faults.some(({ comesFor }) => comesFor);
  for (const { kind, at, text, incident, node } of run.events) {
    if (kind === "reopened" && !lively) miss("reopened", at - START, `${incident} ${node}`);
    if (kind === "severity")
      miss(text.startsWith("page") || text === "ticket → info" ? "severity falls" : "severity rises", at - START, `${incident} ${text}`);
  }
  return misses;
}

/** Time for which causes were named at each level, and rightly; milliseconds. */
export function namedTime(world: World, run: Run): Record<string, { right: number; wrong: number }> {
  const sums: Record<string, { right: number; wrong: number }> = {};
  const faults = world.faults.map((fault) => ({ fault, names: world.mayName(fault), until: fault.to + limits(world, fault).recover }));
  run.looks.forEach(({ t, verdict }, at) => {
    const lasted = (run.looks[at + 1]?.t ?? t) - t;
    for (const { node, level } of verdict.causes) {
      const sum = sums[level] ?? { right: 0, wrong: 0 };
      sums[level] = sum;
      const right = faults.some(({ fault, names, until }) => t >= fault.from && t < until && names.has(node));
      if (right) sum.right += lasted;
      else sum.wrong += lasted;
    }
  });
  return sums;
}
