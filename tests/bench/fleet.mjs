// A fleet of N services on loopback in a process of its own: one listener, an address for each, the time of every request kept.
//
//   const fleet = await startFleet({ n: 1000, components: 8 });
//   fleet.url(0); await fleet.reset(); await fleet.calls(); await fleet.take(); await fleet.set([3, 4], "hang"); fleet.stop();
//
// Run as a program it is that process. It answers by hand, as a web server would cost more than what is measured.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const NAMES = [
  "postgres-primary-write-pool",
  "redis-session-cache",
  "kafka-order-events-producer",
  "s3-attachments-bucket",
  "ldap-corporate-directory",
  "payment-gateway-upstream",
  "disk-usage-var-lib-data",
  "thread-pool-request-workers",
];

/** Names of what each service reports: eight of usual length, then numbered ones. */
export function componentNames(count) {
  return Array.from({ length: count }, (_, i) => NAMES[i] ?? `${NAMES[i % NAMES.length]}-${Math.floor(i / NAMES.length) + 1}`);
}

const hostOf = (i) => `127.1.${i >> 8}.${i & 255}`;

/**
 * `calls()`: per service the times of its requests, epoch ms, since `reset()`; `connections` those opened since. `take()`
 * is both in one, so that no request falls between them.
 */
export async function startFleet({ n, components = 8 }) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "serve", `${components}`], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ port }] = await once(child, "message");
  let asking = Promise.resolve();
  const ask = (message) => {
    const answer = asking.then(async () => {
      child.send(message);
      const [said] = await once(child, "message");
      return said;
    });
    asking = answer;
    return answer;
  };
  const seen = async (message) => {
    const { calls, connections } = await ask(message);
    return { calls: Array.from({ length: n }, (_, i) => calls[hostOf(i)] ?? []), connections };
  };
  return {
    n,
    port,
    url: (i) => `http://${hostOf(i)}:${port}/health/deep`,
    reset: () => ask({ reset: true }),
    calls: () => seen({}),
    take: () => seen({ reset: true }),
    /** `ok`, `down` (its first component, and so the service) or `hang`; resolves with the time at which it holds. */
    set: async (services, mode) => (await ask({ set: services.map(hostOf), mode })).at,
    stop: () => child.kill(),
  };
}

function serve(components) {
  const names = componentNames(components);
  const modes = new Map();
  let calls = {};
  let connections = 0;
  const report = (mode) => {
    const last_checked = new Date().toISOString();
    const list = names.map((name, i) => {
      const status = mode === "down" && i === 0 ? "down" : "up";
      return { name, status, criticality: i < 3 ? "hard" : "soft", latency_ms: 4, last_checked, age_ms: 120 };
    });
    const body = JSON.stringify({ status: mode === "down" ? "unhealthy" : "healthy", components: list });
    const head = `HTTP/1.1 ${mode === "down" ? "503 Service Unavailable" : "200 OK"}\r\ncontent-type: application/json`;
    return `${head}\r\ncontent-length: ${body.length}\r\ndate: ${new Date().toUTCString()}\r\n\r\n${body}`;
  };
  const server = createServer((socket) => {
    connections++;
    const id = socket.localAddress;
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", () => {
      calls[id] ??= [];
      calls[id].push(performance.timeOrigin + performance.now());
      const mode = modes.get(id) ?? "ok";
      if (mode !== "hang") socket.write(report(mode));
    });
  });
  server.listen({ port: 0, host: "0.0.0.0", backlog: 4_096 }, () => process.send({ port: server.address().port }));
  process.on("disconnect", () => process.exit());
  process.on("message", (message) => {
    if (message.set) {
      for (const id of message.set) modes.set(id, message.mode);
      process.send({ at: performance.timeOrigin + performance.now() });
      return;
    }
    process.send({ calls, connections });
    if (message.reset) {
      calls = {};
      connections = 0;
    }
  });
}

/** What the fleet saw: how far the gaps are off the interval, what was skipped or doubled, how bursty it was. Times in ms. */
export function rhythm(calls, interval, elapsed) {
  const off = [];
  const gaps = [];
  for (const times of calls)
    for (let i = 1; i < times.length; i++) {
      gaps.push(times[i] - times[i - 1]);
      off.push(Math.abs(times[i] - times[i - 1] - interval));
    }
  const buckets = new Map();
  const all = calls.flat();
  for (const time of all) buckets.set(Math.floor(time / 100), (buckets.get(Math.floor(time / 100)) ?? 0) + 1);
  return {
    polls: all.length,
    gap_off_p99_ms: quantile(off, 0.99),
    gap_max_ms: quantile(gaps, 1),
    skipped_or_doubled: off.filter((ms) => ms > interval / 2).length,
    burst_x: all.length === 0 ? 0 : Math.max(...buckets.values()) / (all.length / (elapsed / 100)),
  };
}

/** The value at a share of the sorted list; 0 for an empty one. */
export function quantile(list, share) {
  const sorted = Float64Array.from(list).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serve(Number(process.argv[3]));
