import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { judgeAt } from "../../server/src/analysis/replay.ts";
import { exportHistory } from "../../server/src/cli/export.ts";
import { type Recording, readRecording, SHIFT } from "../../server/src/cli/recording.ts";
import type { Verdict } from "../../server/src/domain/incident.ts";
import { polledServices } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import type { Snapshot } from "../../server/src/domain/snapshot.ts";
import { type Outcome, PHASES } from "../../server/src/domain/status.ts";
import { changesIn } from "../../server/src/store/export.ts";
import { openReader } from "../../server/src/store/index.ts";
import { type Case, loadCases, mapObjectOf, recordingOf } from "../support/cases.ts";
import { Aggregator } from "../support/history-engine.ts";
import { randomOf } from "../support/random.ts";

const T0 = Date.UTC(2026, 9, 24, 9, 0, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let folder: string;
let open: Aggregator[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "headwater-export-"));
  vi.useFakeTimers({ now: T0, toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
});
afterEach(async () => {
  for (const one of open) one.store.close();
  open = [];
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** What a verdict says, in an order of its own; stragglers of a cause that is over are the life of incidents', not a replay's. */
function said(verdict: Verdict) {
  const holding = (wanted: string) =>
    [...verdict.roles].flatMap(([id, { role, cause }]) => (role === wanted && cause >= 0 ? [id] : [])).sort();
  return {
    causes: verdict.causes.map(({ node, kind, level, confidence }) => [node, kind, level, confidence]),
    impacted: holding("impacted"),
    at_risk: holding("at_risk"),
    blind: verdict.blind,
  };
}

const statuses = ({ state }: Pick<Snapshot, "state">) => [...state.nodes].map(([id, { status, reason }]) => [id, status, reason]);

/** Runs a known incident through the aggregator, in the damping of a real map; returns what was shown when. */
function live(one: Case, flipAfter: number, retention?: number) {
  const map = mapObjectOf(one.topology, new Set(one.instrumented), one.interval_s);
  const defaults = { ...(map.defaults as object), flip_after: flipAfter };
  const headwater = new Aggregator(join(folder, "data"), [{ path: "map/map.yaml", text: stringify({ ...map, defaults }) }], T0, retention);
  open.push(headwater);
  const shown: { at: number; snapshot: Snapshot }[] = [];
  const byTime = new Map<number, Observation[]>();
  for (const poll of recordingOf(one).polls) byTime.set(poll.at, [...(byTime.get(poll.at) ?? []), poll]);
  for (const [at, polls] of byTime) {
    headwater.passTo(at - SHIFT + T0);
    const asked = polls.map((poll): Observation => ({ ...poll, at: headwater.now }));
    for (const poll of asked) headwater.receive(poll);
    // What nobody would see move is published with the next second.
    headwater.passTo(headwater.now + 1_000);
    const snapshot = headwater.engine.snapshot();
    shown.push({ at: snapshot.now, snapshot });
  }
  return { headwater, shown };
}

async function exported(from: number, to: number): Promise<{ recording: Recording; header: Record<string, unknown>; notes: string }> {
  let out = "";
  let notes = "";
  const io = {
    stdout: (text: string) => {
      out += text;
    },
    stderr: (text: string) => {
      notes += text;
    },
    env: {},
    cwd: folder,
    colour: false,
  };
  const args = ["--from", new Date(from).toISOString(), "--to", new Date(to).toISOString()];
  expect(await exportHistory(args, io)).toBe(0);
  const file = join(folder, "export.jsonl");
  writeFileSync(file, out);
  vi.useRealTimers();
  const recording = await readRecording(".", file);
  if (typeof recording === "string") throw new Error(recording);
  return { recording, header: JSON.parse(out.slice(0, out.indexOf("\n"))), notes };
}

/** A while of the small fleet: all is well but for the given minutes, in which the database is down. */
function lived(headwater: Aggregator, until: number, down: { from: number; to: number } | null) {
  const shown: { at: number; snapshot: Snapshot }[] = [];
  const instances = polledServices(headwater.map).flatMap((service) => service.instances.map((instance) => ({ service, instance })));
  const isDown = () => down !== null && headwater.now >= down.from && headwater.now < down.to;
  const says = (names: readonly string[], bad: boolean) => ({
    status: bad ? ("unhealthy" as const) : ("healthy" as const),
    components: names.map((name) => ({ name, status: bad && name !== "cache" ? ("down" as const) : ("up" as const) })),
  });
  while (headwater.now < until) {
    for (const { service, instance } of instances) {
      const report = says(
        service.edges.map(({ components }) => components[0] as string),
        isDown(),
      );
      const httpStatus = report.status === "healthy" ? 200 : 503;
      const poll = { service: service.id, instance: instance.id, at: headwater.now, latencyMs: 7, outcome: "report" as const };
      headwater.receive({ ...BARE, ...poll, httpStatus, report });
    }
    headwater.passTo(headwater.now + 9_000);
    if (headwater.now % MINUTE < 10_000) shown.push({ at: headwater.now, snapshot: headwater.engine.snapshot() });
    headwater.passTo(headwater.now + 1_000);
    while (headwater.store.writer.maintain(headwater.now));
  }
  return shown;
}

/** Three days later the single polls are gone: retention goes by a clock that was away for long once it has run for a day. */
function forget({ store: { writer }, now }: Aggregator): void {
  const later = now + 3 * DAY;
  for (let at = later - DAY - HOUR; at <= later; at += 15_000) writer.flush(at);
  // Upkeep that had begun before ends first; the next begins a minute later.
  for (const at of [later, later + 61_000]) while (writer.maintain(at));
}

function expectTheSame(recording: Recording, shown: readonly { at: number; snapshot: Snapshot }[]): void {
  const moments = judgeAt(
    recording.map,
    recording.polls,
    shown.map(({ at }) => at),
  );
  expect(moments).toHaveLength(shown.length);
  for (const [n, { at, snapshot }] of shown.entries()) {
    const moment = moments[n];
    const where = `t=${(at - T0) / 1_000}`;
    expect([where, moment && said(moment.verdict)]).toEqual([where, said(snapshot.verdict)]);
    expect([where, moment && statuses(moment.evidence)]).toEqual([where, statuses(snapshot)]);
  }
}

const FLEET = `
defaults: { interval: 10s, timeout: 2s }
resources: { db: { kind: database }, cache: { kind: cache }, mail: { kind: external } }
services:
  web: { url: "http://web.test/health", dependencies: [ { on: cart, criticality: hard }, { on: search, criticality: soft } ] }
  cart:
    instances: [ "http://cart-1.test/health", "http://cart-2.test/health" ]
    dependencies: [ { on: db, component: [ postgres, pg ], criticality: hard }, { on: cache, criticality: soft } ]
  search: { url: "http://search.test/health", dependencies: [ { on: [ db, cache ], need: 1, criticality: hard } ] }
  jobs: { url: "http://jobs.test/health", interval: 20s, dependencies: [ { on: db, criticality: hard }, { on: mail, criticality: informational } ] }
systems: { shop: { members: [ { node: web, criticality: hard }, { node: jobs, criticality: soft } ] } }
`;

/** Twenty minutes of a small fleet in which anything may happen, each mood of an instance lasting a while. */
function anything(seed: string, retention?: number) {
  const next = randomOf(seed);
  const pick = <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T;
  const headwater = new Aggregator(join(folder, "data"), [{ path: "map/map.yaml", text: FLEET }], T0, retention);
  open.push(headwater);
  const silent = (outcome: Outcome) => ({ outcome, httpStatus: null, report: null });
  const moods: ((names: readonly string[]) => Pick<Observation, "outcome" | "httpStatus" | "report">)[] = [
    () => silent(pick(["timeout", "refused", "connect_timeout", "dns"])),
    () => ({ outcome: "http_error", httpStatus: 503, report: { status: "unhealthy", components: [], maybeGateway: true } }),
    () => ({ outcome: "http_error", httpStatus: 503, report: { status: "unknown", phase: pick(PHASES), components: [] } }),
    (names) => {
      const components = names.map((name, n) => ({
        name,
        status: pick(["up", "up", "up", "up", "down", "degraded"] as const),
        ...(n === 0 ? { criticality: "soft" as const, category: "timeout" as const, error: "timeout" } : {}),
        ...(next() < 0.5 ? { ageMs: Math.floor(next() * 90) * 1_000 + 500 } : {}),
      }));
      const status = components.some((one) => one.status === "down") ? ("unhealthy" as const) : ("healthy" as const);
      const word = pick([undefined, undefined, null, "healthy", "degraded"] as const);
      return {
        outcome: "report",
        httpStatus: status === "healthy" ? 200 : 503,
        report: { status, components, ...(word === undefined ? {} : { word }) },
      };
    },
  ];
  const instances = polledServices(headwater.map).flatMap((service) =>
    service.instances.map((instance) => ({ service, instance, asked: T0 + Math.floor(next() * 9_000), until: 0, said: moods[3]?.([]) })),
  );
  const shown: { at: number; snapshot: Snapshot }[] = [];
  for (let second = T0 + 1_000; second < T0 + HOUR / 3; second += 1_000) {
    headwater.passTo(second);
    // As the page has it just before the polls of this second.
    if (second % 7_000 === 0) shown.push({ at: second - 1, snapshot: headwater.engine.snapshot() });
    for (const one of instances) {
      if (one.asked > second) continue;
      if (second >= one.until) {
        one.until = second + Math.floor(next() * 200_000);
        one.said = pick([...moods, ...moods.slice(3), ...moods.slice(3)])([
          ...one.service.edges.map(({ components }) => pick(components)),
          "disk",
        ]);
      }
      const { id } = one.instance;
      headwater.receive({ ...BARE, service: one.service.id, instance: id, at: second, latencyMs: 7, ...(one.said ?? silent("timeout")) });
      one.asked += one.service.interval;
    }
    headwater.passTo(second + 25);
  }
  headwater.passTo(headwater.now + 2_000);
  return { headwater, shown };
}

const BARE = { format: "headwater", error: null, date: null, httpAge: null, warnings: [], body: null };

const CASES = loadCases().filter(({ name }) => ["adv-flapping", "adv-stale-age", "adv-one-of-twelve", "adv-zone-partition"].includes(name));

describe("a recording exported from history", () => {
  it.each(CASES.flatMap((one) => [1, 3].map((flipAfter) => [one.name, flipAfter, one] as const)))(
    "of %s, damped by %i, replays to what the board showed",
    async (_name, flipAfter, one) => {
      const { shown, headwater } = live(one, flipAfter);
      const { recording, header } = await exported(T0, headwater.now + 1);
      expect(header).toMatchObject({ rebuilt_from_changes: false });
      expectTheSame(recording, shown);
    },
    60_000,
  );

  it.each(CASES.map((one) => [one.name, one] as const))(
    "of %s replays to the same once its polls are gone and only their runs are kept",
    async (_name, one) => {
      const { shown, headwater } = live(one, 3, HOUR);
      const end = headwater.now + 1;
      forget(headwater);
      const { recording, header } = await exported(T0, end);
      expect(header).toMatchObject({ rebuilt_from_changes: true });
      expectTheSame(recording, shown);
    },
    60_000,
  );

  it.each(["a", "b"])("of a fleet in which anything happens (%s) replays to the same, from its middle too", async (seed) => {
    const { shown, headwater } = anything(seed);
    for (const from of [T0, T0 + HOUR / 6]) {
      const { recording, header } = await exported(from, headwater.now);
      expect(header).toMatchObject({ rebuilt_from_changes: false });
      expectTheSame(
        recording,
        shown.filter(({ at }) => at >= from),
      );
    }
  });

  it.each(["c"])("of a fleet in which anything happens (%s) replays to the same from its runs", async (seed) => {
    const { shown, headwater } = anything(seed, HOUR);
    const end = headwater.now;
    forget(headwater);
    const { recording, header } = await exported(T0, end);
    expect(header).toMatchObject({ rebuilt_from_changes: true });
    expectTheSame(recording, shown);
  });

  it.each([
    ["into an hour that is not rolled up", 34, 5, 55, DAY],
    ["into an hour of which only runs are kept", 85, 25, 90, HOUR],
  ])("of a time that was lived twice, the clock set back %s, replays to the later life", async (_where, minutes, back, last, retention) => {
    const headwater = new Aggregator(join(folder, "data"), [{ path: "map/map.yaml", text: FLEET }], T0, retention);
    open.push(headwater);
    const landing = T0 + back * MINUTE;
    lived(headwater, T0 + minutes * MINUTE, { from: landing - MINUTE, to: T0 + (minutes - 1) * MINUTE });
    headwater.setClock(landing);
    const again = lived(headwater, T0 + last * MINUTE, { from: landing + 30 * MINUTE, to: landing + 35 * MINUTE });
    const end = headwater.now;
    if (retention < DAY) forget(headwater);
    const { recording, header } = await exported(T0, end);
    if (retention < DAY) expect(header).toMatchObject({ rebuilt_from_changes: true });
    // What held when the clock was set back is not known to a replay before as many polls as damping remembers.
    expectTheSame(
      recording,
      again.filter(({ at }) => at > landing + 5 * MINUTE),
    );
    const { history, close } = openReader(join(folder, "data"));
    const changes = [...changesIn(history, { from: landing, to: end })].filter(({ subject, id }) => subject === "node" && id === "db");
    close();
    expect(changes.map(({ to }) => to)).toEqual(["healthy", "unhealthy", "healthy"]);
  });
});
