import { parseConfig } from "../../server/src/config/parse.ts";
import { polledServices, type ServiceNode, type SystemMap } from "../../server/src/domain/map.ts";
import type { Component, Observation } from "../../server/src/domain/observation.ts";
import type { Criticality, Status } from "../../server/src/domain/status.ts";
import { ownWords, type ToldWords } from "../../server/src/state/ownwords.ts";
import { age, initialState, observe } from "../../server/src/state/reduce.ts";
import type { Store } from "../../server/src/store/index.ts";
import { randomOf } from "./random.ts";

const SECOND = 1_000;
const MINUTE = 60_000;
export const DAY = 86_400_000;

/** How a service really takes the failure of something it needs, where that is not what its map declares. */
export interface Truth {
  from: string;
  to: string;
  criticality: Criticality;
}

/** One real failure; milliseconds from the start. */
export interface Failure {
  node: string;
  from: number;
  to: number;
  /** The service does not answer at all, instead of telling that it is unhealthy. */
  silent?: boolean;
}

export interface DriftWorld {
  /** Text of the map's only file. */
  text: string;
  truths?: readonly Truth[];
  /** Dependencies that services report beside those of the map, and those that they leave out. */
  reports?: readonly { service: string; adds?: Record<string, Criticality | null>; leavesOut?: readonly string[] }[];
  failures: readonly Failure[];
  /** Chance that one poll goes wrong in some way: no answer, a check that fails for once, a service that stumbles. */
  noise: number;
  seed: number;
}

export function mapOf(text: string): SystemMap {
  const { map, errors } = parseConfig([{ path: "map/map.yaml", text }], "keep", "2026-10-01");
  if (!map) throw new Error(JSON.stringify(errors));
  return map;
}

/** Lives through some time as the engine would, and writes it into the store; all clocks are given. Returns the end. */
export function live(store: Store, world: DriftWorld, start: number, length: number): number {
  const map = mapOf(world.text);
  const random = randomOf(`${world.seed}`);
  const services = polledServices(map);
  const step = Math.min(...services.map(({ interval }) => interval));
  let state = initialState(map);
  let told: ToldWords | null = null;
  store.writer.restore(start);
  store.writer.acceptRevision({
    acceptedAt: start,
    hash: "simulated",
    commit: null,
    summary: "simulated",
    files: [{ path: "map/map.yaml", text: world.text }],
  });
  store.writer.follow(map);
  for (let t = 0; t < length; t += step) {
    const at = start + t;
    const failing = new Set(world.failures.flatMap(({ node, from, to }) => (t >= from && t < to ? [node] : [])));
    const statuses = truthOf(map, world.truths ?? [], failing);
    const polls = services
      .filter(({ interval }) => t % interval === 0)
      .flatMap((service) => poll(world, service, statuses, t, at, random) ?? []);
    const aged = age(state, map, at);
    const seen = observe(aged.state, map, polls, at);
    const words = ownWords(told, map, seen.state, [...aged.changed.edges, ...seen.changed.edges], at);
    state = seen.state;
    told = words.told;
    const transitions = [...aged.transitions, ...seen.transitions, ...words.rows];
    if (transitions.length > 0) store.writer.commit({ at, transitions, incidents: [], events: [] });
    store.writer.append(polls);
    const all = (key: "instances" | "edges" | "nodes") => new Set([...aged.changed[key], ...seen.changed[key]]);
    store.writer.saveState(state, { instances: all("instances"), edges: all("edges"), nodes: all("nodes") });
    // A silence of fifteen seconds would be a gap.
    for (let beat = 0; beat < step; beat += 14 * SECOND) store.writer.flush(at + beat);
    if (t % (10 * MINUTE) < step) for (let n = 0; n < 500 && store.writer.maintain(at); n++);
  }
  store.writer.flush(start + length);
  return start + length;
}

