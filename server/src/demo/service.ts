import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { ServiceNode } from "../domain/map.ts";
import type { Criticality } from "../domain/status.ts";
import { type Check, CheckFailure, createReporter, type DeepReport } from "../reporter/index.ts";
import type { ServiceFault } from "./faults.ts";
import { listen, listenNear, shut, trackSockets } from "./listen.ts";
import { createPool, type Pool } from "./pool.ts";

/** One running instance of a simulated service. */
export interface SimulatedService {
  /** The instance's id in the map. */
  readonly id: string;
  readonly service: string;
  /** Of the deep endpoint, as it is reached; another port than the map's where that one was taken. */
  readonly url: string;
  readonly port: number;
  readonly fault: ServiceFault | null;
  setFault(fault: ServiceFault | null): Promise<void>;
  /** Starts checking its dependencies. */
  begin(): void;
  stop(): Promise<void>;
}

/** Where a dependency is reached: a resource by port, a service by the `/ping` addresses of its instances. */
export type Address = { kind: "resource"; port: number } | { kind: "service"; pings: readonly string[] };

export interface ServiceSettings {
  node: ServiceNode;
  instance: { id: string; url: string };
  /** Addresses of dependencies, asked when a check runs: not all are known at the start. */
  addressOf(node: string): Address | null;
  /** Components that the service reports beyond the map, and criticalities it states otherwise. */
  quirks: Readonly<Record<string, Criticality>>;
  /** Milliseconds between its checks. */
  checkEvery: number;
}

/** Share of the check interval that one check may take. */
const CHECK_SHARE = 0.7;
/** Results in a row before a component changes: the service's own damping, before Headwater's. */
const CHECK_AGREE = 2;
const POOL_SIZE = 6;
const SLOW_MS = 3_000;

export async function startService({ node, instance, addressOf, quirks, checkEvery }: ServiceSettings): Promise<SimulatedService> {
  const pools = new Map<string, Pool>();
  let fault: ServiceFault | null = null;
  let leaking: NodeJS.Timeout | null = null;
  /** Services differ in how fast they answer, and each answer a little from the last. */
  const baseMs = 2 + ((instance.url.length * 7 + node.id.length * 13) % 23);

  const reporter = createReporter({ checks: checks(), interval: checkEvery, timeout: CHECK_SHARE * checkEvery, agree: CHECK_AGREE });

  function checks(): Record<string, Check> {
    const all: Record<string, Check> = {};
    for (const edge of node.edges) {
      const name = edge.components[0] ?? edge.to;
      all[name] = { criticality: quirks[name] ?? edge.criticality, run: (signal) => ask(edge.to, signal) };
    }
    for (const [name, criticality] of Object.entries(quirks)) all[name] ??= { criticality, run: async () => {} };
    return all;
  }

  async function ask(to: string, signal: AbortSignal): Promise<void> {
    const address = addressOf(to);
    if (!address) return;
    if (address.kind === "service") return askAny(address.pings, signal);
    let pool = pools.get(to);
    if (!pool) {
      pool = createPool(address.port, POOL_SIZE);
      pools.set(to, pool);
    }
    await pool.ask(signal);
  }

  /** Does its work: no fault of its own, and nothing it cannot do without is down. From memory, so no question fans out. */
  function works(): boolean {
    if (fault === "errors" || fault === "lying") return false;
    return !reporter.snapshot().report.components.some(({ status, criticality }) => status === "down" && criticality === "hard");
  }

  function deep(res: ServerResponse): void {
    const { httpStatus, report } = reporter.snapshot();
    if (fault === "login") {
      res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title><h1>Sign in to continue</h1>");
      return;
    }
    const said = wordOf(report, fault);
    send(res, said === report ? httpStatus : said.status === "healthy" ? 200 : 503, said);
  }

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url ?? "/";
    if (fault === "hang" || (fault === "cut-off" && path !== "/ping")) return;
    const delay = fault === "slow" ? SLOW_MS : baseMs * (0.7 + Math.random() * 0.6);
    setTimeout(() => {
      if (res.destroyed) return;
      if (path === "/ping") send(res, works() ? 200 : 503, { ok: works() });
      else if (path === new URL(instance.url).pathname && req.method === "GET") deep(res);
      else if (path === "/livez") reporter.handlers.live(req, res);
      else if (path === "/readyz") reporter.handlers.ready(req, res);
      else send(res, 404, { error: "not found" });
    }, delay).unref();
  }

  const server = createServer(handle);
  server.keepAliveTimeout = 60_000;
  const sockets = trackSockets(server);
  const wanted = new URL(instance.url);
  const port = await listenNear(server, Number(wanted.port));
  wanted.port = String(port);

  function setLeaking(on: boolean): void {
    if (leaking) clearInterval(leaking);
    leaking = null;
    const pool = pools.values().next().value;
    if (on) leaking = setInterval(() => pool?.leak(), checkEvery / 2).unref();
    else for (const each of pools.values()) each.mend();
  }

  return {
    id: instance.id,
    service: node.id,
    url: wanted.href,
    port,
    get fault() {
      return fault;
    },
    async setFault(next) {
      fault = next;
      setLeaking(next === "leak");
      if (next === "down") await shut(server, sockets);
      else if (!server.listening) await listen(server, port);
    },
    begin: () => reporter.start(),
    async stop() {
      reporter.stop();
      setLeaking(false);
      for (const pool of pools.values()) pool.close();
      await shut(server, sockets);
    },
  };
}

/** What the deep endpoint says under a fault of the service's own. */
function wordOf(report: DeepReport, fault: ServiceFault | null): DeepReport {
  if (fault === "errors") return { ...report, status: "unhealthy" };
  if (fault === "lying") return { ...report, status: "healthy" };
  if (fault === "draining") return { ...report, status: "draining" };
  return report;
}

function send(res: ServerResponse, code: number, body: unknown): void {
  const text = JSON.stringify(body);
  res
    .writeHead(code, { "content-type": "application/json", "content-length": Buffer.byteLength(text), "cache-control": "no-store" })
    .end(text);
}

/** Whether any instance does its work, asked one after the other as a balancer would. */
async function askAny(pings: readonly string[], signal: AbortSignal): Promise<void> {
  let failure: unknown;
  for (const url of pings) {
    try {
      await ping(url, signal);
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function ping(url: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { signal }, (res) => {
      res.resume();
      res.on("error", reject);
      res.on("end", () => (res.statusCode === 200 ? resolve() : reject(new CheckFailure(`HTTP ${res.statusCode}`))));
    })
      .on("error", reject)
      .end();
  });
}
