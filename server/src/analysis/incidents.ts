import { type Cause, type Incident, type IncidentEvent, type IncidentEventKind, renameIn, type Verdict } from "../domain/incident.ts";
import type { SystemMap } from "../domain/map.ts";
import type { Evidence } from "../domain/snapshot.ts";
import { isUnheard } from "./hearing.ts";
import { hasCleared, isConfirmed, isConfirmedBad, isFreshGood, newestEvidence, onsetOf } from "./recovery.ts";
import { aboutToSuffer, effectsOn, hasJustEased, severityOf } from "./severity.ts";

/** Stragglers are waited for at least this long after their cause has cleared. */
const STRAGGLER_WAIT = 180_000;
/** A hard system member is unknown for at least this long before that is an incident. */
const UNREACHABLE_AFTER = 120_000;
const CANDIDATES_AT_MOST = 10;

export interface Advance {
  incidents: readonly Incident[];
  verdict: Verdict;
  evidence: Evidence;
  mapRevision: number;
  nextId: number;
  /** Milliseconds; null: worked out from the intervals. */
  settings: { settle: number | null; unreachableAfter: number | null };
  /** Blind, stale, starting or draining: nothing is resolved, and nothing opens for what cannot be seen. */
  frozen: boolean;
}

export interface Advanced {
  incidents: readonly Incident[];
  changed: readonly Incident[];
  events: readonly IncidentEvent[];
  nextId: number;
}

/**
 * One step in the life of all incidents: 1. what left the map ends; 2. known causes update or reopen theirs; 3. what
 * has cleared recovers and then resolves, on fresh evidence only; 4. new causes open theirs, and symptoms are absorbed; 5. trouble without a cause, and
 * lasting silence of what a system needs, get incidents of their own.
 */
export function advance(input: Advance): Advanced {
  const book = new Book(input);
  book.followRenames();
  book.followClock();
  book.dropRemoved();
  const byCause = book.updateCauses();
  book.recover(byCause);
  book.openCauses(byCause);
  book.absorb(byCause);
  book.takeUndetermined();
  book.takeInvisible();
  book.expireAcks();
  return book.close();
}

/** The incidents while one step is worked out; nothing of it outlives the call. */
class Book {
  readonly input: Advance;
  readonly now: number;
  readonly before: ReadonlyMap<number, Incident>;
  readonly live = new Map<number, Incident>();
  readonly events: IncidentEvent[] = [];
  nextId: number;
  /** Impacted nodes by the number of their cause. */
  readonly victims: string[][];
  readonly atRisk: string[][];

  constructor(input: Advance) {
    this.input = input;
    this.now = input.evidence.now;
    this.before = new Map(input.incidents.map((incident) => [incident.id, incident]));
    for (const incident of input.incidents) this.live.set(incident.id, incident);
    this.nextId = input.nextId;
    this.victims = input.verdict.causes.map(() => []);
    this.atRisk = input.verdict.causes.map(() => []);
    for (const [node, { role, cause }] of input.verdict.roles) {
      if (role === "impacted") this.victims[cause]?.push(node);
      else if (role === "at_risk") this.atRisk[cause]?.push(node);
    }
  }

  unresolved(): Incident[] {
    return [...this.live.values()].filter(({ status }) => status !== "resolved");
  }

  put(incident: Incident): void {
    this.live.set(incident.id, incident);
  }

  say(incident: Incident, kind: IncidentEventKind, text: string, node: string | null = incident.anchor): void {
    this.events.push({ incident: incident.id, at: this.now, kind, node, text, by: null });
  }

  followRenames(): void {
    const { nodes } = this.input.evidence.map;
    const renames = [...nodes.values()].flatMap(({ id, renamedFrom }) =>
      renamedFrom !== null && !nodes.has(renamedFrom) ? [{ from: renamedFrom, to: id }] : [],
    );
    for (const { from, to } of renames)
      for (const incident of this.live.values()) if (touches(incident, from)) this.put(renameIn(incident, from, to));
  }

  /** A recovery that lies in the future was dated by a clock that has been set back: nothing would ever be fresh after it. */
  followClock(): void {
    for (const incident of this.unresolved())
      if ((incident.recoveringAt ?? 0) > this.now) this.put({ ...incident, recoveringAt: this.now });
  }

  dropRemoved(): void {
    for (const incident of this.unresolved()) {
      if (this.input.evidence.map.nodes.has(incident.anchor)) continue;
      this.put({ ...incident, status: "resolved", resolvedAt: this.now, end: "removed_from_map", unverifiedSince: null });
      this.say(incident, "resolved", `${incident.anchor} left the map`);
    }
  }

