import type { Dialect, Document } from "../dialect.ts";
import { isObject, type Json, textOf } from "../json.ts";
import { wordOf } from "../word.ts";

/** Consul's checks, in the shapes of its catalogue, agent and service endpoints. */
export const consul: Dialect = {
  name: "consul",
  title: "Consul health and agent checks",
  recognised: "objects with `CheckID` and `Status`: as a list, as a map, or under `Checks`, also beside `AggregatedStatus`",
  mapped: "passing up, warning degraded, critical down; the error is `Output`; 429 is a warning",
  kinds: ["object", "array"],
  matches: (doc) => (isObject(doc.value) && typeof doc.value.AggregatedStatus === "string") || checksOf(doc).length > 0,
  normalise(doc) {
    for (const check of checksOf(doc)) add(doc, check);
    const stated = isObject(doc.value) ? [doc.value] : Array.isArray(doc.value) ? doc.value.filter(isObject) : [];
    const aggregated = stated.map((item) => item.AggregatedStatus).filter((word) => typeof word === "string");
    // Several instances in one list each have a word; their checks decide then.
    const word = aggregated.length === 1 ? wordOf(aggregated[0]) : null;
    return { word, clientErrorSpeaks: true };
  },
};

function add(doc: Document, check: Json): void {
  const word = wordOf(check.Status);
  const name = textOf(check.Name) ?? textOf(check.CheckID) ?? "check";
  doc.components.add({
    name,
    status: word?.status ?? "unknown",
    error: textOf(check.Output) ?? textOf(check.Notes),
    raw: word ? null : textOf(check.Status),
  });
}

function checksOf({ value, values }: Document): Json[] {
  if (Array.isArray(value)) return value.filter(isObject).flatMap((item) => (isCheck(item) ? [item] : listed(item.Checks)));
  if (!isObject(value)) return [];
  if (isCheck(value)) return [value];
  return listed(Array.isArray(value.Checks) ? value.Checks : values);
}

function listed(checks: unknown): Json[] {
  return Array.isArray(checks) ? checks.filter(isObject).filter(isCheck) : [];
}

function isCheck(value: Json): boolean {
  return typeof value.Status === "string" && ("CheckID" in value || ("Name" in value && "Output" in value));
}
