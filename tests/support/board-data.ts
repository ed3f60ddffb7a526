import type {
  Board,
  Incident,
  IncidentDetail,
  MapView,
  NodeDetail,
  NodeHistory,
  NodeView,
  RevisionList,
  Strips,
  SystemView,
  WhatIf,
} from "../../server/src/contract/index.ts";

/** What the generated board shows. */
export const SCENES = ["quiet", "incident", "acked", "ticket", "unsure", "maintenance", "blind", "recovering", "refused", "lag"] as const;
export type Scene = (typeof SCENES)[number];

interface Edge {
  from: string;
  to: string;
  criticality: "hard" | "soft" | "informational";
}

/** A generated world: a board, and what the other routes say of the same things. Times are epoch milliseconds. */
export interface World {
  board: Board;
  edges: Edge[];
  events: Map<number, IncidentDetail["events"]>;
  past: Incident[];
  now: number;
}

const iso = (at: number): string => new Date(at).toISOString();

/** A small repeatable stream of numbers, 0 to 1. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** area, team, then nodes; a name with `*` is a resource. */
const STORE: readonly (readonly [string, string, readonly string[]])[] = [
  ["Storefront", "shopfront", ["web-shop", "mobile-api", "search", "recommendations", "reviews", "image-proxy", "content"]],
  ["Checkout and orders", "order-desk", ["checkout", "cart", "orders", "promotions", "tax", "invoices", "returns", "order-history"]],
  ["Catalogue", "catalogue", ["catalogue", "pricing", "search-index", "media-store"]],
  ["Payments", "payments-core", ["payments", "fraud-check", "wallet", "refunds", "card-gateway*"]],
  ["Fulfilment", "logistics", ["shipping", "warehouse", "inventory", "couriers", "labels-print", "notifications"]],
  ["Data", "data-platform", ["orders-db*", "orders-cache*", "sessions*", "events-queue*", "customer-db*", "ledger-db*"]],
];

const NEEDS: readonly (readonly [string, string, Edge["criticality"]])[] = [
  ["web-shop", "checkout", "hard"],
  ["web-shop", "cart", "soft"],
  ["web-shop", "search", "soft"],
  ["web-shop", "recommendations", "soft"],
  ["web-shop", "content", "soft"],
  ["web-shop", "reviews", "soft"],
  ["web-shop", "sessions", "hard"],
  ["mobile-api", "checkout", "hard"],
  ["mobile-api", "cart", "soft"],
  ["mobile-api", "refunds", "soft"],
  ["mobile-api", "search", "soft"],
  ["search", "search-index", "hard"],
  ["recommendations", "catalogue", "soft"],
  ["reviews", "customer-db", "hard"],
  ["image-proxy", "media-store", "hard"],
  ["content", "media-store", "hard"],
  ["checkout", "orders", "hard"],
  ["checkout", "payments", "hard"],
  ["checkout", "promotions", "soft"],
  ["checkout", "tax", "hard"],
  ["cart", "orders", "soft"],
  ["cart", "sessions", "hard"],
  ["orders", "orders-db", "hard"],
  ["orders", "events-queue", "hard"],
  ["orders", "orders-cache", "soft"],
  ["orders", "tax", "informational"],
  ["promotions", "pricing", "soft"],
  ["invoices", "orders-db", "hard"],
  ["invoices", "ledger-db", "hard"],
  ["returns", "orders-db", "hard"],
  ["order-history", "orders-db", "soft"],
  ["order-history", "orders", "soft"],
  ["catalogue", "search-index", "soft"],
  ["pricing", "catalogue", "hard"],
  ["payments", "fraud-check", "hard"],
  ["payments", "card-gateway", "hard"],
  ["payments", "inventory", "soft"],
  ["fraud-check", "customer-db", "hard"],
  ["wallet", "payments", "hard"],
  ["refunds", "orders", "soft"],
  ["refunds", "payments", "hard"],
  ["shipping", "warehouse", "soft"],
  ["shipping", "couriers", "soft"],
  ["warehouse", "orders", "soft"],
  ["inventory", "events-queue", "soft"],
  ["inventory", "orders-db", "informational"],
  ["labels-print", "couriers", "soft"],
  ["notifications", "orders", "soft"],
  ["notifications", "events-queue", "hard"],
];

