import { rollUp } from "../../server/src/analysis/rollup.ts";
import type { AggregatorConfig } from "../../server/src/domain/config.ts";
import type {
  ChangeMark,
  DayStrip,
  HistoricalStates,
  HistoryReader,
  IncidentQuery,
  NodeHistory,
  Revision,
} from "../../server/src/domain/history.ts";
import type { Incident, IncidentEvent, Verdict } from "../../server/src/domain/incident.ts";
import type { Lifecycle, Live, MapInfo, PollerStats, Publication, Signal } from "../../server/src/domain/live.ts";
import type {
  AnnouncedWork,
  Edge,
  Maintenance,
  MapNode,
  Problem,
  ResourceNode,
  ServiceNode,
  System,
  SystemMap,
} from "../../server/src/domain/map.ts";
import { edgeKey } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import type { Snapshot } from "../../server/src/domain/snapshot.ts";
import type { Damped, EdgeState, InstanceState, NodeState, SystemState } from "../../server/src/domain/state.ts";
import type { Status } from "../../server/src/domain/status.ts";

/** 2026-10-24T09:15:00.000Z: the moment at which the fixtures stand. */
export const NOW = Date.UTC(2026, 9, 24, 9, 15);

export const CONFIG: AggregatorConfig = {
  site: "eu-1",
  listen: { host: "127.0.0.1", port: 0, hosts: [], basePath: "/" },
  storage: { maxSize: 2e9 },
  retention: { raw: 86_400_000, minutes: 7 * 86_400_000, hours: 90 * 86_400_000, changes: 400 * 86_400_000 },
  auth: { kind: "unset" },
  heartbeat: null,
  staleness: { limit: null, overdueLimit: 0.1, writeLimit: 60_000 },
  analysis: { settle: null, unreachableAfter: null, reviewAfter: 180 * 86_400_000 },
  canaries: [],
  alerts: { alertmanager: null, webhook: null },
  log: { level: "silent", format: "json" },
};

const SIGNAL: Signal = {
  stale: false,
  because: [],
  lastAnswerAt: NOW - 1_000,
  ageMs: 1_000,
  limitMs: 15_000,
  reporting: 2,
  instances: 2,
  overdue: 0,
  lastWriteAt: NOW - 2_000,
  writeAgeMs: 2_000,
};

const common = (id: string, line: number) => ({
  id,
  name: id,
  description: null,
  team: null,
  tags: {},
  links: {},
  renamedFrom: null,
  place: { file: "map/shop.yaml", line, column: 3 },
});

export function edge(from: string, to: string, changes: Partial<Edge> = {}): Edge {
  return {
    from,
    to,
    criticality: "hard",
    owner: null,
    reviewed: null,
    components: [to],
    group: null,
    place: { file: "map/shop.yaml", line: 9, column: 9 },
    ...changes,
  };
}

export function service(id: string, edges: Edge[] = [], changes: Partial<ServiceNode> = {}): ServiceNode {
  return {
    ...common(id, 4),
    kind: "service",
    instances: [{ id, service: id, url: `http://${id}.internal:8080/health/deep` }],
    need: 1,
    interval: 10_000,
    timeout: 2_000,
    downAfter: 3,
    upAfter: 3,
    maxAge: 60_000,
    componentMaxAge: 60_000,
    format: "auto",
    maxBody: 262_144,
    headers: { authorization: "Bearer do-not-show" },
    references: ["CHECKOUT_TOKEN"],
    tls: null,
    edges,
    groups: [],
    ...changes,
  };
}

export function resource(id: string, changes: Partial<ResourceNode> = {}): ResourceNode {
  return { ...common(id, 2), kind: "resource", resourceKind: "database", ...changes };
}

function system(id: string, members: string[], changes: Partial<System> = {}): System {
  return {
    id,
    name: id,
    description: null,
    public: true,
    team: null,
    members: members.map((node) => ({ node, criticality: "hard" as const, place: { file: "map/shop.yaml", line: 20, column: 5 } })),
    place: { file: "map/shop.yaml", line: 19, column: 3 },
    ...changes,
  };
}

export function mapOf(nodes: MapNode[], systems: System[] = [], changes: Partial<SystemMap> = {}): SystemMap {
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    systems: new Map(systems.map((one) => [one.id, one])),
    teams: new Map(),
    maintenance: [],
    ...changes,
  };
}

function damped<S extends string>(status: S, changes: Partial<Damped<S>> = {}): Damped<S> {
  return {
    status,
    since: NOW - 60_000,
    pending: null,
    raw: status,
    recent: [status],
    run: [],
    flapping: false,
    intermittent: false,
    confirmed: true,
    ...changes,
  };
}

