import type { Warning } from "../domain/observation.ts";
import { componentList } from "./components.ts";
import type { Answer, Document } from "./dialect.ts";

const MAX_WARNINGS = 20;

/** What kind of answer this is, by its content and not by its media type; JSON is parsed here, once. */
export function readDocument(answer: Answer, onWarning: (warning: Warning) => void): Document {
  let count = 0;
  const warn = (code: string, message: string) => {
    count += 1;
    if (count <= MAX_WARNINGS) onWarning({ code, message });
  };
  const text = answer.text.replace(/^\uFEFF/, "").trim();
  const base = {
    text,
    httpStatus: answer.httpStatus,
    now: Math.max(answer.receivedAt, answer.date ?? 0),
    components: componentList(warn),
    warn,
  };
  if (text === "") return { ...base, kind: "empty", value: undefined };
  if (text.startsWith("<")) return { ...base, kind: "html", value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    return { ...base, kind: Array.isArray(value) ? "array" : typeof value === "object" && value !== null ? "object" : "scalar", value };
  } catch {
    return { ...base, kind: "text", value: undefined };
  }
}