  /** Brings the incidents of known causes up to date, or reopens them; cause number → incident. */
  updateCauses(): Map<number, Incident> {
    const { verdict, evidence } = this.input;
    const byCause = new Map<number, Incident>();
    const taken = new Set<string>();
    verdict.causes.forEach((cause, number) => {
      const known = this.onCause(cause.node);
      if (!known || taken.has(cause.node)) return;
      taken.add(cause.node);
      if (known.status === "recovering" && newestEvidence(evidence, cause, this.victims[number] ?? []) <= (known.recoveringAt ?? 0)) return;
      byCause.set(number, this.update(known, cause, number));
    });
    return byCause;
  }

  /** Opens incidents for confirmed causes that have none; after the recoveries, whose stragglers are no causes yet. */
  openCauses(byCause: Map<number, Incident>): void {
    const { verdict, evidence } = this.input;
    verdict.causes.forEach((cause, number) => {
      const victims = this.victims[number] ?? [];
      if (this.onCause(cause.node) || !isConfirmed(evidence, cause, victims) || this.belongsToRecovery(cause, victims)) return;
      if (isUnheard(evidence, cause)) return;
      byCause.set(number, this.open(cause, number));
    });
  }

  onCause(node: string): Incident | undefined {
    return this.unresolved().find(({ anchor, kind }) => anchor === node && (kind === "cause" || kind === "maintenance"));
  }

  /**
   * A straggler of a cause that has just cleared or is about to, or evidence from before it did: no fault of its own yet.
   * A cause that is named no more while nothing says that it cleared is in between for as long as stragglers may take.
   */
  belongsToRecovery(cause: Cause, victims: readonly string[]): boolean {
    const named = new Set(this.input.verdict.causes.map(({ node }) => node));
    return this.unresolved().some((incident) => {
      const isVictim = incident.impacted.some(({ node }) => node === cause.node);
      if (this.input.frozen && isVictim) return true;
      const between = incident.status === "open" && incident.cause !== null && !named.has(incident.anchor);
      const unverifiedFor = this.now - (incident.unverifiedSince ?? this.now);
      if (isVictim && between && unverifiedFor < stragglerWait(this.input.evidence.map, incident)) return true;
      if (incident.status !== "recovering" || incident.recoveringAt === null) return false;
      if (isVictim) return true;
      const related = victims.some((node) => incident.impacted.some((one) => one.node === node));
      return related && newestEvidence(this.input.evidence, cause, victims) <= incident.recoveringAt;
    });
  }

  open(cause: Cause, number: number): Incident {
    const maintenance = isAnnounced(this.input.evidence, cause.node);
    const incident = this.judged(this.blank(maintenance ? "maintenance" : "cause", cause.node, cause.firstSeen), cause, number);
    this.put(incident);
    this.say(incident, "opened", `${headline(cause)} (${cause.level}, ${cause.confidence.toFixed(2)})`);
    return incident;
  }

  blank(kind: Incident["kind"], anchor: string, openedAt: number): Incident {
    return {
      id: this.nextId++,
      kind,
      status: "open",
      severity: "info",
      anchor,
      openedAt: Math.min(openedAt, this.now),
      detectedAt: this.now,
      recoveringAt: null,
      resolvedAt: null,
      end: null,
      absorbedBy: null,
      unverifiedSince: null,
      cause: null,
      candidates: [],
      impacted: [],
      atRisk: [],
      systems: [],
      acked: null,
      mapRevision: this.input.mapRevision,
    };
  }

  /** The incident as this verdict sees its cause. */
  judged(incident: Incident, cause: Cause, number: number): Incident {
    const { evidence, verdict, mapRevision } = this.input;
    const since = new Map(incident.impacted.map((one) => [one.node, one.since]));
    const impacted = (this.victims[number] ?? []).map((node) => ({ node, since: this.sinceOf(node, since.get(node)) }));
    const nodes = new Set([cause.node, ...impacted.map(({ node }) => node)]);
    const soon = new Set([...nodes, ...aboutToSuffer(evidence, this.atRisk[number] ?? [])]);
    const systems = effectsOn(evidence, verdict, nodes);
    const maintenance = isAnnounced(evidence, cause.node);
    return {
      ...incident,
      kind: maintenance ? "maintenance" : "cause",
      severity: maintenance ? "info" : severityOf(evidence, verdict, soon),
      cause,
      candidates: [],
      impacted,
      atRisk: this.atRisk[number] ?? [],
      systems,
      unverifiedSince: null,
      mapRevision,
    };
  }

