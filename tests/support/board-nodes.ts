import type { DayStrips, Incident, NodeDetail, NodeHistory, NodeView, Strips, WhatIf } from "../../server/src/contract/index.ts";
import { type Edge, iso, random } from "./board-fleet.ts";
import type { World } from "./board-world.ts";

const DAY_MS = 86_400_000;

/** The last day of every node, or that before `at`: quiet, but for what dips here and there. */
export function makeStrips(world: World, at: string | null): Strips {
  const to = at === null ? world.now : Date.parse(at);
  const next = random(11);
  const nodes: Strips["nodes"] = {};
  const p95: Strips["p95"] = {};
  for (const node of world.board.nodes) {
    const dips = new Map<number, [NodeView["status"], number]>();
    if (next() > 0.75) dips.set(Math.floor(next() * 90), [next() > 0.5 ? "degraded" : "unhealthy", 0.2 + next() * 0.8]);
    if (at === null && node.status === "unknown") dips.set(95, ["unknown", 0.3]);
    nodes[node.id] = Array.from({ length: 96 }, (_, cell) => (cell >= 47 && cell < 55 ? null : (dips.get(cell) ?? ["healthy", 1])));
    const [least, most] = node.kind === "resource" ? [1, 12] : [20, 300];
    if (node.latency_ms !== null) p95[node.id] = Math.round(least + next() ** 3 * most);
  }
  return { from: iso(to - DAY_MS), to: iso(to), cells: 96, nodes, p95 };
}

type DayCell = DayStrips["nodes"][string][number];

/** Ninety days that hold what failed before; the first twelve were before Headwater watched. */
export function makeDayStrips(world: World): DayStrips {
  const from = Math.floor(world.now / DAY_MS) * DAY_MS - 89 * DAY_MS;
  const end = (one: Incident): number => Date.parse(one.resolved_at ?? world.board.generated_at);
  const all = [...world.past, ...world.board.incidents];
  const cellsOf = (isHit: (incident: Incident) => boolean): DayCell[] =>
    Array.from({ length: 90 }, (_, day): DayCell => {
      if (day < 12) return null;
      const start = from + day * DAY_MS;
      const hit = all.find((one) => isHit(one) && Date.parse(one.opened_at) < start + DAY_MS && end(one) >= start);
      if (!hit) return ["healthy", 1];
      const ms = end(hit) - Date.parse(hit.opened_at);
      return hit.severity === "page" ? ["unhealthy", ms / DAY_MS, 0, ms, 0] : ["degraded", ms / DAY_MS, ms, 0, 0];
    });
  const touches = (one: Incident, id: string): boolean => one.anchor === id || one.impacted.some((victim) => victim.node === id);
  const { nodes, systems } = world.board;
  const uptime = (ids: readonly { id: string }[]): Record<string, number> =>
    Object.fromEntries(ids.map(({ id }, index) => [id, 0.9999 - (index % 5) * 0.0004]));
  return {
    from: iso(from),
    to: iso(world.now),
    days: 90,
    nodes: Object.fromEntries(nodes.map(({ id }) => [id, cellsOf((one) => touches(one, id))])),
    systems: Object.fromEntries(systems.map(({ id, members }) => [id, cellsOf((one) => members.some(({ node }) => one.anchor === node))])),
    uptime: { nodes: uptime(nodes), systems: uptime(systems) },
    p95: {},
  };
}

/** Ids from a victim to the cause, by the shortest way. */

export function pathTo(edges: readonly Edge[], from: string, to: string): string[] {
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
        // One of many sees what the others do not.
        const word = index === 20 ? "up" : componentWord[node.status];
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
          text: `{"status":"${node.status}","components":[{"name":"postgres","status":"${componentWord[node.status]}","criticality":"hard"}]}`,
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
