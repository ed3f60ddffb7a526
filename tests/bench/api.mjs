// What watching costs: the list of the board, an unchanged one, a thousand viewers of the stream, and how late they learn
// of a change; and whether services that hang hold up the others.
//
//   pnpm bench:api [--n 1000] [--interval 10000] [--viewers 1000] [--requests 300] [--short]
import { Agent, get } from "node:http";
import { parseArgs } from "node:util";
import { polledTwice, sleep, startAggregator } from "./aggregator.mjs";
import { figure, table } from "./figures.mjs";
import { quantile, rhythm, startFleet } from "./fleet.mjs";
import { openViewer } from "./viewer.mjs";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "1000" },
    interval: { type: "string", default: "10000" },
    viewers: { type: "string", default: "1000" },
    requests: { type: "string", default: "300" },
    short: { type: "boolean", default: false },
  },
});
const short = values.short ? { n: 50, interval: 1_000, viewers: 20, requests: 30 } : null;
const { n, interval, viewers, requests } = short ?? {
  n: Number(values.n),
  interval: Number(values.interval),
  viewers: Number(values.viewers),
  requests: Number(values.requests),
};
const VICTIMS = Math.min(20, Math.floor(n / 5));
/** Between two requests, ms: one address may ask 200 times a second. */
const REST = 6;
/** Every so many services one is chosen, from `first` on. */
const chosen = (first) => Array.from({ length: VICTIMS }, (_, i) => Math.floor((i * n) / VICTIMS) + first);

const fleet = await startFleet({ n });
const headwater = await startAggregator(fleet, { interval });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const where = { services: n };
await fleet.reset();
await polledTwice(fleet, interval);

await measureList();
const quiet = await watchFleet(3 * interval);
figure("gap_off_p99", quiet.gap_off_p99_ms, "ms", { ...where, viewers: 0 });
await measureViewers();
await measureChanges();
await measureHang();
await headwater.stop();
fleet.stop();
table();
process.exit();

async function measureList() {
  const whole = await ask({});
  const etag = whole.headers.etag;
  for (const [name, headers] of [
    ["list", {}],
    ["list_gzip", { "accept-encoding": "gzip" }],
    ["list_unchanged", { "if-none-match": etag }],
  ]) {
    const times = [];
    let bytes = 0;
    let unchanged = 0;
    for (let i = 0; i < requests; i++) {
      const answer = await ask(headers);
      if (answer.status !== 200 && answer.status !== 304) throw new Error(`the board answers ${answer.status}`);
      if (name === "list_unchanged") headers["if-none-match"] = answer.headers.etag;
      if (answer.status === 304) unchanged++;
      times.push(answer.ms);
      bytes = Math.max(bytes, answer.bytes);
      await sleep(REST);
    }
    figure(`${name}_p50`, quantile(times, 0.5), "ms", { ...where, bytes });
    figure(`${name}_p99`, quantile(times, 0.99), "ms", where);
    if (name === "list_unchanged") figure("answers_304", unchanged / requests, "of all", where);
  }
}

function ask(headers) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    get(`${headwater.address}/api/v1/board`, { agent, headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => {
        bytes += chunk.length;
      });
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, bytes, ms: performance.now() - began }));
    }).on("error", reject);
  });
}

async function watchFleet(ms) {
  await fleet.reset();
  const [cpu, began] = [headwater.cpu(), Date.now()];
  await sleep(ms);
  const [spent, elapsed] = [headwater.cpu() - cpu, Date.now() - began];
  const { calls } = await fleet.calls();
  return { calls, elapsed, cpu: spent / (elapsed / 1_000), ...rhythm(calls, interval, elapsed) };
}

async function measureViewers() {
  const open = [];
  for (let i = 0; i < viewers; i += 50)
    open.push(...(await Promise.all(Array.from({ length: Math.min(50, viewers - i) }, () => openViewer(headwater.address)))));
  await sleep(1_000);
  const before = open.reduce((sum, { bytes }) => sum + bytes, 0);
  const watched = await watchFleet(3 * interval);
  const bytes = open.reduce((sum, viewer) => sum + viewer.bytes, 0) - before;
  for (const viewer of open) viewer.close();
  const expected = (n * watched.elapsed) / interval;
  const many = { ...where, viewers };
  figure("polls_with_viewers", watched.polls / expected, "x", many);
  figure("gap_off_p99", watched.gap_off_p99_ms, "ms", many);
  figure("cpu_of_a_core", watched.cpu, "", many);
  figure("cpu_of_a_core", quiet.cpu, "", { ...where, viewers: 0 });
  figure("stream_bytes_per_viewer", bytes / viewers / (watched.elapsed / 1_000), "B/s", many);
  await sleep(1_000);
}

/** From the request of the poll that confirms a change to the event that shows it, over the stream. */
async function measureChanges() {
  const shown = new Map();
  const viewer = await openViewer(headwater.address, (name, data) => {
    if (name !== "board") return;
    const at = performance.timeOrigin + performance.now();
    for (const { id, status } of JSON.parse(data).nodes) if (status === "unhealthy" && !shown.has(id)) shown.set(id, at);
  });
  await fleet.reset();
  const victims = chosen(1);
  const since = await fleet.set(victims, "down");
  const end = Date.now() + 2 * interval + 10_000;
  while (victims.some((i) => !shown.has(`svc${i}`)) && Date.now() < end) await sleep(100);
  const { calls } = await fleet.calls();
  const late = victims.flatMap((i) => {
    const asked = calls[i].find((time) => time >= since);
    const at = shown.get(`svc${i}`);
    return asked !== undefined && at !== undefined ? [at - asked] : [];
  });
  viewer.close();
  figure("change_to_event_p50", quantile(late, 0.5), "ms", { ...where, changes: late.length, missed: VICTIMS - late.length });
  figure("change_to_event_p99", quantile(late, 0.99), "ms", where);
  await fleet.set(victims, "ok");
  await sleep(2 * interval);
}

async function measureHang() {
  const hanging = new Set(chosen(2));
  await fleet.set([...hanging], "hang");
  await sleep(interval);
  const { calls } = await watchFleet(4 * interval);
  const others = calls.filter((_, i) => !hanging.has(i));
  const seen = rhythm(others, interval, 4 * interval);
  const hung = { ...where, hanging: hanging.size };
  figure("others_gap_off_p99", seen.gap_off_p99_ms, "ms", hung);
  figure("others_gap_off_max", seen.gap_max_ms - interval, "ms", hung);
  figure("others_skipped_or_doubled", seen.skipped_or_doubled, "polls", hung);
}
