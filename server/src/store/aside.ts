import type { Misdated } from "../domain/clock.ts";
import { redate } from "../domain/incident.ts";
import type { Bodies } from "./bodies.ts";
import type { Aside, Marks } from "./clock.ts";
import type { Connection } from "./database.ts";
import { SERIES_SPACE, slotOf } from "./samples.ts";

const NEXT: Record<keyof Marks, string> = {
  transition: "SELECT coalesce(max(id), 0) + 1 FROM transition",
  gap: "SELECT coalesce(max(id), 0) + 1 FROM gap",
  incident_version: "SELECT coalesce(max(rowid), 0) + 1 FROM incident_version",
  incident_event: "SELECT coalesce(max(id), 0) + 1 FROM incident_event",
  change: "SELECT coalesce(max(id), 0) + 1 FROM change",
  revision: "SELECT coalesce(max(revision), 0) + 1 FROM revision",
};

/** Marks what is in the file as what is kept aside, where it is not yet, and remembers it for a restart. */
export function writeAside({ sql }: Connection, aside: Aside): void {
  aside.marks ??= Object.fromEntries(Object.entries(NEXT).map(([name, text]) => [name, sql(text).pluck().get()])) as unknown as Marks;
  sql("INSERT OR REPLACE INTO meta(key, value) VALUES('aside', ?)").run(JSON.stringify(aside));
}

/** What lay ahead was wrong: gaps of it end, its changes count no more, as later ones replaced them. */
export function forgetAside(connection: Connection, { from, marks }: Aside): void {
  connection.sql("DELETE FROM meta WHERE key = 'aside'").run();
  if (marks) cutGaps(connection, from, "id < ?", marks.gap);
}

/** Ends gaps at `at`, those of `which` only. */
export function cutGaps({ sql }: Connection, at: number, which: "id < ?" | "id >= ?", mark: number): void {
  sql(`DELETE FROM gap WHERE start >= ? AND ${which}`).run(at, mark);
  sql(`UPDATE gap SET stop = ? WHERE stop > ? AND ${which}`).run(at, at, mark);
}

/**
 * What was kept aside was right: changes, gaps and samples that the wrong clock dated go, and what people and incidents
 * would miss (incidents, events, marked changes, revisions) is dated by the moment at which the clock was right again.
 */
export function bringBack({ sql }: Connection, bodies: Bodies, { marks }: Aside, misdated: Misdated, nextTransition: number): void {
  sql("DELETE FROM meta WHERE key IN ('aside', 'relived', 'set_backs')").run();
  sql("DELETE FROM tail WHERE key >= ? AND key < ?").run(slotOf(misdated.from) * SERIES_SPACE, (slotOf(misdated.to) + 1) * SERIES_SPACE);
  if (!marks) return;
  const { at } = misdated;
  sql("DELETE FROM transition WHERE id >= ? AND id < ?").run(marks.transition, nextTransition);
  sql("DELETE FROM gap WHERE id >= ?").run(marks.gap);
  sql("UPDATE incident_event SET at = ? WHERE id >= ?").run(at, marks.incident_event);
  sql("UPDATE change SET at = ? WHERE id >= ?").run(at, marks.change);
  sql("UPDATE revision SET accepted_at = ? WHERE revision >= ?").run(at, marks.revision);
  const versions = sql("SELECT rowid AS id, incident, body FROM incident_version WHERE rowid >= ?").all(marks.incident_version);
  for (const { id, incident, body } of versions as { id: number; incident: number; body: string }[]) {
    const read = bodies(incident, body);
    if (!read) continue;
    const dated = redate(read, misdated);
    sql("UPDATE incident_version SET at = ?, body = ? WHERE rowid = ?").run(at, JSON.stringify(dated), id);
    const resolvedAt = dated.status === "resolved" ? (dated.resolvedAt ?? at) : null;
    sql("UPDATE incident SET opened_at = ?, resolved_at = ?, body = ? WHERE id = ?").run(
      dated.openedAt,
      resolvedAt,
      JSON.stringify(dated),
      incident,
    );
  }
}