const MEMBERS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "storefront",
    "Storefront",
    [
      "web-shop",
      "mobile-api",
      "search",
      "recommendations",
      "reviews",
      "image-proxy",
      "content",
      "checkout",
      "cart",
      "orders",
      "promotions",
      "tax",
      "catalogue",
      "pricing",
    ],
  ],
  [
    "back-office",
    "Back office",
    [
      "invoices",
      "returns",
      "order-history",
      "refunds",
      "shipping",
      "warehouse",
      "inventory",
      "couriers",
      "labels-print",
      "notifications",
      "ledger-db",
    ],
  ],
  ["account", "Customer account", ["wallet", "customer-db", "sessions", "fraud-check", "payments", "card-gateway", "media-store"]],
  ["partners", "Partner API", ["search-index", "events-queue", "orders-cache", "media-store"]],
];

function blankNode(id: string, kind: "service" | "resource", area: string, team: string, now: number, next: () => number): NodeView {
  const seen = now - Math.floor(next() * 10_000);
  const days = [4, 6, 9, 12, 44][Math.floor(next() * 5)] ?? 4;
  return {
    id,
    name: id,
    kind,
    ...(kind === "resource"
      ? { resource_kind: id.includes("queue") ? "queue" : id.includes("cache") || id === "sessions" ? "cache" : "database" }
      : {}),
    team,
    status: "healthy",
    role: null,
    incident: null,
    reason: null,
    since: iso(now - days * 86_400_000 - Math.floor(next() * 80_000_000)),
    last_checked: iso(seen),
    age_ms: now - seen,
    stale: false,
    pending: null,
    marks: [],
    latency_ms: Math.round(10 + next() * 200),
    tags: { area, tier: next() > 0.6 ? "1" : "2" },
  };
}

/** The storefront's 36 nodes, cut to `size` or followed by as many generated ones as are needed. */
function makeNodes(size: number, now: number, next: () => number): { nodes: NodeView[]; edges: Edge[] } {
  const nodes: NodeView[] = [];
  for (const [area, team, names] of STORE) {
    for (const name of names) {
      const id = name.replace("*", "");
      nodes.push(blankNode(id, name.endsWith("*") ? "resource" : "service", area, team, now, next));
    }
  }
  const keep =
    size >= nodes.length
      ? null
      : new Set(
          [
            "orders-db",
            "orders",
            "checkout",
            "web-shop",
            "cart",
            "invoices",
            "returns",
            "payments",
            "search",
            "shipping",
            "couriers",
            "promotions",
            "image-proxy",
            "sessions",
            "events-queue",
          ].slice(0, size),
        );
  const kept = keep ? nodes.filter((node) => keep.has(node.id)) : nodes;
  const edges: Edge[] = NEEDS.map(([from, to, criticality]) => ({ from, to, criticality }));
  for (let index = kept.length; index < size; index++) {
    const area = `Area ${String(Math.floor((index - 36) / 24) + 1).padStart(2, "0")}`;
    const id = `svc-${String(index).padStart(4, "0")}`;
    kept.push(blankNode(id, "service", area, `team-${Math.floor((index - 36) / 48) + 1}`, now, next));
    const before = index - 1 - Math.floor(next() * Math.min(20, index - 36 || 1));
    const target = index % 9 === 0 || before < 36 ? "orders" : `svc-${String(before).padStart(4, "0")}`;
    edges.push({ from: id, to: target, criticality: next() > 0.5 ? "hard" : "soft" });
  }
  const ids = new Set(kept.map((node) => node.id));
  return { nodes: kept, edges: edges.filter((edge) => ids.has(edge.from) && ids.has(edge.to)) };
}

