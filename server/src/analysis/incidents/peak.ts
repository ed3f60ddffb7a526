import { type Incident, type Peak, SEVERITIES } from "../../domain/incident.ts";
import { compareStatus } from "../../domain/status.ts";
import { isBad } from "../facts.ts";
import type { Effects } from "../severity.ts";
import { beganBefore } from "./absorb.ts";
import type { Book } from "./book.ts";
import { headline } from "./identity.ts";

/** So many that suffer no more are kept. */
const EASED_AT_MOST = 10_000;

/**
 * The incident as it is judged now, with what it was at its worst. A cause that mends slowly shows less and less of itself:
 * such a judgement is not to replace the one of the outage, as one that explains the same trouble otherwise is.
 */
export function withPeak(book: Book, known: Incident, { peak: _, ...next }: Incident): Incident {
  if (known.kind !== next.kind) return next;
  const before = peakOf(known);
  const current = new Set(next.impacted.map(({ node }) => node));
  const left = known.impacted.filter(({ node }) => !current.has(node));
  const taken = new Set(left.filter((victim) => wasAnothers(book, victim)).map(({ node }) => node));
  const isAnew = taken.size > 0 || isOtherFault(book, known, next, left);
  const now: Peak = { ...next, explained: next.impacted.length };
  const worst = !isAnew && tellsMore(before, now) ? before : now;
  const since = new Map(before.impacted.map((one) => [one.node, one.since]));
  const eased = before.impacted.filter(({ node }) => !current.has(node) && !taken.has(node)).slice(0, EASED_AT_MOST);
  const peak: Peak = {
    severity: SEVERITIES.find((severity) => severity === before.severity || severity === next.severity) ?? next.severity,
    cause: worst.cause,
    candidates: worst.candidates,
    mapRevision: worst.mapRevision,
    explained: worst.explained,
    impacted: [...next.impacted.map(({ node, since: at }) => ({ node, since: Math.min(at, since.get(node) ?? at) })), ...eased],
    systems: worstOf(before.systems, next.systems),
  };
  return isMore(peak, next) ? { ...next, peak } : next;
}

/** The incident with what it was before as its peak, where it has none that is worse. */
export function withHeldPeak(next: Incident, known: Incident): Incident {
  return { ...next, peak: peakOf(known) };
}

/** An incident at its worst, which it is now where it keeps no other. */
function peakOf({ peak, severity, cause, candidates, impacted, systems, mapRevision }: Incident): Peak {
  return peak ?? { severity, cause, candidates, impacted, systems, mapRevision, explained: impacted.length };
}

/** It suffers from another cause, which may have been there when its trouble began: a second fault later takes nothing back. */
function wasAnothers(book: Book, { node, since }: Incident["impacted"][number]): boolean {
  const { verdict } = book.input;
  const role = verdict.roles.get(node);
  const cause = role?.role === "impacted" ? verdict.causes[role.cause] : undefined;
  return cause !== undefined && !beganBefore(book, { node, at: since }, cause);
}

/** Another fault on the same node is named, and what it explains no more is still in trouble, and not coming round as it mends. */
function isOtherFault({ input }: Book, known: Incident, next: Incident, left: Incident["impacted"]): boolean {
  if (!known.cause || !next.cause || headline(known.cause) === headline(next.cause)) return false;
  return left.some(({ node }) => {
    const { status, pending } = input.evidence.state.nodes.get(node) ?? {};
    return isBad(status) && pending?.status !== "healthy";
  });
}

/**
 * A worse fault tells more than a milder one, then one from which more suffer, then the surer judgement; without a cause,
 * the one with more candidates. Of two alike the one with more to say: evidence loses its details before it is gone.
 */
function tellsMore(one: Peak, other: Peak): boolean {
  if (!one.cause || !other.cause) return one.cause !== null || (!other.cause && one.candidates.length > other.candidates.length);
  if (one.cause.severity !== other.cause.severity) return one.cause.severity === "unhealthy";
  if (one.explained !== other.explained) return one.explained > other.explained;
  if (one.cause.confidence !== other.cause.confidence) return one.cause.confidence > other.cause.confidence;
  return one.cause.why.join().length > other.cause.why.join().length;
}

function worstOf(before: Effects, now: Effects): Effects {
  const worst = new Map(now.map(({ id, effect }) => [id, effect]));
  for (const { id, effect } of before) if (compareStatus(effect, worst.get(id) ?? "healthy") > 0) worst.set(id, effect);
  return [...worst].map(([id, effect]) => ({ id, effect }));
}

function isMore(peak: Peak, next: Incident): boolean {
  const sooner = new Map(next.impacted.map((one) => [one.node, one.since]));
  const worse = new Map(next.systems.map((one) => [one.id, one.effect]));
  return (
    peak.cause !== next.cause ||
    peak.candidates !== next.candidates ||
    peak.severity !== next.severity ||
    peak.impacted.some(({ node, since }) => sooner.get(node) !== since) ||
    peak.systems.some(({ id, effect }) => worse.get(id) !== effect)
  );
}
