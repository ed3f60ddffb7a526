import type { Criticality } from "../../domain/status.ts";
import type { Document } from "../dialect.ts";
import { errorText } from "../error-text.ts";
import { isObject, type Json, textOf } from "../json.ts";
import { structured } from "../structured.ts";
import { fold } from "../vocabulary.ts";

/** Every member of a map from name to error text, as a component that is down. */
function addFailures(doc: Document, failures: unknown, criticality: Criticality | null, time?: unknown): void {
  if (!isObject(failures)) return;
  for (const [name, error] of Object.entries(failures)) {
    doc.components.add({ name, status: "down", criticality, lastChecked: doc.checkedAt(time, name), error: errorText(error) });
  }
}

function isMapOfTexts(value: unknown): value is Json {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string" || isObject(text));
}

/** hellofresh/health-go: only failures are listed, and `component` is the service itself. */
export const hellofresh = structured({
  name: "hellofresh-health-go",
  title: "hellofresh/health-go",
  recognised:
    "`status` is OK, Partially Available, Unavailable or a timeout, beside `failures`, or `timestamp` with `component` or `system`",
  mapped: "each failure is a component that is down, checked at `timestamp`; soft when the service is Partially Available",
  matches: (value) =>
    textOf(value.status) !== null &&
    (isMapOfTexts(value.failures) ||
      (typeof value.timestamp === "string" && !("failures" in value) && isSelf(value.component) && !("components" in value))),
  adjust(reading, value, doc) {
    const soft = fold(String(value.status)) === "partiallyavailable";
    addFailures(doc, value.failures, soft ? "soft" : null, value.timestamp);
    return { ...reading, failuresOnly: true };
  },
});

function isSelf(value: unknown): boolean {
  return isObject(value) && typeof value.name === "string" && !("status" in value);
}

/** etherlabsio/healthcheck: the status is an HTTP reason phrase; errors under OK are those of observers. */
export const etherlabs = structured({
  name: "etherlabs-healthcheck",
  title: "etherlabsio/healthcheck",
  recognised: "`status` beside `errors` as a map of texts, and no list of checks",
  mapped: "each error is a component that is down; soft under a good status",
  matches: (value) =>
    textOf(value.status) !== null &&
    isMapOfTexts(value.errors) &&
    Object.keys(value).every((key) => ["status", "errors", "message", "timestamp", "version"].includes(key)),
  adjust(reading, value, doc) {
    addFailures(doc, value.errors, reading.word?.status === "up" ? "soft" : null);
    return { ...reading, failuresOnly: true };
  },
});

/** Ory's healthx: no status at all when something fails. */
export const ory = structured({
  name: "ory-healthx",
  title: "Ory healthx",
  recognised: "`errors` as a map of texts and nothing else",
  mapped: "each error is a component that is down",
  matches: (value) => Object.keys(value).length === 1 && isMapOfTexts(value.errors),
  adjust(reading, value, doc) {
    addFailures(doc, value.errors, null);
    return { ...reading, failuresOnly: true, silence: "healthy" };
  },
});
