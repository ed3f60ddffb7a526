import { afterEach, describe, expect, it, vi } from "vitest";
import {
  Availability,
  ChangeList,
  DayStrips,
  MapCheck,
  MapView,
  RevisionList,
  SinglePoints,
  Strips,
  Version,
} from "../../../server/src/contract/index.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { edge, mapOf, NOW, resource, service, TestLive } from "../../support/live.ts";

afterEach(async () => {
  vi.useRealTimers();
  await closeApps();
});

const ORIGIN = { origin: "http://localhost", host: "localhost" };

describe("the map as loaded", () => {
  it("tells nodes, edges and systems with their places, and no secret", async () => {
    const app = await appOn(new TestLive());
    const answer = await app.inject("/api/v1/map");
    const map = MapView.strict().parse(answer.json());
    expect(map.teams).toEqual([
      { id: "pay", name: "Payments", contact: "#pay", nodes: 2 },
      { id: "data", name: "Data", contact: null, nodes: 1 },
    ]);
    expect(map.nodes[1]).toEqual({
      detected: "headwater",
      id: "checkout",
      name: "checkout",
      kind: "service",
      resource_kind: null,
      team: "pay",
      urls: ["http://checkout.internal:8080/health/deep?key=&x="],
      interval_ms: 10_000,
      timeout_ms: 2_000,
      format: "auto",
      file: "map/shop.yaml",
      line: 4,
      tags: { tier: "1" },
    });
    expect(map.nodes[0]).toMatchObject({ kind: "resource", resource_kind: "database", urls: [], interval_ms: null });
    expect(map.edges.map(({ from, to, components }) => [from, to, components])).toEqual([
      ["checkout", "orders-db", ["postgres"]],
      ["web", "checkout", ["checkout"]],
      ["web", "orders-db", ["orders-db"]],
    ]);
    expect(map.systems[1]).toMatchObject({ id: "back-office", public: false, line: 19 });
    expect(answer.body).not.toMatch(/hunter|do-not-show/);
  });

  it("tells a refusal that came since", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    await app.inject("/api/v1/map");
    live.info = { ...live.info, refused: { at: NOW, problems: [] } };
    expect((await app.inject("/api/v1/map")).json().status.refused).toEqual({ at: "2026-10-24T09:15:00.000Z", problems: [] });
  });

  it("lists its revisions", async () => {
    const live = new TestLive();
    live.past.revisions.push({
      revision: 1,
      acceptedAt: NOW,
      hash: "4f1c",
      commit: null,
      summary: "first",
      files: [{ path: "map/a.yaml", text: "secret: 1" }],
    });
    const answer = await (await appOn(live)).inject("/api/v1/revisions");
    expect(RevisionList.strict().parse(answer.json())).toEqual({
      revisions: [{ revision: 1, at: "2026-10-24T09:15:00.000Z", hash: "4f1c", commit: null, summary: "first" }],
      refused: null,
      next: null,
    });
  });

  it("checks a text as if it stood in the folder", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const check = (payload: object) => app.inject({ method: "POST", url: "/api/v1/map/check", headers: ORIGIN, payload });
    const answer = await check({ file: "map/pay.yaml", text: "x".repeat(500_000) });
    expect(MapCheck.strict().parse(answer.json()).errors).toEqual([
      { file: "map/pay.yaml", line: 1, column: 1, code: "unknown_key", message: "unknown key" },
    ]);
    await check({ text: "services: {}" });
    expect(live.writes.map((write) => (write as { file: string }).file)).toEqual(["map/pay.yaml", "map/change.yaml"]);
    for (const file of ["../x.yaml", "/etc/x.yaml", "map/../../x.yaml", "map/x.txt", "map\\x.yaml", "map//x.yaml", "c:/x.yaml"])
      expect([file, (await check({ file, text: "" })).statusCode]).toEqual([file, 400]);
    expect((await check({ text: "x".repeat(1_000_001) })).statusCode).toBe(400);
    expect((await check({ text: "x".repeat(1_300_000) })).statusCode).toBe(413);
  });
});

