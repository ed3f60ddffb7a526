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
    if (!host || !cause || host.id === incident.id) continue;
    // What was unknown for us may have been so at any time.
    if (incident.kind !== "visibility" && beganBefore(book, { node: incident.anchor, at: incident.openedAt }, cause)) continue;
    book.absorbInto(host, incident, `${incident.anchor} suffers from ${cause.node}`);
    const current = book.live.get(host.id) ?? host;
    if (incident.openedAt < current.openedAt) book.put({ ...current, openedAt: incident.openedAt });
  }
}

/** Trouble of a node that was clearly there before a cause is not its symptom. */
export function beganBefore(book: Book, trouble: { node: string; at: number }, cause: Cause): boolean {
  const { evidence, settings } = book.input;
  const onset = onsetOf(evidence, cause);
  const settle = settings.settle ?? Math.max(settleOf(evidence.map, trouble.node), settleOf(evidence.map, cause.node));
  return trouble.at + settle < (onset.lastGood ?? onset.firstBad);
}
