import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import Fastify from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { createReporter, type Reporter, type ReporterOptions, reporterHandler, reporterPlugin } from "../../server/src/reporter/index.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(options: ReporterOptions) {
  const reporter = createReporter(options);
  const server = http.createServer(reporterHandler(reporter)).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(
    () => reporter.stop(),
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { reporter, ask: (path: string, init?: RequestInit) => fetch(origin + path, init) };
}

const never: ReporterOptions["checks"][string] = { criticality: "hard", run: () => new Promise(() => {}) };

describe("the handlers of a reporter", () => {
  test("a started reporter asks at once and answers from memory, however often it is asked", async () => {
    let runs = 0;
    const check = { criticality: "hard" as const, run: async () => void runs++ };
    const { reporter, ask } = await serve({ checks: { db: check } });
    expect((await ask("/health/deep")).status).toBe(503);
    reporter.start();
    await expect.poll(async () => (await ask("/health/deep")).status).toBe(200);
    for (let i = 0; i < 20; i++) await ask("/health/deep");
    expect(runs).toBe(1);
  });

  test("rounds follow by themselves", async () => {
    let runs = 0;
    const { reporter } = await serve({ checks: { db: { criticality: "hard", run: async () => void runs++ } }, interval: 30, timeout: 20 });
    reporter.start();
    await expect.poll(() => runs).toBeGreaterThanOrEqual(3);
    reporter.stop();
  });

  test("a check past its deadline has failed with that reason, and its signal is aborted", async () => {
    let aborted = false;
    const polite = {
      criticality: "soft" as const,
      run: (signal: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason);
          });
        }),
    };
    const { reporter, ask } = await serve({ checks: { polite }, timeout: 30 });
    await reporter.round();
    expect(aborted).toBe(true);
    expect(await (await ask("/health/deep")).json()).toMatchObject({
      status: "degraded",
      components: [{ name: "polite", status: "down", error: "timed out after 30 ms" }],
    });
  });

  test("a deadline that our own event loop kept from firing says nothing of the dependency", async () => {
    const { reporter } = await serve({ checks: { never }, timeout: 50 });
    const round = reporter.round();
    await new Promise(setImmediate);
    for (const end = performance.now() + 400; performance.now() < end; );
    await round;
    expect(reporter.snapshot().report).toEqual({ status: "starting", components: [] });
  });

  test("one that never ends keeps failing, and is never started a second time", async () => {
    let runs = 0;
    let stuck = false;
    const check = {
      criticality: "hard" as const,
      run: () => {
        runs++;
        return stuck ? new Promise<void>(() => {}) : Promise.resolve();
      },
    };
    const { reporter } = await serve({ checks: { check }, timeout: 20, agree: 3 });
    await reporter.round();
    stuck = true;
    for (let i = 0; i < 3; i++) await reporter.round();
    expect(reporter.snapshot().report.status).toBe("unhealthy");
    expect(runs).toBe(2);
  });

  test.each(["/health/deep", "/livez", "/readyz", "/startupz"])("%s answers GET alone, uncached", async (path) => {
    const { ask } = await serve({ checks: {} });
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    for (const method of ["HEAD", "POST", "DELETE", "OPTIONS"]) {
      const refused = await ask(path, { method });
      expect([refused.status, refused.headers.get("allow"), refused.headers.get("cache-control")]).toEqual([405, "GET", "no-store"]);
    }
  });

  test("a dependency that is down turns the deep report alone", async () => {
    const { reporter, ask } = await serve({ checks: { never }, timeout: 20 });
    await reporter.round();
    const codes = async () => Promise.all(["/health/deep", "/livez", "/readyz", "/startupz"].map(async (path) => (await ask(path)).status));
    expect(await codes()).toEqual([503, 200, 200, 200]);
    reporter.drain();
    expect(await codes()).toEqual([503, 200, 503, 200]);
  });

  test("local checks decide readiness and startup, and cannot wait for anybody", async () => {
    let warm = false;
    const { ask } = await serve({ checks: {}, ready: () => warm, started: () => warm });
    expect([(await ask("/readyz")).status, (await ask("/startupz")).status]).toEqual([503, 503]);
    warm = true;
    expect([(await ask("/readyz")).status, (await ask("/startupz")).status]).toEqual([200, 200]);
    const unready = await serve({ checks: {}, ready: () => true, started: () => false });
    expect((await unready.ask("/readyz")).status).toBe(503);
    const shared = (async () => true) as unknown as () => boolean;
    const wrong = await serve({ checks: {}, ready: shared });
    expect((await wrong.ask("/readyz")).status).toBe(503);
    const throwing = await serve({
      checks: {},
      ready: () => {
        throw new Error("postgres://app:hunter2@db");
      },
    });
    const answer = await throwing.ask("/readyz");
    expect([answer.status, await answer.text()]).toEqual([503, '{"status":"unavailable"}']);
  });
});

