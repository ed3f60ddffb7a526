import type { Edge, MapNode, SystemMap } from "../../server/src/domain/map.ts";
import { edgeKey } from "../../server/src/domain/map.ts";
import type { ErrorCategory } from "../../server/src/domain/observation.ts";
import type { Evidence } from "../../server/src/domain/snapshot.ts";
import type { Damped, EdgeState, InstanceState, NodeState } from "../../server/src/domain/state.ts";
import {
  type ComponentStatus,
  type Criticality,
  compareStatus,
  effectOf,
  type Mark,
  type Outcome,
  type Status,
  worstStatus,
} from "../../server/src/domain/status.ts";

const PLACE = { file: "map.yaml", line: 1, column: 1 };
/** The moment of every scene, and when its troubles began. */
export const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
const SINCE = NOW - 60_000;
const LONG_AGO = NOW - 3_600_000;

/** `api: "db! cache~ audit?"`: hard, soft and informational dependencies; a name that is no key is a resource. */
export type Needs = Record<string, string>;

export interface NodeOptions {
  unpolled?: boolean;
  instances?: number;
  zone?: string;
  /** Seconds. */
  interval?: number;
  flipAfter?: number;
  groups?: { members: readonly string[]; need: number; criticality: Criticality }[];
}

/** A map in one breath. Services are the keys, resources what they name besides. */
export function mapOf(needs: Needs, options: Record<string, NodeOptions> = {}, maintenance: SystemMap["maintenance"] = []): SystemMap {
  const nodes = new Map<string, MapNode>();
  for (const [id, text] of Object.entries(needs)) {
    const edges = text
      .split(" ")
      .filter(Boolean)
      .map((word) => edgeOf(id, word, options[id]?.groups ?? []));
    const count = options[id]?.unpolled ? 0 : (options[id]?.instances ?? 1);
    nodes.set(id, {
      id,
      name: id,
      description: null,
      team: null,
      tags: options[id]?.zone ? { zone: options[id].zone } : {},
      links: {},
      renamedFrom: null,
      place: PLACE,
      kind: "service",
      instances: Array.from({ length: count }, (_, n) => ({
        id: count === 1 ? id : `${id}#${n}`,
        service: id,
        url: `http://${id}.test/${n}`,
      })),
      need: Math.ceil(count / 2),
      interval: (options[id]?.interval ?? 10) * 1000,
      timeout: 2_000,
      downAfter: options[id]?.flipAfter ?? 1,
      upAfter: options[id]?.flipAfter ?? 1,
      maxAge: Math.max(60_000, (options[id]?.interval ?? 10) * 4000),
      componentMaxAge: Math.max(60_000, (options[id]?.interval ?? 10) * 4000),
      format: "auto",
      maxBody: 262_144,
      headers: {},
      references: [],
      tls: null,
      edges,
      groups: options[id]?.groups ?? [],
    });
  }
  for (const node of [...nodes.values()]) {
    if (node.kind !== "service") continue;
    for (const { to } of node.edges) if (!nodes.has(to)) nodes.set(to, resourceOf(to));
  }
  return { nodes, systems: new Map(), teams: new Map(), maintenance };
}

function resourceOf(id: string): MapNode {
  const resourceKind = "database";
  return {
    id,
    name: id,
    description: null,
    team: null,
    tags: {},
    links: {},
    renamedFrom: null,
    place: PLACE,
    kind: "resource",
    resourceKind,
  };
}

function edgeOf(from: string, word: string, groups: NonNullable<NodeOptions["groups"]>): Edge {
  const to = word.slice(0, -1);
  const criticality: Criticality = word.endsWith("!") ? "hard" : word.endsWith("~") ? "soft" : "informational";
  const group = groups.findIndex(({ members }) => members.includes(to));
  return { from, to, criticality, owner: null, reviewed: null, components: [to], group: group < 0 ? null : group, place: PLACE };
}

/** What a service says: only what is not healthy and up needs to be written. */
export interface Said {
  word?: Status;
  /** Poll outcome of a silent one. */
  silent?: Outcome;
  down?: readonly string[];
  degraded?: readonly string[];
  /** Dependencies that its report does not list. */
  omits?: readonly string[];
  /** Age of its checks of single dependencies, milliseconds. */
  ages?: Record<string, number>;
  /** Since when it is in trouble, or again fine; epoch milliseconds. */
  since?: number;
  /** It was in trouble before. */
  recovered?: boolean;
  category?: ErrorCategory;
  /** What it says of what is not up, in its own words. */
  error?: string;
  /** How many results in a row say so. */
  repeats?: number;
  pending?: Status;
  marks?: readonly Mark[];
}

