import { COMPONENT_STATUSES, type ComponentStatus, CRITICALITIES, type Criticality } from "../../domain/status.ts";
import type { Dialect, Document } from "../dialect.ts";
import { isObject, type Json } from "../json.ts";
import { readWord, type Word } from "../vocabulary.ts";

const SERVICE = new Map<string, Word>([
  ["healthy", { status: "up" }],
  ["degraded", { status: "degraded" }],
  ["unhealthy", { status: "down" }],
  ["starting", { status: "unknown", phase: "starting" }],
  ["draining", { status: "unknown", phase: "draining" }],
]);

/** Headwater's own deep endpoint contract. Fields of a wrong type are absent with a warning, never a reason to refuse. */
export const headwater: Dialect = {
  name: "headwater",
  title: "Headwater's own deep endpoint contract",
  recognised:
    "`status` is one of healthy, degraded, unhealthy, starting, draining, and `components` an array whose entries say up, degraded, down or unknown",
  mapped: "word for word; `latency_ms` and `age_ms` in milliseconds; starting and draining give a phase and status unknown",
  kinds: ["object"],
  matches({ value }) {
    if (!isObject(value) || typeof value.status !== "string" || !SERVICE.has(value.status) || !Array.isArray(value.components))
      return false;
    for (const entry of value.components) if (!isObject(entry) || !isComponentStatus(entry.status)) return false;
    return true;
  },
  normalise(doc) {
    const value = doc.value;
    if (!isObject(value) || typeof value.status !== "string") return null;
    const word = SERVICE.get(value.status);
    const entries = Array.isArray(value.components) ? value.components : [];
    if (value.components !== undefined && !Array.isArray(value.components)) doc.warn("wrong_type", "`components` is not an array");
    for (const [index, entry] of entries.entries())
      if (isObject(entry)) addComponent(doc, entry, index);
      else doc.warn("wrong_type", `components[${index}] is not an object`);
    if (!word) return { word: null, rawWord: value.status };
    return word.phase ? { word, serverError: "unknown" } : { word };
  },
};

function addComponent(doc: Document, entry: Json, index: number): void {
  const name = typeof entry.name === "string" && entry.name.trim() !== "" ? entry.name : `component-${index + 1}`;
  if (name !== entry.name) doc.warn("wrong_type", `components[${index}].name is missing or not a text`);
  const raw = typeof entry.status === "string" ? entry.status : "";
  const known = isComponentStatus(raw) ? raw : readWord(raw)?.status;
  if (!known) doc.warn("unknown_word", `the status of "${name}" is none that we know`);
  doc.components.add({
    name,
    status: known ?? "unknown",
    criticality: isCriticality(entry.criticality) ? entry.criticality : absent(doc, name, "criticality", entry.criticality),
    latencyMs: milliseconds(doc, name, "latency_ms", entry.latency_ms),
    lastChecked: doc.checkedAt(entry.last_checked, name),
    ageMs: milliseconds(doc, name, "age_ms", entry.age_ms),
    error: typeof entry.error === "string" ? entry.error : absent(doc, name, "error", entry.error),
    raw: known ? null : raw,
  });
}

function milliseconds(doc: Document, name: string, field: string, value: unknown): number | null {
  return typeof value === "number" && value >= 0 ? value : absent(doc, name, field, value);
}

function absent(doc: Document, name: string, field: string, value: unknown): null {
  if (value !== undefined && value !== null) doc.warn("wrong_type", `${field} of "${name}" is not what it should be and was left out`);
  return null;
}

function isComponentStatus(value: unknown): value is ComponentStatus {
  return (COMPONENT_STATUSES as readonly unknown[]).includes(value);
}

function isCriticality(value: unknown): value is Criticality {
  return (CRITICALITIES as readonly unknown[]).includes(value);
}
