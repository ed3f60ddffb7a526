/**
 * A large map: how long `check` and `diff` take, what a reload does to the polls of a running server, and whether its
 * memory comes back. The fleet answers from a process of its own and notes when it is asked.
 *
 *     pnpm bench:map [--services 5000] [--files 100] [--interval 10] [--reloads 3]
 *
 * Prints JSON lines, the ratio to the limit first, then a table. Times of commands are the smaller of the wall's seconds,
 * which a busy machine lengthens, and the processor's (user and system), which count what collector and compiler do beside
 * the work as if one had to wait for it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { largeMap } from "../support/large-map.ts";

const { values } = parseArgs({
  options: {
    services: { type: "string", default: "5000" },
    files: { type: "string", default: "100" },
    interval: { type: "string", default: "10" },
    reloads: { type: "string", default: "3" },
    fleet: { type: "boolean", default: false },
  },
});
const services = Number(values.services);
const interval = Number(values.interval) * 1_000;
const CLI = fileURLToPath(new URL("../../server/dist/cli.js", import.meta.url));
const WATCH = new URL("./heap-watch.mjs", import.meta.url).href;
/** Loopback addresses, so that no address has more connections than a port has numbers. */
const host = (n: number): string => `127.1.${(n >> 8) & 255}.${n & 255}`;

/** Answers every service, and tells on request the times at which each was asked since the last request. */
async function fleet(): Promise<void> {
  let asked = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const id = request.url ?? "";
    const times = asked.get(id);
    if (times) times.push(Date.now());
    else asked.set(id, [Date.now()]);
    response.setHeader("content-type", "application/json");
    response.end('{"status":"healthy","components":[]}');
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  process.on("message", () => {
    process.send?.([...asked]);
    asked = new Map();
  });
  process.send?.((server.address() as AddressInfo).port);
}

