// What polling costs: a bare undici loop, our poller alone, and the whole of `headwater serve`, in turn on the same fleet.
//
//   pnpm bench:poll [--n 1000] [--interval 10000] [--seconds 30] [--rounds 3] [--short]
//
// The floor is the least that a Node program can do: a pool per service, `request`, JSON.parse, one 100 ms timer. Each runs
// in a process of its own; figures are medians over the rounds, and the ratios compare what ran in the same round.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { polledTwice, sleep, startAggregator } from "./aggregator.mjs";
import { figure, table } from "./figures.mjs";
import { quantile, rhythm, startFleet } from "./fleet.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: "string", default: "1000" },
    interval: { type: "string", default: "10000" },
    seconds: { type: "string", default: "30" },
    rounds: { type: "string", default: "3" },
    short: { type: "boolean", default: false },
    port: { type: "string", default: "0" },
  },
});
const short = values.short ? { n: 50, interval: 1_000, seconds: 3, rounds: 1 } : null;
const { n, interval, seconds, rounds } = short ?? {
  n: Number(values.n),
  interval: Number(values.interval),
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
};
const timeout = Math.min(5_000, interval - 100);
await (positionals[0] ? { floor, poller }[positionals[0]]() : compare());

async function compare() {
  const fleet = await startFleet({ n });
  const results = { floor: [], poller: [], serve: [] };
  for (let round = 0; round < rounds; round++)
    for (const [name, start] of [
      ["floor", () => child("floor", fleet)],
      ["poller", () => child("poller", fleet)],
      ["serve", () => startAggregator(fleet, { interval, timeout })],
    ]) {
      await fleet.reset();
      const run = await start();
      await polledTwice(fleet, interval);
      await fleet.reset();
      const [cpu, began] = [await run.cpu(), Date.now()];
      await sleep(seconds * 1_000);
      const [spent, elapsed] = [(await run.cpu()) - cpu, Date.now() - began];
      const { calls, connections } = await fleet.calls();
      const seen = rhythm(calls, interval, elapsed);
      results[name].push({
        cpu_s_per_1000: (spent / seen.polls) * 1_000,
        memory_mb: (await run.memory()).peak,
        connections_per_poll: connections / seen.polls,
        ...seen,
      });
      await run.stop();
    }
  fleet.stop();
  const where = { services: n, interval_ms: interval, rounds };
  for (const name of ["poller", "serve"])
    for (const [word, share] of [
      ["", 0.5],
      ...(rounds > 2
        ? [
            ["_least", 0],
            ["_most", 1],
          ]
        : []),
    ]) {
      const ratios = results[name].map((one, i) => one.cpu_s_per_1000 / results.floor[i].cpu_s_per_1000);
      figure(`${name}_cpu_ratio${word}`, quantile(ratios, share), "x", where);
    }
  const units = {
    cpu_s_per_1000: "s",
    memory_mb: "MB",
    connections_per_poll: "",
    gap_off_p99_ms: "ms",
    skipped_or_doubled: "polls",
    burst_x: "x mean",
  };
  for (const name of ["floor", "poller", "serve"])
    for (const [key, unit] of Object.entries(units)) {
      const list = results[name].map((one) => one[key]);
      figure(
        `${name}_${key}`,
        quantile(list, 0.5),
        unit,
        rounds > 1 ? { from: short4(quantile(list, 0)), to: short4(quantile(list, 1)) } : {},
      );
    }
  table();
}

function short4(value) {
  return Number(value.toPrecision(4));
}

/** A poller in a process of its own, with the same questions as an aggregator. */
async function child(name, fleet) {
  const options = Object.entries({ n, interval, port: fleet.port }).flatMap(([key, value]) => [`--${key}`, `${value}`]);
  const process_ = spawn(process.execPath, [fileURLToPath(import.meta.url), name, ...options], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ask = async () => {
    process_.send("usage");
    const [usage] = await once(process_, "message");
    return usage;
  };
  return {
    cpu: async () => (await ask()).cpu,
    memory: async () => ({ peak: (await ask()).peak }),
    async stop() {
      process_.kill();
      await once(process_, "exit");
    },
  };
}

function answerUsage() {
  process.on("disconnect", () => process.exit());
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpu: (user + system) / 1e6, peak: process.resourceUsage().maxRSS / 1_024 });
  });
}

function urlOf(i) {
  return `http://127.1.${i >> 8}.${i & 255}:${values.port}/health/deep`;
}

async function poller() {
  const { createPoller } = await import("../../server/dist/poller/poller.js");
  const made = createPoller({
    userAgent: "bench/1",
    clock: { monotonic: () => performance.now(), wall: () => Date.now() },
    onObservation: () => {},
  });
  const base = { kind: "service", interval, timeout, maxBody: 262_144, format: "auto", headers: {}, tls: null };
  made.setTargets(
    Array.from({ length: n }, (_, i) => ({ ...base, id: `svc${i}`, instances: [{ id: `svc${i}`, service: `svc${i}`, url: urlOf(i) }] })),
  );
  made.start();
  answerUsage();
}

async function floor() {
  const { Pool } = createRequire(new URL("../../server/package.json", import.meta.url))("undici");
  const options = {
    connections: 1,
    pipelining: 1,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connect: { timeout },
    keepAliveTimeout: 10 * interval,
  };
  const targets = Array.from({ length: n }, (_, i) => {
    const target = new URL(urlOf(i));
    return { pool: new Pool(target.origin, options), path: target.pathname, due: performance.now() + (i / n) * interval, up: 0 };
  });
  async function poll(target) {
    const answer = await target.pool.request({ path: target.path, method: "GET" });
    const report = JSON.parse(await answer.body.text());
    target.up = report.components.filter(({ status }) => status === "up").length;
  }
  setInterval(() => {
    const now = performance.now();
    for (const target of targets) {
      if (target.due > now) continue;
      target.due += interval;
      poll(target).catch(() => {});
    }
  }, 100);
  answerUsage();
}
