// Size, query times and insert cost of a generated history, written through the store's own code; needs `pnpm build`.
//   node tests/bench/history.mjs [--services 500] [--dependencies 8] [--interval 10] [--days 90] [--live 1] [--json] [--keep FOLDER]
// A JSON line a figure, then a table. Time before the last hours (--live) is written as the rows that rolling up would have
// left; those hours are appended poll by poll. Times are medians and the 90th percentile of fifty after ten to warm up; CPU is user and system time of this process.
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Bytes } from "../../server/dist/store/bytes.js";
import { openDatabase } from "../../server/dist/store/database.js";
import { count, emptyTally } from "../../server/dist/store/histogram.js";
import { openStore } from "../../server/dist/store/index.js";
import { loadNames } from "../../server/dist/store/names.js";
import { writeDependencyHour, writeHour, writeMinutes } from "../../server/dist/store/rows.js";
import { keyOf, SLOT_MS, writePoll } from "../../server/dist/store/samples.js";
import { addPart } from "../../server/dist/store/tiers.js";

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

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return (seed >>> 8) / 2 ** 24;
};
const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random());
/** A latency in milliseconds: log-normal around 20 ms, one in a hundred ten times slower. */
const latency = () => 20 * Math.exp(normal() * 0.5) * (random() < 0.01 ? 10 : 1);

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

const service = (i) => `service-${i}`;
const resource = (n) => `resource-${n}`;
/** Every service depends on some of a fifth as many resources. */
const target = (i, n) => (i * 7 + n * 13) % Math.ceil(N / 5);
const map = {
  nodes: new Map(
    Array.from({ length: N }, (_, i) => [
      service(i),
      {
        kind: "service",
        id: service(i),
        edges: Array.from({ length: D }, (_, n) => ({ from: service(i), to: resource(target(i, n)), components: [`dependency-${n}`] })),
      },
    ]),
  ),
  systems: new Map(),
  teams: new Map(),
  maintenance: [],
};
for (let n = 0; n < Math.ceil(N / 5); n++) map.nodes.set(resource(n), { kind: "resource", id: resource(n) });

function observation(i, at) {
  const components = [];
  for (let n = 0; n < D; n++) components.push({ name: `dependency-${n}`, status: "up", latencyMs: latency() / 4 });
  const failed = random() < 0.001;
  return {
    service: service(i),
    instance: service(i),
    at: at + Math.floor((i / N) * 1_000),
    latencyMs: failed ? 2_000 : latency(),
    outcome: failed ? "timeout" : "report",
    httpStatus: failed ? null : 200,
    report: failed ? null : { status: "healthy", components },
    format: "headwater",
    error: null,
    date: null,
    httpAge: null,
    warnings: [],
    body: null,
  };
}

