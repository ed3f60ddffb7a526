import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import type { Transition } from "../../server/src/domain/history.ts";
import type { Incident } from "../../server/src/domain/incident.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import type { Damped, EdgeState, InstanceState, NodeState, SystemState } from "../../server/src/domain/state.ts";
import type { ComponentStatus, Outcome, Status } from "../../server/src/domain/status.ts";
import { openStore, type Store, type StoreOptions } from "../../server/src/store/index.ts";
import { ANSWERED } from "../support/answered.ts";

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** 2026-10-24T00:00:00Z */
export const T0 = Date.UTC(2026, 9, 24);
export const KEEP = { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY };

/** The bare library, for what another program may do to the file. */
export interface RawDatabase {
  exec(sql: string): void;
  pragma(text: string, options?: { simple: boolean }): unknown;
  prepare(sql: string): { all(...values: unknown[]): unknown[]; get(...values: unknown[]): unknown };
  close(): void;
}
const fromServer = createRequire(new URL("../../server/package.json", import.meta.url));
export function openRaw(file: string): RawDatabase {
  const Sqlite = fromServer("better-sqlite3") as new (file: string) => RawDatabase;
  return new Sqlite(file);
}

const folders: string[] = [];
const stores: Store[] = [];

/** A folder of its own, removed after the test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "headwater-store-"));
  folders.push(made);
  return made;
}

/** Opens a store that is closed after the test. */
export function open(path: string, options: Partial<StoreOptions> = {}): Store {
  const store = openStore({ path, maxSize: 2_000_000_000, retention: KEEP, ...options });
  stores.push(store);
  return store;
}

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

/** Lets a store live from one moment to another, a flush every ten seconds, all the upkeep that is due every minute. */
export function live(store: Store, from: number, to: number, each: (at: number) => void = () => undefined): void {
  for (let at = from; at < to; at += 10 * SECOND) {
    each(at);
    store.writer.flush(at);
    if (at % MINUTE === 0) while (store.writer.maintain(at));
    if (store.writer.health().error !== null) throw new Error(`writing failed: ${store.writer.health().error}`);
  }
}

export function observation(
  service: string,
  at: number,
  given: Partial<Observation> & { words?: Record<string, ComponentStatus> } = {},
): Observation {
  const { words, ...rest } = given;
  const components = Object.entries(words ?? {}).map(([name, status]) => ({ name, status, latencyMs: 5 }));
  return {
    service,
    instance: service,
    at,
    latencyMs: 20,
    ...ANSWERED,
    report: { status: "healthy", components },
    ...rest,
  };
}

export function failure(service: string, at: number, outcome: Outcome = "timeout"): Observation {
  return observation(service, at, { outcome, report: null, httpStatus: null, latencyMs: 2_000, error: "timeout at 2 s" });
}

export function transition(id: string, at: number, to: string, given: Partial<Transition> = {}): Transition {
  return { subject: "node", id, at, from: null, to, reason: null, incident: null, ...given };
}

export function incident(id: number, openedAt: number, given: Partial<Incident> = {}): Incident {
  return {
    id,
    kind: "cause",
    status: "open",
    severity: "page",
    anchor: "orders-db",
    openedAt,
    detectedAt: openedAt + 20_000,
    recoveringAt: null,
    resolvedAt: null,
    end: null,
    absorbedBy: null,
    unverifiedSince: null,
    cause: {
      node: "orders-db",
      kind: "node",
      confidence: 0.95,
      level: "confirmed",
      firstSeen: openedAt,
      severity: "unhealthy",
      why: ["9 of 12 dependents report it down"],
      against: [],
    },
    candidates: [],
    impacted: [{ node: "checkout", since: openedAt }],
    atRisk: [],
    systems: [{ id: "storefront", effect: "unhealthy" }],
    acked: null,
    mapRevision: 1,
    ...given,
  };
}

function damped<S extends string>(status: S, since: number, given: Partial<Damped<S>> = {}): Damped<S> {
  return {
    status,
    since,
    pending: null,
    raw: status,
    recent: [status],
    run: [],
    flapping: false,
    intermittent: false,
    confirmed: true,
    ...given,
  };
}

export function instanceState(id: string, status: Status, at: number, given: Partial<InstanceState> = {}): InstanceState {
  return {
    id,
    service: id,
    damped: damped(status, at),
    outcome: "report",
    httpStatus: 200,
    format: "headwater",
    phase: null,
    phaseCount: 0,
    lastPollAt: at,
    lastReportAt: at,
    latencyMs: 20,
    error: null,
    components: [],
    ownWord: status,
    seenChecks: new Map([["postgres", { lastChecked: at, firstSeen: at }]]),
    window: null,
    ...given,
  };
}

export function nodeState(id: string, status: Status, since: number, given: Partial<NodeState> = {}): NodeState {
  return {
    id,
    status,
    since,
    pending: null,
    confirmed: true,
    marks: [],
    reason: null,
    lastKnown: null,
    lastChecked: since,
    stale: false,
    latencyMs: 20,
    outcome: "report",
    window: null,
    ownWord: status,
    coverage: { known: 1, total: 1 },
    ...given,
  };
}

export function edgeState(from: string, to: string, status: ComponentStatus, at: number): EdgeState {
  return {
    from,
    to,
    damped: damped(status, at),
    checkedAt: at,
    reportedAt: at,
    stale: false,
    latencyMs: 5,
    error: null,
    category: null,
    window: null,
    firstBadCheck: null,
  };
}

export function systemState(
  nodes: readonly NodeState[],
  instances: readonly InstanceState[] = [],
  edges: readonly EdgeState[] = [],
): SystemState {
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    instances: new Map(instances.map((instance) => [instance.id, instance])),
    edges: new Map(edges.map((edge) => [`${edge.from}>${edge.to}`, edge])),
    blind: null,
  };
}

/** All keys of a state as changed. */
export function everything(state: SystemState): { instances: Iterable<string>; edges: Iterable<string>; nodes: Iterable<string> } {
  return { instances: state.instances.keys(), edges: state.edges.keys(), nodes: state.nodes.keys() };
}

/** Overwrites the pages after the first, in the file and so that the running process reads them again. */
export function damage(file: string): void {
  const db = openRaw(file);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  const size = statSync(file).size;
  execFileSync("dd", ["if=/dev/urandom", `of=${file}`, "bs=4096", "seek=1", `count=${size / 4_096 - 1}`, "conv=notrunc"], {
    stdio: "ignore",
  });
  const after = openRaw(file);
  // A change by another connection makes the running one drop its page cache.
  try {
    after.exec("PRAGMA user_version = 1");
  } finally {
    after.close();
  }
}

/** Small whole numbers in an endless, repeatable order. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}