const IMPACT: readonly (readonly [string, "degraded" | "unhealthy", number])[] = [
  ["orders", "unhealthy", 15],
  ["invoices", "unhealthy", 21],
  ["returns", "unhealthy", 23],
  ["order-history", "degraded", 28],
  ["checkout", "unhealthy", 30],
  ["cart", "degraded", 32],
  ["warehouse", "degraded", 36],
  ["refunds", "degraded", 39],
  ["mobile-api", "degraded", 41],
  ["web-shop", "degraded", 44],
  ["notifications", "degraded", 122],
];

function baseIncident(id: number, anchor: string, openedAt: number): Incident {
  return {
    id,
    kind: "cause",
    status: "open",
    severity: "page",
    anchor,
    opened_at: iso(openedAt),
    resolved_at: null,
    end: null,
    cause: null,
    candidates: [],
    impacted: [],
    at_risk: [],
    systems: [],
    acked: null,
    map_revision: 7,
  };
}

/** The database fails and its dependents with it; shipping has a fault of its own since before. */
function stageIncident(world: World, big: number): void {
  const { board, now } = world;
  const start = now - 252_000;
  const byId = new Map(board.nodes.map((node) => [node.id, node]));
  const change = (id: string, next: Partial<NodeView>): void => {
    const node = byId.get(id);
    if (node) Object.assign(node, next);
  };
  const impact = IMPACT.filter(([id]) => byId.has(id)).map((one) => [...one] as [string, "degraded" | "unhealthy", number]);
  for (const edge of world.edges) {
    if (impact.length >= big) break;
    if (edge.from.startsWith("svc-") && impact.some(([id]) => id === edge.to) && !impact.some(([id]) => id === edge.from))
      impact.push([edge.from, "degraded", 45 + impact.length]);
  }
  change("orders-db", {
    status: "unhealthy",
    role: "root_cause",
    incident: 42,
    reason: "connection refused",
    since: iso(start),
    latency_ms: null,
  });
  for (const [id, status, after] of impact) {
    change(id, { status, role: "impacted", incident: 42, reason: "a hard dependency is down", since: iso(start + after * 1_000) });
  }
  change("notifications", { marks: ["flapping"] });
  change("shipping", {
    status: "degraded",
    role: "root_cause",
    incident: 43,
    reason: "instance c: certificate expired",
    since: iso(start - 233_000),
  });
  for (const id of ["payments", "wallet", "inventory"]) change(id, { role: "at_risk", incident: 42 });
  change("promotions", { pending: { status: "degraded", count: 2, needed: 3 } });
  change("image-proxy", { marks: ["intermittent"], reason: "5 of 20 timed out" });
  change("couriers", {
    status: "unknown",
    stale: true,
    reason: "timeout at 2 s",
    since: iso(now - 186_000),
    last_checked: iso(now - 186_000),
    latency_ms: null,
  });
  change("labels-print", {
    status: "unknown",
    stale: true,
    reason: "checks stopped",
    since: iso(now - 700_000),
    last_checked: iso(now - 700_000),
    latency_ms: null,
  });
  const shipping = byId.has("shipping") ? [{ node: "shipping", since: iso(start + 50_000) }] : [];
  const incident: Incident = {
    ...baseIncident(42, "orders-db", start),
    cause: {
      node: "orders-db",
      kind: "node",
      confidence: 0.94,
      level: "confirmed",
      first_seen: iso(start),
      why: ["It failed first, nothing it needs fails, 4 of 4 dependents report it down."],
      against: byId.has("shipping") ? ["shipping was already failing before; one instance fails TLS, so it has a fault of its own."] : [],
      runner_up: { node: "orders", confidence: 0.04, why: "It would not explain invoices and returns, which never call it." },
      decided_by: "One good answer from orders-db to any of its 4 witnesses would end it.",
    },
    impacted: [...impact.map(([node, , after]) => ({ node, since: iso(start + after * 1_000) })), ...shipping],
    at_risk: ["payments", "wallet", "inventory"].filter((id) => byId.has(id)),
    systems: board.systems
      .filter((one) => one.id === "storefront" || one.id === "back-office")
      .map((one) => ({ id: one.id, effect: one.id === "storefront" ? ("unhealthy" as const) : ("degraded" as const) })),
  };
  const second: Incident = {
    ...baseIncident(43, "shipping", start - 233_000),
    severity: "ticket",
    cause: {
      node: "shipping",
      kind: "instance",
      instance: "shipping/c",
      confidence: 0.8,
      level: "likely",
      first_seen: iso(start - 233_000),
      why: ["Instance c fails TLS since before orders-db; a and b answer."],
      against: [],
    },
  };
  board.incidents = byId.has("shipping") ? [incident, second] : [incident];
  world.events.set(42, [
    { at: iso(start - 1_271_000), kind: "change", node: "orders-db", text: "parameter group “pg-15-large” applied", by: null },
    { at: iso(start), kind: "opened", node: "orders-db", text: "orders-db unhealthy, “connection refused”", by: null },
    ...impact.map(([node, status, after]) => ({
      at: iso(start + after * 1_000),
      kind: "impact",
      node,
      text: `${node} ${status}`,
      by: null,
    })),
  ]);
  setSystems(board);
}

