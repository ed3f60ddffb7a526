import type { Cause, Incident } from "../../domain/incident.ts";
import type { Evidence } from "../../domain/snapshot.ts";
import { isUnheard } from "../hearing.ts";
import { isConfirmed, newestEvidence } from "../recovery.ts";
import { aboutToSuffer, effectsOn, hasJustEased, isWorse, severityOf } from "../severity.ts";
import type { Book } from "./book.ts";
import { headline, incidentsOfCauses, stoodAs } from "./identity.ts";
import { withPeak } from "./peak.ts";
import { isBetween, settleOf } from "./waits.ts";

/** Brings the incidents of known causes up to date, or reopens them; cause number → incident. */
export function updateCauses(book: Book): Map<number, Incident> {
  const { verdict, evidence } = book.input;
  const byCause = new Map<number, Incident>();
  incidentsOfCauses(book).forEach(({ known }, number) => {
    const cause = verdict.causes[number];
    if (!known || !cause) return;
    if (known.status === "recovering" && newestEvidence(evidence, cause, book.victims[number] ?? []) <= (known.recoveringAt ?? 0)) return;
    byCause.set(number, update(book, known, cause, number));
  });
  return byCause;
}

/** Opens incidents for confirmed causes that have none; after the recoveries, whose stragglers are no causes yet. */
export function openCauses(book: Book, byCause: Map<number, Incident>): void {
  const { verdict, evidence } = book.input;
  incidentsOfCauses(book).forEach(({ known, repeated }, number) => {
    const cause = verdict.causes[number];
    const victims = book.victims[number] ?? [];
    if (known || repeated || !cause || !isConfirmed(evidence, cause, victims)) return;
    if (belongsToRecovery(book, cause, victims) || isUnheard(evidence, cause)) return;
    byCause.set(number, open(book, cause, number));
  });
}

/**
 * A straggler of a cause that has just cleared or is about to, or evidence from before it did: no fault of its own yet.
 * A cause that is named no more while nothing says that it cleared is in between for as long as stragglers may take.
 */
function belongsToRecovery(book: Book, cause: Cause, victims: readonly string[]): boolean {
  const { verdict, evidence, frozen } = book.input;
  const named = new Set(verdict.causes.map(({ node }) => node));
  return book.unresolved().some((incident) => {
    const isVictim = isImpacted(incident, cause.node);
    if (frozen && isVictim) return true;
    if (isVictim && isBetween(incident, named, evidence.map, book.now)) return true;
    if (incident.status !== "recovering" || incident.recoveringAt === null) return false;
    if (isVictim) return true;
    const related = victims.some((node) => isImpacted(incident, node));
    return related && newestEvidence(evidence, cause, victims) <= incident.recoveringAt;
  });
}

function isImpacted({ impacted }: Incident, node: string): boolean {
  return impacted.some((one) => one.node === node);
}

function open(book: Book, cause: Cause, number: number): Incident {
  const kind = isAnnounced(book.input.evidence, cause.node) ? "maintenance" : "cause";
  const incident = judged(book, book.blank(kind, cause.node, beganAt(book, cause)), cause, number);
  book.put(incident);
  book.say(incident, "opened", `${headline(cause)} (${cause.level}, ${cause.confidence.toFixed(2)})`);
  sayImpacts(book, incident, []);
  return incident;
}

/**
 * The first sign of a cause: never from the time in which its node suffered from another one, since that one explained
 * it then.
 */
function beganAt(book: Book, cause: Cause): number {
  let began = cause.firstSeen;
  const latest = book.now - settleOf(book.input.evidence.map, cause.node);
  for (const incident of book.before.values()) {
    if (!isImpacted(incident, cause.node) || incident.end === "absorbed" || incident.kind === "undetermined") continue;
    began = Math.max(began, incident.recoveringAt ?? (incident.status === "resolved" ? began : latest));
  }
  return began;
}

/** The incident as this verdict sees its cause. */
function judged(book: Book, { unnamedSince: _, ...incident }: Incident, cause: Cause, number: number): Incident {
  const { evidence, verdict, mapRevision } = book.input;
  const atRisk = book.atRisk[number] ?? [];
  // Who came round and suffers again has done so since its first sign.
  const first = new Map((incident.peak ?? incident).impacted.map((one) => [one.node, one.since]));
  const impacted = (book.victims[number] ?? []).map((node) => {
    const known = first.get(node);
    const since = book.sinceOf(node, known);
    return { node, since: Math.min(since, known ?? since) };
  });
  const nodes = new Set([cause.node, ...impacted.map(({ node }) => node)]);
  const soon = new Set([...nodes, ...aboutToSuffer(evidence, atRisk)]);
  const maintenance = isAnnounced(evidence, cause.node);
  return {
    ...incident,
    kind: maintenance ? "maintenance" : "cause",
    severity: maintenance ? "info" : severityOf(evidence, verdict, soon),
    cause: { ...cause, stood: stoodAs(evidence, cause, incident.cause) },
    candidates: [],
    impacted,
    atRisk,
    systems: effectsOn(evidence, verdict, nodes),
    unverifiedSince: null,
    mapRevision,
  };
}

function update(book: Book, known: Incident, cause: Cause, number: number): Incident {
  const { evidence, verdict } = book.input;
  let next = judged(book, known, cause, number);
  if (next.kind === "cause" && isWorse(known, next) && hasJustEased(evidence, verdict, known)) next = { ...next, severity: known.severity };
  if (known.status === "recovering") {
    next = { ...next, status: "open", recoveringAt: null };
    book.say(next, "reopened", `${cause.node} is in trouble again`);
  }
  if (known.kind === "maintenance" && next.kind === "cause")
    book.say(next, "severity", `the announced work on ${cause.node} is over and the trouble is not`);
  else if (known.severity !== next.severity) book.say(next, "severity", `${known.severity} → ${next.severity}`);
  if (!known.cause || headline(known.cause) !== headline(cause))
    book.say(next, "cause", `${headline(cause)} (${cause.level}, ${cause.confidence.toFixed(2)})`);
  else if (known.cause.level !== cause.level) book.say(next, "level", `the cause is now ${cause.level} (${cause.confidence.toFixed(2)})`);
  sayImpacts(book, next, known.impacted);
  next = withPeak(book, known, next);
  book.put(next);
  return next;
}

/** Tells of each that suffers now and did not before. */
function sayImpacts(book: Book, incident: Incident, before: Incident["impacted"]): void {
  const known = new Set(before.map(({ node }) => node));
  for (const { node } of incident.impacted) if (!known.has(node)) book.say(incident, "impact", `${node} suffers from it`, node);
}

function isAnnounced({ map, now }: Evidence, node: string): boolean {
  return map.maintenance.some(({ nodes, from, to }) => from <= now && now < to && nodes.includes(node));
}
