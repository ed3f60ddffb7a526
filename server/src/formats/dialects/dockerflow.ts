import type { Dialect } from "../dialect.ts";
import { isObject, textOf } from "../json.ts";
import { hasNoOther } from "../structured.ts";
import type { Word } from "../vocabulary.ts";
import { wordOf } from "../word.ts";

/** Mozilla's Dockerflow heartbeat: `details` only explains entries of `checks`. */
export const dockerflow: Dialect = {
  name: "dockerflow",
  title: "Mozilla Dockerflow `__heartbeat__`",
  recognised: "`checks` is a map of words, `details` a map whose members have `level` and `messages`, or is empty",
  mapped: "levels below warning are up; the error is the messages of the same name in `details`",
  kinds: ["object"],
  matches: (doc) => {
    const { value } = doc;
    if (!isObject(value) || !hasNoOther(doc, "checks") || !textOf(value.status) || !isObject(value.checks) || !isObject(value.details))
      return false;
    if (!Object.values(value.checks).every((word) => typeof word === "string")) return false;
    return Object.values(value.details).every((detail) => isObject(detail) && isObject(detail.messages));
  },
  normalise(doc) {
    if (!isObject(doc.value) || !isObject(doc.value.checks)) return null;
    const details = isObject(doc.value.details) ? doc.value.details : {};
    for (const [name, level] of Object.entries(doc.value.checks)) {
      const detail = Object.hasOwn(details, name) ? details[name] : null;
      const messages = isObject(detail) && isObject(detail.messages) ? Object.values(detail.messages) : [];
      const word = levelOf(level);
      const error = messages.filter((message) => typeof message === "string").join("; ");
      doc.components.add({ name, status: word?.status ?? "unknown", error, raw: word ? null : textOf(level) });
    }
    const word = levelOf(doc.value.status);
    return word ? { word } : { word, rawWord: textOf(doc.value.status) ?? "" };
  },
};

function levelOf(level: unknown): Word | null {
  return level === "info" || level === "debug" || level === "notset" ? { status: "up" } : wordOf(level);
}
