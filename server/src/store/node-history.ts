import type { ChangeMark, NodeHistory, Range, TransitionSubject } from "../domain/history.ts";
import { ROLES, type Role } from "../domain/status.ts";
import type { Connection } from "./database.ts";
import { type HeldRow, heldAt } from "./held.ts";
import type { History } from "./history.ts";
import { bucketWidth, failuresOf, latencySeries } from "./latency.ts";
import { asStatus, coarsened, push, type Step, tile, withRoles } from "./timeline.ts";
import { decodeWord } from "./words.ts";

const CHANGES = 500;
const FAILURES = 1_000;
/** A chart shows no more spans and gaps than it has dots; of more gaps the newest are told one by one. */
const SPANS = 2_000;
const GAPS = 1_000;
/** Status changes of one node that one answer draws; a range with more shows the newest. They are read a few at a time. */
const STEPS = 20_000;
const STEPS_A_TURN = 1_000;

/** All that a node's page draws of a range, bit by bit. */
export function* nodeHistory(history: History, node: string, range: Range, maxPoints: number): Generator<void, NodeHistory> {
  const { memory, names } = history;
  const { from, to } = range;
  const unseen = memory.unseen(range);
  const steps: Step[] = [];
  for (const row of yield* changesOf(history, "node", node, range))
    steps.push({ at: row.at, status: asStatus(decodeWord(row.became)), reason: row.reason });
  const roles = (yield* changesOf(history, "role", node, range)).map((row) => ({ at: row.at, role: asRole(decodeWord(row.became)) }));
  yield;
  const spans = withRoles(coarsened(tile(steps, unseen, range), SPANS), roles);
  yield;
  const bucket = bucketWidth(range, maxPoints);
  const series = names.find("node", node);
  const latency = series === null ? [] : yield* latencySeries(history, series, range, bucket);
  const failures = series === null ? [] : yield* failuresOf(history, series, range, FAILURES);
  const changes = marksOf(history.connection, range, CHANGES, [node]);
  return { from, to, spans, bucket, latency, gaps: unseen.slice(-GAPS), failures, changes };
}

/** Changes of a series from the one that holds at `from`, as they became known; those of a time lived twice but once. */
function* changesOf(history: History, subject: TransitionSubject, id: string, { from, to }: Range): Generator<void, HeldRow[]> {
  const series = history.names.find(subject, id);
  if (series === null) return [];
  const base = heldAt(history.connection, series, from, history.memory.relivedFrom);
  const rows: HeldRow[] = [];
  for (let last = { at: to, id: 0 }; rows.length < STEPS; ) {
    const some = history.connection
      .sql("SELECT * FROM transition WHERE series = ? AND at > ? AND at <= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?")
      .all(series, from, last.at, last.at, last.id, STEPS_A_TURN) as HeldRow[];
    rows.push(...some);
    last = some.at(-1) ?? last;
    if (some.length < STEPS_A_TURN) break;
    yield;
  }
  const known: HeldRow[] = [];
  for (const row of [...(base ? [base] : []), ...rows].sort((a, b) => a.id - b.id)) push(known, row);
  return known;
}

/** Changes that people marked, newest first; with `nodes`, those on one of them or on none at all. */
export function marksOf({ sql }: Connection, { from, to }: Range, limit: number, nodes?: readonly string[]): ChangeMark[] {
  const which = nodes ? "AND (node IS NULL OR node IN (SELECT value FROM json_each(?)))" : "";
  const given = nodes ? [JSON.stringify(nodes)] : [];
  return sql(`SELECT at, node, text, link, by FROM change WHERE at >= ? AND at < ? ${which} ORDER BY at DESC, id DESC LIMIT ?`).all(
    from,
    to,
    ...given,
    limit,
  ) as ChangeMark[];
}

export function asRole(word: string): Role | null {
  return (ROLES as readonly string[]).includes(word) ? (word as Role) : null;
}