  /** Since when a node suffers: its first bad result, else as was said before, else now: it is still fine by its own word. */
  sinceOf(node: string, before?: number): number {
    const state = this.input.evidence.state.nodes.get(node);
    const troubled = state?.status === "unhealthy" || state?.status === "degraded";
    return state?.window?.firstBad ?? before ?? (troubled ? state.since : this.now);
  }

  update(known: Incident, cause: Cause, number: number): Incident {
    let next = this.judged(known, cause, number);
    if (next.kind === "cause" && severityRank(next) < severityRank(known) && hasJustEased(this.input.evidence, this.input.verdict))
      next = { ...next, severity: known.severity };
    if (known.status === "recovering") {
      next = { ...next, status: "open", recoveringAt: null };
      this.say(next, "reopened", `${cause.node} is in trouble again`);
    }
    if (known.kind === "maintenance" && next.kind === "cause")
      this.say(next, "severity", `the announced work on ${cause.node} is over and the trouble is not`);
    else if (known.severity !== next.severity) this.say(next, "severity", `${known.severity} → ${next.severity}`);
    if (!known.cause || headline(known.cause) !== headline(cause) || known.cause.level !== cause.level) {
      this.say(next, "cause", `${headline(cause)} (${cause.level}, ${cause.confidence.toFixed(2)})`);
    }
    const before = new Set(known.impacted.map(({ node }) => node));
    for (const { node } of next.impacted) if (!before.has(node)) this.say(next, "impact", `${node} suffers from it`, node);
    this.put(next);
    return next;
  }

  /** An acknowledgement ends when its time is over or when the incident gets worse. */
  expireAcks(): void {
    for (const incident of this.unresolved()) {
      if (!incident.acked) continue;
      const known = this.before.get(incident.id);
      const worse = known?.kind === incident.kind && severityRank(incident) > severityRank(known);
      const over = incident.acked.until !== null && incident.acked.until <= this.now;
      if (!worse && !over) continue;
      this.say(incident, "unack", worse ? "it got worse" : "the acknowledgement has run out");
      this.put({ ...incident, acked: null });
    }
  }

  /** A symptom's incident goes into that of its cause, unless it began clearly before. */
  absorb(byCause: ReadonlyMap<number, Incident>): void {
    const { verdict, evidence, settings } = this.input;
    for (const incident of this.unresolved()) {
      const role = verdict.roles.get(incident.anchor);
      if (role?.role !== "impacted") continue;
      const host = byCause.get(role.cause);
      const cause = verdict.causes[role.cause];
      if (!host || !cause || host.id === incident.id) continue;
      const onset = onsetOf(evidence, cause);
      const settle = settings.settle ?? Math.max(settleOf(evidence.map, incident.anchor), settleOf(evidence.map, cause.node));
      if (incident.kind === "cause" && incident.openedAt + settle < (onset.lastGood ?? onset.firstBad)) continue;
      this.put({ ...incident, status: "resolved", resolvedAt: this.now, end: "absorbed", absorbedBy: host.id, unverifiedSince: null });
      this.say(incident, "absorbed", `${incident.anchor} suffers from ${cause.node}`);
      const current = this.live.get(host.id) ?? host;
      if (incident.openedAt < current.openedAt) this.put({ ...current, openedAt: incident.openedAt });
    }
  }

  recover(byCause: ReadonlyMap<number, Incident>): void {
    const current = new Set([...byCause.values()].map(({ id }) => id));
    for (const incident of this.unresolved()) {
      if (incident.kind === "visibility" || incident.kind === "undetermined" || current.has(incident.id)) continue;
      if (incident.status === "recovering") this.finish(incident);
      else this.clear(incident);
    }
  }

  clear(incident: Incident): void {
    // A symptom whose cause has turned up is no longer a cause, and yet not fine again: it is absorbed.
    if (this.input.verdict.roles.get(incident.anchor)?.role === "impacted" && !incident.cause?.link) return;
    const cleared = this.input.frozen ? null : hasCleared(this.input.evidence, incident);
    if (cleared === true) {
      const next: Incident = { ...incident, status: "recovering", recoveringAt: this.now, unverifiedSince: null, atRisk: [] };
      const waiting = this.stragglers(next);
      this.say(
        next,
        "recovering",
        waiting.length > 0 ? `${incident.anchor} is fine again; waiting for ${listed(waiting)}` : `${incident.anchor} is fine again`,
      );
      this.put(next);
      this.finish(next);
      return;
    }
    const unverifiedSince = cleared === null ? (incident.unverifiedSince ?? this.now) : null;
    this.put({ ...incident, unverifiedSince });
  }

