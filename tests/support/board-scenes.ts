import type { Incident, NodeView } from "../../server/src/contract/index.ts";
import { iso } from "./board-fleet.ts";
import { baseIncident, type Scene, setSystems, type World } from "./board-world.ts";

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

/** The database fails and its dependents with it; shipping has a fault of its own since before. */
export function stageIncident(world: World, big: number): void {
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
    reason: "4 of 4 dependents report it down: connection refused",
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
  change("promotions", { pending: { status: "degraded", count: 2, needed: 3, every_ms: 10_000 } });
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
      why: [
        "It failed first, 4 of 4 dependents report it down.",
        "A change was marked on it 21 min before its first failure: “parameter group “pg-15-large” applied”.",
        "Nothing that it needs is failing.",
      ],
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
    {
      at: iso(start - 1_271_000),
      kind: "change",
      node: "orders-db",
      text: "parameter group “pg-15-large” applied",
      by: "data-platform",
      link: "https://changes.example/1841",
    },
    { at: iso(start), kind: "opened", node: "orders-db", text: "orders-db (confirmed, 0.94)", by: null },
    ...impact.map(([node, , after]) => ({
      at: iso(start + after * 1_000),
      kind: "impact",
      node,
      text: `${node} suffers from it`,
      by: null,
    })),
  ]);
  setSystems(board);
}

/** What is wrong in each of the other scenes. */
export function stageOther(world: World, scene: Scene): void {
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
        impacted: ["cart", "search"].map((id) => ({ node: id, since: iso(start) })),
        candidates: [
          { node: "sessions", confidence: 0.4, why: "Two of the three need it." },
          { node: "payments", confidence: 0.3, why: "One of the three needs it." },
        ],
      },
    ];
  }
  if (scene === "maintenance") {
    world.works.push({
      id: 5,
      nodes: ["payments", "card-gateway"],
      from: iso(now - 600_000),
      to: iso(now + 3_000_000),
      reason: "gateway upgrade",
      by: "payments-core",
      announced_at: iso(now - 86_400_000),
      ended_by: null,
    });
    Object.assign(node("card-gateway"), { marks: ["maintenance"] });
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
        systems: [{ id: "account", effect: "unhealthy" }],
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
        // Orders is good again, cart is not yet.
        impacted: ["orders", "cart"].map((id) => ({ node: id, since: iso(start + 20_000) })),
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
