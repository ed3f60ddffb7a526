import type { Criticality } from "../domain/status.ts";
import type { Document } from "./dialect.ts";
import { errorText } from "./error-text.ts";
import { isObject, type Json } from "./json.ts";

/** Every member of a map from name to error text, as a component that is down. */
export function addFailures(doc: Document, failures: unknown, criticality: Criticality | null, time?: unknown): void {
  if (!isObject(failures)) return;
  for (const [name, error] of Object.entries(failures)) {
    doc.components.add({ name, status: "down", criticality, lastChecked: doc.checkedAt(time, name), error: errorText(error) });
  }
}

/** True for a map of error texts or error objects, the empty one included. */
export function isMapOfTexts(value: unknown): value is Json {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string" || isObject(text));
}
