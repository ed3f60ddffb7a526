import { humanDuration } from "../domain/duration.ts";
import type { Observation, Report } from "../domain/observation.ts";
import type { InstanceState } from "../domain/state.ts";
import type { Status } from "../domain/status.ts";
import { ageComponents } from "./aged.ts";
import { statusDamper } from "./damping.ts";
import type { ServiceIndex } from "./mapindex.ts";
import { silence, trouble } from "./reasons.ts";
import { type Reading, readReport, type Statement, sortComponents } from "./report.ts";
import { keepChecks, seeChecks } from "./staleness.ts";
import { windowAfter } from "./windows.ts";

export const NOT_POLLED = "not polled yet";

/** An instance of which nothing is known yet. */
export function newInstance(id: string, service: string): InstanceState {
  return {
    id,
    service,
    damped: statusDamper.initial,
    outcome: null,
    httpStatus: null,
    format: null,
    phase: null,
    phaseCount: 0,
    lastPollAt: null,
    lastReportAt: null,
    latencyMs: null,
    error: null,
    components: [],
    ownWord: null,
    seenChecks: new Map(),
    window: null,
    lastGood: null,
    reason: NOT_POLLED,
  };
}

const NO_READING: Reading = { status: "unknown", effect: null, checksStopped: false };

export interface Folded {
  instance: InstanceState;
  /** What the poll says of the service's dependencies; null where it is no statement: no report, or a phase. */
  statements: readonly (Statement | null)[] | null;
}

/** One poll counted into its instance. While blind it is kept for display, and no streak counts. */
export function foldPoll(before: InstanceState, service: ServiceIndex, observation: Observation, blind: boolean): Folded {
  const { node } = service;
  const { report, at } = observation;
  const seenChecks = report ? seeChecks(before, report.components) : keepChecks(before);
  const components = ageComponents(before.components, observation, seenChecks);
  const phase = report?.phase ?? null;
  const sorted = report && !phase ? sortComponents(service, components, at) : null;
  const reading =
    report && sorted ? readReport(service, { status: report.status, word: report.word, httpAge: observation.httpAge }, sorted) : NO_READING;
  const phaseCount = phase ? before.phaseCount + 1 : 0;
  const explain = report
    ? (phase ?? trouble(reading, report.maybeGateway ? (observation.httpStatus ?? 500) : null))
    : silence(node, observation);

  let damped = before.damped;
  if (blind) damped = { ...damped, raw: phase ? "unknown" : reading.status };
  else if (!phase) damped = statusDamper.step(damped, reading.status, at, node);
  else damped = phaseCount >= node.downAfter ? statusDamper.lose(damped, at) : statusDamper.clear(damped);

  const good = report !== null && !phase && reading.status === "healthy";
  const lastGood = good ? at : (before.lastGood ?? null);
  const changed = damped.status !== before.damped.status;
  const told = reading.status === damped.status || (phase && damped.status === "unknown");
  const instance: InstanceState = {
    id: before.id,
    service: before.service,
    damped,
    outcome: observation.outcome,
    httpStatus: observation.httpStatus,
    format: observation.format ?? before.format,
    phase,
    phaseCount,
    lastPollAt: at,
    lastReportAt: report ? at : before.lastReportAt,
    latencyMs: observation.latencyMs,
    error: observation.error,
    components,
    ownWord: report ? (report.word ?? report.status) : null,
    failuresOnly: listsFailuresOnly(before, report),
    seenChecks,
    window: windowAfter(before.window, before.damped, damped, at, before.lastGood ?? null),
    lastGood,
    reason:
      damped.status === "healthy" && !told ? null : told || changed || before.reason === NOT_POLLED ? explain : (before.reason ?? null),
  };
  return { instance, statements: sorted?.statements ?? null };
}

/** What several instances make of their service. */
export interface Combined {
  status: Status;
  coverage: { known: number; total: number };
}

/**
 * The rule for a service's instances: draining ones are left out (unless all drain); `need` of the others must not be
 * unhealthy; over a quarter silent is degraded, all silent unknown.
 */
export function combineInstances(instances: readonly { status: Status; draining: boolean }[], need: number): Combined {
  const serving = instances.filter(({ draining }) => !draining);
  const counted = serving.length > 0 ? serving : instances;
  const count = (status: Status): number => counted.filter((instance) => instance.status === status).length;
  const total = counted.length;
  const [healthy, degraded, unhealthy, silent] = [count("healthy"), count("degraded"), count("unhealthy"), count("unknown")];
  const coverage = { known: total - silent, total };
  const combined = (status: Status): Combined => ({ status, coverage });
  if (silent === total) return combined("unknown");
  if (unhealthy === total) return combined("unhealthy");
  if (healthy === 0 && unhealthy > 0) return combined("unhealthy");
  if (total - unhealthy < Math.min(need, total)) return combined("unhealthy");
  if (unhealthy > 0 || degraded > 0 || silent * 4 > total) return combined("degraded");
  return combined("healthy");
}

/** The instance after its map's labels changed: its last report is read again by them, while that is its latest word. */
export function relabelled(instance: InstanceState, service: ServiceIndex, now: number): InstanceState {
  const { lastReportAt, lastPollAt, phase, components, ownWord, damped } = instance;
  if (lastReportAt === null || lastReportAt !== lastPollAt || phase || ownWord === null) return instance;
  const said = { status: ownWord, word: ownWord, httpAge: null };
  const reading = readReport(service, said, sortComponents(service, components, lastReportAt));
  if (reading.status === damped.raw) return instance;
  const read = statusDamper.reread(damped, reading.status, now);
  const window = windowAfter(instance.window, damped, read, lastReportAt, instance.lastGood ?? null);
  const reason = read.status === damped.status ? (instance.reason ?? null) : trouble(reading, null);
  return { ...instance, damped: read, window, reason };
}

/** Time of the newest evidence for an instance's status: its last report, or while unknown its last poll. */
export function lastEvidence(instance: InstanceState): number | null {
  return instance.damped.status === "unknown" ? instance.lastPollAt : instance.lastReportAt;
}

/** Why an instance is unknown whose evidence is too old. */
export function staleReason(maxAge: number): string {
  return `stale: nothing heard for ${humanDuration(maxAge)}`;
}

/** Some dialects tell by their shape that they list failures alone, but only while there is one: what was last told holds. */
function listsFailuresOnly(before: InstanceState, report: Report | null): boolean {
  if (report?.failuresOnly) return true;
  const silent = !report || report.components.length === 0;
  return silent && (before.failuresOnly ?? false);
}
