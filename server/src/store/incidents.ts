import type { IncidentQuery, Range } from "../domain/history.ts";
import type { Incident, IncidentEvent } from "../domain/incident.ts";
import type { Connection } from "./database.ts";
import type { History } from "./history.ts";
import { union } from "./timeline.ts";

/** With this many kept versions of one incident every second of them goes, but the first and the last. */
const VERSIONS = 200;
/** Pieces of announced work that one answer counts, the newest. */
const ANNOUNCED = 1_000;

/** Writes the incident as it stands at `at`, and what it touches for the filters; inside a transaction. */
export function writeIncident({ sql }: Connection, incident: Incident, at: number): void {
  const body = JSON.stringify(incident);
  const before = sql("SELECT body FROM incident WHERE id = ?").get(incident.id) as { body: string } | undefined;
  if (before?.body === body) return;
  sql(
    `INSERT INTO incident(id, kind, opened_at, resolved_at, body) VALUES(?, ?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET kind = excluded.kind, opened_at = excluded.opened_at, resolved_at = excluded.resolved_at, body = excluded.body`,
  ).run(incident.id, incident.kind, incident.openedAt, incident.status === "resolved" ? (incident.resolvedAt ?? at) : null, body);
  const { n, count } = sql("SELECT max(n) AS n, count(*) AS count FROM incident_version WHERE incident = ?").get(incident.id) as {
    n: number | null;
    count: number;
  };
  if (count >= VERSIONS)
    sql(
      `DELETE FROM incident_version WHERE incident = ? AND n <> ? AND n IN
       (SELECT n FROM (SELECT n, row_number() OVER (ORDER BY n) AS place FROM incident_version WHERE incident = ?) WHERE place % 2 = 0)`,
    ).run(incident.id, n, incident.id);
  sql("INSERT INTO incident_version(incident, n, at, body) VALUES(?, ?, ?, ?)").run(incident.id, (n ?? -1) + 1, at, body);
  const touches = sql("INSERT OR IGNORE INTO incident_of(kind, key, incident) VALUES(?, ?, ?)");
  for (const node of touchedNodes(incident)) touches.run(0, node, incident.id);
  for (const system of incident.systems) touches.run(1, system.id, incident.id);
}

/** Nodes under which an incident is found: anchor, cause, both ends of a link, and all impacted. */
export function touchedNodes(incident: Incident): Set<string> {
  const { cause } = incident;
  const nodes = new Set([incident.anchor, ...incident.impacted.map((one) => one.node)]);
  if (cause) for (const node of [cause.node, cause.link?.from, cause.link?.to]) if (node) nodes.add(node);
  return nodes;
}

export function writeEvent({ sql }: Connection, event: IncidentEvent): void {
  sql("INSERT INTO incident_event(incident, at, kind, node, text, by) VALUES(?, ?, ?, ?, ?, ?)").run(
    event.incident,
    event.at,
    event.kind,
    event.node,
    event.text,
    event.by,
  );
}

/**
 * By id, newest first, ids from `least` on; null for one that cannot be read. Filters: not resolved, overlapping [from, to),
 * touching a node, one of `nodes`, or a system.
 */
export function queryIncidents({ connection, bodies }: History, query: IncidentQuery, least: number): Map<number, Incident | null> {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...given: (string | number)[]): void => {
    where.push(condition);
    values.push(...given);
  };
  if (query.open !== undefined) add(query.open ? "resolved_at IS NULL" : "resolved_at IS NOT NULL");
  if (query.from !== undefined) add("(resolved_at IS NULL OR resolved_at >= ?)", query.from);
  if (query.to !== undefined) add("opened_at < ?", query.to);
  if (query.cursor !== undefined) add("id < ?", query.cursor);
  if (query.node !== undefined) add("id IN (SELECT incident FROM incident_of WHERE kind = 0 AND key = ?)", query.node);
  if (query.system !== undefined) add("id IN (SELECT incident FROM incident_of WHERE kind = 1 AND key = ?)", query.system);
  if (query.nodes !== undefined)
    add(
      "id >= ? AND id IN (SELECT incident FROM incident_of WHERE kind = 0 AND incident >= ? AND incident < ? AND key IN (SELECT value FROM json_each(?)))",
      least,
      least,
      query.cursor ?? Number.MAX_SAFE_INTEGER,
      JSON.stringify(query.nodes),
    );
  const condition = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
  const rows = connection.sql(`SELECT id, body FROM incident ${condition} ORDER BY id DESC LIMIT ?`).all(...values, query.limit);
  return new Map((rows as { id: number; body: string }[]).map(({ id, body }) => [id, bodies(id, body)]));
}

/** The same filters for an incident in memory, which is not yet in the file. */
export function matches(incident: Incident, query: IncidentQuery): boolean {
  const resolved = incident.status === "resolved";
  if (query.open !== undefined && query.open === resolved) return false;
  if (query.from !== undefined && resolved && (incident.resolvedAt ?? 0) < query.from) return false;
  if (query.to !== undefined && incident.openedAt >= query.to) return false;
  if (query.cursor !== undefined && incident.id >= query.cursor) return false;
  const touched = touchedNodes(incident);
  if (query.node !== undefined && !touched.has(query.node)) return false;
  if (query.nodes !== undefined && !query.nodes.some((node) => touched.has(node))) return false;
  return query.system === undefined || incident.systems.some((system) => system.id === query.system);
}

/** The incidents that a board showed at a moment, each as it stood then: not resolved, or resolved within the hour before. */
export function incidentsAt({ connection, bodies }: History, at: number): Incident[] {
  const rows = connection
    .sql(
      `SELECT i.id, (SELECT v.body FROM incident_version v WHERE v.incident = i.id AND v.at <= ? ORDER BY v.n DESC LIMIT 1) AS body
     FROM incident i WHERE (i.resolved_at IS NULL OR i.resolved_at >= ?) AND i.opened_at <= ? ORDER BY i.id DESC LIMIT 500`,
    )
    .all(at, at - 3_600_000, at) as { id: number; body: string | null }[];
  return rows.flatMap(({ id, body }) => (body === null ? [] : (bodies(id, body) ?? [])));
}

/** When work on the subject was announced and under way, joined ranges. */
export function announcedOn({ sql }: Connection, subject: "node" | "system", id: string, within: Range): Range[] {
  const rows = sql(
    `SELECT i.opened_at AS "from", i.resolved_at AS "to" FROM incident_of o JOIN incident i ON i.id = o.incident
     WHERE o.kind = ? AND o.key = ? AND i.kind = 'maintenance' AND i.opened_at < ? AND (i.resolved_at IS NULL OR i.resolved_at > ?)
     ORDER BY i.id DESC LIMIT ?`,
  ).all(subject === "node" ? 0 : 1, id, within.to, within.from, ANNOUNCED) as { from: number; to: number | null }[];
  return union(
    rows.map(({ from, to }) => ({ from, to: to ?? Number.POSITIVE_INFINITY })),
    within,
  );
}

export function eventsOf({ sql }: Connection, incident: number, limit: number): IncidentEvent[] {
  const rows = sql(
    "SELECT incident, at, kind, node, text, by FROM incident_event WHERE incident = ? ORDER BY at DESC, id DESC LIMIT ?",
  ).all(incident, limit);
  return rows as IncidentEvent[];
}