  /** Victims without a fresh good result since the recovery, that no other cause explains. */
  stragglers(incident: Incident): string[] {
    const { evidence, verdict } = this.input;
    return incident.impacted.flatMap(({ node }) => {
      const state = evidence.state.nodes.get(node);
      if (!state || !evidence.map.nodes.has(node)) return [];
      const role = verdict.roles.get(node);
      const other = role?.role === "impacted" ? this.onCause(verdict.causes[role.cause]?.node ?? "") : undefined;
      if (other && other.id !== incident.id) return [];
      const polled = evidence.map.nodes.get(node)?.kind === "service" && state.coverage !== null;
      const fresh = !polled || (state.lastChecked ?? 0) >= (incident.recoveringAt ?? 0);
      return isFreshGood(evidence, node) && fresh ? [] : [node];
    });
  }

  finish(incident: Incident): void {
    if (this.input.frozen) return;
    const waiting = this.stragglers(incident);
    const over = this.now >= (incident.recoveringAt ?? this.now) + stragglerWait(this.input.evidence.map, incident);
    if (waiting.length > 0 && !over) return;
    this.put({ ...incident, status: "resolved", resolvedAt: this.now, end: "cleared", unverifiedSince: null });
    this.say(
      incident,
      "resolved",
      waiting.length > 0 ? `cleared; ${listed(waiting)} did not recover with it` : "cleared, and all that suffered from it is fine again",
    );
  }

  /** Confirmed trouble that no cause explains is told together, with the candidates. */
  takeUndetermined(): void {
    const { verdict, evidence, frozen } = this.input;
    const left = verdict.unexplained.filter(({ node }) => isConfirmedBad(evidence, node));
    const candidates = left.flatMap((one) => one.candidates).slice(0, CANDIDATES_AT_MOST);
    const known = this.unresolved().find(({ kind }) => kind === "undetermined");
    const first = left[0];
    if (!known && first && !frozen && !left.every(({ node }) => this.isStraggling(node))) {
      const incident = this.undetermined(this.blank("undetermined", first.node, this.sinceOf(first.node)), left, candidates);
      this.put(incident);
      this.say(incident, "opened", `${listed(left.map(({ node }) => node))} in trouble, no cause identified`);
    } else if (known && first) this.put(this.undetermined(known, left, candidates));
    else if (known && frozen) this.put({ ...known, unverifiedSince: known.unverifiedSince ?? this.now });
    else if (known) this.settleUndetermined(known);
  }

  isStraggling(node: string): boolean {
    return this.unresolved().some(({ status, impacted }) => status === "recovering" && impacted.some((one) => one.node === node));
  }

  undetermined(incident: Incident, left: Verdict["unexplained"], candidates: Incident["candidates"]): Incident {
    const { evidence, verdict, mapRevision } = this.input;
    const nodes = new Set(left.map(({ node }) => node));
    const systems = effectsOn(evidence, verdict, nodes);
    const since = new Map(incident.impacted.map((one) => [one.node, one.since]));
    const impacted = [...nodes]
      .filter((node) => node !== incident.anchor)
      .map((node) => ({ node, since: this.sinceOf(node, since.get(node)) }));
    return {
      ...incident,
      severity: severityOf(evidence, verdict, nodes),
      candidates,
      impacted,
      systems,
      unverifiedSince: null,
      mapRevision,
    };
  }

  settleUndetermined(incident: Incident): void {
    const { evidence, verdict } = this.input;
    const nodes = [incident.anchor, ...incident.impacted.map(({ node }) => node)].filter((node) => evidence.map.nodes.has(node));
    const open = nodes.filter((node) => !isFreshGood(evidence, node) && !verdict.roles.has(node));
    const host = this.unresolved().find(({ kind, anchor }) => kind === "cause" && anchor === incident.anchor);
    if (open.length > 0) this.put({ ...incident, unverifiedSince: incident.unverifiedSince ?? this.now });
    else if (host) {
      this.put({ ...incident, status: "resolved", resolvedAt: this.now, end: "absorbed", absorbedBy: host.id, unverifiedSince: null });
      this.say(incident, "absorbed", `a cause was found: ${host.anchor}`);
    } else {
      this.put({ ...incident, status: "resolved", resolvedAt: this.now, end: "cleared", unverifiedSince: null });
      this.say(incident, "resolved", "cleared");
    }
  }