export function nodeState(id: string, status: Status, changes: Partial<NodeState> = {}): NodeState {
  return {
    id,
    status,
    since: NOW - 60_000,
    pending: null,
    confirmed: true,
    marks: [],
    reason: null,
    lastKnown: null,
    lastChecked: NOW - 4_000,
    stale: false,
    latencyMs: 12,
    outcome: "report",
    window: null,
    ownWord: status,
    coverage: { known: 1, total: 1 },
    ...changes,
  };
}

export function instanceState(id: string, owner: string, status: Status, changes: Partial<InstanceState> = {}): InstanceState {
  return {
    id,
    service: owner,
    damped: damped(status),
    outcome: "report",
    httpStatus: status === "unhealthy" ? 503 : 200,
    format: "headwater",
    phase: null,
    phaseCount: 0,
    lastPollAt: NOW - 4_000,
    lastReportAt: NOW - 4_000,
    latencyMs: 12,
    error: null,
    components: [],
    ownWord: status,
    seenChecks: new Map(),
    window: null,
    ...changes,
  };
}

export function edgeState(from: string, to: string, status: EdgeState["damped"]["status"], changes: Partial<EdgeState> = {}): EdgeState {
  return {
    from,
    to,
    damped: damped(status),
    checkedAt: NOW - 5_000,
    reportedAt: NOW - 4_000,
    stale: false,
    latencyMs: 3,
    error: null,
    category: null,
    window: null,
    firstBadCheck: null,
    ...changes,
  };
}

/** States of all nodes, instances and edges of a map, all well but for what `statuses` says of nodes. */
export function stateOf(map: SystemMap, statuses: Readonly<Record<string, Status>> = {}): SystemState {
  const status = (id: string): Status => statuses[id] ?? "healthy";
  const services = [...map.nodes.values()].flatMap((node) => (node.kind === "service" ? [node] : []));
  const word = (id: string) => (({ healthy: "up", degraded: "degraded", unhealthy: "down", unknown: "unknown" }) as const)[status(id)];
  return {
    nodes: new Map([...map.nodes.keys()].map((id) => [id, nodeState(id, status(id))])),
    instances: new Map(services.flatMap(({ id, instances }) => instances.map((one) => [one.id, instanceState(one.id, id, status(id))]))),
    edges: new Map(services.flatMap(({ edges }) => edges.map(({ from, to }) => [edgeKey(from, to), edgeState(from, to, word(to))]))),
    blind: null,
  };
}

export function incident(id: number, anchor: string, changes: Partial<Incident> = {}): Incident {
  return {
    id,
    kind: "cause",
    status: "open",
    severity: "page",
    anchor,
    openedAt: NOW - 60_000,
    detectedAt: NOW - 40_000,
    recoveringAt: null,
    resolvedAt: null,
    end: null,
    absorbedBy: null,
    unverifiedSince: null,
    cause: {
      node: anchor,
      kind: "node",
      confidence: 0.93,
      level: "confirmed",
      firstSeen: NOW - 60_000,
      severity: "unhealthy",
      why: ["2 of 2 dependents report it down"],
      against: [],
    },
    candidates: [],
    impacted: [],
    atRisk: [],
    systems: [],
    acked: null,
    mapRevision: 1,
    ...changes,
  };
}

const CALM: Verdict = { causes: [], roles: new Map(), steps: new Map(), unexplained: [], blind: false };

