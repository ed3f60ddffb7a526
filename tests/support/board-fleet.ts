import type { NodeView } from "../../server/src/contract/index.ts";

export interface Edge {
  from: string;
  to: string;
  criticality: "hard" | "soft" | "informational";
}

export const iso = (at: number): string => new Date(at).toISOString();

/** A small repeatable stream of numbers, 0 to 1. */
export function random(seed: number): () => number {
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

export const MEMBERS: readonly (readonly [string, string, readonly string[]])[] = [
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
    ...(kind === "service" ? { every_ms: 10_000 } : {}),
    age_ms: now - seen,
    stale: false,
    pending: null,
    marks: [],
    latency_ms: Math.round(10 + next() * 200),
    tags: { area, tier: next() > 0.6 ? "1" : "2" },
  };
}

/** The storefront's 36 nodes, cut to `size` or followed by as many generated ones as are needed. */
export function makeNodes(size: number, now: number, next: () => number): { nodes: NodeView[]; edges: Edge[] } {
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
