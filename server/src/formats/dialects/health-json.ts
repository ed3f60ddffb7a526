import { errorText, readCheck, wordOf } from "../check.ts";
import type { Dialect, Document } from "../dialect.ts";
import { parseLength, unitFactor } from "../durations.ts";
import { isObject, type Json, textOf } from "../json.ts";
import { parseTime } from "../times.ts";
import { rootWord } from "../tree.ts";
import { fold, worse } from "../vocabulary.ts";

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
    const checks = checksOf(value);
    if (!checks) return (contentType?.includes("health+json") ?? false) && !Array.isArray(value.checks) && textOf(value.status) !== null;
    const members = Object.values(checks);
    if (members.length === 0) return contentType?.includes("health+json") ?? false;
    return members.every((member) => (Array.isArray(member) ? member.every(isObject) : isObject(member) && isDraft(member)));
  },
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    const check = readCheck({ status: doc.value.status });
    const groups = new Map<string, Measured[]>();
    for (const [key, member] of Object.entries(checksOf(doc.value) ?? {})) {
      const colon = key.lastIndexOf(":");
      const name = colon > 0 ? key.slice(0, colon) : key;
      const list = groups.get(name) ?? [];
      groups.set(name, list);
      for (const entry of Array.isArray(member) ? member : [member])
        if (isObject(entry)) list.push({ measurement: colon > 0 ? key.slice(colon + 1) : "", entry });
    }
    for (const [name, list] of groups) addComponent(doc, name, list);
    return rootWord(check);
  },
};

function checksOf(value: Json): Json | null {
  if (isObject(value.checks)) return value.checks;
  return isObject(value.details) ? value.details : null;
}

function isDraft(entry: Json): boolean {
  return "componentType" in entry || "componentId" in entry || "observedValue" in entry || "affectedEndpoints" in entry;
}

function addComponent(doc: Document, name: string, list: readonly Measured[]): void {
  let status: "up" | "degraded" | "down" | "unknown" | null = null;
  let [latencyMs, oldest, error, raw]: [number | null, unknown, string | null, string | null] = [null, undefined, null, null];
  for (const { measurement, entry } of list) {
    // An entry without a status is a reading: it tells nothing beside entries that have one.
    const word = "status" in entry ? wordOf(entry.status) : null;
    if (!word && textOf(entry.status)) raw ??= String(entry.status);
    if ("status" in entry) status = status ? worse(status, word?.status ?? "unknown") : (word?.status ?? "unknown");
    if (fold(measurement) === "responsetime") latencyMs = larger(latencyMs, observed(entry));
    if (isOlder(entry.time, oldest)) oldest = entry.time;
    if (word?.status !== "up") error ??= errorText(entry.output) ?? errorText(entry.error);
  }
  doc.components.add({ name, status: status ?? "unknown", latencyMs, lastChecked: doc.checkedAt(oldest, name), error, raw });
}

function observed(entry: Json): number | null {
  const factor = unitFactor(entry.observedUnit);
  const value = parseLength(entry.observedValue, "ms");
  return factor === null || value === null ? null : value * factor;
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || (b !== null && b > a) ? b : a;
}

function isOlder(time: unknown, than: unknown): boolean {
  const [a, b] = [parseTime(time), parseTime(than)];
  return typeof a === "number" ? typeof b !== "number" || a < b : than === undefined && time !== undefined;
}
