import { readdirSync, readFileSync } from "node:fs";
import { judgeAt, type Moment } from "../../server/src/analysis/replay.ts";
import { parseRecording, type Recording, SHIFT } from "../../server/src/cli/recording.ts";
import { lineOf } from "../../server/src/cli/replay.ts";

export interface Seen {
  reachable: boolean;
  status?: "healthy" | "degraded" | "unhealthy";
  components?: Record<string, { status: "up" | "down"; error?: string; age_ms?: number }>;
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
  nodes: { id: string; kind: string }[];
  edges: { from: string; to: string; criticality: "hard" | "soft" | "informational" }[];
}

/** An incident as its file tells it: topology, sparse timeline, and what is expected when. */
export interface Case {
  name: string;
  sort: "postmortem" | "adversarial" | "constructed";
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
/** Incidents made up for each kind of fault, labelled before the engine saw them. */
export const loadScenarios = (): Case[] => load("scenarios");
export const loadTopologies = (): Topology[] => load("topologies");

/** The map of a topology in the shape of the YAML; `polled` names the services with a deep endpoint. */
export function mapObjectOf(topology: Omit<Topology, "name">, polled: ReadonlySet<string>, intervalS: number): Record<string, unknown> {
  const needs = new Map<string, { on: string; criticality: string }[]>();
  for (const { from, to, criticality } of topology.edges) {
    const list = needs.get(from) ?? [];
    list.push({ on: to, criticality });
    needs.set(from, list);
  }
  const services: Record<string, unknown> = {};
  const resources: Record<string, unknown> = {};
  for (const { id, kind } of topology.nodes) {
    const dependencies = needs.get(id) ?? [];
    if (polled.has(id)) services[id] = { url: `http://${id}.test/health/deep`, dependencies };
    else if (dependencies.length > 0 || kind === "service") services[id] = { dependencies };
    else resources[id] = { kind };
  }
  const defaults = { interval: `${intervalS}s`, timeout: "2s", flip_after: 1, max_age: `${intervalS * 4}s` };
  return { defaults, resources, services };
}

/** The case as the lines of a recording: every polled service at every interval, and at every step. */
function* linesOf(one: Case): Generator<string> {
  const polled = new Set(one.instrumented);
  yield JSON.stringify({ headwater: "recording/1", name: one.name, map: mapObjectOf(one.topology, polled, one.interval_s) });
  const criticality = new Map(one.topology.edges.map((edge) => [`${edge.from}>${edge.to}`, edge.criticality]));
  const steps = new Map<number, Record<string, Seen>>();
  for (const { t, observations } of one.timeline) steps.set(t, { ...steps.get(t), ...observations });
  const times = new Set([...steps.keys(), ...one.expected.map(({ at }) => at)]);
  const end = Math.max(...times);
  for (let t = 0; t <= end; t += one.interval_s) times.add(t);
  const now = new Map<string, Seen>();
  for (const t of [...times].sort((a, b) => a - b)) {
    for (const [id, seen] of Object.entries(steps.get(t) ?? {})) now.set(id, seen);
    for (const [service, seen] of now) {
      if (!polled.has(service)) continue;
      if (!seen.reachable) {
        yield JSON.stringify({ t, service, outcome: "connect_timeout", latency_ms: 2000 });
        continue;
      }
      const components = Object.entries(seen.components ?? {}).map(([name, { status, age_ms, error }]) => ({
        name,
        status,
        criticality: criticality.get(`${service}>${name}`) ?? "hard",
        latency_ms: 3,
        age_ms: age_ms ?? 500,
        ...(error ? { error } : {}),
      }));
      const http_status = seen.status === "unhealthy" ? 503 : 200;
      yield JSON.stringify({ t, service, outcome: "report", http_status, latency_ms: 8, report: { status: seen.status, components } });
    }
  }
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
