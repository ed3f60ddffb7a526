import http from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import underPressure from "@fastify/under-pressure";
import { createTerminus, HealthCheckError } from "@godaddy/terminus";
import express from "express";
import fastify from "fastify";
import { createLightship } from "lightship";
import { afterEach, describe, expect, test } from "vitest";
import { probe } from "../../server/src/cli/probe.ts";

// These come without types.
const require = createRequire(import.meta.url);
const expressHealthcheck: (options?: { test: () => unknown }) => express.RequestHandler = require("express-healthcheck");
const expressActuator: (options?: object) => express.RequestHandler = require("express-actuator");

interface Maikai {
  addCheck(component: string, metric: string, run: () => Promise<object>): void;
  express(): express.RequestHandler;
}
const maikai: () => Maikai = require("maikai");

interface CloudHealth {
  HealthChecker: new () => { registerLivenessCheck(check: object): void };
  LivenessCheck: new (name: string, run: () => Promise<void>) => object;
  HealthEndpoint(checker: object): express.RequestHandler;
}
// Its types lead to sources that the compiler would check as ours.
const cloudHealth: CloudHealth = require("@cloudnative/health-connect");

interface Seen {
  outcome: string;
  http_status: number;
  format: string;
  phase?: string;
  report: { status: string; components: { name: string; status: string; error?: string }[] } | null;
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** What the poller and the dialects make of a running endpoint. */
async function ask(port: number, path: string): Promise<Seen> {
  const out: string[] = [];
  await probe([`http://127.0.0.1:${port}${path}`, "--json"], {
    stdout: (text) => void out.push(text),
    stderr: () => undefined,
    env: {},
    cwd: ".",
    colour: false,
  });
  return JSON.parse(out.join(""));
}

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

describe("endpoints of real libraries, polled over HTTP", () => {
  test("@godaddy/terminus: details when well, nameless errors when not", async () => {
    let fail = false;
    const server = http.createServer((_request, response) => response.writeHead(404).end());
    createTerminus(server, {
      healthChecks: {
        "/health": async () => {
          if (fail) throw new HealthCheckError("failed", [new Error("redis: connection lost"), new Error("kafka: no leader")]);
          return { database: { status: "up" } };
        },
        verbatim: true,
      },
      signals: [],
    });
    const port = await listen(server);
    expect(await ask(port, "/health")).toMatchObject({
      outcome: "report",
      http_status: 200,
      report: { status: "healthy", components: [{ name: "database", status: "up" }] },
    });
    fail = true;
    expect(await ask(port, "/health")).toMatchObject({
      http_status: 503,
      format: "godaddy-terminus",
      report: {
        status: "unhealthy",
        components: [
          { name: "error-1", status: "down", error: "redis: connection lost" },
          { name: "error-2", status: "down", error: "kafka: no leader" },
        ],
      },
    });
  });

  test("lightship: words for ready, not ready and shutting down", async () => {
    const lightship = await createLightship({
      port: 0,
      detectKubernetes: false,
      signals: [],
      terminate: () => undefined,
      gracefulShutdownTimeout: 50,
      shutdownHandlerTimeout: 50,
    });
    const port = (lightship.server.address() as AddressInfo).port;
    expect(await ask(port, "/ready")).toMatchObject({ http_status: 500, report: { status: "unhealthy", components: [] } });
    lightship.signalReady();
    expect(await ask(port, "/ready")).toMatchObject({
      http_status: 200,
      format: "plain-text",
      report: { status: "healthy", components: [] },
    });
    expect(await ask(port, "/live")).toMatchObject({ http_status: 200, report: { status: "healthy" } });
    const shutdown = lightship.shutdown();
    expect(await ask(port, "/health")).toMatchObject({ http_status: 500, phase: "draining", report: { status: "unhealthy" } });
    await shutdown;
  });

  test("express-healthcheck and express-actuator", async () => {
    let problem: unknown;
    const app = express();
    app.use("/plain", expressHealthcheck());
    app.use("/tested", expressHealthcheck({ test: () => problem }));
    app.use(expressActuator({ basePath: "/management" }));
    const port = await listen(http.createServer(app));
    expect(await ask(port, "/plain")).toMatchObject({ format: "express-healthcheck", report: { status: "healthy", components: [] } });
    expect(await ask(port, "/management/health")).toMatchObject({ http_status: 200, report: { status: "healthy" } });
    problem = { state: "unhealthy", reason: "no connection to the ledger" };
    expect(await ask(port, "/tested")).toMatchObject({ http_status: 500, outcome: "report", report: { status: "unhealthy" } });
    problem = { message: "something the library was told" };
    expect(await ask(port, "/tested")).toMatchObject({ http_status: 500, outcome: "http_error", report: { status: "unhealthy" } });
  });

  test("maikai: health+json in the words of the first drafts", async () => {
    let status = "pass";
    const health = maikai();
    health.addCheck("cassandra", "responseTime", async () => ({ status: "pass", metricValue: 0.25, metricUnit: "s" }));
    health.addCheck("storage:local", "writable", async () => ({ status, output: status === "pass" ? "" : "read-only file system" }));
    const app = express();
    app.use(health.express());
    const port = await listen(http.createServer(app));
    expect(await ask(port, "/health")).toMatchObject({
      http_status: 200,
      format: "health-json",
      report: {
        status: "healthy",
        components: [
          { name: "cassandra", status: "up", latency_ms: 250 },
          { name: "storage:local", status: "up" },
        ],
      },
    });
    status = "fail";
    expect(await ask(port, "/health")).toMatchObject({
      http_status: 503,
      format: "health-json",
      report: { status: "unhealthy", components: [{ status: "up" }, { status: "down", error: "read-only file system" }] },
    });
  });

  test("@cloudnative/health-connect: MicroProfile's shape with states", async () => {
    let failure: Error | null = null;
    const checker = new cloudHealth.HealthChecker();
    const check = () => (failure ? Promise.reject(failure) : Promise.resolve());
    checker.registerLivenessCheck(new cloudHealth.LivenessCheck("ledger", check));
    const app = express();
    app.use("/health", cloudHealth.HealthEndpoint(checker));
    const port = await listen(http.createServer(app));
    expect(await ask(port, "/health")).toMatchObject({
      http_status: 200,
      format: "microprofile",
      report: { status: "healthy", components: [{ name: "ledger", status: "up" }] },
    });
    failure = new Error("connect ECONNREFUSED 10.0.0.1:5432");
    expect(await ask(port, "/health")).toMatchObject({
      http_status: 503,
      format: "microprofile",
      report: { status: "unhealthy", components: [{ name: "ledger", status: "down", error: "connect ECONNREFUSED 10.0.0.1:5432" }] },
    });
  });

  test("a hand-written express endpoint with checks", async () => {
    let up = true;
    const app = express();
    app.get("/healthz", (_request, response) => {
      const checks = { database: { status: up ? "up" : "down", latencyMs: 3.2, ...(up ? {} : { error: "ECONNREFUSED" }) }, cache: "ok" };
      response.status(up ? 200 : 503).json({ status: up ? "ok" : "error", checks });
    });
    const port = await listen(http.createServer(app));
    expect(await ask(port, "/healthz")).toMatchObject({
      report: {
        status: "healthy",
        components: [
          { name: "database", status: "up", latency_ms: 3.2 },
          { name: "cache", status: "up" },
        ],
      },
    });
    up = false;
    expect(await ask(port, "/healthz")).toMatchObject({
      http_status: 503,
      report: {
        status: "unhealthy",
        components: [{ name: "database", status: "down", error: "ECONNREFUSED", category: "refused" }, { name: "cache" }],
      },
    });
  });

  test("fastify-healthcheck and @fastify/under-pressure", async () => {
    let well = true;
    const app = fastify();
    app.register(require("fastify-healthcheck"), { healthcheckUrl: "/health" });
    const failing = fastify();
    failing.register(require("fastify-healthcheck"), { healthcheckUrl: "/health", healthcheckUrlAlwaysFail: true });
    const pressed = fastify();
    pressed.register(underPressure, { exposeStatusRoute: true, healthCheckInterval: 20, healthCheck: async () => well });
    for (const each of [app, failing, pressed]) closers.push(() => each.close());
    const ports: number[] = [];
    for (const each of [app, failing, pressed]) ports.push(Number(new URL(await each.listen({ port: 0, host: "127.0.0.1" })).port));
    const [good = 0, bad = 0, status = 0] = ports;
    expect(await ask(good, "/health")).toMatchObject({
      http_status: 200,
      outcome: "report",
      report: { status: "healthy", components: [] },
    });
    expect(await ask(bad, "/health")).toMatchObject({
      http_status: 500,
      outcome: "report",
      report: { status: "unhealthy", components: [] },
    });
    expect(await ask(status, "/status")).toMatchObject({ http_status: 200, report: { status: "healthy" } });
    well = false;
    await expect.poll(async () => (await ask(status, "/status")).http_status).toBe(503);
    expect(await ask(status, "/status")).toMatchObject({ outcome: "http_error", report: { status: "unhealthy", components: [] } });
  });
});
