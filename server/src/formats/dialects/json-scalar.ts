import type { Dialect } from "../dialect.ts";
import { wordOf } from "../word.ts";

/** A JSON text or boolean that is the whole answer. */
export const jsonScalar: Dialect = {
  name: "json-scalar",
  title: "One JSON text or boolean",
  recognised: "JSON that is a status word, true or false; null and numbers are none",
  mapped: "the word",
  kinds: ["scalar"],
  loose: true,
  matches: ({ value }) => typeof value === "boolean" || (typeof value === "string" && wordOf(value) !== null),
  normalise({ value }) {
    const word = value === null ? null : wordOf(value);
    return word && { word };
  },
};
