import type { Dialect } from "../dialect.ts";
import { addVerdict, readingOf } from "../django.ts";
import { isObject, textOf } from "../json.ts";

/** django-health-check 3 and 4 as JSON: a flat map from check to text. */
export const djangoJson: Dialect = {
  name: "django-health-check",
  title: "django-health-check 3 and 4 (JSON)",
  recognised:
    "a map of texts of which one at least is `working` or `OK`, or begins with the kind of error, and all are when the answer is good",
  mapped: "`Warning:` is degraded, other kinds down; a 500 with warnings alone is degraded; several errors of one check are joined",
  kinds: ["object"],
  matches: ({ keys, values: texts, httpStatus }) => {
    if (texts.length === 0 || !texts.every((text) => typeof text === "string")) return false;
    if (keys.some((key) => /^(?:status|state|message|error|detail|health)$/i.test(key))) return false;
    const known = texts.filter(
      (text) => text === "working" || text === "OK" || /^(?:unavailable|warning|unexpected result|unknown error): /i.test(text),
    ).length;
    return known === texts.length || (known > 0 && httpStatus >= 500 && texts.includes("working"));
  },
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    for (const [name, text] of Object.entries(doc.value)) addVerdict(doc, name, textOf(text) ?? "");
    return readingOf(doc);
  },
};
