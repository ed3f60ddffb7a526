import { readdirSync, readFileSync } from "node:fs";
import { judgeAt, type Moment } from "../../server/src/analysis/replay.ts";
import { parseRecording, type Recording, SHIFT } from "../../server/src/cli/recording.ts";
import { lineOf } from "../../server/src/cli/replay.ts";

export interface Seen {
  reachable: boolean;
  status?: "healthy" | "degraded" | "unhealthy";
  components?: Record<string, { status: "up" | "down"; error?: string; age_ms?: number }>;
  /** What single instances say otherwise, by their number; null for one that says the same. */
  instances?: (Partial<Seen> | null)[];
}

export interface Expected {
  at: number;
  root_causes: string[];
  acceptable_roots?: string[][];
  impacted: string[];
  unknown: string[];
  unaffected_must_include: string[];
  may_be_unknown?: string[];
  unknown_or_impacted?: string[];
  at_risk?: string[];
  suspect_links?: { from: string; to: string }[];
}

export interface Topology {
  name: string;
  /** `interval_s` where it differs from the case's; `instances` where there are several. */
  nodes: { id: string; kind: string; interval_s?: number; instances?: number }[];
  /** Edges of one `group` (its members, joined by "+") are alternatives, of which `need` suffice. */
  edges: { from: string; to: string; criticality: "hard" | "soft" | "informational"; group?: string; need?: number }[];
}

/** An incident as its file tells it: topology, sparse timeline, and what is expected when. */
export interface Case {
  name: string;
  sort: "postmortem" | "adversarial" | "constructed" | "independent";
  interval_s: number;
  instrumented: string[];
  topology: Omit<Topology, "name">;
  timeline: { t: number; observations: Record<string, Seen> }[];
  expected: Expected[];
}

const FIXTURES = new URL("../fixtures/", import.meta.url);

function load<T>(folder: string): T[] {
  const dir = new URL(`${folder}/`, FIXTURES);
  const files = readdirSync(dir).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => JSON.parse(readFileSync(new URL(file, dir), "utf8")) as T);
}

export const loadCases = (): Case[] => load("incidents");
/**
 * Incidents made up for each kind of fault, labelled before the engine saw them. The independent ones are another hand's, most of them
 * by one who had not read the engine.
 */
export const loadScenarios = (): Case[] => load("scenarios");
export const loadTopologies = (): Topology[] => load("topologies");

function addressesOf(id: string, instances: number): string[] {
  return Array.from({ length: instances }, (_, n) => `http://${id}-${n + 1}.test/health/deep`);
}

/** The map of a topology in the shape of the YAML; `polled` names the services with a deep endpoint. */
export function mapObjectOf(topology: Omit<Topology, "name">, polled: ReadonlySet<string>, intervalS: number): Record<string, unknown> {
  const needs = new Map<string, { on: string | string[]; need?: number; criticality: string }[]>();
  const grouped = new Set<string>();
  for (const { from, to, criticality, group, need } of topology.edges) {
    const list = needs.get(from) ?? [];
    if (!group) list.push({ on: to, criticality });
    else if (!grouped.has(`${from}>${group}`)) list.push({ on: group.split("+"), need: need ?? 1, criticality });
    if (group) grouped.add(`${from}>${group}`);
    needs.set(from, list);
  }
  const services: Record<string, unknown> = {};
  const resources: Record<string, unknown> = {};
  for (const { id, kind, interval_s, instances } of topology.nodes) {
    const dependencies = needs.get(id) ?? [];
    const pace = interval_s ? { interval: `${interval_s}s`, max_age: `${interval_s * 4}s` } : {};
    const addresses = instances ? { instances: addressesOf(id, instances) } : { url: `http://${id}.test/health/deep` };
    if (polled.has(id)) services[id] = { ...addresses, ...pace, dependencies };
    else if (dependencies.length > 0 || kind === "service") services[id] = { dependencies };
    else resources[id] = { kind };
  }
  const defaults = { interval: `${intervalS}s`, timeout: "2s", flip_after: 1, max_age: `${intervalS * 4}s` };
  return { defaults, resources, services };
}

