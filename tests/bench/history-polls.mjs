// What the reads of history make polls wait: a real server on the generated history of ninety days, which polls all of its
// services on loopback meanwhile; needs `pnpm build`.
//   node tests/bench/history-polls.mjs [--services 500] [--dependencies 8] [--days 90] [--times 12] [--json] [--keep FOLDER]
// A line a question: the longest time that the event loop did not turn, median and worst of some askings: at work, at work
// or waiting for the disk, and by the clock, which holds what other processes took. A folder that holds a history is used again.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openStore } from "../../server/dist/store/index.js";
import { componentNames, rhythm, startFleet } from "./fleet.mjs";
import { createWorld } from "./history-world.mjs";

const { values } = parseArgs({
  options: {
    services: { type: "string", default: "500" },
    dependencies: { type: "string", default: "8" },
    days: { type: "string", default: "90" },
    times: { type: "string", default: "12" },
    json: { type: "boolean", default: false },
    keep: { type: "string" },
  },
});
const [N, D, DAYS, TIMES] = [values.services, values.dependencies, values.days, values.times].map(Number);
const INTERVAL = 10_000;
const DAY = 86_400_000;
const KEEP = { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY };
const REVISIONS = 300;
const CLI = new URL("../../server/dist/cli.js", import.meta.url).pathname;
const WATCH = new URL("./loop-watch.mjs", import.meta.url).href;
const END = Math.floor(Date.now() / DAY) * DAY;
const folder = values.keep ?? mkdtempSync(join(tmpdir(), "headwater-bench-"));
const data = join(folder, "data");

const fleet = await startFleet({ n: N, components: D });
process.once("exit", () => fleet.stop());
const world = createWorld({
  services: N,
  dependencies: D,
  interval: INTERVAL / 1_000,
  start: END - DAYS * DAY,
  end: END,
  liveFrom: END,
  path: data,
});
const mapText = writeMap();
if (!existsSync(join(data, "headwater.db"))) generate();

/** The fleet as the history knows it. */
function writeMap() {
  const names = componentNames(D);
  const dependencies = (i) => names.map((component, n) => ({ on: world.resource(world.target(i, n)), component, criticality: "hard" }));
  const map = {
    defaults: { interval: `${INTERVAL}ms`, timeout: "2s" },
    teams: { payments: {} },
    resources: Object.fromEntries(Array.from({ length: Math.ceil(N / 5) }, (_, n) => [world.resource(n), { kind: "database" }])),
    services: Object.fromEntries(
      Array.from({ length: N }, (_, i) => [
        world.service(i),
        { url: fleet.url(i), ...(i % 2 ? { team: "payments" } : {}), dependencies: dependencies(i) },
      ]),
    ),
    systems: { shop: { members: Array.from({ length: 20 }, (_, i) => ({ node: world.service(i), criticality: "hard" })) } },
  };
  const text = JSON.stringify(map, null, 1);
  mkdirSync(join(folder, "config/map"), { recursive: true });
  writeFileSync(join(folder, "config/map/fleet.yaml"), text);
  return text;
}

function generate() {
  console.error(`history of ${N} services with ${D} dependencies over ${DAYS} days, in ${folder}`);
  mkdirSync(data, { recursive: true });
  world.backfill();
  const store = openStore({ path: data, maxSize: 10e9, retention: KEEP });
  store.writer.restore(END - DAYS * DAY);
  store.writer.follow(world.map);
  world.changes(store);
  for (let n = 1; n <= REVISIONS; n++)
    store.writer.acceptRevision({
      acceptedAt: END - (REVISIONS - n) * 3_600_000,
      hash: `generated-${n}`,
      commit: null,
      summary: `change ${n}`,
      files: [{ path: "map/fleet.yaml", text: `# ${n}\n${mapText}` }],
    });
  store.close();
  world.forgetGaps();
}

const server = spawn(
  process.execPath,
  ["--import", WATCH, CLI, "serve", "--config", join(folder, "config"), "--data", data, "--port", "0"],
  { stdio: ["ignore", "pipe", "ignore", "ipc"] },
);
process.once("exit", () => server.kill());
const address = await new Promise((resolve, reject) => {
  server.stdout.on("data", (text) => {
    const found = /Headwater is at (\S+)\//.exec(text);
    if (found) resolve(found[1]);
  });
  server.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
});

/** The longest that the loop stood since the last call, milliseconds. */
async function stood() {
  server.send("");
  const [longest] = await once(server, "message");
  return longest;
}

