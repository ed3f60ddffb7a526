import type { Dialect, Document } from "../dialect.ts";
import { parseLength, unitFactor } from "../durations.ts";
import { errorText } from "../error-text.ts";
import { isObject, type Json, textOf } from "../json.ts";
import { rootWord, Tree } from "../tree.ts";
import { fold, worse } from "../vocabulary.ts";
import { wordOf } from "../word.ts";

interface Measured {
  measurement: string;
  entry: Json;
}

/** application/health+json, draft-inadarei-api-health-check, early drafts included. */
export const healthJson: Dialect = {
  name: "health-json",
  title: "application/health+json (draft-inadarei-api-health-check)",
  recognised:
    "`status` and `checks` (early drafts: `details`) whose members are lists of objects, or objects with the draft's own fields; or by its media type",
  mapped:
    "a component is a key of `checks` up to its last colon, over all its measurements and nodes: worst status, largest responseTime, oldest time, first output that is not of a pass",
  kinds: ["object"],
  matches({ value, contentType }) {
    if (!isObject(value)) return false;
    const stated = (contentType?.includes("health+json") ?? false) && textOf(value.status) !== null;
    const key = keyOf(value);
    const members = key ? Object.values(value[key] as Json) : [];
    if (members.length === 0) return stated;
    return members.every((member) => (Array.isArray(member) ? member.every(isObject) : isObject(member) && (stated || isDraft(member))));
  },
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    const key = keyOf(doc.value);
    for (const [name, list] of measured(key ? (doc.value[key] as Json) : {})) addComponent(doc, name, list);
    // Anything else that lists checks is no part of the draft, and read as everywhere.
    return rootWord(new Tree(doc).root(doc.value, key));
  },
};

/** The key of the map of checks; null where there is none. */
function keyOf(value: Json): "checks" | "details" | null {
  if (isObject(value.checks)) return "checks";
  return isObject(value.details) ? "details" : null;
}

function measured(checks: Json): Map<string, Measured[]> {
  const groups = new Map<string, Measured[]>();
  for (const [key, member] of Object.entries(checks)) {
    const colon = key.lastIndexOf(":");
    const name = colon > 0 ? key.slice(0, colon) : key;
    const list = groups.get(name) ?? [];
    groups.set(name, list);
    for (const entry of Array.isArray(member) ? member : [member]) {
      if (isObject(entry)) list.push({ measurement: colon > 0 ? key.slice(colon + 1) : "", entry });
    }
  }
  return groups;
}

/** Fields of the draft's own; `observedValue` was `metricValue` in its first versions. */
const DRAFT = ["componentType", "componentId", "observedValue", "affectedEndpoints", "metricValue"];

function isDraft(entry: Json): boolean {
  return DRAFT.some((key) => key in entry);
}

function addComponent(doc: Document, name: string, list: readonly Measured[]): void {
  let status: "up" | "degraded" | "down" | "unknown" | null = null;
  let [latencyMs, oldest, error, raw]: [number | null, number | null, string | null, string | null] = [null, null, null, null];
  for (const { measurement, entry } of list) {
    // An entry without a status is a reading: it tells nothing beside entries that have one.
    const word = "status" in entry ? wordOf(entry.status) : null;
    if (!word && textOf(entry.status)) raw ??= String(entry.status);
    if ("status" in entry) status = status ? worse(status, word?.status ?? "unknown") : (word?.status ?? "unknown");
    if (fold(measurement) === "responsetime") latencyMs = larger(latencyMs, observed(entry));
    const time = doc.checkedAt(entry.time, name);
    if (time !== null && (oldest === null || time < oldest)) oldest = time;
    if (word?.status !== "up") error ??= errorText(entry.output) ?? errorText(entry.error);
  }
  doc.components.add({ name, status: status ?? "unknown", latencyMs, lastChecked: oldest, error, raw });
}

function observed(entry: Json): number | null {
  const factor = unitFactor(entry.observedUnit ?? entry.metricUnit);
  const value = parseLength(entry.observedValue ?? entry.metricValue, "ms");
  return factor === null || value === null ? null : value * factor;
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || (b !== null && b > a) ? b : a;
}
