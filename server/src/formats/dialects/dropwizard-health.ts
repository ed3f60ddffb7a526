import type { Dialect } from "../dialect.ts";
import { everyItem } from "../structured.ts";
import { Tree } from "../tree.ts";

/** dropwizard-health: an empty list unless asked with `?name=all`. */
export const dropwizardHealth: Dialect = {
  name: "dropwizard-health",
  title: "dropwizard-health",
  recognised: "a list of objects with `name`, `healthy` and `critical`, or an empty list",
  mapped: "`critical` is hard or soft; an empty list leaves the HTTP status as the only news",
  kinds: ["array"],
  matches: ({ value }) =>
    Array.isArray(value) &&
    (value.length === 0 ||
      everyItem(
        value,
        (check) => typeof check.name === "string" && typeof check.healthy === "boolean" && typeof check.critical === "boolean",
      )),
  normalise(doc) {
    new Tree(doc).all(doc.value, "check");
    return { word: null, silence: "healthy" };
  },
};
