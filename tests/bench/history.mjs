// Size, query times and insert cost of a generated history, written through the store's own code; needs `pnpm build`.
//   node tests/bench/history.mjs [--services 500] [--dependencies 8] [--interval 10] [--days 90] [--live 1] [--json] [--keep FOLDER]
// A JSON line a figure, then a table. Time before the last hours (--live) is written as the rows that rolling up would have
// left; those hours are appended poll by poll. Times are medians and the 90th percentile of fifty after ten to warm up; CPU is user and system time of this process.
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../../server/dist/store/index.js";
import { createWorld } from "./history-world.mjs";

const { values } = parseArgs({
  options: {
    services: { type: "string", default: "500" },
    dependencies: { type: "string", default: "8" },
    interval: { type: "string", default: "10" },
    days: { type: "string", default: "90" },
    live: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    keep: { type: "string" },
  },
});
const [N, D, INTERVAL, DAYS, LIVE] = [values.services, values.dependencies, values.interval, values.days, values.live].map(Number);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = Date.UTC(2026, 9, 24);
const START = END - DAYS * DAY;
/** From here on poll by poll. */
const LIVE_FROM = END - LIVE * HOUR;
const KEEP = { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY };
const path = values.keep ?? mkdtempSync(join(tmpdir(), "headwater-bench-"));
mkdirSync(path, { recursive: true });
const { map, service, resource, target, observation, backfill, changes, forgetGaps, fleet } = createWorld({
  services: N,
  dependencies: D,
  interval: INTERVAL,
  start: START,
  end: END,
  liveFrom: LIVE_FROM,
  path,
});

const figures = [];
/** One figure: CPU time, and beside it the time by the clock, which a busy machine stretches. */
const say = (what, unit, target, cpuTime, clock = null) => {
  const figure = { what, unit, cpu: round(cpuTime), clock: clock === null ? null : round(clock), target };
  figures.push(figure);
  if (values.json) console.log(JSON.stringify(figure));
};
const round = (value) => Number(value.toPrecision(3));
const size = (folder) =>
  ["headwater.db", "headwater.db-wal"].reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};
/** Milliseconds of CPU and by the clock that some work takes. */
function timed(work) {
  const [fromCpu, fromClock] = [cpu(), performance.now()];
  work();
  return { cpu: cpu() - fromCpu, clock: performance.now() - fromClock };
}
/** The value at a share of a list of times, for both kinds of time. */
function at(times, share) {
  const pick = (kind) => {
    const sorted = times.map((time) => time[kind]).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  };
  return [pick("cpu"), pick("clock")];
}

console.error(`history of ${N} services with ${D} dependencies, every ${INTERVAL} s, ${DAYS} days, in ${path}`);
backfill();
const generated = openStore({ path, maxSize: 10e9, retention: KEEP });
generated.writer.restore(START);
generated.writer.follow(map);
changes(generated);
generated.close();
forgetGaps();
const store = openStore({ path, maxSize: 10e9, retention: KEEP });
store.writer.restore(LIVE_FROM - 1_000);
store.writer.follow(map);

// The last hours, a second at a time; what happens to the clock of the process is measured, the generator is not.
const { state, poll, changed } = fleet();
const cost = { append: [], flush: [], state: [], maintain: [] };
let polls = 0;
for (let now = LIVE_FROM; now < END + 200_000; now += 1_000) {
  const ids = [];
  const seen = [];
  for (let i = (now / 1_000) % INTERVAL; i < N; i += INTERVAL) seen.push(observation(i, now));
  for (const one of seen) {
    poll(one);
    ids.push(one.service);
  }
  const moved = changed(ids);
  polls += seen.length;
  cost.append.push(timed(() => store.writer.append(seen)));
  cost.state.push(timed(() => store.writer.saveState(state, moved)));
  cost.flush.push(timed(() => store.writer.flush(now)));
  for (let more = true; more; ) cost.maintain.push(timed(() => (more = store.writer.maintain(now))));
}
const per = (times) => times.reduce((sum, time) => sum + time.cpu, 0) / polls;
say("insert: CPU for 1,000 polls, all of it", "s", "0.05", per(Object.values(cost).flat()));
for (const [name, times] of Object.entries(cost)) say(`of which ${name}`, "s", "", per(times));
say("one flush, median", "ms", "", ...at(cost.flush, 0.5));
say("one flush, p99", "ms", "20", ...at(cost.flush, 0.99));
say("one step of upkeep, p99", "ms", "20", ...at(cost.maintain, 0.99));

