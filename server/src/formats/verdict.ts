import type { Report } from "../domain/observation.ts";
import { compareStatus, effectOf, type Status, worstStatus } from "../domain/status.ts";
import type { Document, Reading } from "./dialect.ts";
import { isServerError } from "./http.ts";
import { serviceStatus } from "./vocabulary.ts";

/**
 * The report of one reading: the worst of the body's word, the class of the HTTP status and what the components imply.
 * 1. A healthy word over a failing component is at least degraded, unhealthy when the component is stated hard.
 * 2. Without a word the components decide; unknown ones have no effect, and nothing but unknown ones is unknown.
 * 3. A word nobody knows is unknown, whatever else is fine.
 * 4. A 5xx is unhealthy unless the dialect says otherwise; a 4xx or 501 is never healthy unless it is part of the dialect.
 */
export function settle(doc: Document, reading: Reading): Report {
  const { items } = doc.components;
  const report: Report = { status: withHttp(doc, reading, fromBody(doc, reading)), components: items };
  const word = wordOf(doc, reading);
  if (word !== undefined) report.word = word;
  if (reading.word?.phase) report.phase = reading.word.phase;
  if (reading.failuresOnly) report.failuresOnly = true;
  return report;
}

/**
 * What the answer says as a whole, before any component counts, so that the map's labels can replace those in the report:
 * null where it says nothing, undefined where only the status above can be taken for it.
 */
function wordOf(doc: Document, reading: Reading): Status | null | undefined {
  const { items, beyond } = doc.components;
  if (beyond.hard !== "up" || beyond.other !== "up" || items.length === 0) return undefined;
  const word = reading.word ? serviceStatus(reading.word) : null;
  if (word === "unknown") return undefined;
  if (word !== null) return withHttp(doc, reading, word);
  return reading.rawWord === undefined && doc.httpStatus < 400 ? null : undefined;
}

function fromBody(doc: Document, reading: Reading): Status {
  const { items, beyond } = doc.components;
  let implied: Status = worstStatus([effectOf(beyond.hard, "hard"), effectOf(beyond.other, "soft")]);
  let known = implied !== "healthy";
  for (const { status, criticality } of items) {
    if (status !== "unknown") known = true;
    const effect = effectOf(status, criticality ?? "soft");
    if (compareStatus(effect, implied) > 0) implied = effect;
  }
  const word = reading.word ? serviceStatus(reading.word) : null;
  if (word === null && reading.rawWord === undefined)
    return known ? implied : items.length === 0 ? (reading.silence ?? "unknown") : "unknown";
  if (word === null || word === "unknown") return implied === "healthy" ? "unknown" : implied;
  return worstStatus([word, implied]);
}

function withHttp(doc: Document, reading: Reading, body: Status): Status {
  const { httpStatus } = doc;
  if (isServerError(httpStatus)) {
    const rule = reading.serverError ?? "unhealthy";
    if (rule === "unknown") return body === "healthy" ? "unknown" : body;
    return worstStatus(body === "unknown" ? ["unhealthy"] : [body, rule]);
  }
  const speaks = reading.clientErrorSpeaks === true && httpStatus < 500;
  if (httpStatus >= 400 && !speaks && body === "healthy") return "unknown";
  return body;
}
