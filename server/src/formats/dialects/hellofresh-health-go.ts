import { addFailures, isMapOfTexts } from "../failures.ts";
import { isObject, textOf } from "../json.ts";
import { structured } from "../structured.ts";
import { fold } from "../vocabulary.ts";

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
    const soft = fold(textOf(value.status) ?? "") === "partiallyavailable";
    addFailures(doc, value.failures, soft ? "soft" : null, value.timestamp);
    return { ...reading, failuresOnly: true };
  },
});

function isSelf(value: unknown): boolean {
  return isObject(value) && typeof value.name === "string" && !("status" in value);
}
