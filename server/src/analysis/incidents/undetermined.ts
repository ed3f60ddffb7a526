import type { Incident, Verdict } from "../../domain/incident.ts";
import { isConfirmedBad, isFreshGood } from "../recovery.ts";
import { effectsOn, severityOf } from "../severity.ts";
import { type Book, listed } from "./book.ts";
import { withPeak } from "./peak.ts";

const CANDIDATES_AT_MOST = 10;

/** Confirmed trouble that no cause explains is told together, with the candidates. */
export function takeUndetermined(book: Book): void {
  const { verdict, evidence, frozen } = book.input;
  const left = verdict.unexplained.filter(({ node }) => isConfirmedBad(evidence, node));
  const known = book.unresolved().find(({ kind }) => kind === "undetermined");
  const first = left[0];
  if (!known && first && !frozen && !left.every(({ node }) => isStraggling(book, node))) {
    const incident = judged(book, book.blank("undetermined", first.node, book.sinceOf(first.node)), left);
    book.put(incident);
    book.say(incident, "opened", `${listed(left.map(({ node }) => node))} in trouble, no cause identified`);
  } else if (known && first) book.put(withPeak(book, known, judged(book, known, left)));
  else if (known && frozen) book.put({ ...known, unverifiedSince: known.unverifiedSince ?? book.now });
  else if (known) settle(book, known);
}

function isStraggling(book: Book, node: string): boolean {
  return book.unresolved().some(({ status, impacted }) => status === "recovering" && impacted.some((one) => one.node === node));
}

function judged(book: Book, incident: Incident, left: Verdict["unexplained"]): Incident {
  const { evidence, verdict, mapRevision } = book.input;
  const nodes = new Set(left.map(({ node }) => node));
  const since = new Map(incident.impacted.map((one) => [one.node, one.since]));
  const others = [...nodes].filter((node) => node !== incident.anchor);
  return {
    ...incident,
    severity: severityOf(evidence, verdict, nodes),
    candidates: left.flatMap((one) => one.candidates).slice(0, CANDIDATES_AT_MOST),
    impacted: others.map((node) => ({ node, since: book.sinceOf(node, since.get(node)) })),
    systems: effectsOn(evidence, verdict, nodes),
    unverifiedSince: null,
    mapRevision,
  };
}

/** Ends when all are fine again or have a cause; trouble from clearly before the cause found for it stays, unverified. */
function settle(book: Book, incident: Incident): void {
  const { evidence, verdict } = book.input;
  const host = book.on(incident.anchor)[0];
  const nodes = [incident.anchor, ...incident.impacted.map(({ node }) => node)].filter((node) => evidence.map.nodes.has(node));
  const isOpen = (node: string): boolean => (node === incident.anchor ? host === undefined : !verdict.roles.has(node));
  if (nodes.some((node) => isOpen(node) && !isFreshGood(evidence, node)))
    book.put({ ...incident, unverifiedSince: incident.unverifiedSince ?? book.now });
  else if (host) book.absorbInto(host, incident, `a cause was found: ${host.anchor}`);
  else book.resolve(incident, "cleared", "cleared");
}
