// Headwater as a child on a fleet, for benchmarks: `const headwater = await startAggregator(fleet, { interval: 10_000 })`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { componentNames } from "./fleet.mjs";

const CLI = new URL("../../server/dist/cli.js", import.meta.url).pathname;

/** Durations in milliseconds. Resolves when the port is open; polling has begun by then. */
export async function startAggregator(fleet, { interval, timeout = Math.min(5_000, interval - 100), components = 8, flipAfter = 1 }) {
  const folder = mkdtempSync(join(tmpdir(), "headwater-bench-"));
  mkdirSync(join(folder, "config/map"), { recursive: true });
  const names = componentNames(components);
  const dependencies = names.map((on, i) => ({ on, criticality: i < 3 ? "hard" : "soft" }));
  const services = Array.from({ length: fleet.n }, (_, i) => [`svc${i}`, { url: fleet.url(i), dependencies }]);
  const map = {
    defaults: { interval: `${interval}ms`, timeout: `${timeout}ms`, flip_after: flipAfter },
    resources: Object.fromEntries(names.map((name) => [name, { kind: "external" }])),
    services: Object.fromEntries(services),
  };
  writeFileSync(join(folder, "config/map/fleet.yaml"), JSON.stringify(map));
  const child = spawn(process.execPath, [CLI, "serve", "--config", join(folder, "config"), "--data", join(folder, "data"), "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  // A benchmark that fails leaves nothing running.
  process.once("exit", () => child.kill());
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      const found = /Headwater is at (\S+)\//.exec(text);
      if (found) resolve(found[1]);
    });
    child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
  });
  const status = (key) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, "latin1"))[1]) / 1_024;
  return {
    address,
    /** Processor time of all its threads so far, seconds. */
    cpu() {
      let total = 0;
      for (const thread of readdirSync(`/proc/${child.pid}/task`))
        try {
          total += Number(readFileSync(`/proc/${child.pid}/task/${thread}/schedstat`, "latin1").split(" ")[0]) / 1e9;
        } catch {
          // The thread has ended meanwhile.
        }
      return total;
    },
    /** Resident memory in MB, now and at most. */
    memory: () => ({ now: status("VmRSS"), peak: status("VmHWM") }),
    /** The value of a metric without labels. */
    async metric(name) {
      const text = await (await fetch(`${address}/metrics`)).text();
      return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)`, "m").exec(text)?.[1] ?? Number.NaN);
    },
    /** Exit code. */
    async stop() {
      child.removeAllListeners("exit");
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = await ended;
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Resolves when every service of the fleet was polled twice since the last reset. */
export async function polledTwice(fleet, interval) {
  const end = Date.now() + 4 * interval + 30_000;
  while (Date.now() < end) {
    const { calls } = await fleet.calls();
    if (calls.every((times) => times.length > 1)) return;
    await sleep(500);
  }
  throw new Error("not every service was polled twice");
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
