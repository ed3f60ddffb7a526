import type { ChangeMark, HistoricalStates, HistoryReader, Range, TransitionSubject } from "../domain/history.ts";
import type { Incident } from "../domain/incident.ts";
import { ROLES, type Role } from "../domain/status.ts";
import { DAYS_KEPT } from "./days.ts";
import { dependencyLatency } from "./dependencies.ts";
import { type HeldRow, heldAt, transitionOf } from "./held.ts";
import type { History } from "./history.ts";
import { eventsOf, incidentsAt, matches, queryIncidents, touchedNodes } from "./incidents.ts";
import { bucketWidth, failuresOf, latencySeries } from "./latency.ts";
import { dayPercentiles } from "./percentiles.ts";
import { readRevisionHeads, readRevisions } from "./revisions.ts";
import { DAY_MS } from "./samples.ts";
import { asStatus, availabilityOf, coarsened, push, type Step, strip, tile, union, withRoles } from "./timeline.ts";
import { decodeWord } from "./words.ts";
import { readWorks } from "./works.ts";

const CHANGES = 500;
const FAILURES = 1_000;
/** A chart shows no more spans and gaps than it has dots; of more gaps the newest are told one by one. */
const SPANS = 2_000;
const GAPS = 1_000;
/** Status changes of one node that one answer draws; a range with more shows the newest. */
const STEPS = 20_000;