/** The case as the lines of a recording: every polled service at every interval, and at every step that its own allows. */
function* linesOf(one: Case): Generator<string> {
  const polled = new Set(one.instrumented);
  yield JSON.stringify({ headwater: "recording/1", name: one.name, map: mapObjectOf(one.topology, polled, one.interval_s) });
  const nodes = new Map(one.topology.nodes.map((node) => [node.id, node]));
  const steps = new Map<number, Record<string, Seen>>();
  for (const { t, observations } of one.timeline) steps.set(t, { ...steps.get(t), ...observations });
  const times = new Set([...steps.keys(), ...one.expected.map(({ at }) => at)]);
  const end = Math.max(...times);
  for (let t = 0; t <= end; t += one.interval_s) times.add(t);
  const now = new Map<string, Seen>();
  for (const t of [...times].sort((a, b) => a - b)) {
    for (const [id, seen] of Object.entries(steps.get(t) ?? {})) now.set(id, seen);
    for (const [service, seen] of now) {
      const node = nodes.get(service);
      if (!polled.has(service) || (node?.interval_s && t % node.interval_s !== 0)) continue;
      if (!node?.instances) yield pollOf(one, t, { service }, seen);
      else
        for (const [n, instance] of addressesOf(service, node.instances).entries())
          yield pollOf(one, t, { service, instance }, { ...seen, ...seen.instances?.[n] });
    }
  }
}

function pollOf({ topology }: Case, t: number, who: { service: string; instance?: string }, seen: Seen): string {
  if (!seen.reachable) return JSON.stringify({ t, ...who, outcome: "connect_timeout", latency_ms: 2000 });
  const components = Object.entries(seen.components ?? {}).map(([name, { status, age_ms, error }]) => ({
    name,
    status,
    criticality: topology.edges.find(({ from, to }) => from === who.service && to === name)?.criticality ?? "hard",
    latency_ms: 3,
    age_ms: age_ms ?? 500,
    ...(error ? { error } : {}),
  }));
  const http_status = seen.status === "unhealthy" ? 503 : 200;
  return JSON.stringify({ t, ...who, outcome: "report", http_status, latency_ms: 8, report: { status: seen.status, components } });
}

export function recordingOf(one: Case): Recording {
  const recording = parseRecording(linesOf(one));
  if (typeof recording === "string") throw new Error(`${one.name}: ${recording}`);
  return recording;
}

export interface Got {
  causes: { node: string; confidence: number; level: string }[];
  impacted: string[];
  at_risk: string[];
  unknown: string[];
}

/** The verdict at each expected time, as `replay --json` prints it. */
export function verdictsOf(one: Case): { expected: Expected; got: Got; moment: Moment }[] {
  const { map, polls } = recordingOf(one);
  const moments = judgeAt(
    map,
    polls,
    one.expected.map(({ at }) => at * 1000 + SHIFT),
  );
  return one.expected.flatMap((expected, n) => {
    const moment = moments[n];
    return moment ? [{ expected, got: lineOf(moment, SHIFT) as unknown as Got, moment }] : [];
  });
}

const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && [...a].every((x) => b.has(x));

export function rightRoots(expected: Expected, got: Got): boolean {
  const roots = new Set(got.causes.map(({ node }) => node));
  return [expected.root_causes, ...(expected.acceptable_roots ?? [])].some((wanted) => same(new Set(wanted), roots));
}

/** What is wrong with a verdict, or null: causes exact, victims and unknown ones named, nobody dragged in. */
export function judgeVerdict(expected: Expected, got: Got): string | null {
  const roots = new Set(got.causes.map(({ node }) => node));
  if (!rightRoots(expected, got)) return `causes {${[...roots]}}, want {${expected.root_causes}}`;
  const impacted = new Set(got.impacted);
  const unknown = new Set(got.unknown);
  const either = new Set([...(expected.may_be_unknown ?? []), ...(expected.unknown_or_impacted ?? [])]);
  for (const id of expected.impacted)
    if (!impacted.has(id) && !roots.has(id) && !(either.has(id) && unknown.has(id))) return `${id} not impacted`;
  for (const id of expected.unknown) if (!unknown.has(id) && !(either.has(id) && impacted.has(id))) return `${id} not unknown`;
  const atRisk = new Set(got.at_risk);
  for (const id of expected.at_risk ?? []) if (!atRisk.has(id) && !impacted.has(id) && !roots.has(id)) return `${id} not at risk`;
  for (const id of expected.unaffected_must_include) {
    if (impacted.has(id) || roots.has(id)) return `${id} dragged in`;
    if (unknown.has(id)) return `${id} called unknown`;
  }
  return null;
}
