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

/**
 * Reads one raw answer: bytes to text, text to a report in normal form. Pure, and total: whatever a service sends,
 * there is an observation that says so. Its `body` is redacted when it is first looked at.
 */
export function observe(answer: RawAnswer, service: Reading, instance: Pick<Instance, "id">): PolledObservation {
  if (answer.kind === "failure") return unread(answer, service, instance, answer.outcome, answer.error);
  try {
    return read(answer, service, instance);
  } catch {
    // Readers promise not to throw. Were one to break that for some body, the body must not end the aggregator.
    return unread(answer, service, instance, "not_a_report", "the answer could not be read");
  }
}

function read(answer: HttpAnswer, service: Reading, instance: Pick<Instance, "id">): PolledObservation {
  const { at, latencyMs, httpStatus, contentType, contentEncoding } = answer;
  const decoded = decodeBody(answer.body, { contentType, contentEncoding, maxBody: service.maxBody });
  // Of a failing service whose answer cannot be read, the status alone still says that it fails.
  const statusSpeaks = !decoded.ok && decoded.outcome === "not_a_report" && httpStatus >= 300;
  if (!decoded.ok && !statusSpeaks) return unread(answer, service, instance, decoded.outcome, decoded.error);
  const text = decoded.ok ? withoutEcho(decoded.text, service.headers ?? {}) : "";
  const date = parseDate(answer.date);
  const said = normalise({ httpStatus, contentType, text, receivedAt: at + latencyMs, date }, service.format);
  const warnings = decoded.ok && decoded.warnings.length > 0 ? [...decoded.warnings, ...said.warnings] : said.warnings;
  return new PolledObservation(service.id, instance.id, answer, said, warnings, date, text);
}

function unread(answer: RawAnswer, service: Reading, instance: Pick<Instance, "id">, outcome: Outcome, error: string): PolledObservation {
  const nothing = { outcome, report: null, format: null, error };
  return new PolledObservation(service.id, instance.id, answer, nothing, NO_WARNINGS, null, "");
}

const NO_WARNINGS: readonly Warning[] = [];

type Said = Pick<Observation, "outcome" | "report" | "format" | "error">;

/** A class for the sake of one shape: made with each poll, and a getter of its own for each costs more than the report. */
export class PolledObservation implements Observation {
  readonly service: string;
  readonly instance: string;
  readonly at: number;
  readonly latencyMs: number;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly report: Observation["report"];
  readonly format: string | null;
  readonly error: string | null;
  readonly date: number | null;
  readonly httpAge: number | null;
  readonly warnings: readonly Warning[];
  declare readonly body: string | null;
  readonly #text: string;

  constructor(
    service: string,
    instance: string,
    answer: RawAnswer,
    said: Said,
    warnings: readonly Warning[],
    date: number | null,
    text: string,
  ) {
    this.service = service;
    this.instance = instance;
    this.at = answer.at;
    this.latencyMs = answer.latencyMs;
    this.outcome = said.outcome;
    this.httpStatus = answer.httpStatus;
    this.report = said.report;
    this.format = said.format;
    this.error = said.error;
    this.date = date;
    this.httpAge = answer.kind === "answer" ? parseAge(answer.age) : null;
    this.warnings = warnings;
    this.#text = text;
    // Its own and not the class's, so that copies and JSON have it.
    Object.defineProperty(this, "body", PolledObservation.#body);
  }

  static readonly #body: PropertyDescriptor & ThisType<PolledObservation> = {
    enumerable: true,
    get() {
      return excerptOf(this.#text);
    },
  };

  /** The answer's text as it came, secrets of its own included: not to be kept or shown as it is. */
  text(): string {
    return this.#text;
  }
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
