import type { ComponentStatus } from "../../domain/status.ts";
import { readCheck, statusOf } from "../check.ts";
import type { Dialect } from "../dialect.ts";
import { isObject, type Json, parseJson } from "../json.ts";
import { everyCheck } from "../structured.ts";
import { worse } from "../vocabulary.ts";
import { wordOf } from "../word.ts";

/** Responses of Spring serialised whole, as DataHub's readiness does: the inner body is JSON in a text. */
export const datahub: Dialect = {
  name: "datahub-ready",
  title: "Wrapped responses (DataHub readiness)",
  recognised: "a map whose members have `statusCode` or `statusCodeValue` and `body`",
  mapped: "the worse of the inner HTTP status and the status in the inner body",
  kinds: ["object"],
  matches: (doc) => everyCheck(doc, (part) => "body" in part && ("statusCode" in part || "statusCodeValue" in part)),
  normalise(doc) {
    for (const [name, part] of Object.entries(isObject(doc.value) ? doc.value : {}))
      if (isObject(part)) doc.components.add({ name, status: worse(fromCode(part), fromBody(part.body)) });
    return { word: null };
  },
};

function fromCode(part: Json): ComponentStatus {
  const code = Number(part.statusCodeValue ?? part.statusCode);
  if (Number.isNaN(code)) return wordOf(part.statusCode)?.status ?? "unknown";
  return code >= 500 ? "down" : code >= 300 ? "unknown" : "up";
}

function fromBody(body: unknown): ComponentStatus {
  const parsed = typeof body === "string" ? parseJson(body) : { value: body };
  const value = parsed === "oversized" ? null : parsed?.value;
  const check = isObject(value) ? readCheck(value) : null;
  return check && (check.word ?? check.raw) !== null ? statusOf(check) : "up";
}
