import type { ComponentStatus } from "../domain/status.ts";
import { isObject } from "./json.ts";
import { readLeading, readSentence, type Word, worse } from "./vocabulary.ts";

/** The status word in a value that stands in a status position: text, boolean, null, `{ code: "UP" }` or `["OK"]`. */
export function wordOf(value: unknown, depth = 0): Word | null {
  if (typeof value === "string") return isNumber(value) ? null : (readSentence(value) ?? readLeading(value));
  if (typeof value === "boolean") return { status: value ? "up" : "down" };
  if (value === null) return { status: "unknown" };
  if (depth >= 2) return null;
  if (Array.isArray(value)) return typeof value[0] === "string" ? wordOf(value[0], depth + 1) : null;
  if (!isObject(value)) return null;
  let worst: Word | null = null;
  for (const key of ["status", "state", "health"]) {
    const word = typeof value[key] === "string" || isObject(value[key]) ? wordOf(value[key], depth + 1) : null;
    worst = worst && word ? worseWord(worst, word) : (worst ?? word);
  }
  if (worst) return worst;
  for (const key of ["code", "level", "indicator", "overall", "value"]) {
    const inner = value[key];
    if (typeof inner === "string" || isObject(inner)) return wordOf(inner, depth + 1);
  }
  for (const key of ["healthy", "ok", "isHealthy"]) if (typeof value[key] === "boolean") return wordOf(value[key]);
  return typeof value.message === "string" ? readSentence(value.message) : null;
}

/** A text like `503` is an HTTP code or a count, never a status. */
export function isNumber(text: string): boolean {
  return /^\s*-?\d+(?:\.\d+)?\s*$/.test(text) && text.trim() !== "1";
}

/** The worse of two words; the phase of either is kept. */
export function worseWord(a: Word, b: Word): Word {
  const status: ComponentStatus = worse(a.status, b.status);
  const phase = a.phase ?? b.phase;
  return phase ? { status, phase } : { status };
}

/** The text of a verdict where it says more than its word: `FAIL` does not, `warning: 92% used` does. */
export function moreThanWord(text: unknown): string | null {
  return typeof text === "string" && (readSentence(text) === null || /[(:;,]/.test(text)) ? text : null;
}