/** Rows as rolling up leaves them: hours of all days, minutes of the last week. */
function backfill() {
  const pool = (samples) =>
    Array.from({ length: 400 }, () => {
      const tally = emptyTally();
      for (let k = 0; k < samples; k++) count(tally, random() < 0.001 ? null : latency());
      return tally;
    });
  const hours = pool(HOUR / 1_000 / INTERVAL);
  const minutes = pool(60 / INTERVAL);
  const pick = (from) => from[Math.floor(random() * from.length)];
  /** Packed rows of `per` parts each, made by `part`. */
  const packs = (per, part) =>
    Array.from({ length: 500 }, () => {
      const into = new Bytes();
      for (let index = 0; index < per; index++) addPart(into, index, part(index));
      return into.view();
    });
  const dayOwn = packs(24, () => writeHour(pick(hours)));
  const dayDependencies = packs(24, () => writeDependencyHour(new Map(Array.from({ length: D }, (_, n) => [n, pick(hours)]))));
  const hourMinutes = packs(6, () => writeMinutes(new Map(Array.from({ length: 10 }, (_, m) => [m, pick(minutes)]))));
  const halfHours = packs(3, () => {
    const into = new Bytes();
    for (let at = 0; at < SLOT_MS; at += INTERVAL * 1_000)
      writePoll(into, { at, latencyMs: latency(), outcome: "report", status: "healthy", instance: null, httpStatus: 200, words: [] }, []);
    return into.view();
  });
  const { content, release } = openDatabase(
    path,
    () => {},
    (_file, connection) => connection,
  );
  const names = loadNames(content);
  names.follow(map);
  const series = Array.from({ length: N }, (_, i) => names.series("node", service(i)));
  const witnessed = Array.from({ length: Math.ceil(N / 5) }, (_, n) => names.series("node", resource(n)));
  for (const one of series) for (let n = 0; n < D; n++) names.component(one, `dependency-${n}`);
  const into = (table) => content.sql(`INSERT INTO ${table}(key, data) VALUES(?, ?)`);
  const done = content.sql("INSERT INTO done(tier, slot) VALUES(?, ?)");
  content.db.transaction(() => names.write(content))();
  // The day under way stays in rows by hour until it is over.
  for (let at = START; at + DAY < END; at += DAY)
    content.db.transaction(() => {
      for (const one of [...series, ...witnessed]) into("hour_pack").run(keyOf(at / DAY, one), pick(dayOwn));
      for (const one of series) into("dep_pack").run(keyOf(at / DAY, one), pick(dayDependencies));
    })();
  for (let at = END - DAY; at < LIVE_FROM; at += HOUR)
    content.db.transaction(() => {
      for (const one of [...series, ...witnessed]) into("hour").run(keyOf(at / HOUR, one), writeHour(pick(hours)));
      for (const one of series)
        into("dep_hour").run(keyOf(at / HOUR, one), writeDependencyHour(new Map(Array.from({ length: D }, (_, n) => [n, pick(hours)]))));
    })();
  for (let at = Math.max(START, END - 7 * DAY); at < LIVE_FROM; at += HOUR)
    content.db.transaction(() => {
      for (const one of [...series, ...witnessed]) into("minute_pack").run(keyOf(at / HOUR, one), pick(hourMinutes));
      if (at >= END - DAY)
        for (const half of [0, 1]) for (const one of series) into("raw_pack").run(keyOf((2 * at) / HOUR + half, one), pick(halfHours));
      for (let slot = at; slot < at + HOUR; slot += SLOT_MS) done.run(0, slot / SLOT_MS);
      done.run(1, at / HOUR);
    })();
  content.db.close();
  release();
}

/** Two changes a day of every node and every edge, and an incident an hour with its events. */
function changes(store) {
  let incident = 1;
  for (let at = START; at < LIVE_FROM; at += HOUR / 4) {
    const transitions = [];
    const share = 2 / 96;
    const add = (subject, id, words) => {
      if (at === START) transitions.push({ subject, id, at, from: null, to: words[0], reason: null, incident: null });
      else if (random() < share) {
        const to = words[Math.floor(random() * words.length)];
        transitions.push({
          subject,
          id,
          at: at + Math.floor(random() * 900_000),
          from: words[0],
          to,
          reason: "timeout at 2 s",
          incident: null,
        });
      }
    };
    for (let i = 0; i < N; i++) {
      add("node", service(i), ["healthy", "degraded", "unhealthy", "unknown"]);
      add("instance", service(i), ["healthy", "degraded", "unhealthy", "unknown"]);
      for (let n = 0; n < D; n++) add("edge", `${service(i)}>${resource(target(i, n))}`, ["up", "degraded", "down", "unknown"]);
    }
    for (let n = 0; n < Math.ceil(N / 5); n++) add("node", resource(n), ["healthy", "degraded", "unhealthy"]);
    const incidents = [];
    const events = [];
    if (at % HOUR === 0) {
      const node = resource(incident % Math.ceil(N / 5));
      const impacted = Array.from({ length: 20 }, (_, k) => ({ node: service((incident + k) % N), since: at }));
      const cause = {
        node,
        kind: "node",
        confidence: 0.93,
        level: "confirmed",
        firstSeen: at,
        severity: "unhealthy",
        why: ["9 of 12 dependents report it down"],
        against: [],
      };
      incidents.push({
        id: incident,
        kind: "cause",
        status: "resolved",
        severity: "page",
        anchor: node,
        openedAt: at,
        detectedAt: at + 20_000,
        recoveringAt: at + 500_000,
        resolvedAt: at + 600_000,
        end: "cleared",
        absorbedBy: null,
        unverifiedSince: null,
        cause,
        candidates: [],
        impacted,
        atRisk: [],
        systems: [],
        acked: null,
        mapRevision: 1,
      });
      for (const kind of ["opened", "impact", "recovering", "resolved"])
        events.push({ incident, at, kind, node, text: `${node}: ${kind}`, by: null });
      incident++;
    }
    store.writer.commit({ at, transitions, incidents, events });
  }
}

