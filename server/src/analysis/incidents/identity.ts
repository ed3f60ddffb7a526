import { datedBy } from "../../domain/clock.ts";
import { type Cause, type Incident, type Peak, renameIn, type Stood, withMoments } from "../../domain/incident.ts";
import { isPolled } from "../../domain/map.ts";
import type { Evidence } from "../../domain/snapshot.ts";
import type { Book } from "./book.ts";

/** What is broken, apart from the node: a link by its target, an instance, a zone; empty for the node itself. */
function faultOf(cause: Cause | null): string {
  if (cause?.link) return `link ${cause.link.to}`;
  if (cause?.instance) return `instance ${cause.instance}`;
  return cause?.zone ? `zone ${cause.zone}` : "";
}

/** Another link is another fault; all else on one node is the same trouble, seen better or worse. */
function mayBeSame(cause: Cause, known: Cause | null): boolean {
  return !(cause.link && known?.link);
}

/**
 * The incident of each cause, by its number: that of the same fault, else one on the same node whose fault is no longer
 * named by itself. No incident stands for two causes. `repeated`: a cause before it names the very same fault.
 */
export function incidentsOfCauses(book: Book): { known: Incident | undefined; repeated: boolean }[] {
  const { causes } = book.input.verdict;
  const taken = new Set<number>();
  const take = (incident: Incident | undefined): Incident | undefined => {
    if (incident) taken.add(incident.id);
    return incident;
  };
  const seen = new Set<string>();
  const found = causes.map((cause) => {
    const key = `${cause.node} ${faultOf(cause)}`;
    const repeated = seen.has(key);
    seen.add(key);
    const free = repeated ? [] : book.on(cause.node).filter(({ id }) => !taken.has(id));
    return { known: take(free.find((incident) => faultOf(incident.cause) === faultOf(cause))), repeated };
  });
  return found.map(({ known, repeated }, number) => {
    const cause = causes[number];
    if (known || repeated || !cause) return { known, repeated };
    return { known: take(book.on(cause.node).find(({ id, cause: old }) => !taken.has(id) && mayBeSame(cause, old))), repeated };
  });
}

/** The cause in a few words: what, and for a local fault between whom. */
export function headline(cause: Cause): string {
  if (cause.link) return `${cause.link.from} cannot use ${cause.link.to}`;
  if (cause.instance) return `instance ${cause.instance} of ${cause.node}`;
  return cause.zone ? `zone ${cause.zone}` : cause.node;
}

/**
 * How its node stands. While all else that is said of it stays the same, so does this: words that differ from poll to
 * poll are no new judgement.
 */
export function stoodAs({ map, state }: Evidence, cause: Cause, before: Cause | null): Stood {
  const same = before?.node === cause.node && before.level === cause.level && before.why.join() === cause.why.join();
  if (same && before.stood) return before.stood;
  const { status = "unknown", reason = null } = state.nodes.get(cause.node) ?? {};
  const declared = map.nodes.get(cause.node);
  return { status, reason, every: isPolled(declared) ? declared.interval : null };
}

export function followRenames(book: Book): void {
  const { nodes } = book.input.evidence.map;
  const renames = [...nodes.values()].flatMap(({ id, renamedFrom }) =>
    renamedFrom !== null && !nodes.has(renamedFrom) ? [{ from: renamedFrom, to: id }] : [],
  );
  for (const { from, to } of renames)
    for (const incident of book.live.values()) if (touches(incident, from)) book.put(renameIn(incident, from, to));
}

/**
 * What lies in the future was dated by a clock that has been set back: it was so by now at the latest. So it is with what
 * a clock dated that was not set yet, once it is. A recovery in the future would wait for evidence that never comes.
 */
export function followClock(book: Book): void {
  const { now } = book;
  for (const incident of book.unresolved()) {
    let wrong = false;
    const dated = withMoments(incident, (at) => {
      const moment = datedBy(now, at);
      wrong ||= moment !== at;
      return moment;
    });
    // Also by a clock that is not set itself.
    const early = dated.recoveringAt !== null && dated.recoveringAt > now;
    if (wrong || early) book.put(early ? { ...dated, recoveringAt: now } : dated);
  }
}

export function dropRemoved(book: Book): void {
  for (const incident of book.unresolved())
    if (!book.input.evidence.map.nodes.has(incident.anchor)) book.resolve(incident, "removed_from_map", `${incident.anchor} left the map`);
}

function touches(incident: Incident, id: string): boolean {
  const { anchor, atRisk, peak } = incident;
  return anchor === id || atRisk.includes(id) || names(incident, id) || (peak !== undefined && names(peak, id));
}

function names({ cause, candidates, impacted }: Omit<Peak, "explained">, id: string): boolean {
  return (
    cause?.node === id ||
    cause?.link?.from === id ||
    cause?.link?.to === id ||
    cause?.runnerUp?.node === id ||
    [...impacted, ...candidates].some(({ node }) => node === id)
  );
}
