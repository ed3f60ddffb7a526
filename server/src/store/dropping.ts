import { SERIES_SPACE } from "./samples.ts";
import type { Table } from "./tiers.ts";
import type { Upkeep } from "./upkeep.ts";

const DELETE_ROWS = 400;
/** Of incidents and revisions, each of which has rows in other tables. */
const DELETE_WHOLE = 20;

/** A few rows go; true while there may be more. The file may be opened anew between two calls. */
export type Drop = () => boolean;

/** Rows of a bulk table below a slot, the oldest first; `also` narrows them in SQL. */
export function dropBelow({ sql }: Upkeep, table: Table, slot: number, also = ""): Drop {
  return () =>
    sql(`DELETE FROM ${table} WHERE key < ? ${also} ORDER BY key LIMIT ${DELETE_ROWS}`).run(slot * SERIES_SPACE).changes === DELETE_ROWS;
}

/** Changes older than `before`, but for the last of each series: it tells what held from then on. */
export function dropTransitions({ sql, transaction }: Upkeep, before: number): Drop {
  let at = Number.MIN_SAFE_INTEGER;
  let id = 0;
  return () => {
    const rows = sql("SELECT id, series, at FROM transition WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT ?").all(
      at,
      id,
      before,
      DELETE_ROWS,
    ) as { id: number; series: number; at: number }[];
    const last = rows.at(-1);
    if (!last) return false;
    const superseded = sql("SELECT 1 FROM transition WHERE series = ? AND at > ? AND at <= ? LIMIT 1");
    const remove = sql("DELETE FROM transition WHERE id = ?");
    transaction(() => {
      for (const row of rows) if (superseded.get(row.series, row.at, before)) remove.run(row.id);
    });
    ({ at, id } = last);
    return rows.length === DELETE_ROWS;
  };
}

/** Incidents that were resolved before a moment, with all that belongs to them. */
export function dropIncidents({ sql, transaction }: Upkeep, before: number): Drop {
  const parts = ["incident_event WHERE incident", "incident_version WHERE incident", "incident_of WHERE incident", "incident WHERE id"];
  return () => {
    const ids = sql(`SELECT id FROM incident WHERE resolved_at < ? ORDER BY resolved_at LIMIT ${DELETE_WHOLE}`).pluck().all(before);
    transaction(() => {
      for (const id of ids) for (const part of parts) sql(`DELETE FROM ${part} = ?`).run(id);
    });
    return ids.length === DELETE_WHOLE;
  };
}

/** Revisions accepted before a moment but the newest of them, which held on; then the texts that none needs any more. */
export function dropRevisions({ sql, transaction }: Upkeep, before: number): Drop {
  return () => {
    const gone = sql(
      `SELECT revision FROM revision WHERE accepted_at < ? AND revision < (SELECT max(revision) FROM revision WHERE accepted_at < ?)
       ORDER BY revision LIMIT ${DELETE_WHOLE}`,
    )
      .pluck()
      .all(before, before) as number[];
    if (gone.length === 0) return false;
    transaction(() => {
      for (const revision of gone) {
        sql("DELETE FROM revision_file WHERE revision = ?").run(revision);
        sql("DELETE FROM revision WHERE revision = ?").run(revision);
      }
      sql("DELETE FROM map_text WHERE hash NOT IN (SELECT text FROM revision_file)").run();
    });
    return gone.length === DELETE_WHOLE;
  };
}
