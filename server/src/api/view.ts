import type * as wire from "../contract/index.ts";
import type { Availability } from "../domain/history.ts";
import type { Cause, Incident, RunnerUp, Stood } from "../domain/incident.ts";
import type { Live, Signal } from "../domain/live.ts";
import { type Edge, isPolled, type MapNode, type SystemMap } from "../domain/map.ts";
import type { Rollup, Snapshot } from "../domain/snapshot.ts";
import type { NodeState } from "../domain/state.ts";
import type { Role } from "../domain/status.ts";

/** Epoch milliseconds as the wire says them. */
export function time(ms: number): string {
  return new Date(ms).toISOString();
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : time(ms);
}

/** Age in whole milliseconds; never negative, also when a clock was set back. */
export function ageOf(ms: number | null, now: number): number | null {
  return ms === null ? null : Math.max(0, Math.round(now - ms));
}

/** A measured time in milliseconds, to a tenth: more digits are noise. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

export function tenthsOrNull(ms: number | null): number | null {
  return ms === null ? null : tenths(ms);
}

/** An address as anyone may read it: without credentials, fragment and the values of its query. */
export function publicUrl(text: string): string {
  if (!URL.canParse(text)) return "";
  const url = new URL(text);
  const keys = [...new Set(url.searchParams.keys())].map((key) => `${encodeURIComponent(key)}=`);
  // References, which stand for what must not be read, are to be read as they were written.
  const path = url.pathname.replace(/\$%7B([\w.:/-]*)%7D/g, "\u0024{$1}");
  return `${url.origin}${path}${keys.length > 0 ? `?${keys.join("&")}` : ""}`;
}

export function nodeView(
  node: MapNode,
  state: NodeState | undefined,
  role: Role | null,
  incident: number | null,
  now: number,
): wire.NodeView {
  const status = state?.status ?? "unknown";
  return {
    id: node.id,
    name: node.name,
    kind: node.kind,
    ...(node.kind === "resource" && node.resourceKind !== null ? { resource_kind: node.resourceKind } : {}),
    team: node.team,
    status,
    role,
    incident,
    reason: state?.reason ?? null,
    since: timeOrNull(state?.since || null),
    last_checked: timeOrNull(state?.lastChecked ?? null),
    ...(isPolled(node) ? { every_ms: node.interval } : {}),
    age_ms: ageOf(state?.lastChecked ?? null, now),
    stale: state?.stale ?? false,
    pending: state?.pending ? pendingView(state.pending, node) : null,
    marks: [...(state?.marks ?? [])],
    ...(status === "unknown" && state?.lastKnown ? { last_known: { status: state.lastKnown.status, at: time(state.lastKnown.at) } } : {}),
    latency_ms: tenthsOrNull(state?.latencyMs ?? null),
    tags: { ...node.tags },
  };
}

function pendingView({ status, count, needed }: NonNullable<NodeState["pending"]>, node: MapNode): NonNullable<wire.NodeView["pending"]> {
  return { status, count, needed, every_ms: isPolled(node) ? node.interval : null };
}

function runnerUpView(runnerUp: RunnerUp): { node: string; confidence: number; why: string } {
  return { node: runnerUp.node, confidence: runnerUp.confidence, why: runnerUp.why };
}

function causeView(cause: Cause): wire.Cause {
  return {
    node: cause.node,
    kind: cause.kind,
    ...(cause.link ? { link: { from: cause.link.from, to: cause.link.to } } : {}),
    ...(cause.instance === undefined ? {} : { instance: cause.instance }),
    ...(cause.zone === undefined ? {} : { zone: cause.zone }),
    confidence: cause.confidence,
    level: cause.level,
    first_seen: time(cause.firstSeen),
    why: [...cause.why],
    against: [...cause.against],
    ...(cause.runnerUp ? { runner_up: runnerUpView(cause.runnerUp) } : {}),
    ...(cause.decidedBy === undefined ? {} : { decided_by: cause.decidedBy }),
    ...(cause.stood ? { stood: stoodView(cause.stood) } : {}),
  };
}

function stoodView({ status, reason, every }: Stood): NonNullable<wire.Cause["stood"]> {
  return { status, reason, ...(every === null ? {} : { every_ms: every }) };
}