describe("single points of failure", () => {
  const pointsOf = async (live: TestLive) => SinglePoints.strict().parse((await (await appOn(live)).inject("/api/v1/spof")).json()).points;

  it("are the nodes whose failure alone breaks a system, those that break most first", async () => {
    expect((await pointsOf(new TestLive())).map(({ node, team, systems, unhealthy }) => [node, team, systems, unhealthy])).toEqual([
      ["orders-db", "data", ["storefront"], 2],
      ["checkout", "pay", ["storefront"], 1],
      ["web", "pay", ["storefront"], 0],
      ["search", null, ["back-office"], 0],
    ]);
  });

  it("are what breaks any service where no system is declared, and follow the map", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    await app.inject("/api/v1/spof");
    live.publish({ map: { ...live.current.map, systems: new Map() } });
    expect((await app.inject("/api/v1/spof")).json().points.map(({ node }: { node: string }) => node)).toEqual(["orders-db", "checkout"]);
  });

  it("spare what has an alternative", async () => {
    const groups = [{ members: ["r1", "r2"], need: 1, criticality: "hard" as const }];
    const api = service("api", [edge("api", "r1", { group: 0 }), edge("api", "r2", { group: 0 })], { groups });
    expect(await pointsOf(new TestLive({ map: mapOf([resource("r1"), resource("r2"), api]) }))).toEqual([]);
  });
});