/** One moment of a map: every polled service is healthy and reports everything up, but for what is said. */
export function sceneOf(map: SystemMap, said: Record<string, Said>): Evidence {
  const edges = new Map<string, EdgeState>();
  const nodes = new Map<string, NodeState>();
  const instances = new Map<string, InstanceState>();
  for (const node of map.nodes.values()) {
    if (node.kind !== "service" || node.instances.length === 0) continue;
    const says = said[node.id] ?? {};
    let implied: Status = "healthy";
    for (const edge of node.edges) {
      const word = wordFor(says, edge.to);
      edges.set(edgeKey(edge.from, edge.to), edgeState(edge, word, says));
      const group = edge.group === null ? undefined : node.groups[edge.group];
      const left = group?.members.filter((member) => wordFor(says, member) !== "down").length ?? 0;
      if (!group || left < group.need) implied = worstStatus([implied, effectOf(word, edge.criticality)]);
    }
    const own = says.silent ? null : (says.word ?? implied);
    const status: Status = own === null ? "unknown" : compareStatus(own, implied) > 0 ? own : implied;
    nodes.set(node.id, nodeState(node.id, status, says, own));
    for (const { id } of node.instances) instances.set(id, instanceState(id, node.id, status, says));
  }
  for (const node of map.nodes.values())
    if (!nodes.has(node.id)) nodes.set(node.id, nodeState(node.id, witnessed(node.id, edges), {}, null));
  return { now: NOW, map, state: { edges, nodes, instances, blind: null } };
}

function wordFor(says: Said, to: string): ComponentStatus {
  if (says.silent || says.omits?.includes(to)) return "unknown";
  if (says.down?.includes(to)) return "down";
  return says.degraded?.includes(to) ? "degraded" : "up";
}

function damped<S extends string>(status: S, since: number, good: S, says: Said, pending: S | null): Damped<S> {
  const before: S[] = says.recovered ? [("unhealthy" === good ? good : good === "up" ? "down" : "unhealthy") as S] : [good];
  const recent = [...before, ...Array.from({ length: status === good ? 1 : (says.repeats ?? 1) }, () => status)];
  const held = pending ? { status: pending, count: 1, needed: 3 } : null;
  return { status, since, pending: held, raw: pending ?? status, recent, run: [], flapping: false, intermittent: false, confirmed: true };
}

function edgeState(edge: Edge, word: ComponentStatus, says: Said): EdgeState {
  const bad = word === "down" || word === "degraded";
  const since = bad || says.recovered ? (says.since ?? SINCE) : LONG_AGO;
  const checkedAt = NOW - (says.ages?.[edge.to] ?? 500);
  return {
    from: edge.from,
    to: edge.to,
    damped: damped(word, since, "up" as ComponentStatus, says, says.pending && !bad ? "down" : null),
    checkedAt: word === "unknown" ? null : checkedAt,
    reportedAt: word === "unknown" ? null : NOW,
    stale: word === "unknown",
    latencyMs: 3,
    error: bad ? (says.error ?? says.category ?? "timeout") : null,
    category: bad ? (says.category ?? "timeout") : null,
    window: bad ? { lastGood: since - 10_000, firstBad: Math.min(since, checkedAt) } : null,
    firstBadCheck: bad ? Math.min(since, checkedAt) : null,
  };
}

function nodeState(id: string, status: Status, says: Said, ownWord: Status | null): NodeState {
  const bad = status === "degraded" || status === "unhealthy";
  const since = bad || says.recovered || says.silent ? (says.since ?? SINCE) : LONG_AGO;
  return {
    id,
    status,
    since,
    pending: says.pending ? { status: says.pending, count: 1, needed: 3 } : null,
    confirmed: true,
    marks: says.marks ?? [],
    reason: says.silent ?? null,
    lastKnown: null,
    lastChecked: NOW,
    stale: false,
    latencyMs: 8,
    outcome: says.silent ?? "report",
    window: bad ? { lastGood: since - 10_000, firstBad: since } : null,
    ownWord,
    coverage: ownWord === null && !says.silent ? null : { known: says.silent ? 0 : 1, total: 1 },
  };
}

function instanceState(id: string, service: string, status: Status, says: Said): InstanceState {
  return {
    id,
    service,
    damped: damped(status, says.since ?? LONG_AGO, "healthy" as Status, says, null),
    outcome: says.silent ?? "report",
    httpStatus: says.silent ? null : 200,
    format: "headwater",
    phase: null,
    phaseCount: 0,
    lastPollAt: NOW,
    lastReportAt: says.silent ? null : NOW,
    latencyMs: 8,
    error: null,
    components: [],
    ownWord: says.word ?? null,
    seenChecks: new Map(),
    window: null,
  };
}

function witnessed(id: string, edges: ReadonlyMap<string, EdgeState>): Status {
  const words = [...edges.values()].filter((edge) => edge.to === id && edge.damped.status !== "unknown").map((edge) => edge.damped.status);
  if (words.length === 0) return "unknown";
  if (words.every((word) => word === "up")) return "healthy";
  return words.every((word) => word === "down") ? "unhealthy" : "degraded";
}