export function incidentView(incident: Incident): wire.Incident {
  return {
    id: incident.id,
    kind: incident.kind,
    status: incident.status,
    severity: incident.severity,
    anchor: incident.anchor,
    opened_at: time(incident.openedAt),
    resolved_at: timeOrNull(incident.resolvedAt),
    end: incident.end,
    ...(incident.absorbedBy === null ? {} : { absorbed_by: incident.absorbedBy }),
    ...(incident.unverifiedSince === null ? {} : { unverified_since: time(incident.unverifiedSince) }),
    cause: incident.cause && causeView(incident.cause),
    candidates: incident.candidates.map(runnerUpView),
    impacted: incident.impacted.map(({ node, since }) => ({ node, since: time(since) })),
    at_risk: [...incident.atRisk],
    systems: incident.systems.map(({ id, effect }) => ({ id, effect })),
    acked: incident.acked && {
      by: incident.acked.by,
      at: time(incident.acked.at),
      until: timeOrNull(incident.acked.until),
      note: incident.acked.note,
    },
    map_revision: incident.mapRevision,
  };
}

export function availabilityView(times: Availability): wire.NodeHistory["availability"] {
  const { up, degraded, down, unseen, maintenance } = times;
  return { up_ms: up, degraded_ms: degraded, down_ms: down, unseen_ms: unseen, maintenance_ms: maintenance };
}

/** Every system of the map with its status; one that the roll-up does not know yet is unknown. */
export function systemViews(map: SystemMap, rollup: Rollup): wire.SystemView[] {
  return [...map.systems.values()].map((system) => {
    const rolled = rollup.systems.get(system.id);
    return {
      id: system.id,
      name: system.name,
      status: rolled?.status ?? "unknown",
      coverage: { known: rolled?.coverage.known ?? 0, total: rolled?.coverage.total ?? system.members.length },
      members: system.members.map(({ node, criticality }) => ({ node, criticality })),
    };
  });
}

/** How far the whole can be trusted: the staleness signal, and how old the oldest last result is. */
export function freshnessView(live: Live, now: number): wire.Freshness {
  const signal = live.signal();
  const { oldestPollAt, staleNodes } = agesOf(live.snapshot());
  return {
    stale: signal.stale,
    because: [...signal.because],
    blind: isBlind(live.snapshot(), signal),
    oldest_age_ms: ageOf(oldestPollAt, now),
    stale_nodes: staleNodes,
    poller_lag_ms: tenths(live.poller().lagMs),
  };
}

export function isBlind(snapshot: Snapshot, signal: Signal): boolean {
  return snapshot.verdict.blind || snapshot.state.blind !== null || signal.because.includes("blind");
}

const AGES = new WeakMap<Snapshot, { oldestPollAt: number | null; staleNodes: number }>();

function agesOf(snapshot: Snapshot): { oldestPollAt: number | null; staleNodes: number } {
  const known = AGES.get(snapshot);
  if (known) return known;
  let oldestPollAt: number | null = null;
  for (const { lastPollAt } of snapshot.state.instances.values())
    if (lastPollAt !== null && (oldestPollAt === null || lastPollAt < oldestPollAt)) oldestPollAt = lastPollAt;
  let staleNodes = 0;
  for (const { stale } of snapshot.state.nodes.values()) if (stale) staleNodes += 1;
  const ages = { oldestPollAt, staleNodes };
  AGES.set(snapshot, ages);
  return ages;
}

export function mapStatusView(live: Live): wire.MapStatus {
  const { revision, loadedAt, refused } = live.mapInfo();
  return {
    revision,
    loaded_at: time(loadedAt),
    refused: refused && { at: time(refused.at), problems: refused.problems.slice(0, MAX_PROBLEMS).map(problemView) },
  };
}

/** More mistakes than these help nobody; the command line prints them all. */
export const MAX_PROBLEMS = 200;

export function problemView({ file, line, column, code, message }: wire.Problem): wire.Problem {
  return { file, line, column, code, message };
}

const INCOMING = new WeakMap<SystemMap, ReadonlyMap<string, readonly Edge[]>>();

/** The edges that point to each node: its witnesses and dependents. Worked out once per map. */
export function incomingEdges(map: SystemMap): ReadonlyMap<string, readonly Edge[]> {
  const known = INCOMING.get(map);
  if (known) return known;
  const incoming = new Map<string, Edge[]>();
  for (const node of map.nodes.values()) {
    if (node.kind !== "service") continue;
    for (const edge of node.edges) {
      const list = incoming.get(edge.to);
      if (list) list.push(edge);
      else incoming.set(edge.to, [edge]);
    }
  }
  INCOMING.set(map, incoming);
  return incoming;
}
