import type { ChangeMark } from "../domain/history.ts";
import type { Cause, Verdict } from "../domain/incident.ts";
import type { Maintenance, SystemMap } from "../domain/map.ts";

/** A change marked this long before the first sign may have to do with it. */
const BEFORE_MS = 3_600_000;
/** Marks are set by hand: one set a little late may still have come before. */
const AFTER_MS = 120_000;
const MOST_TOLD = 2;
const MOST_CHARACTERS = 120;

/**
 * The verdict with what people said of its causes, after the first reason: changes marked shortly before the first sign,
 * and announced work.
 * It tells where to look and moves no confidence: that something was deployed proves nothing.
 */
export function withContext(verdict: Verdict, changes: readonly ChangeMark[], map: SystemMap, now: number): Verdict {
  if (changes.length === 0 && map.maintenance.length === 0) return verdict;
  const causes = verdict.causes.map((cause) => {
    const told = [...changesOf(cause, changes), ...worksOf(cause, map.maintenance, now)];
    return told.length > 0 ? { ...cause, why: [...cause.why.slice(0, 1), ...told, ...cause.why.slice(1)] } : cause;
  });
  return causes.some((cause, index) => cause !== verdict.causes[index]) ? { ...verdict, causes } : verdict;
}

function changesOf(cause: Cause, changes: readonly ChangeMark[]): string[] {
  const places = new Set([cause.node, cause.link?.to ?? cause.node]);
  return changes
    .filter(({ node, at }) => (node === null || places.has(node)) && at > cause.firstSeen - BEFORE_MS && at <= cause.firstSeen + AFTER_MS)
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_TOLD)
    .map(({ node, at, text, by }) => {
      const where = node === null ? "somewhere" : node === cause.node ? "on it" : `on ${node}`;
      return `a change was marked ${where} ${distance(cause.firstSeen - at)}: ${quoted(text)}${by === null ? "" : ` by ${by}`}`;
    });
}

function worksOf(cause: Cause, works: readonly Maintenance[], now: number): string[] {
  return works
    .filter(({ nodes, from, to }) => from <= now && now < to && nodes.includes(cause.node))
    .slice(0, MOST_TOLD)
    .map(({ reason, to }) => `work on it was announced until ${new Date(to).toISOString().slice(11, 16)} UTC: ${quoted(reason)}`);
}

function distance(ms: number): string {
  if (ms < 0) return `${Math.ceil(-ms / 1_000)} s after its first failure`;
  const minutes = Math.round(ms / 60_000);
  return minutes === 0 ? "just before its first failure" : `${minutes} min before its first failure`;
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return `“${line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line}”`;
}
