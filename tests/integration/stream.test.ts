import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { App } from "../../server/src/api/types.ts";
import { BoardEvent, PingEvent } from "../../server/src/contract/index.ts";
import type { Auth } from "../../server/src/domain/config.ts";
import { appOn, closeApps } from "../support/app.ts";
import { type Viewer, watch } from "../support/events.ts";
import { incident, NOW, nodeState, TestLive } from "../support/live.ts";

afterEach(async () => {
  vi.useRealTimers();
  await closeApps();
});

async function listening(live: TestLive): Promise<{ app: App; url: string }> {
  const app = await appOn(live);
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, url: `${address}/api/v1/events` };
}

/** Node states with one changed. */
function withNode(live: TestLive, id: string, changes: Parameters<typeof nodeState>[2], status: "healthy" | "degraded" = "healthy") {
  const nodes = new Map(live.current.state.nodes);
  nodes.set(id, nodeState(id, status, changes));
  return { state: { ...live.current.state, nodes } };
}

describe("the event stream", () => {
  it("begins with where it stands, and empty lists", async () => {
    const { url } = await listening(new TestLive());
    const viewer = await watch(url);
    const { headers } = viewer.response;
    expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-store, no-transform");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    const { event, id, data } = await viewer.next();
    expect([event, id]).toEqual(["board", "1"]);
    expect(BoardEvent.strict().parse(data)).toMatchObject({
      boot: "boot-1",
      revision: 1,
      generated_at: "2026-10-24T09:15:00.000Z",
      status: "unhealthy",
      nodes: [],
      seen: [],
      removed: [],
      incidents: [],
      systems: [],
    });
    viewer.leave();
  });

  it("tells each revision once, in order, with what moved and nothing else", async () => {
    const live = new TestLive();
    const { url } = await listening(live);
    const viewer = await watch(url);
    await viewer.next();
    live.publish(withNode(live, "search", { lastChecked: NOW + 1_000, latencyMs: 7 }), { seen: ["search"] });
    live.publish(withNode(live, "search", { reason: "slow" }, "degraded"), { nodes: ["search"], incidents: [incident(7, "orders-db")] });
    const { map } = live.current;
    live.publish({ map: { ...map, nodes: new Map([...map.nodes].filter(([id]) => id !== "search")) } }, { removed: ["search"] });
    const events = [await viewer.next(), await viewer.next(), await viewer.next()].map(({ data }) => BoardEvent.strict().parse(data));
    expect(events.map(({ revision }) => revision)).toEqual([2, 3, 4]);
    expect(events[0]).toMatchObject({ seen: [["search", "2026-10-24T09:15:01.000Z", 7]], nodes: [], systems: [], incidents: [] });
    expect(events[1]?.nodes).toMatchObject([{ id: "search", status: "degraded", reason: "slow" }]);
    expect(events[1]?.incidents).toMatchObject([{ id: 7 }]);
    expect(events[1]?.systems.map(({ id, status }) => [id, status])).toEqual([
      ["storefront", "unhealthy"],
      ["back-office", "degraded"],
    ]);
    expect(events[2]).toMatchObject({ removed: ["search"], nodes: [], seen: [] });
    viewer.leave();
  });

  it("tells that a map was refused with the next revision, once", async () => {
    const live = new TestLive();
    const { url } = await listening(live);
    const viewer = await watch(url);
    await viewer.next();
    live.info = { ...live.info, refused: { at: NOW, problems: [] } };
    live.publish({});
    live.publish({});
    const [first, second] = [await viewer.next(), await viewer.next()].map(({ data }) => BoardEvent.parse(data));
    expect(first?.map?.refused).toEqual({ at: "2026-10-24T09:15:00.000Z", problems: [] });
    expect(second).not.toHaveProperty("map");
    viewer.leave();
  });

  it("keeps hostile texts within their event", async () => {
    const live = new TestLive();
    const { url } = await listening(live);
    const viewer = await watch(url);
    await viewer.next();
    const reason = "x\n\nevent: board\ndata: {}\r\u2028\u202e<script>\u0000";
    live.publish(withNode(live, "search", { reason }, "degraded"), { nodes: ["search"] });
    expect(BoardEvent.parse((await viewer.next()).data).nodes[0]?.reason).toBe(reason);
    viewer.leave();
  });

  it("pings every ten seconds with the server's time and freshness", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const live = new TestLive();
    const { url } = await listening(live);
    const viewer = await watch(url);
    await viewer.next();
    live.clock += 10_000;
    live.signalNow = { ...live.signalNow, stale: true, because: ["no_answers"] };
    vi.advanceTimersByTime(10_000);
    const { event, data } = await viewer.next();
    expect(event).toBe("ping");
    expect(PingEvent.strict().parse(data)).toMatchObject({
      at: "2026-10-24T09:15:10.000Z",
      freshness: { stale: true, because: ["no_answers"] },
    });
    viewer.leave();
  });

  it("ends every viewer when the server closes, and takes no new one", async () => {
    const { app, url } = await listening(new TestLive());
    const viewers = await Promise.all(Array.from({ length: 20 }, () => watch(url)));
    await Promise.all(viewers.map((viewer) => viewer.next()));
    await app.close();
    await Promise.all(viewers.map((viewer) => viewer.ended));
    await expect(watch(url)).rejects.toThrow(/ECONNREFUSED/);
  });

  it("ends every viewer as soon as draining is published, and sends newcomers away", async () => {
    const live = new TestLive();
    const { url } = await listening(live);
    const viewer = await watch(url);
    await viewer.next();
    live.life = "draining";
    live.publish({});
    await viewer.ended;
    expect((await watch(url)).response.statusCode).toBe(503);
  });

  it("drops a viewer who does not read, and serves the others on", async () => {
    const live = new TestLive();
    const { app, url } = await listening(live);
    const { port, hostname } = new URL(url);
    const slow = connect(Number(port), hostname);
    slow.write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    slow.on("error", () => {});
    await once(slow, "readable");
    const quick = await watch(url);
    await quick.next();
    // Events of about 100 kB: enough to fill both sockets' buffers and then the bound on what waits.
    const reason = "x".repeat(100_000);
    let revision = 1;
    for (; revision < 400; revision++) {
      live.publish(withNode(live, "search", { reason }, "degraded"), { nodes: ["search"] });
      expect(BoardEvent.parse((await quick.next()).data).revision).toBe(revision + 1);
      if (/headwater_stream_dropped_total 1$/m.test((await app.inject("/metrics")).body)) break;
    }
    expect(revision).toBeLessThan(400);
    expect((await app.inject("/metrics")).body).toMatch(/^headwater_stream_viewers 1$/m);
    slow.destroy();
    quick.leave();
  });

  it("closes at once also over a viewer who does not read", async () => {
    const live = new TestLive();
    const { app, url } = await listening(live);
    const { port, hostname } = new URL(url);
    const slow = connect(Number(port), hostname);
    slow.write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    slow.on("error", () => {});
    await once(slow, "readable");
    // One event that no socket's buffers hold, so that the viewer is stuck in the middle of it.
    live.publish(withNode(live, "search", { reason: "x".repeat(32_000_000) }, "degraded"), { nodes: ["search"] });
    await app.close();
    expect(live.listeners).toBe(0);
    slow.destroy();
  });

  it("leaves /livez at 200 while it waits for viewers to end", async () => {
    const live = new TestLive();
    const { app, url } = await listening(live);
    const { port, hostname } = new URL(url);
    const slow = connect(Number(port), hostname);
    slow.write("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    slow.on("error", () => {});
    await once(slow, "readable");
    // One event that no socket's buffers hold, so that the viewer is stuck in the middle of it.
    live.publish(withNode(live, "search", { reason: "x".repeat(32_000_000) }, "degraded"), { nodes: ["search"] });
    const quick = await watch(url);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const closed = app.close();
    await quick.ended;
    const lives = await watch(`http://${hostname}:${port}/livez`);
    expect(lives.response.statusCode).toBe(200);
    vi.advanceTimersByTime(500);
    await closed;
    slow.destroy();
  });

  it("forgets viewers who leave", async () => {
    const live = new TestLive();
    const { app, url } = await listening(live);
    const viewers = await Promise.all(Array.from({ length: 5 }, () => watch(url)));
    expect((await app.inject("/metrics")).body).toMatch(/^headwater_stream_viewers 5$/m);
    for (const viewer of viewers) viewer.leave();
    await expect.poll(async () => (await app.inject("/metrics")).body).toMatch(/^headwater_stream_viewers 0$/m);
  });

  it("needs a role where there is a login", async () => {
    const live = new TestLive(undefined, { auth: { kind: "tokens", tokens: [{ name: "wall", role: "viewer", secret: "s3cret" }] } });
    const { url } = await listening(live);
    const nobody = await watch(url);
    expect(nobody.response.statusCode).toBe(401);
    const viewer = await watch(url, { authorization: "Bearer s3cret" });
    expect(viewer.response.statusCode).toBe(200);
    viewer.leave();
  });

  describe("ends with the right to read it:", () => {
    const auth: Auth = { kind: "tokens", tokens: [{ name: "wall", role: "viewer", secret: "s3cret" }] };
    const origin = { host: "localhost", origin: "http://localhost" };

    /** Two viewers with a session each, and one with the token. */
    async function three() {
      const live = new TestLive(undefined, { auth });
      const { app, url } = await listening(live);
      const login = async () => {
        const answer = await app.inject({ method: "POST", url: "/api/v1/session", headers: origin, payload: { token: "s3cret" } });
        return { cookie: `headwater_session=${answer.cookies[0]?.value}` };
      };
      const [mine, other] = [await login(), await login()];
      const viewers = await Promise.all([mine, other, { authorization: "Bearer s3cret" }].map((headers) => watch(url, headers)));
      for (const viewer of viewers) expect((await viewer.next()).event).toBe("board");
      const [own, another, bearer] = viewers as [Viewer, Viewer, Viewer];
      return { live, app, mine, own, another, bearer, leave: () => viewers.forEach((viewer) => void viewer.leave()) };
    }

    it("at once when its session logs out, and nobody else's", async () => {
      const { live, app, mine, own, another, bearer, leave } = await three();
      await app.inject({ method: "DELETE", url: "/api/v1/session", headers: { ...origin, ...mine } });
      await own.ended;
      live.publish({});
      expect([(await another.next()).id, (await bearer.next()).id]).toEqual(["2", "2"]);
      expect((await app.inject({ url: "/metrics", headers: { authorization: "Bearer s3cret" } })).body).toMatch(/_stream_viewers 2$/m);
      leave();
    });

    it("with the next ping when its session is over", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      const { live, own, another, bearer, leave } = await three();
      live.clock += 7 * 86_400_000;
      vi.advanceTimersByTime(10_000);
      await Promise.all([own.ended, another.ended]);
      expect((await bearer.next()).event).toBe("ping");
      leave();
    });

    it("with the reload that takes the token away", async () => {
      const { live, own, another, bearer } = await three();
      Object.assign(live.config, { auth: { kind: "tokens", tokens: [{ name: "wall", role: "viewer", secret: "another" }] } });
      live.info = { ...live.info, revision: 2 };
      live.publish({});
      await Promise.all([own.ended, another.ended, bearer.ended]);
    });
  });
});