/** A shop: checkout and web need orders-db, which is down; search is well. */
export function shop(): Pick<Snapshot, "map" | "state" | "verdict" | "rollup" | "incidents"> {
  const map = mapOf(
    [
      resource("orders-db", { team: "data" }),
      service("checkout", [edge("checkout", "orders-db", { components: ["postgres"], owner: "pay", reviewed: "2026-10-01" })], {
        team: "pay",
        tags: { tier: "1" },
        links: { runbook: "https://runbooks.example/checkout" },
        instances: [{ id: "checkout", service: "checkout", url: "http://user:hunter2@checkout.internal:8080/health/deep?key=hunter3&x=1" }],
      }),
      service("web", [edge("web", "checkout"), edge("web", "orders-db")], { team: "pay" }),
      service("search", [], { name: "Search" }),
    ],
    [system("storefront", ["web", "checkout"], { name: "Storefront" }), system("back-office", ["search"], { public: false })],
    {
      teams: new Map([
        ["pay", { id: "pay", name: "Payments", description: null, contact: "#pay", links: { wiki: "https://wiki.example/pay" } }],
        ["data", { id: "data", name: "Data", description: null, contact: null, links: {} }],
      ]),
    },
  );
  const state = stateOf(map, { "orders-db": "unhealthy", checkout: "unhealthy", web: "unhealthy" });
  const outage = incident(7, "orders-db", {
    impacted: [
      { node: "checkout", since: NOW - 50_000 },
      { node: "web", since: NOW - 45_000 },
    ],
    systems: [{ id: "storefront", effect: "unhealthy" }],
  });
  const cause = outage.cause;
  const verdict: Verdict = {
    ...CALM,
    causes: cause ? [cause] : [],
    roles: new Map([
      ["orders-db", { role: "root_cause", cause: 0 }],
      ["checkout", { role: "impacted", cause: 0 }],
      ["web", { role: "impacted", cause: 0 }],
    ]),
    steps: new Map([
      ["checkout", { to: "orders-db", left: 1 }],
      ["web", { to: "checkout", left: 2 }],
    ]),
  };
  return { map, state, verdict, rollup: rollUp(map, state), incidents: [outage] };
}

/** What the past holds, in memory; a day of nothing where a test says nothing. */
export interface Past {
  incidents: Incident[];
  events: IncidentEvent[];
  changes: ChangeMark[];
  works: AnnouncedWork[];
  revisions: Revision[];
  states: HistoricalStates | null;
  nodeHistory: Partial<NodeHistory>;
  days: DayStrip[];
  p95: ReadonlyMap<string, number>;
}

/** A running aggregator whose facts a test holds in its hand. */
export class TestLive implements Live {
  readonly boot = "boot-1";
  readonly startedAt = NOW - 3_600_000;
  readonly config: AggregatorConfig;
  readonly past: Past = {
    incidents: [],
    events: [],
    changes: [],
    works: [],
    revisions: [],
    states: null,
    nodeHistory: {},
    days: [],
    p95: new Map(),
  };
  readonly observations = new Map<string, Observation>();
  readonly writes: unknown[] = [];
  clock = NOW;
  life: Lifecycle = "running";
  readiness = { map: true, store: true, scheduler: true, port: true };
  signalNow: Signal = SIGNAL;
  info: MapInfo = { revision: 1, loadedAt: NOW - 3_600_000, hash: "4f1c", commit: "abc123", warnings: [], refused: null };
  stats: PollerStats = { polls: { report: 40, timeout: 2 }, skipped: 1, inFlight: 0, lagMs: 3, overdue: 0 };
  storeNow = {
    lastWriteAt: (NOW - 2_000) as number | null,
    queued: 0,
    dropped: 0,
    open: true,
    error: null as string | null,
    sizeBytes: 4_096,
  };
  current: Snapshot;
  readonly #listeners = new Set<(publication: Publication) => void>();

  constructor(facts: Partial<Snapshot> = shop(), config: Partial<AggregatorConfig> = {}) {
    const map = facts.map ?? mapOf([]);
    const state = facts.state ?? stateOf(map);
    this.config = { ...CONFIG, ...config };
    this.current = {
      now: NOW,
      revision: 1,
      mapRevision: 1,
      map,
      state,
      verdict: CALM,
      rollup: rollUp(map, state),
      incidents: [],
      ...facts,
    };
    this.past.incidents.push(...this.current.incidents);
  }

