import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { DeepReport } from "../../server/src/reporter/index.ts";
import { type Database, redisCli, startPostgres, startRedis } from "../support/databases.ts";
import { eventually, scratchFolder, startServe } from "../support/headwater.ts";

/** The example service, a process of its own on a real PostgreSQL and a real Redis: what its probes say of what befalls them. */

const EXAMPLE = new URL("../../server/examples/orders.mjs", import.meta.url).pathname;
const CHECK_EVERY_MS = 200;

let postgres: Database;
let redis: Database;
/** A session of our own in the database, to look and to lock. */
let admin: Client;
const running: ChildProcess[] = [];

interface Orders {
  child: ChildProcess;
  address: string;
  deep: () => Promise<{ code: number; report: DeepReport }>;
  codes: () => Promise<Record<string, number>>;
}

async function startOrders(settings: Record<string, string> = {}): Promise<Orders> {
  const env = { ...process.env, DATABASE_URL: postgres.url, REDIS_URL: redis.url, CHECK_EVERY_MS: String(CHECK_EVERY_MS), DRAIN_MS: "300" };
  const child = spawn(process.execPath, [EXAMPLE], { env: { ...env, ...settings }, stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const address = /http:\S+/.exec(line.toString())?.[0] ?? "";
  const ask = (path: string) => fetch(address + path);
  return {
    child,
    address,
    async deep() {
      const answer = await ask("/health/deep");
      return { code: answer.status, report: (await answer.json()) as DeepReport };
    },
    async codes() {
      const paths = ["/health/deep", "/livez", "/readyz", "/startupz"];
      return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await ask(path)).status])));
    },
  };
}

const until = (orders: Orders, status: DeepReport["status"]) =>
  eventually(status, orders.deep, ({ report }) => report.status === status, 20_000);
const errorsOf = ({ report }: { report: DeepReport }) =>
  Object.fromEntries(report.components.flatMap(({ name, error }) => (error === undefined ? [] : [[name, error]])));
/** How many pings Redis has answered so far, by its own count. */
const pings = () => Number(/cmdstat_ping:calls=(\d+)/.exec(redisCli(redis, "info", "commandstats"))?.[1] ?? 0);

async function connectAdmin(): Promise<void> {
  admin = new Client({ connectionString: postgres.url });
  admin.on("error", () => {});
  await admin.connect();
}

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  await connectAdmin();
  await admin.query("CREATE TABLE orders (id int PRIMARY KEY, item text NOT NULL); INSERT INTO orders VALUES (7, 'kettle')");
});

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
});

afterAll(async () => {
  await admin?.end().catch(() => {});
  await Promise.all([postgres?.remove(), redis?.remove()]);
});

test("at the start it says starting, then healthy with age, latency and criticality of each", async () => {
  const orders = await startOrders({ CHECK_EVERY_MS: "2000" });
  const seen = new Set<string>();
  const { code, report } = await eventually("healthy", orders.deep, (answer) => {
    seen.add(`${answer.code} ${answer.report.status}`);
    return answer.report.status === "healthy";
  });
  expect([...seen].filter((word) => word !== "200 healthy" && word !== "503 starting" && word !== "200 degraded")).toEqual([]);
  expect(code).toBe(200);
  expect(report.components.map(({ name, criticality, status }) => [name, criticality, status])).toEqual([
    ["orders-db", "hard", "up"],
    ["price-cache", "soft", "up"],
  ]);
  for (const { age_ms, latency_ms } of report.components) expect([age_ms, latency_ms].every((ms) => ms >= 0 && ms < 2_500)).toBe(true);
  expect(await (await fetch(`${orders.address}/orders/7`)).json()).toEqual({ id: 7, item: "kettle", price: null });
});

test("without its databases it starts all the same, alive and ready, and says what is missing", async () => {
  const nowhere = { DATABASE_URL: "postgres://shop:hunter2@127.0.0.1:1/postgres", REDIS_URL: "redis://:hunter2@127.0.0.1:1" };
  const orders = await startOrders(nowhere);
  const answer = await until(orders, "unhealthy");
  expect(errorsOf(answer)).toMatchObject({ "orders-db": "connection refused" });
  expect(JSON.stringify(answer)).not.toContain("hunter2");
  expect(await orders.codes()).toEqual({ "/health/deep": 503, "/livez": 200, "/readyz": 200, "/startupz": 200 });
});

test("a negative answer is a failure in two words, without the text of the database", async () => {
  const orders = await startOrders();
  await until(orders, "healthy");
  await admin.query("ALTER TABLE orders RENAME TO secret_orders");
  const answer = await until(orders, "unhealthy");
  expect(errorsOf(answer)).toEqual({ "orders-db": "refused the query" });
  expect((await orders.codes())["/readyz"]).toBe(200);
  await admin.query("ALTER TABLE secret_orders RENAME TO orders");
  await until(orders, "healthy");
});

