import { afterEach, describe, expect, it } from "vitest";
import { NodeDetail, NodeHistory, WhatIf } from "../../../server/src/contract/index.ts";
import type { Observation } from "../../../server/src/domain/observation.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { edge, edgeState, instanceState, mapOf, NOW, resource, service, shop, stateOf, TestLive } from "../../support/live.ts";

afterEach(closeApps);

const detailOf = async (live: TestLive, id: string): Promise<NodeDetail> =>
  NodeDetail.strict().parse((await (await appOn(live)).inject(`/api/v1/nodes/${encodeURIComponent(id)}`)).json());

function answer(instance: string, body: string): Observation {
  return {
    service: instance,
    instance,
    at: NOW - 4_000,
    latencyMs: 12,
    outcome: "report",
    httpStatus: 503,
    report: null,
    format: "headwater",
    error: null,
    date: null,
    httpAge: null,
    warnings: [],
    body,
  };
}

describe("one node in full", () => {
  it("joins what it says, what others say of it, and what it costs", async () => {
    const live = new TestLive();
    live.observations.set("checkout", answer("checkout", '{"status":"unhealthy"}'));
    const detail = await detailOf(live, "checkout");
    expect(detail).toMatchObject({
      generated_at: "2026-10-24T09:15:00.000Z",
      node: { id: "checkout", status: "unhealthy", role: "impacted", incident: 7 },
      contact: "#pay",
      links: { wiki: "https://wiki.example/pay", runbook: "https://runbooks.example/checkout" },
      place: { file: "map/shop.yaml", line: 4 },
      own_word: "unhealthy",
      format: "headwater",
      path: ["checkout", "orders-db"],
      dependents: [{ id: "web", criticality: "hard", status: "unhealthy", role: "impacted" }],
      systems: [{ id: "storefront", name: "Storefront", criticality: "hard" }],
      last_answer: { http_status: 503, latency_ms: 12, bytes: 22, text: '{"status":"unhealthy"}' },
    });
    expect(detail.cost).toEqual({
      calls_per_second: 0.1,
      interval_ms: 10_000,
      timeout_ms: 2_000,
      worst_staleness_ms: 12_000,
      worst_detection_ms: 32_000,
      largest_component_age_ms: null,
    });
    expect(detail.dependencies).toEqual([
      {
        to: "orders-db",
        criticality: "hard",
        owner: "pay",
        reviewed: "2026-10-01",
        group: null,
        need: null,
        status: "down",
        damped: "down",
        latency_ms: 3,
        checked_at: "2026-10-24T09:14:55.000Z",
        age_ms: 5_000,
        error: null,
        counts: true,
        node_status: "unhealthy",
        others: { up: 0, down: 1 },
      },
    ]);
  });

  it("shows addresses without credentials and query values, and no header", async () => {
    const live = new TestLive();
    const detail = await detailOf(live, "checkout");
    expect(detail.instances.map(({ url }) => url)).toEqual(["http://checkout.internal:8080/health/deep?key=&x="]);
    expect(JSON.stringify(detail)).not.toMatch(/hunter|do-not-show/);
  });

  it("counts only fresh words of the other witnesses", async () => {
    const facts = shop();
    const edges = new Map(facts.state.edges);
    edges.set("web>orders-db", edgeState("web", "orders-db", "up", { stale: true }));
    const live = new TestLive({ ...facts, state: { ...facts.state, edges } });
    expect((await detailOf(live, "checkout")).dependencies[0]?.others).toEqual({ up: 0, down: 0 });
    const db = await detailOf(live, "orders-db");
    expect(db.witnesses.map(({ from, status, counts }) => [from, status, counts])).toEqual([
      ["checkout", "down", true],
      ["web", "up", false],
    ]);
    expect([db.instances, db.dependencies, db.cost, db.last_answer]).toEqual([[], [], null, null]);
  });

  it("lists reported components that the map does not know, the worst word of several instances", async () => {
    const map = mapOf([
      resource("db"),
      service("api", [edge("api", "db", { components: ["postgres", "pg"] })], {
        instances: ["a", "b"].map((id) => ({ id, service: "api", url: `http://${id}/` })),
      }),
    ]);
    const state = stateOf(map);
    const instance = (id: string, disk: "up" | "down") =>
      instanceState(id, "api", "healthy", {
        components: [
          { name: "pg", status: "up", computedAgeMs: 8_000 },
          { name: "disk", status: disk, computedAgeMs: 500, ...(disk === "down" ? { error: "full" } : {}) },
          { name: "cpu", status: "up", criticality: "informational", computedAgeMs: null },
        ],
      });
    const live = new TestLive({
      map,
      state: {
        ...state,
        instances: new Map([
          ["a", instance("a", "up")],
          ["b", instance("b", "down")],
        ]),
      },
    });
    const detail = await detailOf(live, "api");
    expect(detail.unmapped).toEqual([
      { name: "disk", status: "down", criticality: null, age_ms: 4_500, error: "full" },
      { name: "cpu", status: "up", criticality: "informational", age_ms: null, error: null },
    ]);
    expect(detail.cost).toMatchObject({ calls_per_second: 0.2, largest_component_age_ms: 8_000 });
  });

  it("shows of several instances the answer of the worst", async () => {
    const map = mapOf([service("api", [], { instances: ["a", "b"].map((id) => ({ id, service: "api", url: `http://${id}/` })) })]);
    const state = stateOf(map);
    const live = new TestLive({
      map,
      state: { ...state, instances: new Map([...state.instances, ["b", instanceState("b", "api", "unhealthy")]]) },
    });
    live.observations.set("a", answer("a", "fine"));
    live.observations.set("b", answer("b", "broken"));
    expect((await detailOf(live, "api")).last_answer?.text).toBe("broken");
  });

  it("tells alternatives by their group and how many must hold", async () => {
    const map = mapOf([
      resource("r1"),
      resource("r2"),
      service("api", [edge("api", "r1", { group: 0 }), edge("api", "r2", { group: 0 })], {
        groups: [{ members: ["r1", "r2"], need: 1, criticality: "hard" }],
      }),
    ]);
    const { dependencies } = await detailOf(new TestLive({ map }), "api");
    expect(dependencies.map(({ to, group, need }) => [to, group, need])).toEqual([
      ["r1", 0, 1],
      ["r2", 0, 1],
    ]);
  });
});