  /** Hard members of systems that have been unknown too long, although we can see. */
  takeInvisible(): void {
    const { evidence, verdict, frozen, settings } = this.input;
    if (frozen || verdict.blind) return;
    const wanted = new Set<string>();
    for (const system of evidence.map.systems.values())
      for (const { node, criticality } of system.members) if (criticality === "hard") wanted.add(node);
    for (const node of wanted) {
      const state = evidence.state.nodes.get(node);
      const known = this.unresolved().find(({ kind, anchor }) => kind === "visibility" && anchor === node);
      const hidden = state?.status === "unknown" && state.since > 0 && !hasTroubleRole(verdict, node);
      const limit = settings.unreachableAfter ?? Math.max(UNREACHABLE_AFTER, 5 * intervalOf(evidence.map, node));
      if (!known && hidden && state && this.now - state.since >= limit && !this.unresolved().some(({ anchor }) => anchor === node)) {
        const systems = effectsOn(evidence, verdict, new Set([node]));
        const incident: Incident = { ...this.blank("visibility", node, state.since), severity: "ticket", systems };
        this.put(incident);
        this.say(incident, "opened", `${node} is unknown${state.reason ? `: ${state.reason}` : ""}`);
      }
    }
    for (const incident of this.unresolved()) {
      if (incident.kind !== "visibility") continue;
      const state = evidence.state.nodes.get(incident.anchor);
      if (state?.status === "unknown" && wanted.has(incident.anchor)) continue;
      this.put({ ...incident, status: "resolved", resolvedAt: this.now, end: "cleared" });
      this.say(incident, "resolved", state?.status === "unknown" ? "no system needs it any more" : `${incident.anchor} answers again`);
    }
  }

  close(): Advanced {
    const incidents = [...this.live.values()];
    const changed = incidents.filter((incident) => {
      const old = this.before.get(incident.id);
      return old !== incident && (old === undefined || JSON.stringify(old) !== JSON.stringify(incident));
    });
    return { incidents, changed, events: this.events, nextId: this.nextId };
  }
}

function hasTroubleRole(verdict: Verdict, node: string): boolean {
  const role = verdict.roles.get(node)?.role;
  return role === "root_cause" || role === "impacted";
}

function touches({ anchor, cause, candidates, impacted, atRisk }: Incident, id: string): boolean {
  return (
    anchor === id ||
    cause?.node === id ||
    cause?.link?.from === id ||
    cause?.link?.to === id ||
    cause?.runnerUp?.node === id ||
    [...impacted, ...candidates].some(({ node }) => node === id) ||
    atRisk.includes(id)
  );
}

function severityRank({ severity }: Incident): number {
  return ["info", "ticket", "page"].indexOf(severity);
}

/** The cause in a few words: what, and for a local fault between whom. */
function headline(cause: Cause): string {
  if (cause.link) return `${cause.link.from} cannot use ${cause.link.to}`;
  if (cause.instance) return `instance ${cause.instance} of ${cause.node}`;
  return cause.zone ? `zone ${cause.zone}` : cause.node;
}

function listed(nodes: readonly string[]): string {
  return nodes.length > 3 ? `${nodes.slice(0, 3).join(", ")} and ${nodes.length - 3} more` : nodes.join(", ");
}

function isAnnounced({ map, now }: Evidence, node: string): boolean {
  return map.maintenance.some(({ nodes, from, to }) => from <= now && now < to && nodes.includes(node));
}

function intervalOf(map: SystemMap, node: string): number {
  const declared = map.nodes.get(node);
  return declared?.kind === "service" ? declared.interval : 0;
}

/** How long a failure of the node may take to be confirmed; of a resource, by the slowest of those that see it. */
function settleOf(map: SystemMap, node: string): number {
  const declared = map.nodes.get(node);
  if (declared?.kind === "service" && declared.instances.length > 0) return declared.downAfter * declared.interval + declared.timeout;
  let longest = 0;
  for (const one of map.nodes.values()) {
    if (one.kind !== "service" || !one.edges.some(({ to }) => to === node)) continue;
    longest = Math.max(longest, one.downAfter * one.interval + one.timeout);
  }
  return longest;
}

function stragglerWait(map: SystemMap, incident: Incident): number {
  let wait = STRAGGLER_WAIT;
  for (const { node } of incident.impacted) {
    const declared = map.nodes.get(node);
    if (declared?.kind === "service") wait = Math.max(wait, (declared.upAfter + 1) * declared.interval);
  }
  return wait;
}
