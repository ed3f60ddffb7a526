import { isObject, type Json, textOf } from "./json.ts";
import { fold, readSentence } from "./vocabulary.ts";

const INNER = new Map(
  "message error errormessage rootcause cause reason description detail exception output code type"
    .split(" ")
    .map((key, rank) => [key, rank]),
);
const MAX_KEYS = 200;

/** The text of an error in whatever form it comes: text, list of texts, or object with a message; null for none. */
export function errorText(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return textOf(value);
  if (depth >= 3 || typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    const texts = value.slice(0, 5).map((item) => errorText(item, depth + 1));
    return texts.filter((text) => text !== null).join("; ") || null;
  }
  const found: string[] = [];
  for (const key of Object.keys(value).slice(0, MAX_KEYS)) {
    const rank = INNER.get(fold(key));
    const text = rank === undefined ? null : errorText((value as Json)[key], depth + 1);
    if (rank !== undefined && text !== null) found[rank] ??= text;
  }
  return found.find((text) => text !== undefined) ?? null;
}

/** True for an error that says something: not empty, and no "none" or "ok". */
export function isFailure(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "" && !["up", "unknown"].includes(readSentence(value)?.status ?? "");
  return isObject(value) || (Array.isArray(value) && value.length > 0);
}
