import { isWorse } from "../severity.ts";
import type { Book } from "./book.ts";

/** An acknowledgement ends when its time is over or when the incident gets worse. */
export function expireAcks(book: Book): void {
  for (const incident of book.unresolved()) {
    if (!incident.acked) continue;
    const known = book.before.get(incident.id);
    const worse = known?.kind === incident.kind && isWorse(incident, known);
    const over = incident.acked.until !== null && incident.acked.until <= book.now;
    if (!worse && !over) continue;
    book.say(incident, "unack", worse ? "it got worse" : "the acknowledgement has run out");
    book.put({ ...incident, acked: null });
  }
}
