import type { Warning } from "../domain/observation.ts";
import { ComponentList } from "./components.ts";
import type { Answer, Document } from "./dialect.ts";
import { isObject, type Parsed, parseJson } from "./json.ts";
import { redactText } from "./redact.ts";
import { parseTime } from "./times.ts";

const MAX_WARNINGS = 20;
const MAX_LINES = 1_000;
/** How far a time may lie ahead before it counts as the future: clocks differ, and `Date` has whole seconds. */
const AHEAD = 1_500;

/** How JSON begins, or what means to be JSON; `[+]ping ok` does not. */
const LIKE_JSON = /^(?:\{|\[\s*["{[\]])/;
/** How any JSON value begins; trying to parse anything else costs more than reading it. */
const MAYBE_JSON = /^[[{"\-\dtfn]/;

/** What kind of answer this is, by its content and not by its media type; JSON is parsed here, once. */
export function readDocument(answer: Answer): Document {
  return new Read(answer);
}

/** A class, since one is made with every poll and its methods need not be made anew. */
class Read implements Document {
  kind: Document["kind"];
  value: unknown = undefined;
  readonly text: string;
  readonly httpStatus: number;
  readonly contentType: string | null;
  readonly now: number;
  readonly warnings: Warning[] = [];
  readonly components: ComponentList;
  #keys: readonly string[] | null = null;
  #values: readonly unknown[] | null = null;

  constructor(answer: Answer) {
    const text = answer.text.trim();
    this.text = text.startsWith("\uFEFF") ? text.slice(1).trimStart() : text;
    this.httpStatus = answer.httpStatus;
    this.contentType = answer.contentType;
    this.now = Math.max(answer.receivedAt, answer.date ?? 0);
    this.components = new ComponentList(this);
    if (answer.truncated) this.warn("truncated", "the answer was cut off");
    this.kind = this.#parse();
  }

  get keys(): readonly string[] {
    this.#keys ??= isObject(this.value) ? Object.keys(this.value) : [];
    return this.#keys;
  }

  get values(): readonly unknown[] {
    this.#values ??= isObject(this.value) ? Object.values(this.value) : [];
    return this.#values;
  }

  warn(code: string, message: string): void {
    // Looked for as it is first: the same few words come with each of ten thousand members, and redacting them costs more.
    if (this.warnings.length >= MAX_WARNINGS || this.#isSaid(code, message)) return;
    const text = redactText(message);
    if (!this.#isSaid(code, text)) this.warnings.push({ code, message: text });
  }

  #isSaid(code: string, text: string): boolean {
    for (const said of this.warnings) if (said.code === code && said.message === text) return true;
    return false;
  }

  checkedAt(value: unknown, name: string): number | null {
    if (value === undefined || value === null || value === "") return null;
    const time = parseTime(value);
    if (time === "never") return null;
    if (time === null) this.warn("unreadable_time", `the time of "${name}" cannot be read: RFC 3339 with a zone is needed`);
    else if (time > this.now + AHEAD) this.warn("time_in_future", `the time of "${name}" lies in the future: its age is unknown`);
    else return time;
    return null;
  }

  #parse(): Document["kind"] {
    const { text } = this;
    if (text === "") return "empty";
    if (text.startsWith("<")) return "html";
    const parsed = MAYBE_JSON.test(text) ? (parseJson(text) ?? parseLines(text, this)) : null;
    if (parsed === "oversized") return parsed;
    if (!parsed && !LIKE_JSON.test(text)) return "text";
    if (!parsed) {
      const hasNaN = /[:,[\s](?:NaN|-?Infinity)\b/.test(text);
      this.warn("broken_json", hasNaN ? "NaN and Infinity are no JSON" : "it begins like JSON but cannot be parsed");
      return "broken";
    }
    const inner = typeof parsed.value === "string" && LIKE_JSON.test(parsed.value) ? parseJson(parsed.value) : null;
    if (inner === "oversized") return inner;
    if (inner) this.warn("encoded_twice", "the JSON is a text that holds JSON");
    const { value, duplicates } = inner ?? parsed;
    if (duplicates) this.warn("duplicate_key", "a key comes twice in one object; the worse value was taken");
    this.value = value;
    return kindOf(value);
  }
}

function kindOf(value: unknown): Document["kind"] {
  if (Array.isArray(value)) return "array";
  return typeof value === "object" && value !== null ? "object" : "scalar";
}

/** NDJSON: two or more lines, each a JSON object; read as an array of them. */
function parseLines(text: string, doc: Document): Parsed | null {
  if (!text.startsWith("{") || !text.includes("\n")) return null;
  const lines = text.split("\n", MAX_LINES + 1).filter((line) => line.trim() !== "");
  if (lines.length < 2 || lines.length > MAX_LINES) return null;
  const values: unknown[] = [];
  for (const line of lines) {
    const parsed = parseJson(line.trim());
    if (!parsed || parsed === "oversized" || kindOf(parsed.value) !== "object") return null;
    values.push(parsed.value);
  }
  doc.warn("several_documents", "one JSON document a line; they were read as one list");
  return { value: values, duplicates: false };
}
