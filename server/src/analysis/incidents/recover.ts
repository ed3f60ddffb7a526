import type { Cause, Incident } from "../../domain/incident.ts";
import { hasCleared, isFreshGood, stillWhy } from "../recovery.ts";
import { type Book, listed } from "./book.ts";
import { stoodAs } from "./identity.ts";
import { withHeldPeak } from "./peak.ts";
import { stragglerWait } from "./waits.ts";

/** What the verdict names no more clears on fresh evidence; what has cleared waits for its stragglers and resolves. */
export function recover(book: Book, byCause: ReadonlyMap<number, Incident>): void {
  const current = new Set([...byCause.values()].map(({ id }) => id));
  for (const incident of book.unresolved()) {
    if (incident.kind === "visibility" || incident.kind === "undetermined" || current.has(incident.id)) continue;
    if (incident.status === "recovering") finish(book, incident);
    else clear(book, incident, current);
  }
}

function clear(book: Book, incident: Incident, current: ReadonlySet<number>): void {
  const { verdict, evidence, frozen } = book.input;
  // A symptom whose cause has turned up is no longer a cause, and yet not fine again: it is absorbed.
  if (verdict.roles.get(incident.anchor)?.role === "impacted" && !incident.cause?.link) return;
  const beside = book.on(incident.anchor).some(({ id }) => current.has(id));
  const { unnamedSince = book.now, ...named } = incident;
  // Who cannot reach it by a fault of its own does not speak of it.
  const apart = new Set(verdict.causes.flatMap(({ link }) => (link?.to === incident.anchor ? [link.from] : [])));
  const cleared = frozen ? null : hasCleared(evidence, incident, beside, apart);
  if (cleared !== true) {
    const next = { ...named, unnamedSince, unverifiedSince: cleared === null ? (incident.unverifiedSince ?? book.now) : null };
    book.put(cleared === false && incident.cause ? unnamed(book, next, incident.cause) : next);
    return;
  }
  const next: Incident = {
    ...named,
    // What it was at its worst, as it stays once it is over.
    ...(incident.peak && { cause: incident.peak.cause, candidates: incident.peak.candidates }),
    status: "recovering",
    recoveringAt: book.now,
    unverifiedSince: null,
    atRisk: [],
  };
  const waiting = stragglers(book, next);
  const over =
    beside && incident.cause?.link ? `${incident.anchor} can use ${incident.cause.link.to} again` : `${incident.anchor} is fine again`;
  book.say(next, "recovering", waiting.length > 0 ? `${over}; waiting for ${listed(waiting)}` : over);
  book.put(next);
  finish(book, next);
}

/** Still bad, though nothing is explained by it any more: what is said of it is what is seen now; what it was is kept. */
function unnamed(book: Book, incident: Incident, cause: Cause): Incident {
  const { evidence } = book.input;
  const why = stillWhy(evidence, cause);
  if (why.join() === cause.why.join()) return incident;
  const { runnerUp: _, decidedBy: __, stood: ___, ...rest } = cause;
  const now: Cause = { ...rest, why, against: [] };
  return withHeldPeak({ ...incident, cause: { ...now, stood: stoodAs(evidence, now, null) } }, incident);
}

/** Victims without a fresh good result since the recovery, that no other cause explains. */
function stragglers(book: Book, incident: Incident): string[] {
  const { evidence, verdict } = book.input;
  return incident.impacted.flatMap(({ node }) => {
    const state = evidence.state.nodes.get(node);
    if (!state || !evidence.map.nodes.has(node)) return [];
    const role = verdict.roles.get(node);
    const others = role?.role === "impacted" ? book.on(verdict.causes[role.cause]?.node ?? "") : [];
    if (others.some(({ id }) => id !== incident.id)) return [];
    const polled = evidence.map.nodes.get(node)?.kind === "service" && state.coverage !== null;
    const fresh = !polled || (state.lastChecked ?? 0) >= (incident.recoveringAt ?? 0);
    return isFreshGood(evidence, node) && fresh ? [] : [node];
  });
}

function finish(book: Book, incident: Incident): void {
  if (book.input.frozen) return;
  const waiting = stragglers(book, incident);
  const over = book.now >= (incident.recoveringAt ?? book.now) + stragglerWait(book.input.evidence.map, incident);
  if (waiting.length > 0 && !over) return;
  const text =
    waiting.length > 0 ? `cleared; ${listed(waiting)} did not recover with it` : "cleared, and all that suffered from it is fine again";
  book.resolve(incident, "cleared", text);
}
