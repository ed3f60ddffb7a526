import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { Board, NodeView } from "../../../server/src/contract/index.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { NOW, nodeState, shop, stateOf, TestLive } from "../../support/live.ts";

afterEach(closeApps);

describe("the board", () => {
  it("tells every node, system and incident in the contract's shape", async () => {
    const app = await appOn(new TestLive());
    const answer = await app.inject("/api/v1/board");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    const board = Board.strict().parse(answer.json());
    expect(board).toMatchObject({
      boot: "boot-1",
      revision: 1,
      generated_at: "2026-10-24T09:15:00.000Z",
      site: "eu-1",
      status: "unhealthy",
      coverage: { known: 4, total: 4 },
      freshness: { stale: false, because: [], blind: false, oldest_age_ms: 4_000, stale_nodes: 0, poller_lag_ms: 3 },
      map: { revision: 1, refused: null },
    });
    expect(board.nodes.map(({ id, role, incident, age_ms }) => [id, role, incident, age_ms])).toEqual([
      ["orders-db", "root_cause", 7, 4_000],
      ["checkout", "impacted", 7, 4_000],
      ["web", "impacted", 7, 4_000],
      ["search", null, null, 4_000],
    ]);
    expect(board.incidents[0]).toMatchObject({ id: 7, cause: { node: "orders-db", level: "confirmed" }, acked: null, end: null });
    expect(board.systems[0]).toEqual({
      id: "storefront",
      name: "Storefront",
      status: "unhealthy",
      coverage: { known: 2, total: 2 },
      members: [
        { node: "web", criticality: "hard" },
        { node: "checkout", criticality: "hard" },
      ],
    });
  });

  it("writes optional parts of a node only where they hold, in the order of the contract", async () => {
    const facts = shop();
    const nodes = new Map(facts.state.nodes);
    nodes.set(
      "search",
      nodeState("search", "unknown", {
        lastKnown: { status: "healthy", at: NOW - 90_000 },
        lastChecked: null,
        latencyMs: null,
        stale: true,
        since: 0,
        marks: ["flapping"],
        pending: { status: "healthy", count: 1, needed: 3 },
      }),
    );
    const app = await appOn(new TestLive({ ...facts, state: { ...facts.state, nodes } }));
    const { nodes: views } = (await app.inject("/api/v1/board")).json<Board>();
    expect(views[3]).toEqual({
      id: "search",
      name: "Search",
      kind: "service",
      team: null,
      status: "unknown",
      role: null,
      incident: null,
      reason: null,
      since: null,
      last_checked: null,
      every_ms: 10_000,
      age_ms: null,
      stale: true,
      pending: { status: "healthy", count: 1, needed: 3, every_ms: 10_000 },
      marks: ["flapping"],
      last_known: { status: "healthy", at: "2026-10-24T09:13:30.000Z" },
      latency_ms: null,
      tags: {},
    });
    expect(views[0]).not.toHaveProperty("last_known");
    expect(views[0]).toHaveProperty("resource_kind", "database");
    expect(Object.keys(views[3] ?? {})).toEqual(Object.keys(NodeView.shape).filter((key) => key !== "resource_kind"));
  });

  it("says times to a tenth of a millisecond, and ages in whole ones", async () => {
    const facts = shop();
    const nodes = new Map(facts.state.nodes);
    nodes.set("search", nodeState("search", "healthy", { latencyMs: 1.0876700000007986, lastChecked: NOW - 1_500.25 }));
    const app = await appOn(new TestLive({ ...facts, state: { ...facts.state, nodes } }));
    expect((await app.inject("/api/v1/board")).json<Board>().nodes[3]).toMatchObject({ latency_ms: 1.1, age_ms: 1_500 });
  });

  it("keeps ages at most a second old while the revision stands", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const ages = async () => {
      const board = (await app.inject("/api/v1/board")).json<Board>();
      return [board.generated_at, board.nodes[0]?.age_ms];
    };
    expect(await ages()).toEqual(["2026-10-24T09:15:00.000Z", 4_000]);
    live.clock += 900;
    expect(await ages()).toEqual(["2026-10-24T09:15:00.000Z", 4_000]);
    live.clock += 200;
    expect(await ages()).toEqual(["2026-10-24T09:15:01.100Z", 5_100]);
  });

  it("is 304 for whoever has this revision, and 200 after the next", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const first = await app.inject("/api/v1/board");
    const etag = String(first.headers.etag);
    expect(etag).toBe('W/"boot-1-1"');
    const ask = (tag: string) => app.inject({ url: "/api/v1/board", headers: { "if-none-match": tag } });
    const same = await ask(etag);
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, "", etag]);
    expect((await ask('"boot-1-1"')).statusCode).toBe(304);
    expect((await ask('"boot-0-1", W/"boot-1-1"')).statusCode).toBe(304);
    expect((await ask('"boot-0-1"')).statusCode).toBe(200);
    live.publish({ state: stateOf(live.current.map) });
    const next = await ask(etag);
    expect([next.statusCode, next.json<Board>().revision, next.json<Board>().status]).toEqual([200, 2, "healthy"]);
  });

  it("never says that nothing changed after it has gone stale within a revision", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const etag = String((await app.inject("/api/v1/board")).headers.etag);
    live.signalNow = { ...live.signalNow, stale: true, because: ["frozen"] };
    const answer = await app.inject({ url: "/api/v1/board", headers: { "if-none-match": etag } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Board>().freshness).toMatchObject({ stale: true, because: ["frozen"] });
  });

  it("shows a refused map with its problems", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    await app.inject("/api/v1/board");
    const problem = { file: "map/shop.yaml", line: 3, column: 5, code: "unknown_key", message: "unknown key `intervall`" };
    live.info = { ...live.info, refused: { at: NOW, problems: [problem] } };
    expect((await app.inject("/api/v1/board")).json<Board>().map.refused).toEqual({ at: "2026-10-24T09:15:00.000Z", problems: [problem] });
  });

  it("is zipped for those who accept it, with the same content", async () => {
    const app = await appOn(new TestLive());
    const plain = await app.inject({ url: "/api/v1/board", headers: { "accept-encoding": "gzip;q=0, br" } });
    const zipped = await app.inject({ url: "/api/v1/board", headers: { "accept-encoding": "gzip, br" } });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(zipped.headers.vary).toMatch(/accept-encoding/i);
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
  });

  it("follows nodes that come and go with the map", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const ids = async () => (await app.inject("/api/v1/board")).json<Board>().nodes.map(({ id }) => id);
    expect(await ids()).toHaveLength(4);
    const { map } = live.current;
    const search = map.nodes.get("search");
    live.publish({ map: { ...map, nodes: new Map(search ? [["search", search]] : []), systems: new Map() }, incidents: [] });
    expect(await ids()).toEqual(["search"]);
  });

  it("shows the past as it was shown then, without ages it does not know", async () => {
    const live = new TestLive();
    const at = NOW - 3_600_000;
    live.past.states = {
      at,
      nodes: new Map([
        ["gone", { status: "healthy", since: at - 1_000, reason: null, role: null, incident: null }],
        ["checkout", { status: "degraded", since: at - 5_000, reason: "slow", role: "impacted", incident: 3 }],
      ]),
      systems: new Map([["storefront", { status: "degraded", since: at - 5_000 }]]),
      incidents: [],
      mapRevision: 4,
      mapAcceptedAt: at - 60_000,
    };
    const app = await appOn(live);
    const answer = await app.inject(`/api/v1/board?at=${new Date(at).toISOString()}`);
    expect(answer.headers.etag).toBeUndefined();
    const board = Board.strict().parse(answer.json());
    expect(board).toMatchObject({ revision: 0, generated_at: "2026-10-24T08:15:00.000Z", status: "degraded" });
    expect(board.map).toMatchObject({ revision: 4, loaded_at: "2026-10-24T08:14:00.000Z" });
    expect(board.nodes.map(({ id, status, role, incident, age_ms }) => [id, status, role, incident, age_ms])).toEqual([
      ["checkout", "degraded", "impacted", 3, null],
      ["gone", "healthy", null, null, null],
    ]);
    expect(board.systems).toMatchObject([{ id: "storefront", status: "degraded", coverage: { known: 1, total: 1 } }]);
  });

  it.each([
    ["a time of which nothing is known", "2026-01-01T00:00:00Z", 404, "no_data"],
    ["a time that has not come", "2030-01-01T00:00:00Z", 400, "bad_request"],
    ["no time at all", "yesterday", 400, "bad_request"],
  ])("refuses %s", async (_name, at, status, code) => {
    const app = await appOn(new TestLive());
    const answer = await app.inject(`/api/v1/board?at=${at}`);
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  });
});
