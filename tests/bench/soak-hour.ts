import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Incident } from "../../server/src/contract/index.ts";
import { scratchFolder } from "../support/headwater.ts";
import { startMonitors } from "../support/monitors.ts";
import { freePort } from "../support/ports.ts";
import { DEPENDENCIES, type Fleet, startFleet } from "./soak-fleet.ts";

/**
 * An hour of real time under faults, watched by a real Prometheus and Alertmanager with the shipped rules and times:
 * memory, descriptors and event-loop delay each minute, and every alert. What fails in the fleet is either too short to be
 * confirmed or matters to no system, so that nobody may be called. Reloads, viewers who come and go, and one who never
 * reads go on all the while. `pnpm soak:hour`, or after a build: `tsx tests/bench/soak-hour.ts [--services 200]
 * [--minutes 60] [--cli server/dist/cli.js] [--log FILE]`. Exits 1 on an alert, or where memory or descriptors grow.
 */

interface Minute {
  minute: number;
  rss_mb: number;
  rss_max_mb: number;
  descriptors: number;
  loop_delay_ms: number;
  lag_ms: number;
  polls: number;
  skipped: number;
  viewers: number;
  history_mb: number;
  cpu_percent: number;
}

const { values } = parseArgs({
  options: {
    services: { type: "string", default: "200" },
    minutes: { type: "string", default: "60" },
    cli: { type: "string", default: new URL("../../server/dist/cli.js", import.meta.url).pathname },
    log: { type: "string" },
  },
});
const minutes = Number(values.minutes);
/** Growth from the middle third of the run to the last one that still counts as flat. */
const FLAT = { rssMb: 15, descriptors: 10 };

const fleet = await startFleet(Number(values.services));
const folder = scratchFolder();
const received: string[] = [];
const receiver = createServer(async (req, res) => {
  const { alerts } = JSON.parse(await text(req)) as { alerts: { status: string; labels: { alertname: string } }[] };
  received.push(...alerts.map(({ status, labels }) => `${labels.alertname} ${status}`));
  res.end();
});
await once(receiver.listen(0, "127.0.0.1"), "listening");
const port = await freePort();
const monitors = await startMonitors(folder.path, {
  headwater: `127.0.0.1:${port}`,
  receiver: `127.0.0.1:${(receiver.address() as AddressInfo).port}`,
  asShipped: true,
});
folder.write("config/headwater.yaml", JSON.stringify({ alerts: { alertmanager: { urls: [monitors.alertmanager] } } }));
folder.write("config/map/fleet.yaml", mapText(fleet, 0));
const child = spawn(process.execPath, [values.cli, "serve", "--config", folder.config, "--data", folder.data, "--port", String(port)], {
  stdio: ["ignore", "ignore", "pipe"],
});
const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
let logLines = 0;
child.stderr.on("data", (chunk: Buffer) => {
  logLines += chunk.toString().split("\n").length - 1;
});
const address = `http://127.0.0.1:${port}`;
while (
  !(await fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  ))
)
  await sleep(200);

let over = false;
const background = [...Array.from({ length: 20 }, keepWatching), comeAndGo(), neverRead(), reload()];
const rows: Minute[] = [];
let cpuBefore = Number((await metrics()).get("process_cpu_seconds_total"));
for (let minute = 1; minute <= minutes; minute++) {
  const resident: number[] = [];
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    await sleep(Math.min(5_000, Math.max(0, until - performance.now())));
    resident.push(residentMb());
  }
  const seen = await metrics();
  const value = (name: string) => seen.get(name) ?? Number.NaN;
  const cpu = value("process_cpu_seconds_total");
  const row = {
    minute,
    rss_mb: Math.round(mean(resident)),
    rss_max_mb: Math.round(Math.max(...resident)),
    descriptors: value("process_open_fds"),
    loop_delay_ms: Math.round(value("headwater_event_loop_delay_seconds") * 1_000),
    lag_ms: Math.round(value("headwater_poller_lag_seconds") * 1_000),
    polls: [...seen].filter(([name]) => name.startsWith("headwater_polls_total")).reduce((sum, [, count]) => sum + count, 0),
    skipped: value("headwater_ticks_skipped_total"),
    viewers: value("headwater_stream_viewers"),
    history_mb: Math.round(value("headwater_history_size_bytes") / 1e5) / 10,
    cpu_percent: Math.round(((cpu - cpuBefore) / 60) * 100),
  };
  cpuBefore = cpu;
  rows.push(row);
  if (values.log) appendFileSync(values.log, `${JSON.stringify(row)}\n`);
}
const incidents = (await (await fetch(`${address}/api/v1/incidents?limit=500`)).json()) as { incidents: Incident[] };
const fired = await monitors.everSeen("firing");
const pending = await monitors.everSeen("pending");
over = true;
child.kill("SIGTERM");
const code = await exited;
await Promise.allSettled(background);
await monitors.stop();
receiver.close();
fleet.close();
folder.remove();

