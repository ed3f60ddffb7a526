import type { Warning } from "../domain/observation.ts";
import { componentList } from "./components.ts";
import type { Answer, Document } from "./dialect.ts";
import { type Parsed, parseJson } from "./json.ts";
import { checkedAt } from "./times.ts";

const MAX_WARNINGS = 20;
const MAX_LINES = 1_000;

/** How JSON begins; `[+]ping ok` does not. */
const LIKE_JSON = /^(?:\{\s*["}]|\[\s*["{[\]])/;

/** What kind of answer this is, by its content and not by its media type; JSON is parsed here, once. */
export function readDocument(answer: Answer, onWarning: (warning: Warning) => void): Document {
  const said = new Set<string>();
  const warn = (code: string, message: string) => {
    if (said.size >= MAX_WARNINGS || said.has(`${code} ${message}`)) return;
    said.add(`${code} ${message}`);
    onWarning({ code, message });
  };
  const text = answer.text.trim().replace(/^\uFEFF\s*/, "");
  const now = Math.max(answer.receivedAt, answer.date ?? 0);
  const base = {
    text,
    value: undefined,
    httpStatus: answer.httpStatus,
    contentType: answer.contentType,
    now,
    components: componentList(warn),
    warn,
    checkedAt: (time: unknown, name: string) => checkedAt(time, name, now, warn),
  };
  if (answer.truncated) warn("truncated", "the answer was cut off");
  if (text === "") return { ...base, kind: "empty" };
  if (text.startsWith("<")) return { ...base, kind: "html" };
  const parsed = parseJson(text) ?? parseLines(text, warn);
  if (!parsed && !LIKE_JSON.test(text)) return { ...base, kind: "text" };
  if (!parsed) {
    warn(
      "broken_json",
      /[:,[\s](?:NaN|-?Infinity)\b/.test(text) ? "NaN and Infinity are no JSON" : "it begins like JSON but cannot be parsed",
    );
    return { ...base, kind: "broken" };
  }
  if (typeof parsed.value === "string" && LIKE_JSON.test(parsed.value)) {
    const inner = parseJson(parsed.value);
    if (inner) {
      warn("encoded_twice", "the JSON is a text that holds JSON");
      return { ...base, kind: kindOf(inner.value), value: inner.value };
    }
  }
  if (parsed.duplicates) warn("duplicate_key", "a key comes twice in one object; the worse value was taken");
  return { ...base, kind: kindOf(parsed.value), value: parsed.value };
}

function kindOf(value: unknown): Document["kind"] {
  if (Array.isArray(value)) return "array";
  return typeof value === "object" && value !== null ? "object" : "scalar";
}

/** NDJSON: two or more lines, each a JSON object; read as an array of them. */
function parseLines(text: string, warn: Document["warn"]): Parsed | null {
  if (!text.startsWith("{") || !text.includes("\n")) return null;
  const lines = text.split("\n", MAX_LINES + 1).filter((line) => line.trim() !== "");
  if (lines.length < 2 || lines.length > MAX_LINES) return null;
  const values: unknown[] = [];
  for (const line of lines) {
    const parsed = parseJson(line.trim());
    if (!parsed || kindOf(parsed.value) !== "object") return null;
    values.push(parsed.value);
  }
  warn("several_documents", "one JSON document a line; they were read as one list");
  return { value: values, duplicates: false };
}
