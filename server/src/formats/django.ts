import type { ComponentStatus } from "../domain/status.ts";
import type { Document, Reading } from "./dialect.ts";
import { worse } from "./vocabulary.ts";

const VERDICTS: readonly (readonly [RegExp, ComponentStatus])[] = [
  [/^(?:working|ok)$/i, "up"],
  [/^warning\b/i, "degraded"],
  [/^(?:unavailable|unexpected result|unknown error|error)\b/i, "down"],
];

function verdictOf(text: string): ComponentStatus | null {
  return VERDICTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The worst of the lines of one check; texts are translated, so that a word we do not know is unknown. */
export function addVerdict(doc: Document, name: string, text: string): void {
  let status: ComponentStatus | null = null;
  for (const line of text.split("\n")) {
    const verdict = verdictOf(line.trim());
    if (verdict) status = status ? worse(status, verdict) : verdict;
  }
  doc.components.add({ name, status: status ?? "unknown", error: text, raw: status ? null : text });
}

/** A 500 is sent for a warning too. */
export function readingOf(doc: Document): Reading {
  const statuses = new Set(doc.components.items.map(({ status }) => status));
  const mild = statuses.has("degraded") && !statuses.has("down") && !statuses.has("unknown");
  return mild ? { word: null, serverError: "degraded" } : { word: null };
}
