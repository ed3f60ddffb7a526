import { type Range, type Revision, TRANSITION_SUBJECTS } from "../domain/history.ts";
import type { LabelFacts, ReportedNames, WordStep } from "../domain/label.ts";
import type { SystemState } from "../domain/state.ts";
import { readBodies } from "./bodies.ts";
import { type Connection, openForReading } from "./database.ts";
import { ensure } from "./ensure.ts";
import { readPolls } from "./polls.ts";
import { readRevisions } from "./revisions.ts";
import { DAY_MS, SLOT_MS, slotOf } from "./samples.ts";
import { readStates, type StateCodec } from "./states.ts";
import { RAW, rowsOf } from "./tiers.ts";
import { union } from "./timeline.ts";
import { decodeWord } from "./words.ts";
import { readWorks } from "./works.ts";

/** Changes that are read at most; of a longer history the newest, and the time looked at begins with them. */
const MOST_CHANGES = 400_000;
const MOST_ANNOUNCED = 1_000;
/** Reports of one service are looked at for the last day, and so many polls of it at most. */
const REPORTS_MS = DAY_MS;
const MOST_POLLS = 50_000;

/** What of a history labels are judged by; read in one go, beside a running server or without one. */
export interface LabelHistory {
  /** The map last accepted; null in a history without any. */
  revision: Revision | null;
  /** As last saved: under load a few minutes old. */
  state: SystemState | null;
  facts: LabelFacts;
}

/**
 * Reads what labels are judged by over the `range` before the last sign of life, milliseconds. `lookedUp` names the
 * services whose single reports are wanted, once map and state are known. Throws `StoreOpenError`.
 */
export function readLabelHistory(
  path: string,
  range: number,
  codec: StateCodec,
  lookedUp: (revision: Revision | null, state: SystemState | null, now: number) => readonly string[],
): LabelHistory {
  const { connection } = openForReading(path);
  try {
    const alive = meta(connection, "alive") ?? 0;
    const revision = readRevisions(connection, 1)[0] ?? null;
    const state = readStates(connection, codec)?.state ?? null;
    const changes = readChanges(connection, { from: alive - range, to: alive });
    const from = Math.max(changes.from, meta(connection, "began") ?? alive);
    const within = { from: Math.min(from, alive), to: alive };
    const reported = new Map<string, ReportedNames>();
    for (const service of lookedUp(revision, state, alive)) {
      const names = readReported(connection, service, { from: Math.max(within.from, alive - REPORTS_MS), to: alive });
      if (names) reported.set(service, names);
    }
    return {
      revision,
      state,
      facts: {
        ...within,
        edges: changes.edge,
        nodes: changes.node,
        words: changes.word,
        unseen: union([...readGaps(connection, within), ...changes.blind], within),
        maintenance: readAnnounced(connection, within),
        reported,
      },
    };
  } finally {
    connection.db.close();
  }
}

function meta({ sql }: Connection, key: string): number | null {
  return (sql("SELECT value FROM meta WHERE key = ?").get(key) as { value: number } | undefined)?.value ?? null;
}

interface Changes {
  from: number;
  edge: Map<string, WordStep[]>;
  node: Map<string, WordStep[]>;
  word: Map<string, WordStep[]>;
  blind: Range[];
}

