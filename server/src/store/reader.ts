import type { HistoryReader, IncidentQuery, Range, TransitionSubject } from "../domain/history.ts";
import type { Incident } from "../domain/incident.ts";
import { DAYS_KEPT } from "./days.ts";
import { dependencyLatency } from "./dependencies.ts";
import { type HeldRow, transitionOf } from "./held.ts";
import type { History } from "./history.ts";
import { announcedOn, eventsOf, matches, queryIncidents } from "./incidents.ts";
import { marksOf, nodeHistory } from "./node-history.ts";
import { statesAt } from "./past.ts";
import { dayPercentiles } from "./percentiles.ts";
import { readRevisionHeads, readRevisions } from "./revisions.ts";
import { DAY_MS } from "./samples.ts";
import { availabilityOf, strip, tile } from "./timeline.ts";
import { readWorks } from "./works.ts";

/** The reading side over an open history. */
export function createReader(history: History): HistoryReader {
  const { memory, names } = history;
  return {
    nodeHistory: (node, from, to, maxPoints) => nodeHistory(history, node, { from, to }, maxPoints),
    dependencyLatency(service, node, from, to, maxPoints) {
      const series = names.find("node", service);
      const target = names.find("node", node);
      const numbers = series === null || target === null ? new Set<number>() : names.numbersOf(series, target);
      return dependencyLatency(history, series ?? 0, numbers, { from, to }, maxPoints);
    },
    *strips(from, to, cells) {
      const range = { from, to };
      const unseen = memory.unseen(range);
      for (const [id] of [...names.all("node")]) {
        const found = strip(memory.steps("node", id, range), unseen, range, cells);
        if (found.some((cell) => cell !== null)) yield [id, found] as const;
      }
    },
    *days(to, count) {
      const some = Math.min(count, DAYS_KEPT);
      const first = Math.floor(to / DAY_MS) - some + 1;
      for (const subject of ["node", "system"] as const)
        for (const [id] of [...names.all(subject)]) {
          const held = history.days.read(subject, id, first, some, to);
          if (held.some((ms) => ms > 0)) yield { subject, id, held };
        }
    },
    percentiles: (to) => dayPercentiles(history, to),
    incidents: (query) => incidentsOf(history, query),
    incident(id) {
      const known = history.incidents.get(id);
      if (known) return known;
      const row = history.connection.sql("SELECT body FROM incident WHERE id = ?").get(id) as { body: string } | undefined;
      return row ? history.bodies(id, row.body) : null;
    },
    incidentEvents: (id, limit) => eventsOf(history.connection, id, limit),
    availability(subject, id, from, to) {
      const range = { from, to };
      const pieces = tile(memory.steps(subject, id, range), memory.unseen(range), range);
      return availabilityOf(pieces, announcedOn(history.connection, subject, id, range));
    },
    revisions: (limit, cursor) => paged(readRevisions(history.connection, limit + 1, cursor), limit),
    revisionHeads: (limit, cursor) => paged(readRevisionHeads(history.connection, limit + 1, cursor), limit),
    transitions: (from, to, limit, ids) => transitionsOf(history, { from, to }, limit, ids),
    changes: (from, to, limit, nodes) => marksOf(history.connection, { from, to }, limit, nodes),
    works: (from, to, limit, nodes) => readWorks(history.connection, from, to, limit, nodes),
    gaps: (from, to) => memory.gaps({ from, to }),
    statesAt: (at) => statesAt(history, at),
  };
}

/** Incidents that one answer goes through for those of a team: each of its nodes is looked up among them. */
const WINDOW = 1_000;

/**
 * A page of incidents, newest first; a short one may be followed by more. Those that wait to be written are already shown,
 * so they are found.
 */
function incidentsOf(history: History, query: IncidentQuery): ReturnType<HistoryReader["incidents"]> {
  const limit = Math.max(1, query.limit);
  const unwritten = history.failing ? [...history.incidents.values()] : [];
  const { least, isLast } = query.nodes === undefined ? WHOLE : windowOf(history, unwritten, query.cursor);
  const found = queryIncidents(history, { ...query, limit: limit + 1 }, least);
  for (const one of unwritten) {
    if (one.id >= least && matches(one, query)) found.set(one.id, one);
    else found.delete(one.id);
  }
  const sorted = [...found].sort(([a], [b]) => b - a);
  const page = sorted.slice(0, limit);
  const more = sorted.length > limit ? page.at(-1)?.[0] : isLast ? undefined : least;
  return { incidents: page.flatMap(([, one]) => one ?? []), next: more ?? null };
}

interface IdWindow {
  /** The smallest id that is gone through. */
  least: number;
  /** No incident has a smaller one. */
  isLast: boolean;
}

const WHOLE: IdWindow = { least: 0, isLast: true };

/** The newest incidents below `cursor`, as many ids as one answer goes through. */
function windowOf({ connection }: History, unwritten: readonly Incident[], cursor = Number.POSITIVE_INFINITY): IdWindow {
  const ids = unwritten.map(({ id }) => id);
  const { first, last } = connection.sql("SELECT min(id) AS first, max(id) AS last FROM incident").get() as {
    first: number | null;
    last: number | null;
  };
  const least = Math.max(0, Math.min(cursor, Math.max(last ?? 0, ...ids) + 1) - WINDOW);
  return { least, isLast: least <= Math.min(first ?? Number.POSITIVE_INFINITY, ...ids) };
}

const SUBJECTS_OF_IDS: readonly TransitionSubject[] = ["node", "edge", "instance", "system", "role"];

/** Changes of a range, newest first, of all subjects or of those with some ids. */
function transitionsOf({ connection, names }: History, { from, to }: Range, limit: number, ids?: readonly string[]) {
  const series = ids?.flatMap((id) => SUBJECTS_OF_IDS.map((kind) => names.find(kind, id) ?? -1));
  const which = series ? "AND series IN (SELECT value FROM json_each(?))" : "";
  const given = series ? [JSON.stringify(series)] : [];
  const rows = connection.sql(`SELECT * FROM transition WHERE at >= ? AND at < ? ${which} ORDER BY at DESC, id DESC LIMIT ?`);
  return (rows.all(from, to, ...given, limit) as HeldRow[]).flatMap((row) => transitionOf(names, row) ?? []);
}

/** A page of what was read, one more than it holds, and where the next one begins. */
function paged<T extends { revision: number }>(found: readonly T[], limit: number): { revisions: readonly T[]; next: number | null } {
  const page = found.slice(0, limit);
  return { revisions: page, next: found.length > limit ? (page.at(-1)?.revision ?? null) : null };
}