/** The reading side over an open history. */
export function createReader(history: History): HistoryReader {
  const { memory, names } = history;
  const sql = (text: string) => history.connection.sql(text);

  /** Changes of a series from the one that holds at `from`, as they became known. */
  function rowsOf(subject: TransitionSubject, id: string, { from, to }: Range): HeldRow[] {
    const series = names.find(subject, id);
    if (series === null) return [];
    const base = heldAt(history.connection, series, from, memory.relivedFrom) ?? [];
    const rest = sql("SELECT * FROM transition WHERE series = ? AND at > ? AND at < ? ORDER BY at DESC LIMIT ?").all(
      series,
      from,
      to,
      STEPS,
    );
    const known: HeldRow[] = [];
    for (const row of [base, rest as HeldRow[]].flat().sort((a, b) => a.id - b.id)) push(known, row);
    return known;
  }

  function stepsOf(subject: TransitionSubject, id: string, range: Range): Step[] {
    return rowsOf(subject, id, range).map((row) => ({ at: row.at, status: asStatus(decodeWord(row.became)), reason: row.reason }));
  }

  function changes(from: number, to: number, limit: number, nodes?: readonly string[]): ChangeMark[] {
    const which = nodes ? "AND (node IS NULL OR node IN (SELECT value FROM json_each(?)))" : "";
    const given = nodes ? [JSON.stringify(nodes)] : [];
    return sql(`SELECT at, node, text, link, by FROM change WHERE at >= ? AND at < ? ${which} ORDER BY at DESC, id DESC LIMIT ?`).all(
      from,
      to,
      ...given,
      limit,
    ) as ChangeMark[];
  }

  /** When work on the subject was announced and under way. */
  function announced(subject: "node" | "system", id: string, within: Range): Range[] {
    const rows = sql(
      `SELECT i.body FROM incident_of o JOIN incident i ON i.id = o.incident
       WHERE o.kind = ? AND o.key = ? AND i.kind = 'maintenance' AND i.opened_at < ? AND (i.resolved_at IS NULL OR i.resolved_at > ?) LIMIT 1000`,
    ).all(subject === "node" ? 0 : 1, id, within.to, within.from) as { body: string }[];
    return union(
      rows.map(({ body }) => {
        const incident = JSON.parse(body) as Incident;
        return { from: incident.openedAt, to: incident.resolvedAt ?? Number.POSITIVE_INFINITY };
      }),
      within,
    );
  }

  /** Incidents that wait to be written are already shown, so they are found. */
  function waiting(): Incident[] {
    return history.failing ? [...history.incidents.values()] : [];
  }

  return {
    nodeHistory(node, from, to, maxPoints) {
      const range = { from, to };
      const unseen = memory.unseen(range);
      const roles = rowsOf("role", node, range).map((row) => ({ at: row.at, role: asRole(decodeWord(row.became)) }));
      const bucket = bucketWidth(range, maxPoints);
      const series = names.find("node", node);
      return {
        from,
        to,
        spans: withRoles(coarsened(tile(stepsOf("node", node, range), unseen, range), SPANS), roles),
        bucket,
        latency: series === null ? [] : latencySeries(history, series, range, bucket),
        gaps: unseen.slice(-GAPS),
        failures: series === null ? [] : failuresOf(history, series, range, FAILURES),
        changes: changes(from, to, CHANGES, [node]),
      };
    },
    dependencyLatency(service, node, from, to, maxPoints) {
      const series = names.find("node", service);
      const target = names.find("node", node);
      const known = series === null ? [] : names.components(series);
      const numbers = new Set(known.flatMap((one) => (one.target === target ? [one.n] : [])));
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
    incidents(query) {
      const limit = Math.max(1, query.limit);
      const found = new Map(queryIncidents(history.connection, { ...query, limit: limit + 1 }).map((one) => [one.id, one]));
      for (const one of waiting()) {
        if (matches(one, query)) found.set(one.id, one);
        else found.delete(one.id);
      }
      const sorted = [...found.values()].sort((a, b) => b.id - a.id);
      const page = sorted.slice(0, limit);
      return { incidents: page, next: sorted.length > limit ? (page.at(-1)?.id ?? null) : null };
    },
    incident(id) {
      const known = history.incidents.get(id);
      if (known) return known;
      const row = sql("SELECT body FROM incident WHERE id = ?").get(id) as { body: string } | undefined;
      return row ? (JSON.parse(row.body) as Incident) : null;
    },
    incidentEvents: (id, limit) => eventsOf(history.connection, id, limit),
    availability(subject, id, from, to) {
      const range = { from, to };
      return availabilityOf(tile(memory.steps(subject, id, range), memory.unseen(range), range), announced(subject, id, range));
    },
    revisions: (limit, cursor) => paged(readRevisions(history.connection, limit + 1, cursor), limit),
    revisionHeads: (limit, cursor) => paged(readRevisionHeads(history.connection, limit + 1, cursor), limit),
    transitions(from, to, limit, ids) {
      const series = ids?.flatMap((id) =>
        ["node", "edge", "instance", "system", "role"].map((kind) => names.find(kind as TransitionSubject, id) ?? -1),
      );
      const which = series ? "AND series IN (SELECT value FROM json_each(?))" : "";
      const rows = sql(`SELECT * FROM transition WHERE at >= ? AND at < ? ${which} ORDER BY at DESC, id DESC LIMIT ?`).all(
        from,
        to,
        ...(series ? [JSON.stringify(series)] : []),
        limit,
      ) as HeldRow[];
      return rows.flatMap((row) => transitionOf(names, row) ?? []);
    },
    changes,
    works: (from, to, limit, nodes) => readWorks(history.connection, from, to, limit, nodes),
    gaps: (from, to) => memory.gaps({ from, to }),
    statesAt: (at) => (memory.isLived(at) ? statesAt(at) : null),
  };

  function statesAt(at: number): HistoricalStates {
    const last = (kind: TransitionSubject, id: string): HeldRow | null => {
      const series = names.find(kind, id);
      return series === null ? null : heldAt(history.connection, series, at, memory.relivedFrom);
    };
    const incidents = incidentsAt(history.connection, at);
    const explained = new Map<string, number>();
    for (const incident of incidents)
      if (incident.status !== "resolved") for (const node of touchedNodes(incident)) explained.set(node, incident.id);
    const nodes = new Map<
      string,
      { status: NonNullable<Step["status"]>; since: number; reason: string | null; role: Role | null; incident: number | null }
    >();
    for (const [id] of names.all("node")) {
      const row = last("node", id);
      const status = row ? asStatus(decodeWord(row.became)) : null;
      if (!row || !status) continue;
      const roleRow = last("role", id);
      const role = roleRow ? asRole(decodeWord(roleRow.became)) : null;
      const incident = role ? (roleRow?.incident ?? explained.get(id) ?? null) : (explained.get(id) ?? null);
      nodes.set(id, { status, since: row.at, reason: row.reason, role, incident });
    }
    const systems = new Map<string, { status: NonNullable<Step["status"]>; since: number }>();
    for (const [id] of names.all("system")) {
      const row = last("system", id);
      const status = row ? asStatus(decodeWord(row.became)) : null;
      if (row && status) systems.set(id, { status, since: row.at });
    }
    const revision = sql("SELECT max(revision) AS n FROM revision WHERE accepted_at <= ?").get(at) as { n: number | null };
    return { at, nodes, systems, incidents, mapRevision: revision.n };
  }
}

/** A page of what was read, one more than it holds, and where the next one begins. */
function paged<T extends { revision: number }>(found: readonly T[], limit: number): { revisions: readonly T[]; next: number | null } {
  const page = found.slice(0, limit);
  return { revisions: page, next: found.length > limit ? (page.at(-1)?.revision ?? null) : null };
}

function asRole(word: string): Role | null {
  return (ROLES as readonly string[]).includes(word) ? (word as Role) : null;
}
