import { errorText } from "../error-text.ts";
import { isObject } from "../json.ts";
import { everyItem, structured } from "../structured.ts";

/** The `about` answer of Hootsuite's health checks API lists dependencies, each with such a list for a status. */
export const hootsuiteAbout = structured({
  name: "hootsuite-about",
  title: "Hootsuite health checks, `about`",
  recognised: "`dependencies` is a list of objects whose `status` is a list",
  mapped: "`statusDuration` in seconds; the error is the explanation's `details`",
  matches: (value) => everyItem(value.dependencies, (dependency) => Array.isArray(dependency.status)),
  habits: { error: (entry) => (Array.isArray(entry.status) && isObject(entry.status[1]) ? errorText(entry.status[1].details) : null) },
});