/** Steps of edges, nodes and own words; the first change of each also tells what held before it. */
function readChanges({ sql }: Connection, { from, to }: Range): Changes {
  const changes: Changes = { from, edge: new Map(), node: new Map(), word: new Map(), blind: [] };
  const kind = (subject: (typeof TRANSITION_SUBJECTS)[number]): number => TRANSITION_SUBJECTS.indexOf(subject);
  const keys = new Map<number, { steps: Map<string, WordStep[]> | null; key: string }>();
  for (const row of sql("SELECT id, kind, key FROM series").all() as { id: number; kind: number; key: string }[]) {
    const steps =
      row.kind === kind("edge") ? changes.edge : row.kind === kind("node") ? changes.node : row.kind === kind("word") ? changes.word : null;
    if (steps || row.kind === kind("blind")) keys.set(row.id, { steps, key: row.key });
  }
  const rows = sql("SELECT series, at, was, became FROM transition WHERE at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?")
    .raw()
    .all(from, to, MOST_CHANGES) as [number, number, number | string | null, number | string][];
  if (rows.length === MOST_CHANGES) changes.from = rows.at(-1)?.[1] ?? from;
  let blindSince: number | null = null;
  for (const [series, at, was, became] of rows.reverse()) {
    const found = keys.get(series);
    if (!found) continue;
    const word = decodeWord(became);
    if (!found.steps) {
      if (word === "clear") changes.blind.push({ from: blindSince ?? changes.from, to: at });
      blindSince = word === "blind" ? at : null;
      continue;
    }
    const steps = ensure(found.steps, found.key, () => (was === null ? [] : [{ at: changes.from, word: decodeWord(was) }]));
    steps.push({ at, word });
  }
  if (blindSince !== null) changes.blind.push({ from: blindSince, to });
  return changes;
}

function readGaps({ sql }: Connection, { from, to }: Range): Range[] {
  return sql("SELECT start AS 'from', stop AS 'to' FROM gap WHERE stop > ? AND start < ? ORDER BY start").all(from, to) as Range[];
}

/** Work on nodes, by node: announced while running, or by a map of then. */
function readAnnounced(connection: Connection, { from, to }: Range): LabelFacts["maintenance"] {
  const { sql } = connection;
  const incidents = sql(
    "SELECT id, body FROM incident WHERE kind = 'maintenance' AND opened_at < ? AND (resolved_at IS NULL OR resolved_at > ?) ORDER BY id DESC LIMIT ?",
  );
  const bodies = readBodies(() => undefined);
  const worked = (incidents.all(to, from, MOST_ANNOUNCED) as { id: number; body: string }[]).flatMap(({ id, body }) => {
    const incident = bodies(id, body);
    return incident ? [{ node: incident.anchor, from: incident.openedAt, to: incident.resolvedAt ?? to }] : [];
  });
  // A history that an older Headwater wrote last has no such table yet.
  const known = sql("SELECT 1 FROM sqlite_schema WHERE name = 'work'").get() !== undefined;
  const works = known ? readWorks(connection, from, to, MOST_ANNOUNCED) : [];
  return [...worked, ...works.flatMap((work) => work.nodes.map((node) => ({ node, from: work.from, to: work.to })))];
}

/** What the reports of one service list, of those that are kept; null where none is. */
function readReported(connection: Connection, service: string, { from, to }: Range): ReportedNames | null {
  const { sql } = connection;
  const node = TRANSITION_SUBJECTS.indexOf("node");
  const series = sql("SELECT id FROM series WHERE kind = ? AND key = ?").pluck().get(node, service) as number | undefined;
  if (series === undefined) return null;
  const known = sql("SELECT n, name FROM component WHERE series = ?").all(series) as { n: number; name: string }[];
  const nameOf = new Map(known.map(({ n, name }) => [n, name]));
  const names = new Map<string, number>();
  const seen = { reports: 0, polls: 0, from: to, to: from };
  for (const [slot, data] of [...rowsOf({ connection }, RAW, series, slotOf(from), slotOf(to) + 1)].flat())
    for (const { at, status, words } of seen.polls >= MOST_POLLS ? [] : readPolls(data, slot * SLOT_MS)) {
      seen.polls++;
      if (status === null || words.length === 0) continue;
      seen.reports++;
      seen.from = Math.min(seen.from, at);
      seen.to = Math.max(seen.to, at);
      for (const n of new Set(words.map((word) => Math.floor(word / 4)))) {
        const name = nameOf.get(n);
        if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1);
      }
    }
  return seen.reports === 0 ? null : { reports: seen.reports, from: seen.from, to: seen.to, names };
}