const growth = { rss_mb: grown(rows, "rss_mb"), descriptors: grown(rows, "descriptors"), loop_delay_ms: grown(rows, "loop_delay_ms") };
const ok = fired.length === 0 && received.length === 0 && growth.rss_mb < FLAT.rssMb && growth.descriptors < FLAT.descriptors && code === 0;
const figures = {
  services: fleet.services.length,
  minutes,
  asked: fleet.services.reduce((sum, { polls }) => sum + polls(), 0),
  answers: fleet.given(),
  growth,
  alerts: { fired, pending, received },
  called: incidents.incidents.filter(({ severity }) => severity !== "info").slice(0, 10),
  incidents: Object.fromEntries(
    ["page", "ticket", "info"].map((word) => [word, incidents.incidents.filter(({ severity }) => severity === word).length]),
  ),
  log_lines: logLines,
  exit: code,
  ok,
};
console.log(table(rows));
console.log(JSON.stringify(figures));
process.exit(ok ? 0 : 1);

/** The map of the fleet; `edition` changes one tag, so that each is a revision. */
function mapText({ services }: Fleet, edition: number): string {
  const lasting = services.flatMap(({ failing }, i) => (failing ? [] : [{ node: `s${i}`, criticality: "hard" }]));
  return JSON.stringify({
    defaults: { interval: "1s", timeout: "800ms" },
    teams: { fleet: {} },
    resources: Object.fromEntries(DEPENDENCIES.map(({ on }) => [on, { kind: "external", team: "fleet" }])),
    services: Object.fromEntries(
      services.map(({ url }, i) => [
        `s${i}`,
        { url, team: "fleet", tags: { edition: String(i === 0 ? edition : 0) }, dependencies: DEPENDENCIES },
      ]),
    ),
    systems: { shop: { members: lasting } },
  });
}

async function metrics(): Promise<Map<string, number>> {
  const body = await (await fetch(`${address}/metrics`)).text();
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}

function residentMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024;
}

/** A viewer with the board open the whole time. */
async function keepWatching(): Promise<void> {
  while (!over) {
    await view(untilOver());
    await sleep(500);
  }
}

/** Opens the board and the stream, and leaves after some seconds. */
async function comeAndGo(): Promise<void> {
  while (!over) {
    await fetch(`${address}/api/v1/board`).then(
      (answer) => answer.text(),
      () => "",
    );
    await view(sleep(5_000));
  }
}

/** Reads the stream and forgets what it says, until the time comes or the server ends it. */
async function view(leave: Promise<unknown>): Promise<void> {
  const request = get(`${address}/api/v1/events`, { agent: false }, (response) => response.resume());
  const ended = new Promise<void>((resolve) => request.on("error", () => {}).once("close", () => resolve()));
  await Promise.race([ended, leave]);
  request.destroy();
}

/** Asks for the stream and reads none of it, again each time that it is cut off. */
async function neverRead(): Promise<void> {
  while (!over) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
    socket.pause();
    await Promise.race([once(socket, "close"), untilOver()]);
    socket.destroy();
    await sleep(1_000);
  }
}

async function reload(): Promise<void> {
  for (let edition = 1; !over; edition++) {
    await Promise.race([sleep(300_000), untilOver()]);
    if (!over) folder.write("config/map/fleet.yaml", mapText(fleet, edition));
  }
}

async function untilOver(): Promise<void> {
  while (!over) await sleep(500);
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length);
}

/** How much the mean of the last third lies above that of the middle one. */
function grown(all: readonly Minute[], key: "rss_mb" | "descriptors" | "loop_delay_ms"): number {
  const third = Math.floor(all.length / 3);
  if (third === 0) return 0;
  const of = (part: readonly Minute[]) => mean(part.map((row) => row[key]));
  return Math.round((of(all.slice(-third)) - of(all.slice(third, 2 * third))) * 10) / 10;
}

/** Every tenth of the run, as Markdown. */
function table(all: readonly Minute[]): string {
  const step = Math.max(1, Math.floor(all.length / 6));
  const shown = all.filter(({ minute }) => minute % step === 0);
  const keys = Object.keys(all[0] ?? {}) as (keyof Minute)[];
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(keys), line(keys.map(() => "---")), ...shown.map((row) => line(keys.map((key) => row[key])))].join("\n");
}