test("a stalled dependency is cancelled at its deadline, and sees it", async () => {
  const orders = await startOrders();
  await until(orders, "healthy");
  await admin.query("BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
  const answer = await until(orders, "unhealthy");
  expect(errorsOf(answer)).toEqual({ "orders-db": `timed out after ${0.6 * CHECK_EVERY_MS} ms` });
  // The lock is still held, and yet at most the question of this very round waits for it: the others were cancelled.
  const waiting = async () => {
    const { rows } = await admin.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'orders' AND state = 'active'",
    );
    return (rows[0] as { n: number }).n;
  };
  for (let i = 0; i < 10; i++) {
    expect(await waiting()).toBeLessThanOrEqual(1);
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS / 4));
  }
  await eventually("none waits between two rounds", waiting, (n) => n === 0);
  await admin.query("COMMIT");
  await until(orders, "healthy");
});

test("a soft dependency that stalls degrades, is asked once and not again, and recovers", async () => {
  const orders = await startOrders();
  await until(orders, "healthy");
  const before = pings();
  redis.stall();
  const { code, report } = await until(orders, "degraded");
  expect([code, report.components.map(({ status }) => status)]).toEqual([200, ["up", "down"]]);
  const since = performance.now();
  await eventually("twenty more rounds", orders.deep, () => performance.now() - since > 20 * CHECK_EVERY_MS);
  redis.resume();
  await until(orders, "healthy");
  // What went on before and after the stall is a ping a round; the twenty rounds in between added one.
  expect(pings() - before).toBeLessThan(20);
});

test("a database that is restarted is found again, with no restart of the service", async () => {
  const orders = await startOrders();
  await until(orders, "healthy");
  await postgres.stop();
  const answer = await until(orders, "unhealthy");
  expect(Object.keys(errorsOf(answer))).toEqual(["orders-db"]);
  expect((await orders.codes())["/livez"]).toBe(200);
  await postgres.start();
  await until(orders, "healthy");
  await connectAdmin();
});

test("however often it is asked, dependencies are asked once a round", async () => {
  const orders = await startOrders({ CHECK_EVERY_MS: "5000" });
  await until(orders, "healthy");
  const before = pings();
  await Promise.all(Array.from({ length: 200 }, () => orders.deep()));
  expect(pings() - before).toBeLessThanOrEqual(1);
});

test.each(["HEAD", "POST", "PUT", "DELETE", "OPTIONS"])(
  "%s is 405 with Allow: GET on each address, and other paths are unknown",
  async (method) => {
    const orders = await startOrders();
    for (const path of ["/health/deep", "/livez", "/readyz", "/startupz"]) {
      const answer = await fetch(orders.address + path, { method });
      expect([path, answer.status, answer.headers.get("allow"), answer.headers.get("cache-control")]).toEqual([
        path,
        405,
        "GET",
        "no-store",
      ]);
    }
    for (const path of ["/health", "/health/deep/", "/livez/x"]) expect((await fetch(orders.address + path)).status).toBe(404);
  },
);

test("at SIGTERM it drains: not ready, alive, and gone in order", async () => {
  const orders = await startOrders({ DRAIN_MS: "1500" });
  await until(orders, "healthy");
  orders.child.kill("SIGTERM");
  const { code, report } = await until(orders, "draining");
  expect([code, report.components.map(({ status }) => status)]).toEqual([503, ["up", "up"]]);
  expect(await orders.codes()).toEqual({ "/health/deep": 503, "/livez": 200, "/readyz": 503, "/startupz": 200 });
  expect(await once(orders.child, "exit")).toEqual([0, null]);
});

test("Headwater reads it, and names the database and not the service", async () => {
  const orders = await startOrders();
  await until(orders, "healthy");
  const folder = scratchFolder();
  folder.write(
    "config/map/shop.yaml",
    [
      "defaults: { interval: 500ms, timeout: 400ms, flip_after: 2 }",
      "resources: { orders-db: { kind: database }, price-cache: { kind: cache } }",
      "services:",
      `  orders: { url: '${orders.address}/health/deep', dependencies: [ { on: orders-db, criticality: hard }, { on: price-cache, criticality: soft } ] }`,
      "systems: { shop: { members: [ { node: orders, criticality: hard } ] } }",
    ].join("\n"),
  );
  const headwater = await startServe(folder);
  try {
    await eventually(
      "healthy",
      headwater.board,
      (board) => board.nodes.length === 3 && board.nodes.every(({ status }) => status === "healthy"),
    );
    await admin.query("BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
    const board = await eventually("the cause", headwater.board, ({ incidents }) => incidents.some(({ status }) => status === "open"));
    expect(board.incidents.map(({ cause }) => cause?.node)).toEqual(["orders-db"]);
    expect(board.nodes.find(({ id }) => id === "orders")?.role).toBe("impacted");
  } finally {
    await admin.query("ROLLBACK");
    await headwater.end();
    folder.remove();
  }
});
