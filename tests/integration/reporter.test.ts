import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { createReporter, type Handler, type ReporterOptions, reporterPlugin } from "../../server/src/reporter/index.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(options: ReporterOptions) {
  const reporter = createReporter(options);
  const { deep, live, ready, startup } = reporter.handlers;
  const routes: Record<string, Handler> = { "/health/deep": deep, "/livez": live, "/readyz": ready, "/startupz": startup };
  const server = http.createServer((req, res) => routes[req.url ?? ""]?.(req, res)).listen(0, "127.0.0.1");
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

describe("the plugin for Fastify", () => {
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