const rows = [];
const round = (value) => Number(value.toPrecision(3));
const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Asks some times, with pauses, and keeps what the loop stood meanwhile. */
async function measure(what, ask, times = TIMES) {
  const found = [];
  const took = [];
  for (let i = 0; i < times; i++) {
    await stood();
    const began = performance.now();
    await ask(i);
    took.push(performance.now() - began);
    found.push(await stood());
    await sleep(120);
  }
  const of = (kind) => found.map((longest) => longest[kind]);
  const [busy, held, clock] = [of("busy"), of("held"), of("waited")];
  const row = {
    what,
    busy: round(middle(busy)),
    worst: round(Math.max(...busy)),
    held: round(Math.max(...held)),
    clock: round(middle(clock)),
    took: round(middle(took)),
  };
  rows.push(row);
  if (values.json) console.log(JSON.stringify(row));
}

async function get(path) {
  const answer = await fetch(`${address}${path}`);
  const body = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${Buffer.from(body).toString().slice(0, 300)}`);
}

const time = (at) => new Date(at).toISOString();
const back = (days) => `from=${time(Date.now() - days * DAY)}&to=${time(Date.now())}`;
const node = (i) => world.service((i * 37) % N);

/** Runs a command on the data folder beside the server. */
async function beside(...args) {
  const child = spawn(process.execPath, [CLI, ...args, "--data", data], { stdio: "ignore" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
}

// The first sweep and the first upkeep are over by then.
await sleep(2.5 * INTERVAL);
await fleet.reset();
const quietFrom = Date.now();
await measure("nothing asked: polls, states, board and upkeep alone", () => sleep(250), 40);
const quiet = rhythm((await fleet.calls()).calls, INTERVAL, Date.now() - quietFrom);
await fleet.reset();
const askedFrom = Date.now();
await measure("90 d strips of the whole board, first time", () => get("/api/v1/strips/days?days=90"), 1);
await measure("90 d strips of the whole board", (i) => get(`/api/v1/strips/days?days=${89 - i}`));
await measure("24 h strips of the whole board", (i) => get(`/api/v1/strips?hours=24&cells=${96 - i}`));
await measure("100 d strips of the whole board in 400 cells", (i) => get(`/api/v1/strips?hours=2400&cells=${400 - i}`));
await measure("24 h chart of a service", (i) => get(`/api/v1/nodes/${node(i)}/history?${back(1)}`));
await measure("7 d chart of a service", (i) => get(`/api/v1/nodes/${node(i)}/history?${back(7)}`));
await measure("90 d chart of a service", (i) => get(`/api/v1/nodes/${node(i)}/history?${back(90)}`));
await measure("90 d chart of a resource", (i) => get(`/api/v1/nodes/${world.resource(i)}/history?${back(90)}`));
await measure("90 d of one dependency's checks", (i) =>
  get(`/api/v1/nodes/${node(i)}/history?${back(90)}&dependency=${world.resource(world.target((i * 37) % N, 0))}`),
);
await measure("availability of a system over 90 d", () => get(`/api/v1/availability?system=shop&${back(90)}`));
await measure("availability of a node over 90 d", (i) => get(`/api/v1/availability?node=${node(i)}&${back(90)}`));
await measure("incidents, a page of 500", () => get("/api/v1/incidents?limit=500"));
await measure("incidents of a node", (i) => get(`/api/v1/incidents?limit=500&node=${node(i)}`));
await measure("incidents of a team", () => get("/api/v1/incidents?limit=500&team=payments"));
await measure("incidents of a day that is long past", () =>
  get(`/api/v1/incidents?limit=500&from=${time(Date.now() - 80 * DAY)}&to=${time(Date.now() - 79 * DAY)}`),
);
await measure("MTTD, MTTR and causes of 90 d", () => get(`/api/v1/stats?${back(90)}`));
await measure("the board as it was", (i) => get(`/api/v1/board?at=${time(Date.now() - (i + 8) * 7 * 3_600_000)}`));
await measure("revisions, a page of 500", () => get("/api/v1/revisions?limit=500"));
await measure("announced work and marked changes", async () => {
  await get("/api/v1/maintenance");
  await get(`/api/v1/changes?${back(90)}`);
});
await measure("nothing asked, the longest of half a minute", () => sleep(30_000), 1);
await measure("headwater export of six hours, beside", () => beside("export", "--from", "6h"), 1);
await measure("headwater backup, beside", () => beside("backup", join(folder, "copy.db"), "--force"), 1);
await measure("headwater doctor, beside", () => beside("doctor"), 1);
const asked = rhythm((await fleet.calls()).calls, INTERVAL, Date.now() - askedFrom);

server.removeAllListeners("exit");
server.kill("SIGTERM");
await once(server, "exit");
fleet.stop();
if (!values.keep) rmSync(folder, { recursive: true });
if (!values.json) {
  console.log("| question | at work | worst | worst with the disk | by the clock | answered after |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const { what, busy, worst, held, clock, took } of rows)
    console.log(`| ${what} | ${busy} ms | ${worst} ms | ${held} ms | ${clock} ms | ${took} ms |`);
}
console.log(JSON.stringify({ quiet, asked }));
