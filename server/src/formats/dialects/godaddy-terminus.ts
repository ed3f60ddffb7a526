import { errorText } from "../error-text.ts";
import { structured } from "../structured.ts";

/** @godaddy/terminus: a failing answer lists the errors that were thrown, without names. */
export const godaddyTerminus = structured({
  name: "godaddy-terminus",
  title: "@godaddy/terminus",
  recognised: "`status` beside `error` as a list",
  mapped: "each error is a component `error-1`, `error-2` … that is down",
  matches: (value) => typeof value.status === "string" && Array.isArray(value.error),
  adjust(reading, value, doc) {
    const errors = Array.isArray(value.error) ? value.error : [];
    for (const [index, error] of errors.entries())
      doc.components.add({ name: `error-${index + 1}`, status: "down", error: errorText(error) });
    return reading;
  },
});
