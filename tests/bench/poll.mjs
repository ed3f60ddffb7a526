// Our poller against a bare undici loop on the same tick: both poll the same fleet, in processes of their own, in turn.
//
//   pnpm build && node tests/bench/poll.mjs [--n 1000] [--interval 2000] [--seconds 10] [--rounds 3]
//
// Prints one JSON line: the ratio of CPU per poll first, medians over the rounds. A factor under 1.3 is noise on a busy machine.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: "string", default: "1000" },
    interval: { type: "string", default: "2000" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    port: { type: "string", default: "0" },
  },
});
const n = Number(values.n);
const interval = Number(values.interval);
const seconds = Number(values.seconds);
const TIMEOUT = Math.min(1_500, interval - 1);
const COMPONENTS = [
  "postgres-primary-write-pool",
  "redis-session-cache",
  "kafka-order-events-producer",
  "s3-attachments-bucket",
  "ldap-corporate-directory",
  "payment-gateway-upstream",
  "disk-usage-var-lib-data",
  "thread-pool-request-workers",
];
/** Each service has an address of its own, all of them on one listener. */
const url = (i) => `http://127.1.${i >> 8}.${i & 255}:${values.port}/health/deep`;
const role = positionals[0] ?? "compare";
await { compare, fleet, floor, ours }[role]();

async function compare() {
  const fleetProcess = child("fleet");
  const [{ port }] = await once(fleetProcess, "message");
  const results = { floor: [], ours: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const who of ["floor", "ours"]) {
      const poller = child(who, port);
      await once(poller, "message");
      fleetProcess.send("reset");
      await once(fleetProcess, "message");
      poller.send("measure");
      const [own] = await once(poller, "message");
      fleetProcess.send("stats");
      const [seen] = await once(fleetProcess, "message");
      poller.kill();
      results[who].push({ ...own, ...seen, cpu_s_per_1000: own.cpuMs / seen.polls });
    }
  }
  fleetProcess.kill();
  const median = (who, key) => {
    const sorted = results[who].map((result) => result[key]).sort((a, b) => a - b);
    return Number(sorted[Math.floor(sorted.length / 2)].toFixed(4));
  };
  const line = {
    n,
    interval_ms: interval,
    cpu_ratio: Number((median("ours", "cpu_s_per_1000") / median("floor", "cpu_s_per_1000")).toFixed(2)),
  };
  for (const who of ["ours", "floor"]) {
    line[who] = {};
    for (const key of [
      "cpu_s_per_1000",
      "rss_mb",
      "polls",
      "connections_per_poll",
      "gap_off_p99_ms",
      "skipped_or_doubled",
      "never_polled",
      "burst_x",
    ]) {
      line[who][key] = median(who, key);
    }
  }
  console.log(JSON.stringify(line));
}

function child(name, port = 0) {
  const args = [
    fileURLToPath(import.meta.url),
    name,
    "--n",
    values.n,
    "--interval",
    values.interval,
    "--seconds",
    values.seconds,
    "--port",
    `${port}`,
  ];
  return spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

/** Answers every request at once with a 1.2 kB report and keeps the time of each, by the address that was asked. */
async function fleet() {
  let calls = new Map();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    const id = socket.localAddress;
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", () => {
      const times = calls.get(id);
      if (times) times.push(performance.now());
      else calls.set(id, [performance.now()]);
      socket.write(answer());
    });
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  process.on("message", (message) => {
    if (message === "stats") process.send(stats(calls, connections));
    calls = new Map();
    connections = 0;
    if (message === "reset") process.send("reset");
  });
  process.send({ port: server.address().port });
}

function answer() {
  const last_checked = new Date().toISOString();
  const components = COMPONENTS.map((name) => ({ name, status: "up", criticality: "hard", latency_ms: 4, last_checked, age_ms: 120 }));
  const body = JSON.stringify({ status: "healthy", components });
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\ndate: ${new Date().toUTCString()}\r\n\r\n${body}`;
}

function stats(calls, connections) {
  const all = [...calls.values()].flat().sort((a, b) => a - b);
  const off = [];
  for (const times of calls.values()) for (let i = 1; i < times.length; i++) off.push(Math.abs(times[i] - times[i - 1] - interval));
  off.sort((a, b) => a - b);
  const buckets = new Map();
  for (const time of all) buckets.set(Math.floor(time / 100), (buckets.get(Math.floor(time / 100)) ?? 0) + 1);
  return {
    polls: all.length,
    connections_per_poll: connections / all.length,
    gap_off_p99_ms: off[Math.floor(off.length * 0.99)] ?? 0,
    skipped_or_doubled: off.filter((ms) => ms > interval / 2).length,
    never_polled: n - calls.size,
    burst_x: Math.max(...buckets.values()) / (all.length / (seconds * 10)),
  };
}

/** Reports ready after two rounds; on `measure`, the CPU that the window took. */
async function measured() {
  await new Promise((resolve) => setTimeout(resolve, 2 * interval + 500));
  process.on("disconnect", () => process.exit());
  process.on("message", async () => {
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const { user, system } = process.cpuUsage(before);
    process.send({ cpuMs: (user + system) / 1_000, rss_mb: process.memoryUsage().rss / 2 ** 20 });
  });
  process.send("ready");
}

async function ours() {
  const { createPoller } = await import("../../server/dist/poller/poller.js");
  let seen = 0;
  const poller = createPoller({
    userAgent: "bench/1",
    clock: { monotonic: () => performance.now(), wall: () => Date.now() },
    onObservation: ({ report }) => {
      seen += report?.components.length ?? 0;
      if (seen < 0) throw new Error("impossible");
    },
  });
  const base = { kind: "service", interval, timeout: TIMEOUT, maxBody: 262_144, format: "auto", headers: {}, tls: null };
  poller.setTargets(
    Array.from({ length: n }, (_, i) => ({ ...base, id: `svc${i}`, instances: [{ id: `svc${i}`, service: `svc${i}`, url: url(i) }] })),
  );
  poller.start();
  await measured();
}

/** The least a Node poller can do: one pool per target, JSON.parse, one timer, phases by hash like ours. */
async function floor() {
  const { Pool } = createRequire(new URL("../../server/package.json", import.meta.url))("undici");
  const options = {
    connections: 1,
    pipelining: 1,
    headersTimeout: TIMEOUT,
    bodyTimeout: TIMEOUT,
    connect: { timeout: TIMEOUT },
    keepAliveTimeout: 10 * interval,
  };
  const targets = Array.from({ length: n }, (_, i) => {
    const target = new URL(url(i));
    const phase = (createHash("md5").update(`svc${i}`).digest().readUInt32LE() / 2 ** 32) * interval;
    return { pool: new Pool(target.origin, options), path: target.pathname, due: performance.now() + phase, up: 0 };
  });
  function poll(target) {
    const parts = [];
    target.pool.dispatch(
      { path: target.path, method: "GET" },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData(_controller, chunk) {
          parts.push(chunk);
        },
        onResponseEnd() {
          const report = JSON.parse((parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString());
          for (const component of report.components) if (component.status === "up") target.up++;
        },
        onResponseError() {},
      },
    );
  }
  setInterval(() => {
    const now = performance.now();
    for (const target of targets) {
      if (target.due > now) continue;
      target.due += interval;
      poll(target);
    }
  }, 100);
  await measured();
}
