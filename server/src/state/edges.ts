import type { EdgeState, FailureWindow, InstanceState } from "../domain/state.ts";
import { type ComponentStatus, componentOf, statusOf } from "../domain/status.ts";
import { componentDamper, type Limits } from "./damping.ts";
import { combineInstances } from "./instances.ts";
import type { ServiceIndex } from "./mapindex.ts";
import { type Statement, sortComponents } from "./report.ts";

/** A statement that nobody has made yet. */
export function newEdge(from: string, to: string): EdgeState {
  return {
    from,
    to,
    damped: componentDamper.initial,
    checkedAt: null,
    reportedAt: null,
    stale: false,
    latencyMs: null,
    error: null,
    category: null,
    window: null,
    lastGood: null,
    firstBadCheck: null,
  };
}

const isBad = (word: ComponentStatus): boolean => word === "down" || word === "degraded";

/**
 * One more result of a statement; null where the reporter's answer holds none, or there is no answer. An edge that was
 * never spoken of stays as it is. While blind no streak counts.
 */
export function foldStatement(before: EdgeState, statement: Statement | null, at: number, limits: Limits, blind: boolean): EdgeState {
  if (!statement && before.checkedAt === null) return before;
  const word = statement?.word ?? "unknown";
  const damped = blind ? { ...before.damped, raw: word } : componentDamper.step(before.damped, word, at, limits);
  const checkedAt = statement?.checkedAt ?? before.checkedAt;
  const firstBadCheck = isBad(word) ? (before.firstBadCheck ?? checkedAt) : word === "up" ? null : before.firstBadCheck;
  return {
    from: before.from,
    to: before.to,
    damped,
    checkedAt,
    reportedAt: statement ? at : before.reportedAt,
    stale: statement?.stale ?? true,
    latencyMs: statement ? statement.latencyMs : before.latencyMs,
    error: statement ? statement.error : before.error,
    category: statement ? statement.category : before.category,
    window: windowOf(before, damped.status, firstBadCheck ?? before.firstBadCheck ?? at),
    lastGood: word === "up" ? checkedAt : (before.lastGood ?? null),
    firstBadCheck,
  };
}

function windowOf(before: EdgeState, status: ComponentStatus, firstBad: number): FailureWindow | null {
  if (!isBad(status)) return null;
  if (before.window && isBad(before.damped.status)) return before.window;
  const lastGood = before.lastGood ?? null;
  return { lastGood: lastGood === null ? null : Math.min(lastGood, firstBad), firstBad };
}

/** Takes the latest word of a statement as confirmed by other witnesses. */
export function corroborateEdge(edge: EdgeState): EdgeState {
  const damped = componentDamper.corroborate(edge.damped);
  return { ...edge, damped, window: windowOf(edge, damped.status, edge.firstBadCheck ?? damped.since) };
}

/** The reporter starts or drains: it blames nobody. Streaks end, and the statement is lost once the phase is confirmed. */
export function pauseEdge(before: EdgeState, at: number, confirmed: boolean): EdgeState {
  if (before.checkedAt === null) return before;
  const damped = confirmed ? componentDamper.lose(before.damped, at) : componentDamper.clear(before.damped);
  return {
    ...before,
    damped: { ...damped, raw: "unknown" },
    stale: true,
    window: confirmed ? null : before.window,
    firstBadCheck: confirmed ? null : before.firstBadCheck,
  };
}

/** Time alone has made the statement too old: its word is lost like a node's, and the next fresh one is taken at once. */
export function ageEdge(edge: EdgeState, now: number): EdgeState {
  return { ...edge, stale: true, damped: { ...componentDamper.lose(edge.damped, now), raw: "unknown" }, window: null, firstBadCheck: null };
}

/**
 * We see again. What was said while we did not is taken at once, as the state of its reporter is: else a service would be
 * known to fail before what it blames for it. Who has not spoken since is taken at the first word.
 */
export function regainEdge(before: EdgeState, now: number, limits: Limits): EdgeState {
  const { raw, status } = before.damped;
  if (before.checkedAt === null || (!before.stale && raw === status)) return before;
  if (before.stale) return ageEdge(before, now);
  const damped = componentDamper.step(componentDamper.lose(before.damped, now), raw, before.reportedAt ?? now, limits);
  return { ...before, damped, window: windowOf(before, damped.status, before.firstBadCheck ?? before.checkedAt) };
}

/** What all instances of a service say together of its dependencies, and how many of them say anything. */
export interface ServiceStatements {
  statements: readonly (Statement | null)[];
  speaking: number;
}

/** Instances of one service are one witness: their latest fresh reports are merged by the rule for instances. */
export function mergeInstances(service: ServiceIndex, instances: readonly InstanceState[], now: number): ServiceStatements {
  const { node, edges } = service;
  const views = instances.flatMap((instance) => {
    const { lastReportAt, lastPollAt, phase, components } = instance;
    if (lastReportAt === null || lastReportAt !== lastPollAt || phase || now - lastReportAt > node.componentMaxAge) return [];
    return [sortComponents(service, components, lastReportAt).statements];
  });
  const statements = edges.map((_, edge) => {
    const said = views.flatMap((view) => view[edge] ?? []);
    return said.length > 1 ? mergeStatements(said, node.need) : (said[0] ?? null);
  });
  return { statements, speaking: views.length };
}

function mergeStatements(said: readonly Statement[], need: number): Statement {
  const fresh = said.filter(({ word }) => word !== "unknown");
  const counted = fresh.length > 0 ? fresh : said;
  const { status } = combineInstances(
    counted.map(({ word }) => ({ status: statusOf(word), draining: false })),
    need,
  );
  const word = componentOf(status);
  const rank = (statement: Statement): number => ["up", "unknown", "degraded", "down"].indexOf(statement.word);
  // The worst instance explains; the newest check dates the statement.
  const speaker = counted.reduce((worst, one) => (rank(one) > rank(worst) ? one : worst));
  const checkedAt = Math.max(...counted.map((one) => one.checkedAt));
  return { ...speaker, word, checkedAt, stale: fresh.length === 0 && speaker.stale };
}
