import type { Instance, ServiceNode } from "../domain/map.ts";
import type { Observation, Warning } from "../domain/observation.ts";
import type { Outcome } from "../domain/status.ts";
import { normalise } from "../formats/index.ts";
import { decodeBody } from "./body.ts";
import { withoutEcho } from "./echo.ts";
import type { RawAnswer } from "./exchange.ts";
import { excerptOf } from "./last-answer.ts";

/**
 * What is needed to read an answer; `maxBody` bytes after decompression, `format` a dialect's name or `auto`, `headers`
 * what was sent with the question.
 */
export type Reading = Pick<ServiceNode, "id" | "format" | "maxBody"> & Partial<Pick<ServiceNode, "headers">>;

type HttpAnswer = Extract<RawAnswer, { kind: "answer" }>;

/** An observation and the text that it was read from, as it came: not to be kept or shown as it is. */
export interface Read {
  observation: Observation;
  text: string;
}

/**
 * Reads one raw answer: bytes to text, text to a report in normal form. Pure, and total: whatever a service sends,
 * there is an observation that says so. With its text, redacted.
 */
export function observe(answer: RawAnswer, service: Reading, instance: Pick<Instance, "id">): Observation {
  const { observation, text } = readAnswer(answer, service, instance);
  return { ...observation, body: excerptOf(text) };
}

/** The same for those who do not look at the text of each answer: `body` is null, redacting it would cost as much as all else. */
export function readAnswer(answer: RawAnswer, service: Reading, instance: Pick<Instance, "id">): Read {
  if (answer.kind === "failure") return unread(answer, service, instance, answer.outcome, answer.error);
  try {
    return read(answer, service, instance);
  } catch {
    // Readers promise not to throw. Were one to break that for some body, the body must not end the aggregator.
    return unread(answer, service, instance, "not_a_report", "the answer could not be read");
  }
}

function read(answer: HttpAnswer, service: Reading, instance: Pick<Instance, "id">): Read {
  const { at, latencyMs, httpStatus, contentType, contentEncoding } = answer;
  const decoded = decodeBody(answer.body, { contentType, contentEncoding, maxBody: service.maxBody });
  // Of a failing service whose answer cannot be read, the status alone still says that it fails.
  const statusSpeaks = !decoded.ok && decoded.outcome === "not_a_report" && httpStatus >= 300;
  if (!decoded.ok && !statusSpeaks) return unread(answer, service, instance, decoded.outcome, decoded.error);
  const text = decoded.ok ? withoutEcho(decoded.text, service.headers ?? {}) : "";
  const date = parseDate(answer.date);
  const said = normalise({ httpStatus, contentType, text, receivedAt: at + latencyMs, date, location: answer.location }, service.format);
  const warnings = decoded.ok && decoded.warnings.length > 0 ? [...decoded.warnings, ...said.warnings] : said.warnings;
  return observed(answer, service, instance, said, warnings, date, text);
}

function unread(answer: RawAnswer, service: Reading, instance: Pick<Instance, "id">, outcome: Outcome, error: string): Read {
  return observed(answer, service, instance, { outcome, report: null, format: null, error }, NO_WARNINGS, null, "");
}

const NO_WARNINGS: readonly Warning[] = [];

function observed(
  answer: RawAnswer,
  service: Reading,
  instance: Pick<Instance, "id">,
  { outcome, report, format, error }: Pick<Observation, "outcome" | "report" | "format" | "error">,
  warnings: readonly Warning[],
  date: number | null,
  text: string,
): Read {
  const { at, latencyMs, httpStatus } = answer;
  const httpAge = answer.kind === "answer" ? parseAge(answer.age) : null;
  const observation: Observation = {
    service: service.id,
    instance: instance.id,
    at,
    latencyMs,
    outcome,
    httpStatus,
    report,
    format,
    error,
    date,
    httpAge,
    warnings,
    body: null,
  };
  return { observation, text };
}

let lastDate: { value: string; time: number | null } = { value: "", time: null };

/** Epoch milliseconds of an HTTP date; null when there is none that can be read. Answers of one second state the same one. */
function parseDate(value: string | null): number | null {
  if (value === null) return null;
  if (value === lastDate.value) return lastDate.time;
  const time = Date.parse(value);
  lastDate = { value, time: Number.isNaN(time) ? null : time };
  return lastDate.time;
}

/** Milliseconds from the HTTP `Age` header, whole seconds of at most ten digits. */
function parseAge(value: string | null): number | null {
  return value !== null && /^\d{1,10}$/.test(value) ? Number(value) * 1_000 : null;
}
