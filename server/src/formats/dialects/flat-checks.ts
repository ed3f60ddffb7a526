import type { Dialect } from "../dialect.ts";
import { isAbout, roleOf } from "../fields.ts";
import { isServerError } from "../http.ts";
import { isObject, textOf } from "../json.ts";
import { fold } from "../vocabulary.ts";
import { moreThanWord, wordOf } from "../word.ts";

/** Keys of error pages, which are flat maps of texts too. */
const PAGE = new Set(
  "path trace requestid traceid correlationid statuscode statustext documentation documentationurl instance detail method url uri".split(
    " ",
  ),
);

/** A flat map from check to verdict, as several Go libraries send it: `OK`, `PASS`, or the error itself. */
export const flatChecks: Dialect = {
  name: "flat-checks",
  title: "Flat maps from check to verdict (heptiolabs/healthcheck, go-sundheit short, Docker registry)",
  recognised:
    "a map of texts without fields of a status or an error page: all known words, or with a 5xx known words and error texts; or an empty map",
  mapped: "with a 5xx every text that is no known word is an error, its check down; an empty map leaves the HTTP status as the only news",
  kinds: ["object"],
  loose: true,
  matches: ({ keys, values, httpStatus }) => {
    if (values.length === 0) return httpStatus < 300;
    if (!values.every((text) => typeof text === "string" && (isServerError(httpStatus) || wordOf(text) !== null))) return false;
    return !keys.some((key) => roleOf(key) !== undefined || isAbout(key) || PAGE.has(fold(key)));
  },
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    const entries = Object.entries(doc.value);
    const bad = isServerError(doc.httpStatus);
    let listed = false;
    for (const [name, text] of entries) {
      const word = wordOf(text);
      if (word?.status === "up") listed = true;
      doc.components.add({
        name,
        status: word?.status ?? (bad ? "down" : "unknown"),
        error: moreThanWord(text),
        raw: word || bad ? null : textOf(text),
      });
    }
    return { word: null, silence: "healthy", ...(entries.length > 0 && !listed && bad ? { failuresOnly: true } : {}) };
  },
};
