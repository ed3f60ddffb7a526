// The generated history of `history.mjs`: a fleet, its polls and changes, and the rows that ninety days of them leave.
import { Bytes } from "../../server/dist/store/bytes.js";
import { openDatabase } from "../../server/dist/store/database.js";
import { count, emptyTally } from "../../server/dist/store/histogram.js";
import { loadNames } from "../../server/dist/store/names.js";
import { writePoll } from "../../server/dist/store/polls.js";
import { writeDependencyHour, writeHour, writeMinutes } from "../../server/dist/store/rows.js";
import { runsOf, writeRuns } from "../../server/dist/store/runs.js";
import { keyOf, SLOT_MS } from "../../server/dist/store/samples.js";
import { addPart } from "../../server/dist/store/tiers.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** `services` with `dependencies` each, polled every `interval` seconds; from `liveFrom` on poll by poll. */
export function createWorld({ services: N, dependencies: D, interval: INTERVAL, start: START, end: END, liveFrom: LIVE_FROM, path }) {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed >>> 8) / 2 ** 24;
  };
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random());
  /** A latency in milliseconds: log-normal around 20 ms, one in a hundred ten times slower. */
  const latency = () => 20 * Math.exp(normal() * 0.5) * (random() < 0.01 ? 10 : 1);

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
    for (let n = 0; n < D; n++)
      components.push({ name: `dependency-${n}`, status: "up", latencyMs: latency() / 4, ageMs: Math.floor(random() * 5_000) });
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

  const said = { said: 0, words: Array.from({ length: D }, (_, n) => n * 4), traits: [] };
  /** A poll as it is kept, with the age of each check. */
  function sample(at, answered) {
    const poll = { at, instance: null, httpAge: 0, latencyMs: answered ? latency() : 2_000 };
    if (!answered) return { ...poll, outcome: "timeout", status: null, httpStatus: null, ages: [], said: 0, words: [], traits: [] };
    const ages = Array.from({ length: D }, () => Math.floor(random() * 50) + 1);
    return { ...poll, ...said, outcome: "report", status: "healthy", httpStatus: 200, ages };
  }

  /** Rows as rolling up leaves them: hours of all days, minutes of the last week, single polls of the last day. */
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
      for (let at = 0; at < SLOT_MS; at += INTERVAL * 1_000) writePoll(into, 0, sample(at, true), at === 0 ? null : said);
      return into.view();
    });
    /** A day of one service's polls, one in a thousand of which failed, as runs. */
    const dayRuns = Array.from({ length: 60 }, () => {
      const polls = [];
      for (let at = 0; at < DAY; at += INTERVAL * 1_000) polls.push(sample(at, random() >= 0.001));
      return writeRuns(0, runsOf(polls));
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
        for (const one of series) into("run_day").run(keyOf(at / DAY, one), pick(dayRuns));
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
      store.writer.commit({ at: at + HOUR / 4, transitions, incidents, events });
    }
  }

  /** The generator made a quarter of an hour with one commit: what it did not live in between is no gap. */
  function forgetGaps() {
    const { content, release } = openDatabase(
      path,
      () => {},
      (_file, connection) => connection,
    );
    content.db.exec("DELETE FROM gap");
    content.db.close();
    release();
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

  return { map, service, resource, target, observation, backfill, changes, forgetGaps, fleet };
}
