import type { Report, Warning } from "../domain/observation.ts";
import type { Answer, Dialect, Document } from "./dialect.ts";
import { httpStatus } from "./dialects/http-status.ts";
import { readDocument } from "./document.ts";
import { isServerError } from "./http.ts";
import { redactText } from "./redact.ts";
import { DIALECTS } from "./registry.ts";
import { settle } from "./verdict.ts";

export type { Answer } from "./dialect.ts";

export interface Normalised {
  outcome: "report" | "http_error" | "not_a_report" | "redirect";
  report: Report | null;
  /** Name of the dialect that read the answer. */
  format: string | null;
  warnings: readonly Warning[];
  /** Short reason where there is no report, or where the report is the HTTP status alone. */
  error: string | null;
}

/** The names that `format:` may pin, besides `auto`. */
export function dialectNames(): string[] {
  return DIALECTS.map((dialect) => dialect.name);
}

const BY_NAME: ReadonlyMap<string, Dialect> = new Map(DIALECTS.map((dialect) => [dialect.name, dialect]));

/** Those that `auto` asks about each kind of answer, in the order of the registry. */
const BY_KIND: Readonly<Record<Document["kind"], readonly Dialect[]>> = {
  object: readersOf("object"),
  array: readersOf("array"),
  scalar: readersOf("scalar"),
  text: readersOf("text"),
  html: readersOf("html"),
  broken: [],
  oversized: [],
  empty: readersOf("empty"),
};

function readersOf(kind: Document["kind"]): readonly Dialect[] {
  return DIALECTS.filter((dialect) => dialect.kinds.includes(kind));
}

/** Codes at which the probe itself is misconfigured: they tell nothing of the service, whatever the body says. */
const MISCONFIGURED = new Set([401, 403, 404, 406, 410]);

/**
 * What an answer means (`docs/dialects.md`): by the first dialect that recognises it, or by the one named. Pure, never throws;
 * `dialect` is `auto` or one of `dialectNames()`, and an unknown name reads as `auto`.
 */
export function normalise(answer: Answer, dialect: string): Normalised {
  const { httpStatus: code } = answer;
  if (code >= 300 && code < 400) return none("redirect", `redirect (${code})${leadsTo(answer)}, not followed`);
  if (MISCONFIGURED.has(code)) return none("http_error", `HTTP ${code}: ${HINTS[code] ?? "the probe is misconfigured"}`);
  const doc = readDocument(answer);
  const { warnings } = doc;
  if (doc.kind === "empty" && code < 300) return read(doc, httpStatus) ?? none("not_a_report", "empty", warnings);
  const pinned = BY_NAME.get(dialect);
  for (const candidate of pinned ? [pinned] : BY_KIND[doc.kind]) {
    if (pinned ? pinned !== httpStatus && !pinned.kinds.includes(doc.kind) : !candidate.matches(doc)) continue;
    const result = read(doc, candidate);
    if (result) return result;
  }
  if (isServerError(code)) {
    const report: Report = { status: "unhealthy", components: [], maybeGateway: true };
    return { outcome: "http_error", report, format: httpStatus.name, warnings, error: `HTTP ${code}` };
  }
  if (code >= 400) return none("http_error", `HTTP ${code}`, warnings);
  return none("not_a_report", unreadable(doc.kind, pinned?.name), warnings);
}

const HINTS: Readonly<Record<number, string>> = {
  401: "credentials are missing or wrong",
  403: "not allowed",
  404: "no such path",
  406: "the media type asked for is not offered",
  410: "the path is gone",
};

/** Without the query, which differs from answer to answer and may hold secrets. */
function leadsTo({ location }: Answer): string {
  const address = redactText((location ?? "").split(/[?#]/, 1)[0] ?? "", 120);
  return address && ` to ${address}`;
}

function read(doc: Document, dialect: Dialect): Normalised | null {
  if (dialect === httpStatus && doc.httpStatus >= 300) return null;
  const reading = dialect.normalise(doc);
  if (!reading) return null;
  if (dialect.loose && doc.httpStatus >= 400 && !isServerError(doc.httpStatus) && doc.components.items.length === 0) return null;
  return { outcome: "report", report: settle(doc, reading), format: dialect.name, warnings: doc.warnings, error: null };
}

function unreadable(kind: string, pinned: string | undefined): string {
  if (kind === "broken") return "broken JSON";
  if (kind === "oversized") return "JSON of more than 20,000 members and items, or of more than 5,000 in one object";
  if (kind === "html") return "an HTML page, not a health report";
  return pinned ? `not an answer of the dialect ${pinned}` : "no health report was recognised";
}

function none(outcome: Normalised["outcome"], error: string, warnings: readonly Warning[] = []): Normalised {
  return { outcome, report: null, format: null, warnings, error };
}
