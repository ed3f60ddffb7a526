import { addFailures, isMapOfTexts } from "../failures.ts";
import { textOf } from "../json.ts";
import { structured } from "../structured.ts";

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
