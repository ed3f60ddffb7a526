import type { Dialect } from "../dialect.ts";
import { everyItem } from "../structured.ts";
import { Tree } from "../tree.ts";

/** plug_checkup for Elixir: a list whose times are microseconds. */
export const plugCheckup: Dialect = {
  name: "plug-checkup",
  title: "plug_checkup",
  recognised: "a list of objects with `name`, `time` as a number and `healthy`",
  mapped: "`time` in microseconds, the default of the library",
  kinds: ["array"],
  matches: ({ value }) =>
    everyItem(value, (check) => typeof check.name === "string" && typeof check.healthy === "boolean" && typeof check.time === "number"),
  normalise(doc) {
    new Tree(doc, { unit: "us", lengths: ["time"] }).all(doc.value, "check");
    return { word: null };
  },
};
