import { parseConfig } from "../../../server/src/config/parse.ts";
import type { Commit, HistoryReader, HistoryWriter } from "../../../server/src/domain/history.ts";
import type { Incident } from "../../../server/src/domain/incident.ts";
import type { Publication } from "../../../server/src/domain/live.ts";
import type { AnnouncedWork, SystemMap } from "../../../server/src/domain/map.ts";
import type { Component, Observation } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import { Engine } from "../../../server/src/engine/engine.ts";
import type { EngineParts } from "../../../server/src/engine/parts.ts";
import { ANSWERED } from "../../support/answered.ts";

export const START = Date.UTC(2026, 0, 1, 12, 0, 0);

export function mapOf(text: string): SystemMap {
  const { map, errors } = parseConfig([{ path: "map/map.yaml", text }], "keep", "2026-01-01");
  if (!map) throw new Error(JSON.stringify(errors));
  return map;
}

function defaults(): EngineParts["config"] {
  const { config } = parseConfig([], "keep", "2026-01-01");
  if (!config) throw new Error("an empty configuration has defaults");
  return config;
}

export interface Bench {
  engine: Engine;
  /** What was asked of the history, in order: `commit`, `follow`, `rename a b`. */
  asked: string[];
  commits: Commit[];
  published: Publication[];
  /** Lines of the log at level error. */
  errors: string[];
  /** Moves both clocks. */
  pass: (ms: number) => void;
  receive: (observation: Observation) => void;
}

/** An engine on a history and a poller that only remember, and on a clock that the test moves. */
export function bench(
  map: SystemMap,
  restored: { mapBefore?: SystemMap; state?: SystemState; incidents?: Incident[]; nextIncidentId?: number; works?: AnnouncedWork[] } = {},
): Bench {
  let wall = START;
  let monotonic = 0;
  let receive: Bench["receive"] = () => undefined;
  const asked: string[] = [];
  const commits: Commit[] = [];
  const errors: string[] = [];
  const writer: HistoryWriter = {
    restore: () => ({
      state: null,
      incidents: [],
      nextIncidentId: 1,
      revision: null,
      works: [],
      changes: [],
      lastDurableAt: null,
      lastAnswerAt: null,
    }),
    misdated: () => null,
    append: () => undefined,
    commit(batch) {
      asked.push("commit");
      commits.push(batch);
      return true;
    },
    saveState: () => undefined,
    acceptRevision: () => 1,
    renameNode: (from, to) => void asked.push(`rename ${from} ${to}`),
    follow: () => void asked.push("follow"),
    addEvent: () => true,
    addChange: () => true,
    addWork: (work) => {
      asked.push("work");
      return { ...work, id: asked.length };
    },
    changeWork: () => true,
    flush: () => undefined,
    maintain: () => false,
    health: () => ({ lastWriteAt: wall, queued: 0, dropped: 0, open: true, error: null, sizeBytes: 0 }),
    close: () => undefined,
  };
  const reader = { incident: () => null } as unknown as HistoryReader;
  const quiet = () => undefined;
  const engine = new Engine({
    config: defaults(),
    map,
    mapInfo: { revision: 1, loadedAt: START, hash: "", commit: null, warnings: [], refused: null },
    mapBefore: restored.mapBefore ?? null,
    restored: {
      state: restored.state ?? null,
      incidents: restored.incidents ?? [],
      nextIncidentId: restored.nextIncidentId ?? 1,
      lastAnswerAt: null,
      works: restored.works ?? [],
      changes: [],
    },
    writer,
    reader,
    createPoller(onObservation) {
      receive = onObservation;
      return {
        setTargets: quiet,
        start: quiet,
        stop: async () => undefined,
        stats: () => ({ polls: {}, skipped: 0, inFlight: 0, lagMs: 0, overdue: 0 }),
        progress: () => [],
        lastAnswer: () => null,
        canary: async () => true,
        connections: () => 0,
        running: () => true,
      };
    },
    clock: { wall: () => wall, monotonic: () => monotonic },
    log: { debug: quiet, info: quiet, warn: quiet, error: (fields, text) => void errors.push(`${text} ${JSON.stringify(fields)}`) },
    checkMap: () => ({ errors: [], warnings: [] }),
  });
  const published: Publication[] = [];
  engine.subscribe((publication) => void published.push(publication));
  return {
    engine,
    asked,
    commits,
    published,
    errors,
    pass(ms) {
      wall += ms;
      monotonic += ms;
    },
    receive: (observation) => receive(observation),
  };
}

/** A poll of a service with one instance that brought a report. */
export function report(service: string, at: number, components: readonly Component[] = []): Observation {
  return {
    service,
    instance: service,
    at,
    latencyMs: 5,
    ...ANSWERED,
    report: { status: "healthy", components },
  };
}

/** A resolved or open incident on a node, for a restart to take over. */
export function incident(given: Partial<Incident> & Pick<Incident, "id" | "anchor">): Incident {
  return {
    kind: "undetermined",
    status: "open",
    severity: "ticket",
    openedAt: START - 60_000,
    detectedAt: START - 60_000,
    recoveringAt: null,
    resolvedAt: null,
    end: null,
    absorbedBy: null,
    unverifiedSince: null,
    cause: null,
    candidates: [],
    impacted: [],
    atRisk: [],
    systems: [],
    acked: null,
    mapRevision: 1,
    ...given,
  };
}