describe("the history of a node", () => {
  const get = async (live: TestLive, url: string) => (await appOn(live)).inject(url);

  it("covers the last day where no range is given", async () => {
    const answer = await get(new TestLive(), "/api/v1/nodes/checkout/history");
    expect(NodeHistory.strict().parse(answer.json())).toMatchObject({
      from: "2026-10-23T09:15:00.000Z",
      to: "2026-10-24T09:15:00.000Z",
      spans: [{ status: "no_data" }],
      availability: { up_ms: 86_397_000, degraded_ms: 1_000, down_ms: 1_000, unseen_ms: 1_000, maintenance_ms: 0 },
    });
  });

  it("passes on spans, latencies, failures and changes", async () => {
    const live = new TestLive();
    Object.assign(live.past.nodeHistory, {
      spans: [{ status: "degraded", from: NOW - 60_000, to: NOW, reason: "slow", role: "impacted" }],
      latency: [{ at: NOW - 60_000, count: 6, failed: 1, p50: 10, p95: 20, p99: 21 }],
      failures: [{ at: NOW - 30_000, outcome: "timeout" }],
      changes: [{ at: NOW - 20_000, node: "checkout", text: "v2", link: null, by: "mia" }],
    });
    const history = NodeHistory.strict().parse((await get(live, "/api/v1/nodes/checkout/history?from=2026-10-24T09:14:00Z")).json());
    expect(history).toMatchObject({
      spans: [{ status: "degraded", from: "2026-10-24T09:14:00.000Z", reason: "slow", role: "impacted" }],
      latency: [{ count: 6, failed: 1, p50: 10, p95: 20, p99: 21 }],
      failures: [{ at: "2026-10-24T09:14:30.000Z", outcome: "timeout" }],
      changes: [{ text: "v2", node: "checkout" }],
    });
    expect(history.dependency).toBeUndefined();
    const one = await get(live, "/api/v1/nodes/checkout/history?from=2026-10-24T09:14:00Z&dependency=orders-db");
    expect(NodeHistory.strict().parse(one.json()).dependency).toMatchObject({
      to: "orders-db",
      bucket_ms: 60_000,
      latency: [{ p50: 10, p95: 20, p99: 21 }],
    });
  });

  it.each([
    ["a range that ends before it begins", "from=2026-10-24T09:00:00Z&to=2026-10-24T08:00:00Z", 400],
    ["a range that lies ahead", "from=2026-10-25T09:00:00Z", 400],
    ["no time", "from=now", 400],
    ["a range with an offset", "from=2026-10-24T10:00:00%2B02:00", 200],
    ["a range that ends ahead", "to=2026-10-25T09:00:00Z", 200],
  ])("takes or refuses %s", async (_name, query, status) => {
    expect((await get(new TestLive(), `/api/v1/nodes/checkout/history?${query}`)).statusCode).toBe(status);
  });

  it("is kept for a node that left the map, and 404 for one that never was", async () => {
    const live = new TestLive();
    expect((await get(live, "/api/v1/nodes/gone/history")).statusCode).toBe(404);
    Object.assign(live.past.nodeHistory, { spans: [{ status: "healthy", from: NOW - 60_000, to: NOW, reason: null, role: null }] });
    expect((await get(live, "/api/v1/nodes/gone/history")).statusCode).toBe(200);
  });
});

describe("what the failure of a node would do", () => {
  it("is the analysis' answer, with the systems' names", async () => {
    const app = await appOn(new TestLive());
    expect(WhatIf.strict().parse((await app.inject("/api/v1/nodes/orders-db/whatif")).json())).toEqual({
      node: "orders-db",
      impacted: [
        { node: "checkout", status: "unhealthy" },
        { node: "web", status: "unhealthy" },
      ],
      at_risk: [],
      systems: [{ id: "storefront", name: "Storefront", effect: "unhealthy" }],
    });
    expect((await app.inject("/api/v1/nodes/search/whatif")).json().impacted).toEqual([]);
    expect((await app.inject("/api/v1/nodes/none/whatif")).statusCode).toBe(404);
  });
});