describe("a shared check on a probe, by accident", () => {
  const reads: [string, (reporter: () => Reporter) => ReporterOptions][] = [
    ["ready", (reporter) => ({ checks: {}, ready: () => reporter().snapshot().report.status === "healthy" })],
    ["started", (reporter) => ({ checks: {}, started: () => reporter().snapshot().httpStatus === 200 })],
  ];
  test.each(reads)("a `%s` that reads the report has no answer, and says why", async (name, options) => {
    let mine: Reporter | null = null;
    const { reporter, ask } = await serve(
      options(() => {
        if (!mine) throw new Error("not yet");
        return mine;
      }),
    );
    mine = reporter;
    const answer = await ask(name === "ready" ? "/readyz" : "/startupz");
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("about this process alone")]);
    expect((await ask("/livez")).status).toBe(200);
    expect((await ask("/health/deep")).status).toBe(name === "ready" ? 200 : 503);
  });

  test("two addresses at one path are refused", () => {
    const reporter = createReporter({ checks: {} });
    expect(() => reporterHandler(reporter, { live: "/health/deep" })).toThrow('"live" needs a path of its own');
    expect(() => reporterPlugin(reporter, { ready: "/healthz", startup: "/healthz" })).toThrow('"startup" needs a path of its own');
  });
});

describe("one handler for all four addresses", () => {
  test("reads paths whole, whatever their query, and knows no others", async () => {
    const { ask } = await serve({ checks: {} });
    const codes = await Promise.all(
      ["/livez?", "/readyz?full=1&x=/livez", "/livez/", "/livez/x", "/", "/health", "//livez", "/%6Civez"].map(
        async (path) => (await ask(path)).status,
      ),
    );
    expect(codes).toEqual([200, 200, 404, 404, 404, 404, 404, 404]);
    expect((await ask("/livez/")).headers.get("cache-control")).toBe("no-store");
  });

  test("goes into Express beside other routes, under a prefix too", async () => {
    const reporter = createReporter({ checks: { db: { criticality: "hard", run: async () => {} } } });
    const app = express();
    app.use(reporterHandler(reporter));
    app.use("/ops", reporterHandler(reporter, { deep: "/deep" }));
    app.get("/orders", (_req, res) => void res.send("orders"));
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    await reporter.round();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = async (path: string, method = "GET") => {
      const { status, headers } = await fetch(origin + path, { method });
      return [status, headers.get("allow")];
    };
    for (const path of ["/health/deep", "/livez", "/readyz?x", "/startupz", "/ops/deep", "/ops/livez", "/orders"])
      expect(await ask(path)).toEqual([200, null]);
    for (const path of ["/livez", "/ops/deep"])
      for (const method of ["HEAD", "OPTIONS", "POST"]) expect(await ask(path, method)).toEqual([405, "GET"]);
    expect((await ask("/ops/livez/x"))[0]).toBe(404);
  });
});

describe("the plugin for Fastify", () => {
  test("answers under a prefix, and 405 to any body before it is read", async () => {
    const app = Fastify({ bodyLimit: 100 });
    await app.register(reporterPlugin(createReporter({ checks: {} })), { prefix: "/ops" });
    closing.push(() => app.close());
    const origin = await app.listen({ host: "127.0.0.1", port: 0 });
    expect((await fetch(`${origin}/ops/livez?x=1`)).status).toBe(200);
    expect((await fetch(`${origin}/livez`)).status).toBe(404);
    for (const [type, body] of [
      ["application/xml", "<x/>"],
      ["application/json", "{broken"],
      ["application/json", "x".repeat(5_000)],
    ] as const) {
      const refused = await fetch(`${origin}/ops/readyz`, { method: "POST", headers: { "content-type": type }, body });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
    }
  });

  test("serves the four addresses beside the service's own, and starts and stops with it", async () => {
    let runs = 0;
    const reporter = createReporter({ checks: { db: { criticality: "hard", run: async () => void runs++ } }, interval: 20, timeout: 10 });
    const app = Fastify();
    app.get("/orders", async () => "orders");
    await app.register(reporterPlugin(reporter));
    expect(runs).toBe(0);
    const origin = await app.listen({ host: "127.0.0.1", port: 0 });
    await expect.poll(async () => (await fetch(`${origin}/health/deep`)).status).toBe(200);
    for (const path of ["/livez", "/readyz", "/startupz", "/orders"]) expect((await fetch(origin + path)).status).toBe(200);
    const refused = await fetch(`${origin}/livez`, { method: "HEAD" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
    await app.close();
    expect(reporter.snapshot().report.status).toBe("draining");
    const after = runs;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(runs).toBe(after);
  });

  test("takes other paths, and leaves out what is null", async () => {
    const app = Fastify();
    await app.register(reporterPlugin(createReporter({ checks: {} }), { live: "/alive", startup: null }));
    closing.push(() => app.close());
    const codes = await Promise.all(["/alive", "/livez", "/startupz", "/readyz"].map(async (url) => (await app.inject(url)).statusCode));
    expect(codes).toEqual([200, 404, 404, 200]);
  });
});
