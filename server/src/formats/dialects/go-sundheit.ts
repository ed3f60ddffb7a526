import type { Dialect } from "../dialect.ts";
import { everyCheck } from "../structured.ts";
import { Tree } from "../tree.ts";

/** AppsFlyer/go-sundheit: a check is healthy when it has no error; durations are nanoseconds. */
export const goSundheit: Dialect = {
  name: "go-sundheit",
  title: "AppsFlyer/go-sundheit",
  recognised: "a map whose members all have `contiguousFailures`",
  mapped: "down with an `error`, else up; `duration` in nanoseconds, or a text with its unit",
  kinds: ["object"],
  matches: (doc) => everyCheck(doc, (check) => "contiguousFailures" in check),
  normalise(doc) {
    if (!everyCheck(doc, () => true)) return null;
    const tree = new Tree(doc, {
      unit: "ns",
      word: (check) => ({ status: check.error === undefined || check.error === null || check.error === "" ? "up" : "down" }),
    });
    tree.all(doc.value, "check");
    return { word: null };
  },
};