const damped = (since) => ({
  status: "healthy",
  since,
  pending: null,
  raw: "healthy",
  recent: Array(20).fill("healthy"),
  run: [],
  flapping: false,
  intermittent: false,
  confirmed: true,
});
/** Edge keys of a service, made once as the reducer does. */
const keys = new Map(
  Array.from({ length: N }, (_, i) => [service(i), Array.from({ length: D }, (_, n) => `${service(i)}>${resource(target(i, n))}`)]),
);
/** States of a fleet; `poll` returns it with one service seen again, as the reducer would. */
function fleet() {
  const state = { instances: new Map(), edges: new Map(), nodes: new Map(), blind: null };
  const poll = (seen) => {
    const id = seen.service;
    const components = seen.report?.components.map((one) => ({ ...one, computedAgeMs: 100 })) ?? [];
    state.instances.set(id, {
      id,
      service: id,
      damped: damped(START),
      outcome: "report",
      httpStatus: 200,
      format: "headwater",
      phase: null,
      phaseCount: 0,
      lastPollAt: seen.at,
      lastReportAt: seen.at,
      latencyMs: seen.latencyMs,
      error: null,
      components,
      ownWord: "healthy",
      seenChecks: new Map(),
      window: null,
    });
    for (const edge of map.nodes.get(id).edges)
      state.edges.set(`${id}>${edge.to}`, {
        from: id,
        to: edge.to,
        damped: damped(START),
        checkedAt: seen.at,
        reportedAt: seen.at,
        stale: false,
        latencyMs: 5,
        error: null,
        category: null,
        window: null,
        firstBadCheck: null,
      });
    state.nodes.set(id, {
      id,
      status: "healthy",
      since: START,
      pending: null,
      confirmed: true,
      marks: [],
      reason: null,
      lastKnown: null,
      lastChecked: seen.at,
      stale: false,
      latencyMs: 5,
      outcome: "report",
      window: null,
      ownWord: "healthy",
      coverage: { known: 1, total: 1 },
    });
  };
  return {
    state,
    poll,
    changed: (ids) => ({
      instances: ids,
      nodes: ids,
      edges: ids.flatMap((id) => keys.get(id)),
    }),
  };
}

console.error(`history of ${N} services with ${D} dependencies, every ${INTERVAL} s, ${DAYS} days, in ${path}`);
backfill();
const store = openStore({ path, maxSize: 10e9, retention: KEEP });
store.writer.restore(START);
store.writer.follow(map);
changes(store);

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
const chart = (days) => (i) => reader.nodeHistory(service((i * 37) % N), END - days * DAY, END, 1_000);
query("24 h chart of a service", "20", chart(1));
query("7 d chart of a service", "", chart(7));
query(`${DAYS} d chart of a service`, "50", chart(DAYS));
query(`${DAYS} d chart of a resource`, "50", (i) => reader.nodeHistory(resource(i % Math.ceil(N / 5)), START, END, 1_000));
query(`${DAYS} d strips of the whole board`, "100", () => reader.strips(START, END, DAYS));
query("24 h strips of the whole board", "", () => reader.strips(END - DAY, END, 96));
query("incidents, a page of 200", "", () => reader.incidents({ limit: 200 }));
query(`availability of a node over ${DAYS} d`, "", (i) => reader.availability("node", service(i % N), START, END));
query("the board as it was", "", (i) => reader.statesAt(END - (i + 1) * HOUR));
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