/** Systems, coverage and the whole from the nodes. */
function setSystems(board: Board): void {
  const byId = new Map(board.nodes.map((node) => [node.id, node]));
  const rank = { healthy: 0, degraded: 1, unknown: 2, unhealthy: 3 };
  for (const system of board.systems) {
    const members = system.members.flatMap((one) => byId.get(one.node) ?? []);
    const known = members.filter((node) => node.status !== "unknown");
    const worst = known.reduce<NodeView["status"]>((status, node) => (rank[node.status] > rank[status] ? node.status : status), "healthy");
    system.coverage = { known: known.length, total: members.length };
    system.status =
      known.length * 2 < members.length ? "unknown" : system.id === "back-office" && worst === "unhealthy" ? "degraded" : worst;
  }
  const known = board.nodes.filter((node) => node.status !== "unknown").length;
  board.coverage = { known, total: board.nodes.length };
  const worst = board.systems.reduce<NodeView["status"]>(
    (status, one) => (rank[one.status] > rank[status] ? one.status : status),
    "healthy",
  );
  board.status = worst === "unhealthy" ? "degraded" : worst;
}

/** Builds a world of `size` nodes in a scene, as of `now`. The same arguments give the same world. */
export function makeWorld(scene: Scene, size: number, now: number): World {
  const next = random(7);
  const { nodes, edges } = makeNodes(size, now, next);
  const ids = new Set(nodes.map((node) => node.id));
  const systems = MEMBERS.map(
    ([id, name, members]): SystemView => ({
      id,
      name,
      status: "healthy",
      coverage: { known: 0, total: 0 },
      members: members.filter((node) => ids.has(node)).map((node) => ({ node, criticality: "hard" as const })),
    }),
  ).filter((system) => system.members.length > 0);
  const board: Board = {
    boot: "b1",
    revision: 1,
    generated_at: iso(now),
    site: "eu-1",
    status: "healthy",
    coverage: { known: 0, total: 0 },
    freshness: { stale: false, because: [], blind: false, oldest_age_ms: 9_000, stale_nodes: 0, poller_lag_ms: 12 },
    map: { revision: 7, loaded_at: iso(now - 2_650_000), refused: null },
    systems,
    incidents: [],
    nodes,
  };
  const world: World = { board, edges, events: new Map(), past: pastIncidents(now), now };
  setSystems(board);
  if (scene === "incident" || scene === "acked") stageIncident(world, size > 100 ? 60 : 11);
  const first = board.incidents[0];
  if (scene === "acked" && first)
    first.acked = { by: "primary on-call", at: iso(now - 120_000), until: iso(now + 1_659_000), note: "failing over to the replica" };
  if (scene === "acked")
    world.events
      .get(42)
      ?.push({ at: iso(now - 120_000), kind: "ack", node: null, text: "failing over to the replica", by: "primary on-call" });
  if (scene !== "quiet" && scene !== "incident" && scene !== "acked") stageOther(world, scene);
  return world;
}

