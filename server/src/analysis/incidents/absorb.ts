import type { Cause, Incident } from "../../domain/incident.ts";
import { onsetOf } from "../recovery.ts";
import type { Book } from "./book.ts";
import { settleOf } from "./waits.ts";

/** A symptom's incident goes into that of its cause, unless it began clearly before. */
export function absorbSymptoms(book: Book, byCause: ReadonlyMap<number, Incident>): void {
  const { verdict } = book.input;
  for (const incident of book.unresolved()) {
    const role = verdict.roles.get(incident.anchor);
    if (role?.role !== "impacted") continue;
    const host = byCause.get(role.cause);
    const cause = verdict.causes[role.cause];
    if (!host || !cause || host.id === incident.id || beganBefore(book, incident, cause)) continue;
    book.absorbInto(host, incident, `${incident.anchor} suffers from ${cause.node}`);
    const current = book.live.get(host.id) ?? host;
    if (incident.openedAt < current.openedAt) book.put({ ...current, openedAt: incident.openedAt });
  }
}

/** What was unknown for us may have been so at any time; trouble that was there before the cause is not its symptom. */
function beganBefore(book: Book, incident: Incident, cause: Cause): boolean {
  if (incident.kind === "visibility") return false;
  const { evidence, settings } = book.input;
  const onset = onsetOf(evidence, cause);
  const settle = settings.settle ?? Math.max(settleOf(evidence.map, incident.anchor), settleOf(evidence.map, cause.node));
  return incident.openedAt + settle < (onset.lastGood ?? onset.firstBad);
}
