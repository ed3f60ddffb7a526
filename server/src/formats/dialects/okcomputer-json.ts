import type { Dialect } from "../dialect.ts";
import type { Json } from "../json.ts";
import { everyCheck } from "../structured.ts";
import { Tree } from "../tree.ts";

/** OkComputer as JSON, which does not say what is optional. */
export const okcomputerJson: Dialect = {
  name: "okcomputer-json",
  title: "OkComputer (JSON)",
  recognised: "a map whose members all have `success` as a boolean and `message`, and nothing nested",
  mapped: "`time` in seconds; the error is `message`",
  kinds: ["object"],
  matches: (doc) =>
    everyCheck(doc, (check) => typeof check.success === "boolean" && "message" in check && !("status" in check) && isFlat(check)),
  normalise(doc) {
    new Tree(doc, { unit: "s", lengths: ["time"] }).all(doc.value, "check");
    return { word: null };
  },
};

/** A check that holds others is of another kind, which is read with what they say. */
function isFlat(check: Json): boolean {
  return Object.values(check).every((value) => typeof value !== "object" || value === null);
}