function stageOther(world: World, scene: Scene): void {
  const { board, now } = world;
  const node = (id: string): NodeView => board.nodes.find((one) => one.id === id) ?? (board.nodes[0] as NodeView);
  const start = now - 252_000;
  if (scene === "ticket") {
    Object.assign(node("search"), {
      status: "degraded",
      role: "root_cause",
      incident: 44,
      reason: "index behind by 40 s",
      since: iso(start),
    });
    board.incidents = [
      {
        ...baseIncident(44, "search", start),
        severity: "ticket",
        cause: {
          node: "search",
          kind: "node",
          confidence: 0.6,
          level: "suspected",
          first_seen: iso(start),
          why: ["2 of 3 dependents report it slow."],
          against: [],
        },
      },
    ];
  }
  if (scene === "unsure") {
    for (const id of ["checkout", "cart", "search"])
      Object.assign(node(id), { status: "unhealthy", incident: 45, reason: "name lookup failed", since: iso(start) });
    board.incidents = [
      {
        ...baseIncident(45, "checkout", start),
        kind: "undetermined",
        impacted: ["checkout", "cart", "search"].map((id) => ({ node: id, since: iso(start) })),
        candidates: [
          { node: "sessions", confidence: 0.4, why: "Two of the three need it." },
          { node: "payments", confidence: 0.3, why: "One of the three needs it." },
        ],
      },
    ];
  }
  if (scene === "maintenance") {
    Object.assign(node("payments"), {
      status: "unhealthy",
      role: "root_cause",
      incident: 46,
      marks: ["maintenance"],
      reason: "announced: gateway upgrade",
      since: iso(start),
    });
    board.incidents = [
      {
        ...baseIncident(46, "payments", start),
        kind: "maintenance",
        severity: "info",
        cause: {
          node: "payments",
          kind: "node",
          confidence: 0.9,
          level: "confirmed",
          first_seen: iso(start),
          why: ["Announced work."],
          against: [],
        },
      },
    ];
  }
  if (scene === "blind") {
    for (const one of board.nodes)
      Object.assign(one, {
        status: "unknown",
        stale: true,
        reason: "blind",
        since: iso(start),
        last_checked: iso(start),
        last_known: { status: "healthy", at: iso(start) },
      });
    Object.assign(board.freshness, {
      stale: true,
      blind: true,
      because: ["blind"],
      oldest_age_ms: 252_000,
      stale_nodes: board.nodes.length,
    });
  }
  if (scene === "recovering") {
    board.incidents = [
      {
        ...baseIncident(47, "orders-db", start),
        status: "recovering",
        impacted: [{ node: "cart", since: iso(start + 20_000) }],
        cause: {
          node: "orders-db",
          kind: "node",
          confidence: 0.94,
          level: "confirmed",
          first_seen: iso(start),
          why: ["It failed first."],
          against: [],
        },
      },
    ];
    Object.assign(node("cart"), { status: "degraded", role: "impacted", incident: 47, since: iso(start + 20_000) });
  }
  if (scene === "refused") {
    board.map.refused = {
      at: iso(now - 240_000),
      problems: [
        {
          file: "map/services.yaml",
          line: 41,
          column: 16,
          code: "unknown_key",
          message: "unknown key `intervall`; did you mean `interval`?",
        },
        {
          file: "map/services.yaml",
          line: 58,
          column: 9,
          code: "unknown_node",
          message: "`order` is not on the map; did you mean `orders`?",
        },
      ],
    };
  }
  if (scene === "lag") Object.assign(board.freshness, { poller_lag_ms: 20_400, stale: true, because: ["overdue", "history"] });
  setSystems(board);
}

