import type { Instance, ServiceNode } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { Outcome } from "../domain/status.ts";
import { normalise } from "../formats/index.ts";
import { redactBody } from "../formats/redact.ts";
import { decodeBody } from "./body.ts";
import { withoutEcho } from "./echo.ts";
import type { RawAnswer } from "./exchange.ts";

/**
 * What is needed to read an answer; `maxBody` bytes after decompression, `format` a dialect's name or `auto`, `headers`
 * what was sent with the question.
 */
export type Reading = Pick<ServiceNode, "id" | "format" | "maxBody"> & Partial<Pick<ServiceNode, "headers">>;

/** Characters of an answer that are kept for display. */
const BODY_LIMIT = 8_192;

/**
 * Reads one raw answer: bytes to text, text to a report in normal form. Pure, and total: whatever a service sends,
 * there is an observation that says so. Its `body` is redacted when it is first looked at.
 */
export function observe(answer: RawAnswer, service: Reading, instance: Pick<Instance, "id">): Observation {
  if (answer.kind === "failure") return unread(answer, service, instance, answer.outcome, answer.error);
  try {
    return read(answer, service, instance);
  } catch {
    // Readers promise not to throw. Were one to break that for some body, the body must not end the aggregator.
    return unread(answer, service, instance, "not_a_report", "the answer could not be read");
  }
}

function read(answer: Extract<RawAnswer, { kind: "answer" }>, service: Reading, instance: Pick<Instance, "id">): Observation {
  const { at, latencyMs, httpStatus, contentType, contentEncoding } = answer;
  const decoded = decodeBody(answer.body, { contentType, contentEncoding, maxBody: service.maxBody });
  // Of a failing service whose answer cannot be read, the status alone still says that it fails.
  const statusSpeaks = !decoded.ok && decoded.outcome === "not_a_report" && httpStatus >= 300;
  if (!decoded.ok && !statusSpeaks) return unread(answer, service, instance, decoded.outcome, decoded.error);
  const text = decoded.ok ? withoutEcho(decoded.text, service.headers ?? {}) : "";
  const date = parseDate(answer.date);
  const said = normalise({ httpStatus, contentType, text, receivedAt: at + latencyMs, date }, service.format);
  const body = shown(text);
  // Every field in its place and no spread: this runs with each poll, and spreading costs more than reading the report.
  return {
    service: service.id,
    instance: instance.id,
    at,
    latencyMs,
    outcome: said.outcome,
    httpStatus,
    report: said.report,
    format: said.format,
    error: said.error,
    date,
    httpAge: parseAge(answer.age),
    warnings: decoded.ok && decoded.warnings.length > 0 ? [...decoded.warnings, ...said.warnings] : said.warnings,
    get body() {
      return body();
    },
  };
}

function unread(
  { at, latencyMs, httpStatus }: RawAnswer,
  service: Reading,
  instance: Pick<Instance, "id">,
  outcome: Outcome,
  error: string,
): Observation {
  const nothing = { report: null, format: null, date: null, httpAge: null, warnings: [], body: null };
  return { service: service.id, instance: instance.id, at, latencyMs, outcome, httpStatus, error, ...nothing };
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