/** Runs a command and tells its wall and CPU seconds; `bash` counts the CPU of what it waits for. */
async function timed(args: readonly string[]): Promise<{ wall: number; cpu: number; code: number }> {
  const script = 'TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>/dev/null; } 2>&1; ';
  const began = performance.now();
  const child = spawn("bash", ["-c", `${script}`, "bash", process.execPath, CLI, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (part: Buffer) => {
    said += part;
  });
  const [code] = (await once(child, "close")) as [number];
  const [user = 0, system = 0] = said.trim().split(/\s+/).map(Number);
  return { wall: (performance.now() - began) / 1_000, cpu: user + system, code };
}

const rows: { what: string; limit: string; got: string; ratio: number }[] = [];
function tell(what: string, got: number, limit: number, unit: string, more: object = {}): void {
  const ratio = Math.round((got / limit) * 1_000) / 1_000;
  console.log(JSON.stringify({ ratio, what, got: Math.round(got * 1_000) / 1_000, limit, unit, ...more }));
  rows.push({ what, limit: `${Math.round(limit * 10) / 10} ${unit}`, got: `${got.toFixed(unit === "s" ? 2 : 1)} ${unit}`, ratio });
}

function write(dir: string, files: readonly { path: string; text: string }[]): void {
  mkdirSync(path.join(dir, "map"), { recursive: true });
  for (const file of files) writeFileSync(path.join(dir, file.path), file.text);
}

const rss = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;

/** How far the polls of a service strayed from its interval, over all services; milliseconds, the worst first. */
function straying(asked: readonly [string, number[]][]): number[] {
  const gaps = asked.flatMap(([, times]) => times.slice(1).map((at, n) => Math.abs(at - (times[n] ?? at) - interval)));
  return gaps.sort((a, b) => b - a);
}

async function metrics(address: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${address}metrics`)).text();
  return new Map(
    text
      .split("\n")
      .flatMap((line) =>
        line.startsWith("headwater_")
          ? [[line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))] as const]
          : [],
      ),
  );
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "headwater-map-"));
  const children: ChildProcess[] = [];
  try {
    const own = fileURLToPath(import.meta.url);
    const responders = spawn(process.execPath, [...process.execArgv, own, "--fleet"], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    children.push(responders);
    const [port] = (await once(responders, "message")) as [number];
    const answers = async (): Promise<[string, number[]][]> => {
      const message = once(responders, "message");
      responders.send("tell");
      return ((await message) as [[string, number[]][]])[0];
    };
    const map = largeMap({ services, files: Number(values.files), address: (n) => `${host(n)}:${port}` });
    const config = path.join(folder, "config");
    write(config, [
      ...map,
      { path: "headwater.yaml", text: "listen: { host: 127.0.0.1, port: 0 }\n" },
      { path: "map/defaults.yaml", text: `defaults: { interval: ${values.interval}s, timeout: 2s }\n` },
    ]);
    const changed = (files: number, word: string) =>
      map.slice(0, files).map((file) => ({ ...file, text: file.text.replace(/criticality: \w+/, `criticality: ${word}`) }));
    const head = path.join(folder, "head");
    write(head, [...map, ...changed(10, "informational")]);

    const checks = [await timed(["check", config]), await timed(["check", config]), await timed(["check", config])];
    const diffs = [await timed(["diff", config, head]), await timed(["diff", config, head]), await timed(["diff", config, head])];
    const median = (times: number[]): number => times.sort((a, b) => a - b)[1] ?? 0;
    const tellTime = (what: string, runs: typeof checks, limit: number): void => {
      const [wall, cpu] = [median(runs.map((run) => run.wall)), median(runs.map((run) => run.cpu))];
      tell(what, Math.min(wall, cpu), limit, "s", { wall, cpu, exit: runs[0]?.code });
    };
    tellTime("check", checks, 2);
    tellTime("diff", diffs, 3);

    const server = spawn(process.execPath, ["--import", WATCH, CLI, "serve", "--config", config, "--data", path.join(folder, "data")], {
      stdio: ["ignore", "pipe", "ignore", "ipc"],
    });
    children.push(server);
    const living = async (): Promise<number> => {
      const told = once(server, "message");
      server.send("collect");
      return ((await told) as [number])[0];
    };
    const address = await new Promise<string>((resolve) => {
      let said = "";
      server.stdout?.on("data", (part: Buffer) => {
        said += part;
        const found = /http:\S+\//.exec(said)?.[0];
        if (found) resolve(found);
      });
    });
    await sleep(1.5 * interval);
    await answers();
    const start = await metrics(address);
    const reloads = Number(values.reloads);
    // As long as the reloads take: a process goes on growing for a while after its start without any.
    await sleep(reloads * 2.5 * interval);
    const quiet = straying(await answers());
    const settled = await metrics(address);
    const memoryBefore = rss(server.pid ?? 0);
    let peak = memoryBefore;
    const livingBefore = await living();
    // To collect everything at once takes its time: that is no reload's.
    await sleep(interval);
    await answers();
    const before = await metrics(address);
    const watching = setInterval(() => {
      peak = Math.max(peak, rss(server.pid ?? 0));
    }, 200);
    const worst: number[] = [];
    const p99: number[] = [];
    const stalls: number[] = [];
    for (let reload = 0; reload < reloads; reload++) {
      write(config, changed(1 + reload, reload % 2 === 0 ? "soft" : "hard"));
      await sleep(10_000);
      stalls.push(((await metrics(address)).get("headwater_event_loop_delay_seconds") ?? 0) * 1_000);
      await sleep(Math.max(0, 2.5 * interval - 10_000));
      const gaps = straying(await answers());
      worst.push(gaps[0] ?? 0);
      p99.push(gaps[Math.floor(gaps.length / 100)] ?? 0);
    }
    clearInterval(watching);
    await sleep(interval / 2);
    const after = await metrics(address);
    const memoryAfter = rss(server.pid ?? 0);
    const grown = (name: string, from: Map<string, number>, to: Map<string, number>): number => (to.get(name) ?? 0) - (from.get(name) ?? 0);
    const why = (name: string): number => grown(name, before, after);
    const missed = (from: Map<string, number>, to: Map<string, number>): number =>
      grown("headwater_ticks_skipped_total", from, to) + grown('headwater_polls_total{outcome="aborted"}', from, to);
    // A busy machine misses polls without any reload: what a reload adds is what counts.
    const usual = missed(start, settled) / reloads;
    tell("polls missed by a reload", Math.max(0, missed(before, after) / reloads - usual), 1, "polls", {
      quiet: usual,
      reloads: why("headwater_map_revision"),
      skipped: why("headwater_ticks_skipped_total"),
      aborted: why('headwater_polls_total{outcome="aborted"}'),
    });
    tell("longest stall of the event loop", Math.max(...stalls), 1_000, "ms", {
      quiet: (settled.get("headwater_event_loop_delay_seconds") ?? 0) * 1_000,
      each: stalls,
    });
    tell(
      "gap at p99, from the interval, over that when quiet",
      Math.max(...p99),
      Math.max(50, quiet[Math.floor(quiet.length / 100)] ?? 0),
      "ms",
      { each: p99 },
    );
    tell("worst gap, from the interval", Math.max(...worst), interval, "ms", { quiet: quiet[0], each: worst });
    tell("resident memory after, of that before", memoryAfter, memoryBefore, "MB", { peak: Math.round(peak) });
    const asked = performance.now();
    const labels = (await (await fetch(`${address}api/v1/labels`)).json()) as { edges: unknown[] };
    const answered = performance.now() - asked;
    const delay = ((await metrics(address)).get("headwater_event_loop_delay_seconds") ?? 0) * 1_000;
    tell("stall while labels are judged", delay, 20, "ms", {
      labels: labels.edges.length,
      answered_ms: Math.round(answered),
      memory: Math.round(rss(server.pid ?? 0)),
    });
    const livingAfter = await living();
    tell("living memory after, of that before", livingAfter, livingBefore, "MB");
    server.kill("SIGTERM");
    await once(server, "exit");
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${"what".padEnd(52)}${"limit".padStart(14)}${"got".padStart(14)}${"ratio".padStart(8)}`);
  for (const { what, limit, got, ratio } of rows)
    console.log(`${what.padEnd(52)}${limit.padStart(14)}${got.padStart(14)}${String(ratio).padStart(8)}`);
}

await (values.fleet ? fleet() : main());
