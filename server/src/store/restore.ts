import type { ChangeMark, Revision } from "../domain/history.ts";
import type { Incident } from "../domain/incident.ts";
import type { AnnouncedWork } from "../domain/map.ts";
import type { EdgeState, InstanceState, NodeState, SystemState } from "../domain/state.ts";
import { COMPONENT_STATUSES, type ComponentStatus } from "../domain/status.ts";
import type { History } from "./history.ts";
import { CHANGES, WORKS } from "./notices.ts";
import { readPolls } from "./polls.ts";
import { readRevisions } from "./revisions.ts";
import { DAY_MS, HOUR_MS, SLOT_MS } from "./samples.ts";
import { readStates } from "./states.ts";
import { asStatus } from "./timeline.ts";
import { decodeWord } from "./words.ts";
import { readWorks } from "./works.ts";

/** What the file holds of the last run. */
export interface Saved {
  /** Brought up to the last transition and the last sample. */
  state: SystemState | null;
  /** Not resolved, or resolved within the hour before the last sign of life; newest first. */
  incidents: readonly Incident[];
  nextIncident: number;
  nextTransition: number;
  lastAnswerAt: number | null;
  revision: Revision | null;
  /** Announced work that was not over an hour before the last sign of life, and changes marked in the day before it. */
  works: readonly AnnouncedWork[];
  changes: readonly ChangeMark[];
  nextWork: number;
}

const INCIDENTS = 10_000;
/** States are saved within seconds of their changes: what is older than this is in them. */
const UNSAVED_AT_MOST_MS = 3_600_000;

export function readSaved(history: History): Saved {
  const { connection, memory } = history;
  const meta = (key: string): number | null =>
    (connection.sql("SELECT value FROM meta WHERE key = ?").get(key) as { value: number } | undefined)?.value ?? null;
  const newest = (table: "incident" | "transition" | "work"): number =>
    (connection.sql(`SELECT coalesce(max(id), 0) AS n FROM ${table}`).get() as { n: number }).n;
  const since = (memory.alive ?? 0) - HOUR_MS;
  const rows = connection
    .sql("SELECT id, body FROM incident WHERE resolved_at IS NULL OR resolved_at BETWEEN ? AND ? ORDER BY id DESC LIMIT ?")
    .all(since, since + 2 * HOUR_MS, INCIDENTS);
  return {
    state: readState(history),
    incidents: (rows as { id: number; body: string }[]).flatMap(({ id, body }) => history.bodies(id, body) ?? []),
    nextIncident: Math.max(meta("next_incident") ?? 1, newest("incident") + 1),
    nextTransition: newest("transition") + 1,
    lastAnswerAt: meta("last_answer"),
    revision: readRevisions(connection, 1)[0] ?? null,
    works: readWorks(connection, since, Number.MAX_SAFE_INTEGER, WORKS),
    changes: connection
      .sql("SELECT at, node, text, link, by FROM change WHERE at >= ? ORDER BY at DESC, id DESC LIMIT ?")
      .all((memory.alive ?? 0) - DAY_MS, CHANGES) as ChangeMark[],
    nextWork: newest("work") + 1,
  };
}

function readState(history: History): SystemState | null {
  const saved = readStates(history.connection, history.codec);
  if (!saved) return null;
  const state = { instances: new Map(saved.state.instances), edges: new Map(saved.state.edges), nodes: new Map(saved.state.nodes) };
  applyTransitions(history, state, saved.seq);
  applySamples(history, state.instances);
  const blind = history.memory.blindSince();
  const unsure = history.connection.sql("SELECT 1 FROM meta WHERE key = 'cannot_tell' AND value = 1").get() !== undefined;
  return { ...state, blind: blind === null ? null : { since: blind }, ...(unsure ? { cannotTell: true } : {}) };
}

interface Mutable {
  instances: Map<string, InstanceState>;
  edges: Map<string, EdgeState>;
  nodes: Map<string, NodeState>;
}

/** A state may be saved seconds after its transition; what was shown counts. */
function applyTransitions({ connection, names, memory }: History, state: Mutable, seq: ReadonlyMap<string, number>): void {
  const since = Math.min(...seq.values());
  const rows = connection
    .sql("SELECT id, series, at, became, reason FROM transition WHERE +id > ? AND at >= ? ORDER BY id")
    .all(since, (memory.alive ?? 0) - UNSAVED_AT_MOST_MS) as {
    id: number;
    series: number;
    at: number;
    became: number | string;
    reason: string | null;
  }[];
  for (const row of rows) {
    const subject = names.key(row.series);
    if (!subject) continue;
    const { kind, key } = subject;
    const word = decodeWord(row.became);
    const status = asStatus(word);
    const newer = (owner: string): boolean => row.id > (seq.get(owner) ?? 0);
    if (kind === "node" && status && newer(key)) {
      const node = state.nodes.get(key);
      if (node && node.status !== status)
        state.nodes.set(key, { ...node, status, since: row.at, pending: null, confirmed: true, reason: row.reason ?? node.reason });
    } else if (kind === "instance" && status) {
      const instance = state.instances.get(key);
      if (instance && instance.damped.status !== status && newer(instance.service))
        state.instances.set(key, {
          ...instance,
          damped: { ...instance.damped, status, raw: status, since: row.at, pending: null, run: [] },
        });
    } else if (kind === "edge" && (COMPONENT_STATUSES as readonly string[]).includes(word)) {
      const edge = state.edges.get(key);
      const became = word as ComponentStatus;
      if (edge && edge.damped.status !== became && newer(edge.from))
        state.edges.set(key, { ...edge, damped: { ...edge.damped, status: became, raw: became, since: row.at, pending: null, run: [] } });
    }
  }
}

/** The times of each instance's last poll and report, which are saved more seldom than its samples. */
function applySamples({ head, names }: History, instances: Map<string, InstanceState>): void {
  for (const slot of head.slots.values())
    for (const [series, node] of slot.nodes) {
      const service = names.key(series)?.key;
      for (const poll of readPolls(node.polls.view(), slot.slot * SLOT_MS)) {
        if (poll.outcome === "aborted") continue;
        const id = poll.instance === null ? service : names.key(poll.instance)?.key;
        const instance = id === undefined ? undefined : instances.get(id);
        if (!id || !instance || poll.at <= (instance.lastPollAt ?? 0)) continue;
        instances.set(id, { ...instance, lastPollAt: poll.at, lastReportAt: poll.status === null ? instance.lastReportAt : poll.at });
      }
    }
}