const { reader } = store;
const query = (what, target, work) => {
  const times = Array.from({ length: 60 }, (_, i) => timed(() => work(i))).slice(10);
  say(`${what}, median`, "ms", target, ...at(times, 0.5));
  say(`${what}, p90`, "ms", "20", ...at(times, 0.9));
};
/** What is read in turns: all of it, and the longest time without a pause, where a turn ends with the first step past 4 ms. */
const turns = (what, target, work, times) => {
  const whole = [];
  const longest = [];
  for (let n = 0; n < times; n++) {
    const sum = { cpu: 0, clock: 0 };
    const most = { cpu: 0, clock: 0 };
    const steps = work(n)[Symbol.iterator]();
    for (let done = false; !done; ) {
      const turn = timed(() => {
        const until = performance.now() + 4;
        do done = steps.next().done === true;
        while (!done && performance.now() < until);
      });
      for (const kind of ["cpu", "clock"]) {
        sum[kind] += turn[kind];
        most[kind] = Math.max(most[kind], turn[kind]);
      }
    }
    whole.push(sum);
    longest.push(most);
  }
  say(`${what}, all turns`, "ms", target, ...at(whole, 0.5));
  say(`${what}, longest turn`, "ms", "20", ...at(longest, 0.5));
};
const chart = (days) => (i) => reader.nodeHistory(service((i * 37) % N), END - days * DAY, END, 1_000);
turns("24 h chart of a service", "20", chart(1), 50);
turns("7 d chart of a service", "", chart(7), 50);
turns(`${DAYS} d chart of a service`, "50", chart(DAYS), 50);
turns(`${DAYS} d chart of a resource`, "50", (i) => reader.nodeHistory(resource(i % Math.ceil(N / 5)), START, END, 1_000), 50);
turns(
  `${DAYS} d of one dependency's checks`,
  "50",
  (i) => reader.dependencyLatency(service(i % N), resource(target(i % N, 0)), START, END, 1_000),
  50,
);
turns(`${DAYS} d strips of the whole board, first time`, "100", () => reader.days(END, Math.min(DAYS, 90)), 1);
turns(`${DAYS} d strips of the whole board`, "100", () => reader.days(END, Math.min(DAYS, 90)), 20);
turns("24 h strips of the whole board", "", () => reader.strips(END - DAY, END, 96), 20);
turns("p95 of every node over 24 h", "", () => reader.percentiles(END), 3);
query("incidents, a page of 200", "", () => reader.incidents({ limit: 200 }));
query(`availability of a node over ${DAYS} d`, "", (i) => reader.availability("node", service(i % N), START, END));
turns("the board as it was", "", (i) => reader.statesAt(END - (i + 1) * HOUR), 50);
store.close();
say("size", "MB", "1000", size(path) / 1e6);
let again;
const opening = timed(() => {
  again = openStore({ path, maxSize: 10e9, retention: KEEP });
  again.writer.restore(END + 300_000);
});
say("opening and restoring", "ms", "", opening.cpu, opening.clock);
again.close();

if (!values.json) {
  console.log("| what | CPU | by the clock | to reach |\n| --- | --- | --- | --- |");
  for (const { what, unit, cpu: used, clock, target } of figures)
    console.log(`| ${what} | ${used} ${unit} | ${clock === null ? "" : `${clock} ${unit}`} | ${target ? `${target} ${unit}` : ""} |`);
}
if (!values.keep) rmSync(path, { recursive: true });