  /** The next revision: replaces these facts and tells the subscribers. */
  publish(facts: Partial<Snapshot>, moved: Partial<Publication> = {}): void {
    const before = this.current;
    const map = facts.map ?? before.map;
    const state = facts.state ?? before.state;
    this.current = { ...before, now: this.clock, rollup: rollUp(map, state), ...facts, revision: before.revision + 1 };
    const publication = { nodes: [], seen: [], removed: [], incidents: [], ...moved, snapshot: this.current, before };
    for (const listener of this.#listeners) listener(publication);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  now = (): number => this.clock;
  lifecycle = (): Lifecycle => this.life;
  snapshot = (): Snapshot => this.current;
  signal = (): Signal => this.signalNow;
  mapInfo = (): MapInfo => this.info;
  poller = (): PollerStats => this.stats;
  store = () => this.storeNow;
  ready = () => this.readiness;
  lastObservation = (instance: string): Observation | null => this.observations.get(instance) ?? null;
  checkMap = (file: string, text: string): { errors: readonly Problem[]; warnings: readonly Problem[] } => {
    this.writes.push({ file, text });
    return { errors: [{ file, line: 1, column: 1, code: "unknown_key", message: "unknown key" }], warnings: [] };
  };

  subscribe = (listener: (publication: Publication) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  note(id: number, text: string, actor: { name: string }): Incident | null {
    const found = this.past.incidents.find((one) => one.id === id) ?? null;
    if (found) this.past.events.push({ incident: id, at: this.clock, kind: "note", node: null, text, by: actor.name });
    return found;
  }

  acknowledge(id: number, ack: { note: string | null; until: number | null; clear: boolean }, actor: { name: string }): Incident | null {
    const found = this.past.incidents.find((one) => one.id === id);
    if (!found) return null;
    const acked = ack.clear ? null : { by: actor.name, at: this.clock, until: ack.until, note: ack.note };
    const changed = { ...found, acked };
    this.past.incidents.splice(this.past.incidents.indexOf(found), 1, changed);
    this.publish({ incidents: this.current.incidents.map((one) => (one.id === id ? changed : one)) }, { incidents: [changed] });
    return changed;
  }

  markChange(change: Omit<ChangeMark, "by">, actor: { name: string }): void {
    this.past.changes.push({ ...change, by: actor.name });
  }

  announceWork(work: Maintenance, actor: { name: string }): AnnouncedWork | null {
    const announced = { ...work, id: this.past.works.length + 1, by: actor.name, announcedAt: this.clock, endedBy: null };
    this.past.works.push(announced);
    return announced;
  }

  endWork(id: number, actor: { name: string }): AnnouncedWork | null {
    const at = this.past.works.findIndex((work) => work.id === id && work.to > this.clock);
    const work = this.past.works[at];
    if (!work) return null;
    const ended = { ...work, to: this.clock, endedBy: actor.name };
    this.past.works[at] = ended;
    return ended;
  }

  history(): HistoryReader {
    const { past } = this;
    return {
      *nodeHistory(_node, from, to) {
        yield;
        const spans = [{ status: "no_data" as const, from, to, reason: null, role: null }];
        const nothing = { from, to, spans, bucket: 60_000, latency: [], gaps: [{ from, to }], failures: [], changes: [] };
        return { ...nothing, ...past.nodeHistory };
      },
      strips: (_from, _to, cells) =>
        new Map(
          [...this.current.map.nodes.keys()].map((id) => [
            id,
            Array.from({ length: cells }, () => ({ status: "healthy" as const, share: 1 })),
          ]),
        ),
      *dependencyLatency(_service, _node, from) {
        yield;
        const whole = { at: from, count: 0, failed: 0, p50: null, p95: null, p99: null };
        return { bucket: 60_000, latency: past.nodeHistory.latency ?? [], whole };
      },
      days: () => past.days,
      *percentiles() {
        yield;
        return past.p95;
      },
      incidents: (query) => page(past.incidents, query),
      incident: (id) => past.incidents.find((one) => one.id === id) ?? null,
      incidentEvents: (id, limit) =>
        past.events
          .filter((event) => event.incident === id)
          .reverse()
          .slice(0, limit),
      availability: (_subject, _id, from, to) => ({ up: to - from - 3_000, degraded: 1_000, down: 1_000, unseen: 1_000, maintenance: 0 }),
      revisions: (limit) => ({ revisions: past.revisions.slice(0, limit), next: null }),
      revisionHeads: (limit) => ({ revisions: past.revisions.slice(0, limit), next: null }),
      transitions: () => [],
      changes: (from, to, limit, nodes) =>
        past.changes.filter(({ at, node }) => at >= from && at <= to && (!nodes || node === null || nodes.includes(node))).slice(0, limit),
      works: (from, to, limit, on) =>
        past.works.filter((work) => work.to > from && work.from < to && (!on || work.nodes.some((id) => on.includes(id)))).slice(0, limit),
      gaps: () => [],
      *statesAt(at) {
        yield;
        return past.states && past.states.at === at ? past.states : null;
      },
    };
  }
}

function page(incidents: readonly Incident[], query: IncidentQuery): { incidents: readonly Incident[]; next: number | null } {
  const asked = incidents
    .filter(({ id }) => id < (query.cursor ?? Number.POSITIVE_INFINITY))
    .filter(({ status }) => query.open === undefined || query.open === (status !== "resolved"))
    .sort((a, b) => b.id - a.id);
  const found = asked.slice(0, query.limit);
  return { incidents: found, next: asked.length > query.limit ? (found.at(-1)?.id ?? null) : null };
}
