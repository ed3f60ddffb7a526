import type { Dialect } from "../dialect.ts";
import { isObject } from "../json.ts";
import { hasNoOther } from "../structured.ts";
import { Tree } from "../tree.ts";

/** Sentry's `/_health/?full`: `healthy` is a map of booleans, the problems have no names. */
export const sentry: Dialect = {
  name: "sentry-health",
  title: "Sentry self-hosted",
  recognised: "`healthy` is a map of booleans, beside `problems`",
  mapped: "the members of `healthy`",
  kinds: ["object"],
  matches: (doc) => isObject(doc.value) && Array.isArray(doc.value.problems) && isObject(doc.value.healthy) && hasNoOther(doc),
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    new Tree(doc).all(doc.value.healthy, "check");
    return { word: null };
  },
};
