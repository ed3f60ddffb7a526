import type { Criticality } from "../../domain/status.ts";
import { readCheck } from "../check.ts";
import type { Dialect } from "../dialect.ts";
import { isObject, textOf } from "../json.ts";
import { hasNoOther } from "../structured.ts";
import { rootWord, Tree } from "../tree.ts";

const URGENCIES: readonly (readonly [RegExp, Criticality])[] = [
  [/^required\b/i, "hard"],
  [/^strong\b/i, "soft"],
  [/^weak\b/i, "soft"],
  [/^none\b/i, "informational"],
];

/** Indeed's status library: results sorted by status; a failing dependency counts by its urgency. */
export const indeedStatus: Dialect = {
  name: "indeed-status",
  title: "Indeed status",
  recognised: "`condition`, and `results` is a map of lists",
  mapped: "the name is `id`; urgency Required hard, Strong and Weak soft, None informational; `duration` in milliseconds",
  kinds: ["object"],
  matches: (doc) =>
    isObject(doc.value) &&
    hasNoOther(doc, "results") &&
    textOf(doc.value.condition) !== null &&
    isObject(doc.value.results) &&
    Object.values(doc.value.results).every(Array.isArray),
  normalise(doc) {
    if (!isObject(doc.value) || !isObject(doc.value.results)) return null;
    const tree = new Tree(doc, {
      unit: "ms",
      criticality: (entry) => URGENCIES.find(([pattern]) => pattern.test(textOf(entry.urgency) ?? ""))?.[1] ?? null,
      error: (entry) => textOf(entry.errorMessage),
    });
    for (const results of Object.values(doc.value.results)) {
      for (const result of Array.isArray(results) ? results : []) {
        if (isObject(result)) tree.add(textOf(result.id) ?? textOf(result.description) ?? "check", result, 1);
      }
    }
    return rootWord(readCheck({ condition: doc.value.condition }));
  },
};
