import { pick } from "./fields.ts";
import { isObject, type Json, textOf } from "./json.ts";
import { readSentence } from "./vocabulary.ts";

const INNER = [
  "message",
  "error",
  "errormessage",
  "rootcause",
  "cause",
  "reason",
  "description",
  "detail",
  "exception",
  "output",
  "code",
  "type",
];

/** The text of an error in whatever form it comes: text, list of texts, or object with a message; null for none. */
export function errorText(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return textOf(value);
  if (depth >= 3 || typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    const texts = value.slice(0, 5).map((item) => errorText(item, depth + 1));
    return texts.filter((text) => text !== null).join("; ") || null;
  }
  for (const key of INNER) {
    const text = errorText(pick(value as Json, key), depth + 1);
    if (text) return text;
  }
  return null;
}

/** True for an error that says something: not empty, and no "none" or "ok". */
export function isFailure(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "" && !["up", "unknown"].includes(readSentence(value)?.status ?? "");
  return isObject(value) || (Array.isArray(value) && value.length > 0);
}