function pastIncidents(now: number): Incident[] {
  return ["orders-db", "search", "payments", "orders-db", "media-store"].map((node, index) => {
    const start = now - (76 + index * 160) * 3_600_000;
    return {
      ...baseIncident(40 - index, node, start),
      status: "resolved" as const,
      severity: index % 2 === 0 ? ("page" as const) : ("ticket" as const),
      resolved_at: iso(start + (11 + index * 4) * 60_000),
      end: "cleared" as const,
      cause: {
        node,
        kind: "node" as const,
        confidence: 0.91,
        level: "confirmed" as const,
        first_seen: iso(start),
        why: ["It failed first."],
        against: [],
      },
      impacted: index % 2 === 0 ? [{ node: "orders", since: iso(start + 20_000) }] : [],
      systems: [{ id: "storefront", effect: "degraded" as const }],
    };
  });
}

export function makeStrips(world: World): Strips {
  const next = random(11);
  const nodes: Strips["nodes"] = {};
  const p95: Strips["p95"] = {};
  for (const node of world.board.nodes) {
    const dips = new Map<number, [NodeView["status"], number]>();
    if (next() > 0.75) dips.set(Math.floor(next() * 90), [next() > 0.5 ? "degraded" : "unhealthy", 0.2 + next() * 0.8]);
    if (node.status === "unknown") dips.set(95, ["unknown", 0.3]);
    nodes[node.id] = Array.from({ length: 96 }, (_, cell) => (cell >= 47 && cell < 55 ? null : (dips.get(cell) ?? ["healthy", 1])));
    p95[node.id] = Math.round(5 + next() * 350);
  }
  return { from: iso(world.now - 86_400_000), to: iso(world.now), cells: 96, nodes, p95 };
}

/** Ids from a victim to the cause, by the shortest way. */
function pathTo(edges: readonly Edge[], from: string, to: string): string[] {
  const before = new Map<string, string>();
  const queue = [from];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (id === to) {
      const path = [to];
      for (let back = before.get(to); back !== undefined; back = before.get(back)) path.unshift(back);
      return path;
    }
    for (const edge of edges) {
      if (edge.from !== id || before.has(edge.to) || edge.to === from) continue;
      before.set(edge.to, id);
      queue.push(edge.to);
    }
  }
  return [];
}

export function makeIncidentDetail(world: World, incident: Incident): IncidentDetail {
  const cause = incident.cause?.node;
  const paths: Record<string, string[]> = {};
  if (cause) for (const one of incident.impacted) paths[one.node] = pathTo(world.edges, one.node, cause);
  return { ...incident, events: [...(world.events.get(incident.id) ?? [])].reverse(), paths };
}

const componentWord = { healthy: "up", degraded: "degraded", unhealthy: "down", unknown: "unknown" } as const;