/** What every node really is while some fail. Cycles settle on what the first round finds. */
export function truthOf(map: SystemMap, truths: readonly Truth[], failing: ReadonlySet<string>): Map<string, Status> {
  const statuses = new Map<string, Status>();
  const visit = (id: string): Status => {
    const known = statuses.get(id);
    if (known) return known;
    const node = map.nodes.get(id);
    statuses.set(id, failing.has(id) ? "unhealthy" : "healthy");
    if (node?.kind !== "service" || failing.has(id)) return statuses.get(id) ?? "healthy";
    let worst: Status = "healthy";
    const needs = [...node.edges.map(({ to, criticality, group }) => ({ to, criticality, group })), ...extra(truths, node)];
    for (const { to, criticality, group } of needs) {
      const real = truths.find((one) => one.from === id && one.to === to)?.criticality ?? criticality;
      const other = visit(to);
      const spared = group !== null && node.edges.some((edge) => edge.group === group && edge.to !== to && visit(edge.to) !== "unhealthy");
      if (other === "healthy" || real === "informational" || spared) continue;
      if (other === "unhealthy" && real === "hard") worst = "unhealthy";
      else if (worst === "healthy") worst = "degraded";
    }
    statuses.set(id, worst);
    return worst;
  };
  for (const id of map.nodes.keys()) visit(id);
  return statuses;
}

const extra = (truths: readonly Truth[], { id, edges }: ServiceNode) =>
  truths.filter(({ from, to }) => from === id && !edges.some((edge) => edge.to === to)).map((one) => ({ ...one, group: null }));

function poll(world: DriftWorld, service: ServiceNode, statuses: ReadonlyMap<string, Status>, t: number, at: number, random: () => number) {
  const changes = world.reports?.find((one) => one.service === service.id);
  const kept = service.edges.filter(({ to }) => !changes?.leavesOut?.includes(to));
  const components = kept.map((edge) => componentOf(edge, statuses));
  for (const [name, criticality] of Object.entries(changes?.adds ?? {}))
    components.push({ name, status: wordOf(name, statuses), latencyMs: 3, ...(criticality ? { criticality } : {}) });
  const said = { status: statuses.get(service.id) ?? ("healthy" as const), components };
  const observe = { service, instance: service.id, at, silent: isSilent(world.failures, service.id, t), noise: world.noise, random };
  return pollOf(observe, () => said);
}

function wordOf(id: string, statuses: ReadonlyMap<string, Status>): Component["status"] {
  const status = statuses.get(id);
  return status === "unhealthy" ? "down" : status === "degraded" ? "degraded" : "up";
}

/** What a service reports of one that it needs, where it tells the truth. */
export function componentOf(
  { to, components: [name = to] }: ServiceNode["edges"][number],
  statuses: ReadonlyMap<string, Status>,
): Component {
  return { name, status: wordOf(to, statuses), latencyMs: 3 };
}

/** Whether a service does not answer at all at a moment, milliseconds from the start. */
export function isSilent(failures: readonly Failure[], service: string, t: number): boolean {
  return failures.some(({ silent, node, from, to }) => silent && node === service && t >= from && t < to);
}

interface Polled {
  service: ServiceNode;
  instance: string;
  at: number;
  silent: boolean;
  /** Chance that it goes wrong in some way. */
  noise: number;
  random: () => number;
}

/** One poll: no answer, or what the service says, which noise may turn; null where it says nothing at all to anybody. */
export function pollOf(
  { service, instance, at, silent, noise, random }: Polled,
  say: () => { status: Status; components: readonly Component[] } | null,
): Observation | null {
  const common = { service: service.id, instance, at, format: "headwater", date: null, httpAge: null, warnings: [], body: null };
  const bad = random() < noise;
  if (silent || (bad && random() < 0.4)) {
    return { ...common, outcome: "timeout", httpStatus: null, report: null, error: "timeout", latencyMs: service.timeout };
  }
  const said = say();
  if (said === null) return null;
  let { status } = said;
  const components = said.components.map((one) => ({ ...one }));
  if (bad) {
    const one = components[Math.floor(random() * components.length)];
    if (one && random() < 0.7) one.status = "down";
    else status = "unhealthy";
  }
  const report = { status, word: status, components };
  const httpStatus = status === "unhealthy" ? 503 : 200;
  return { ...common, outcome: "report", httpStatus, latencyMs: 10 + 20 * random(), error: null, report };
}

/** Failures of some nodes at random over a time: each `perDay` times a day on the average, as long as incidents last. */
export function failuresOf(nodes: readonly string[], perDay: number, length: number, seed: number): Failure[] {
  const random = randomOf(`${seed}`);
  const failures: Failure[] = [];
  for (const node of nodes) {
    for (let t = 6 * 3_600_000; ; ) {
      t += (-Math.log(1 - random()) * DAY) / perDay;
      const lasts = 6 * MINUTE + -Math.log(1 - random()) * 20 * MINUTE;
      if (t + lasts > length) break;
      failures.push({ node, from: t, to: t + lasts, silent: random() < 0.3 });
      t += lasts + 30 * MINUTE;
    }
  }
  return failures;
}
