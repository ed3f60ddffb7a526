import { isListOfVerdicts, saysStatus } from "../children.ts";
import type { Dialect } from "../dialect.ts";
import { isObject } from "../json.ts";
import { Tree } from "../tree.ts";

/** A list of checks, or of whole answers, one a line or item. */
export const genericList: Dialect = {
  name: "generic-list",
  title: "Hand-written JSON list",
  recognised: "a list of objects that state a status, or all have a name and a verdict",
  mapped: "each item is a component; the service's status is derived from them",
  kinds: ["array"],
  loose: true,
  matches: ({ value }) =>
    Array.isArray(value) && value.length > 0 && value.every(isObject) && (value.some(saysStatus) || isListOfVerdicts(value)),
  normalise(doc) {
    new Tree(doc).all(doc.value, "check");
    return { word: null };
  },
};