export function makeNodeDetail(world: World, node: NodeView, now: number): NodeDetail {
  const { board, edges } = world;
  const byId = new Map(board.nodes.map((one) => [one.id, one]));
  const incident = board.incidents.find((one) => one.id === node.incident);
  const service = node.kind === "service";
  const seen = (one: NodeView): { checked_at: string | null; age_ms: number | null } => ({
    checked_at: one.last_checked,
    age_ms: one.last_checked ? now - Date.parse(one.last_checked) : null,
  });
  return {
    generated_at: iso(now),
    node,
    description: null,
    contact: `#${node.team}-oncall`,
    links: { runbook: `https://runbooks.example/${node.id}`, logs: `https://logs.example/${node.id}` },
    place: { file: `map/${node.team}.yaml`, line: 12 },
    own_word: service && node.status !== "unknown" ? node.status : null,
    format: service ? "headwater" : null,
    path: incident?.cause ? pathTo(edges, node.id, incident.cause.node) : [],
    instances: service
      ? ["a", "b", "c"].map((letter) => ({
          id: `${node.id}/${letter}`,
          url: `http://${node.id}-${letter}.internal:8080/health/deep`,
          status: node.status,
          outcome: "report" as const,
          http_status: node.status === "healthy" ? 200 : 503,
          format: "headwater",
          phase: null,
          latency_ms: node.latency_ms,
          last_poll: node.last_checked,
          age_ms: seen(node).age_ms,
          error: null,
        }))
      : [],
    dependencies: edges
      .filter((edge) => edge.from === node.id)
      .map((edge) => {
        const target = byId.get(edge.to) as NodeView;
        const word = componentWord[target.status];
        return {
          to: edge.to,
          criticality: edge.criticality,
          owner: node.team,
          reviewed: "2026-10-01",
          group: null,
          need: null,
          status: word,
          damped: word,
          latency_ms: word === "down" ? null : target.latency_ms,
          ...seen(node),
          error: word === "down" ? "connection refused" : null,
          counts: true,
          node_status: target.status,
          others: { up: word === "up" ? 2 : 0, down: word === "down" ? 3 : 0 },
        };
      }),
    unmapped: [],
    witnesses: edges
      .filter((edge) => edge.to === node.id)
      .map((edge, index) => {
        const word = componentWord[node.status];
        return {
          from: edge.from,
          criticality: edge.criticality,
          status: word,
          damped: word,
          latency_ms: 200 + index * 7,
          ...seen(byId.get(edge.from) as NodeView),
          error: word === "down" ? "503" : null,
          counts: index !== 5,
        };
      }),
    dependents: edges
      .filter((edge) => edge.to === node.id)
      .map((edge) => {
        const one = byId.get(edge.from) as NodeView;
        return { id: edge.from, criticality: edge.criticality, status: one.status, role: one.role };
      }),
    systems: board.systems
      .filter((system) => system.members.some((one) => one.node === node.id))
      .map((system) => ({ id: system.id, name: system.name, criticality: "hard" as const })),
    cost: service
      ? {
          calls_per_second: 0.3,
          interval_ms: 10_000,
          timeout_ms: 2_000,
          worst_staleness_ms: 12_000,
          worst_detection_ms: 32_000,
          largest_component_age_ms: 15_000,
        }
      : null,
    last_answer: service
      ? {
          http_status: node.status === "healthy" ? 200 : 503,
          latency_ms: node.latency_ms ?? 0,
          bytes: 1_400,
          text: `{"status":"${node.status}","components":[{"name":"postgres","status":"down","criticality":"hard"}]}`,
        }
      : null,
  };
}

export function makeHistory(node: NodeView, from: number, to: number): NodeHistory {
  const next = random(3);
  const points = 120;
  const bucket = (to - from) / points;
  const gap: [number, number] = [from + (to - from) * 0.28, from + (to - from) * 0.36];
  const since = node.since ? Date.parse(node.since) : to;
  const failing = node.status !== "healthy";
  const latency: NodeHistory["latency"] = [];
  const failures: NodeHistory["failures"] = [];
  for (let index = 0; index < points; index++) {
    const at = from + index * bucket;
    if (at >= gap[0] && at < gap[1]) continue;
    const failed = failing && at >= since;
    const hump = index > 78 && index < 84 ? 1.6 : 1;
    latency.push({
      at: iso(at),
      count: 6,
      failed: failed ? 6 : 0,
      p50: failed ? null : 31 * hump * (0.95 + next() * 0.1),
      p95: failed ? null : 78 * hump * (0.9 + next() * 0.2),
      p99: failed ? null : 190 * hump * (0.85 + next() * 0.3),
    });
    if (failed || index === 52) failures.push({ at: iso(at), outcome: "timeout" });
  }
  const unseen = gap[1] - gap[0];
  return {
    from: iso(from),
    to: iso(to),
    bucket_ms: bucket,
    latency,
    failures,
    gaps: [{ from: iso(gap[0]), to: iso(gap[1]) }],
    changes: [],
    spans: [{ status: node.status, from: iso(Math.max(from, since)), to: iso(to), reason: node.reason, role: node.role }],
    availability: { up_ms: to - from - unseen - 252_000, degraded_ms: 0, down_ms: 252_000, unseen_ms: unseen, maintenance_ms: 0 },
  };
}

