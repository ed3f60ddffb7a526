import type { Dialect } from "../dialect.ts";
import { errorText } from "../error-text.ts";
import { isObject, textOf } from "../json.ts";
import { wordOf } from "../word.ts";

/** Hootsuite's health checks API: a list of a word and what explains it. */
export const hootsuite: Dialect = {
  name: "hootsuite",
  title: "Hootsuite health checks",
  recognised: "a list whose first item is a status word, followed by nothing or by objects",
  mapped: "objects with `description` and `result` are components, their error is `details`",
  kinds: ["array"],
  matches: ({ value }) =>
    Array.isArray(value) && typeof value[0] === "string" && wordOf(value[0]) !== null && value.slice(1).every(isObject),
  normalise(doc) {
    if (!Array.isArray(doc.value)) return null;
    for (const [index, item] of doc.value.slice(1).entries()) {
      if (!isObject(item)) continue;
      const status = wordOf(item.result)?.status ?? "unknown";
      doc.components.add({ name: textOf(item.description) ?? `check-${index + 1}`, status, error: errorText(item.details) });
    }
    return { word: wordOf(doc.value[0]) };
  },
};
