import { addFailures, isMapOfTexts } from "../failures.ts";
import { structured } from "../structured.ts";

/** Ory's healthx: no status at all when something fails. */
export const ory = structured({
  name: "ory-healthx",
  title: "Ory healthx",
  recognised: "`errors` as a map of texts and nothing else",
  mapped: "each error is a component that is down",
  matches: (value) => isMapOfTexts(value.errors) && Object.keys(value).length === 1,
  adjust(reading, value, doc) {
    addFailures(doc, value.errors, null);
    return { ...reading, failuresOnly: true, silence: "healthy" };
  },
});