export function makeMap(world: World): MapView {
  const { board, edges } = world;
  const teams = [...new Set(board.nodes.map((node) => node.team ?? ""))];
  return {
    status: board.map,
    hash: "4f1c9a7e".repeat(8),
    commit: "9b1d2c3",
    warnings: [],
    teams: teams.map((id) => ({ id, name: id, contact: `#${id}-oncall`, nodes: board.nodes.filter((node) => node.team === id).length })),
    nodes: board.nodes.map((node, index) => ({
      id: node.id,
      name: node.name,
      kind: node.kind,
      resource_kind: node.resource_kind ?? null,
      team: node.team,
      urls: node.kind === "service" ? [`http://${node.id}.internal:8080/health/deep`] : [],
      interval_ms: node.kind === "service" ? 10_000 : null,
      timeout_ms: node.kind === "service" ? 2_000 : null,
      format: node.kind === "service" ? "auto" : null,
      detected: node.kind === "service" ? (index % 5 === 2 ? "spring-actuator" : "headwater") : null,
      file: `map/${node.team}.yaml`,
      line: 3 + index * 9,
      tags: node.tags,
    })),
    edges: edges.map((edge, index) => ({
      ...edge,
      owner: board.nodes.find((node) => node.id === edge.from)?.team ?? null,
      reviewed: index % 4 === 0 ? null : index % 4 === 1 ? "2026-02-01" : "2026-10-01",
      group: null,
      need: null,
      components: [edge.to],
      file: "map/shopfront.yaml",
      line: 20 + index,
    })),
    systems: board.systems.map((system, index) => ({
      id: system.id,
      name: system.name,
      public: index === 0,
      members: system.members,
      file: "map/systems.yaml",
      line: 4 + index * 8,
    })),
  };
}

export function makeWhatIf(world: World, id: string): WhatIf {
  const impacted = world.board.nodes.filter((node) => node.id !== id && pathTo(world.edges, node.id, id).length > 1);
  return {
    node: id,
    impacted: impacted.slice(0, 500).map((node) => ({ node: node.id, status: "degraded" as const })),
    at_risk: [],
    systems: world.board.systems
      .filter((system) => system.members.some((one) => impacted.some((node) => node.id === one.node)))
      .map((system) => ({ id: system.id, name: system.name, effect: "degraded" as const })),
  };
}

export function makeRevisions(world: World): RevisionList {
  const { map } = world.board;
  return {
    revisions: [0, 1, 2].map((back) => ({
      revision: map.revision - back,
      at: iso(world.now - 2_650_000 - back * 86_400_000 * 3),
      hash: `${"4f1c9a7e".repeat(7)}0000000${back}`,
      commit: back === 2 ? null : `9b1d2c${back}`,
      summary: back === 0 ? "1 dependency added: checkout needs tax (hard)" : "2 services added",
    })),
    refused: map.refused,
    next: null,
  };
}

/** The board as it was: what began later had not begun. */
export function boardAt(world: World, at: string): Board {
  const nodes = world.board.nodes.map((node): NodeView => {
    const later = node.status !== "healthy" && node.since !== null && node.since > at;
    return later ? { ...node, status: "healthy", role: null, incident: null, reason: null, since: iso(0), marks: [] } : node;
  });
  const incidents = world.board.incidents
    .filter((incident) => incident.opened_at <= at)
    .map((incident) => ({ ...incident, impacted: incident.impacted.filter((one) => one.since <= at) }));
  return { ...world.board, generated_at: at, nodes, incidents };
}