describe("history across nodes", () => {
  it("gives strips in the cells asked for, made once for a few seconds", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const get = async (query = "") => Strips.strict().parse((await app.inject(`/api/v1/strips${query}`)).json());
    const day = await get();
    expect([day.cells, day.from, day.nodes.search]).toEqual([92, "2026-10-23T09:15:00.000Z", [["healthy", 1], 91]]);
    live.clock += 4_000;
    expect((await get()).to).toBe("2026-10-24T09:15:00.000Z");
    expect((await get("?hours=1&cells=10")).from).toBe("2026-10-24T08:15:04.000Z");
    live.clock += 2_000;
    expect((await get()).to).toBe("2026-10-24T09:15:06.000Z");
    expect((await app.inject("/api/v1/strips?cells=401")).statusCode).toBe(400);
  });

  it("has a gap all along for what nobody has seen yet, and nothing for what left the map", async () => {
    const live = new TestLive();
    const { history } = live;
    const healthy = { status: "healthy", share: 1 } as const;
    live.history = () => ({
      ...history.call(live),
      *strips() {
        yield ["web", [null, healthy]];
        yield ["gone", [healthy, healthy]];
      },
    });
    const answer = await (await appOn(live)).inject("/api/v1/strips?cells=2");
    const { nodes } = Strips.strict().parse(answer.json());
    expect(Object.keys(nodes).sort()).toEqual([...live.snapshot().map.nodes.keys()].sort());
    expect([nodes.web, nodes.search]).toEqual([
      [null, ["healthy", 1]],
      [null, 1],
    ]);
  });

  it("adds to the strips what history knows of latencies, and nothing where it knows none", async () => {
    const live = new TestLive();
    live.past.p95 = new Map([
      ["web", 41],
      ["gone", 7],
    ]);
    expect((await (await appOn(live)).inject("/api/v1/strips")).json().p95).toEqual({ web: 41 });
    expect((await (await appOn(live)).inject("/api/v1/strips/days")).json().p95).toEqual({ web: 41 });
  });

  it("gives the day before a moment of the past, with the latencies of then, and never one of the future", async () => {
    const live = new TestLive();
    live.past.p95 = new Map([["web", 41]]);
    const asked: number[] = [];
    const { history } = live;
    live.history = () => ({
      ...history.call(live),
      *percentiles(to) {
        asked.push(to);
        yield;
        return new Map([["web", to === NOW ? 41 : 7]]);
      },
    });
    const app = await appOn(live);
    const get = async (query = "") => Strips.strict().parse((await app.inject(`/api/v1/strips${query}`)).json());
    const then = await get("?at=2026-10-20T12:00:00.000Z");
    expect([then.from, then.to, then.p95]).toEqual(["2026-10-19T12:00:00.000Z", "2026-10-20T12:00:00.000Z", { web: 7 }]);
    const present = await get();
    expect([present.to, present.p95]).toEqual(["2026-10-24T09:15:00.000Z", { web: 41 }]);
    expect((await get("?at=2030-01-01T00:00:00Z")).to).toBe("2026-10-24T09:15:00.000Z");
    expect((await app.inject("/api/v1/strips?at=yesterday")).statusCode).toBe(400);
    expect(asked).toEqual([Date.UTC(2026, 9, 20, 12), NOW, NOW]);
  });

  it("draws a cell a UTC day, coloured by the worst that is known of it, and counts what was not seen apart", async () => {
    const HOUR = 3_600_000;
    const day = (healthy: number, degraded: number, unhealthy: number, unknown: number) =>
      [healthy, degraded, unhealthy, unknown].map((hours) => hours * HOUR);
    const held = new Float64Array([day(0, 0, 0, 0), day(24, 0, 0, 0), day(21, 2, 1, 0), day(0, 0, 0, 6), day(9, 0, 0, 0.25)].flat());
    const live = new TestLive();
    live.past.days = [
      { subject: "node", id: "web", held },
      { subject: "system", id: "storefront", held: new Float64Array(20) },
      { subject: "node", id: "gone", held },
    ];
    const app = await appOn(live);
    const answer = DayStrips.strict().parse((await app.inject("/api/v1/strips/days?days=5")).json());
    // NOW is a quarter past nine.
    expect([answer.from, answer.to, answer.days]).toEqual(["2026-10-20T00:00:00.000Z", "2026-10-24T09:15:00.000Z", 5]);
    const unseen = [...live.snapshot().map.nodes.keys()].filter((id) => id !== "web");
    expect(unseen).toContain("search");
    expect(answer.nodes).toEqual({
      ...Object.fromEntries(unseen.map((id) => [id, [null, 4]])),
      web: [
        null,
        ["healthy", 1],
        ["unhealthy", 0.0417, 2 * HOUR, HOUR, 0],
        ["unknown", 0.25, 0, 0, 24 * HOUR],
        ["healthy", 0.973, 0, 0, 0.25 * HOUR],
      ],
    });
    expect(answer.systems).toEqual({ storefront: [null, 4], "back-office": [null, 4] });
    expect(answer.uptime).toEqual({ nodes: { web: 0.982456 }, systems: {} });
    for (const wrong of ["0", "93", "x"]) expect((await app.inject(`/api/v1/strips/days?days=${wrong}`)).statusCode).toBe(400);
  });

  it.each([
    ["system=storefront", 200],
    ["node=web&from=2026-10-24T09:00:00Z", 200],
    ["node=none", 404],
    ["system=none", 404],
    ["", 400],
    ["system=storefront&node=web", 400],
  ])("adds up availability of one thing: %s", async (query, status) => {
    const answer = await (await appOn(new TestLive())).inject(`/api/v1/availability?${query}`);
    expect(answer.statusCode).toBe(status);
    if (status === 200) {
      const { from, to, up_ms, availability } = Availability.strict().parse(answer.json());
      const length = Date.parse(to) - Date.parse(from);
      expect([up_ms, availability]).toEqual([length - 3_000, (length - 2_000) / (length - 1_000)]);
    }
  });

  it("takes marks of changes and lists them, newest first", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const mark = (payload: object) => app.inject({ method: "POST", url: "/api/v1/changes", headers: ORIGIN, payload });
    expect(
      (await mark({ node: "web", text: "deploy v2\u0000", link: "https://ci.example/2", at: "2026-10-24T11:00:00+02:00" })).statusCode,
    ).toBe(201);
    expect((await mark({ text: "firewall" })).json()).toEqual({
      at: "2026-10-24T09:15:00.000Z",
      node: null,
      text: "firewall",
      link: null,
      by: "anonymous",
    });
    const { changes } = ChangeList.strict().parse((await app.inject("/api/v1/changes")).json());
    expect(changes.map(({ at, text }) => [at, text])).toEqual([
      ["2026-10-24T09:15:00.000Z", "firewall"],
      ["2026-10-24T09:00:00.000Z", "deploy v2"],
    ]);
    for (const wrong of [
      { node: "none", text: "x" },
      { text: "" },
      { text: "x", link: "javascript:alert(1)" },
      { text: "x", at: "2027-01-01T00:00:00Z" },
    ])
      expect([wrong, (await mark(wrong)).statusCode]).toEqual([wrong, 400]);
  });
});

describe("the build", () => {
  it("says which one answers", async () => {
    const answer = await (await appOn(new TestLive())).inject("/api/v1/version");
    expect(Version.strict().parse(answer.json())).toEqual({
      name: "headwater",
      version: "1.2.3",
      commit: "abc123",
      node: process.versions.node,
      boot: "boot-1",
      started_at: "2026-10-24T08:15:00.000Z",
    });
  });

  it("describes itself in OpenAPI 3.1", async () => {
    const api = (await (await appOn(new TestLive())).inject("/api/openapi.json")).json();
    expect(api.openapi).toBe("3.1.0");
    expect(Object.keys(api.paths)).toEqual(expect.arrayContaining(["/livez", "/api/v1/board", "/api/v1/nodes/{id}", "/api/v1/events"]));
    expect(api.paths["/api/v1/board"].get.responses["200"].content["application/json"].schema.properties).toHaveProperty("nodes");
  });
});

it("gives the schema of its files for editors", async () => {
  const answer = await (await appOn(new TestLive())).inject("/api/v1/map/schema");
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="headwater.schema.json"');
  expect(Object.keys(answer.json<{ properties: object }>().properties)).toEqual(
    expect.arrayContaining(["services", "resources", "systems"]),
  );
});
