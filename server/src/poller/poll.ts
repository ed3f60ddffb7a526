import type { Instance, ServiceNode } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import { normalise } from "../formats/index.ts";
import { redactBody } from "../formats/redact.ts";
import { decodeBody } from "./body.ts";
import type { RawAnswer } from "./fetch.ts";

/** What is needed to read an answer; `maxBody` bytes after decompression, `format` a dialect's name or `auto`. */
export type Reading = Pick<ServiceNode, "id" | "format" | "maxBody">;

/** Characters of an answer that are kept for display. */
const BODY_LIMIT = 8_192;

/**
 * Reads one raw answer: bytes to text, text to a report in normal form. Pure, and total: whatever a service sends,
 * there is an observation that says so. Its `body` is redacted when it is first looked at.
 */
export function observe(answer: RawAnswer, service: Reading, instance: Pick<Instance, "id">): Observation {
  const { at, latencyMs, httpStatus } = answer;
  const common = { service: service.id, instance: instance.id, at, latencyMs, httpStatus };
  const nothing = { report: null, format: null, warnings: [], body: null };
  if (answer.kind === "failure") return { ...common, ...nothing, outcome: answer.outcome, error: answer.error, date: null, httpAge: null };

  const { contentType, contentEncoding } = answer;
  const date = parseDate(answer.date);
  const httpAge = parseAge(answer.age);
  const decoded = decodeBody(answer.body, { contentType, contentEncoding, maxBody: service.maxBody });
  if (!decoded.ok) return { ...common, ...nothing, outcome: decoded.outcome, error: decoded.error, date, httpAge };
  const { text } = decoded;
  const read = normalise({ httpStatus: answer.httpStatus, contentType, text, receivedAt: at + latencyMs, date }, service.format);
  const warnings = decoded.warnings.length > 0 ? [...decoded.warnings, ...read.warnings] : read.warnings;
  const { outcome, report, format, error } = read;
  const body = shown(text);
  return {
    ...common,
    outcome,
    report,
    format,
    error,
    date,
    httpAge,
    warnings,
    get body() {
      return body();
    },
  };
}

/** Redaction costs more than all the rest of reading, and hardly any body is ever looked at. Large ones are cut at once. */
function shown(text: string): () => string | null {
  if (text === "") return () => null;
  let kept: string | null = text.length > BODY_LIMIT ? redactBody(text, BODY_LIMIT) : null;
  return () => {
    kept ??= redactBody(text, BODY_LIMIT);
    return kept;
  };
}

/** Epoch milliseconds of an HTTP date; null when there is none that can be read. */
function parseDate(value: string | null): number | null {
  const time = value === null ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** Milliseconds from the HTTP `Age` header, whole seconds of at most ten digits. */
function parseAge(value: string | null): number | null {
  return value !== null && /^\d{1,10}$/.test(value) ? Number(value) * 1_000 : null;
}
