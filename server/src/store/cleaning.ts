import type { AggregatorConfig } from "../domain/config.ts";
import { DAY_MS, HOUR_MS, SERIES_SPACE, SLOT_MS, slotOf } from "./samples.ts";
import { RAW, type Table } from "./tiers.ts";
import { PACKED, ROLLED, type Upkeep } from "./upkeep.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;
const DELETE_ROWS = 400;
/** Samples of an hour that is not rolled up yet stay, whatever their age. */
const IF_ROLLED = `AND key / ${SERIES_SPACE * SLOTS_PER_HOUR} IN (SELECT slot FROM done WHERE tier = ${ROLLED})`;
const CLEAN_EVERY_MS = 60_000;
/** Beyond this many free pages, and a tenth of the file, space is given back. */
const FREE_PAGES = 1_000;
const VACUUM_PAGES = 150;

/** What is past its retention goes, the oldest first, a few rows a step; then space goes back to the disk. */
export interface Cleaning {
  /** False when nothing is due. `byAge`: whether the clock is believed so far that what is old by it may go. */
  step(now: number, byAge: boolean): boolean;
}

/** `maxSize` is in bytes, retention in milliseconds. */
export function createCleaning(upkeep: Upkeep, maxSize: number, keep: AggregatorConfig["retention"]): Cleaning {
  const { history, sql, transaction, pages } = upkeep;
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let cleaning: ((now: number) => boolean)[] = [];

  function step(now: number, byAge: boolean): boolean {
    if (cleaning.length === 0) {
      if (Math.abs(now - cleanedAt) < CLEAN_EVERY_MS) return false;
      cleanedAt = now;
      cleaning = [...(byAge ? pastRetention(now) : []), fit(), vacuum()];
    }
    const next = cleaning[0];
    if (next && !next(now)) cleaning.shift();
    return cleaning.length > 0;
  }

  function pastRetention(now: number): ((now: number) => boolean)[] {
    return [
      deleteBelow("raw", slotOf(now - keep.raw), IF_ROLLED),
      deleteBelow("raw_pack", Math.floor(slotOf(now - keep.raw) / RAW.per)),
      deleteBelow("dep", slotOf(now - HOUR_MS), IF_ROLLED),
      deleteBelow("minute", slotOf(now - keep.minutes)),
      deleteBelow("minute_pack", hourOf(now - keep.minutes)),
      deleteBelow("hour", hourOf(now - keep.hours)),
      deleteBelow("dep_hour", hourOf(now - keep.hours)),
      deleteBelow("hour_pack", Math.floor((now - keep.hours) / DAY_MS)),
      deleteBelow("dep_pack", Math.floor((now - keep.hours) / DAY_MS)),
      deleteBelow("run_day", Math.floor((now - keep.changes) / DAY_MS)),
      deleteBelow("run", hourOf(now - keep.changes)),
      once(() => {
        // An hour is forgotten after its slots: whose slots are known and which is not is rolled up again.
        sql(`DELETE FROM done WHERE tier = ${PACKED} AND slot < ?`).run(slotOf(now - Math.max(keep.minutes, keep.raw)));
        sql(`DELETE FROM done WHERE tier = ${ROLLED} AND slot < ?`).run(hourOf(now - Math.max(keep.hours, keep.minutes, keep.raw)));
        sql("DELETE FROM gap WHERE stop < ?").run(now - keep.changes);
        sql("DELETE FROM change WHERE at < ?").run(now - keep.changes);
        sql("DELETE FROM work WHERE stop < ?").run(now - keep.changes);
        history.states.prune(history.connection);
      }),
      dropTransitions(now - keep.changes),
      dropIncidents(now - keep.changes),
      dropRevisions(now - keep.changes),
    ];
  }

  function once(work: () => void): () => boolean {
    return () => {
      transaction(work);
      return false;
    };
  }

  function deleteBelow(table: Table, slot: number, also = ""): () => boolean {
    const rows = sql(`DELETE FROM ${table} WHERE key < ? ${also} ORDER BY key LIMIT ${DELETE_ROWS}`);
    return () => rows.run(slot * SERIES_SPACE).changes === DELETE_ROWS;
  }

  /** Changes older than `before`, but for the last of each series: it tells what held from then on. */
  function dropTransitions(before: number): () => boolean {
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

  function dropIncidents(before: number): () => boolean {
    return () => {
      const ids = sql("SELECT id FROM incident WHERE resolved_at < ? LIMIT 20").pluck().all(before) as number[];
      transaction(() => {
        for (const id of ids)
          for (const from of [
            "incident_event WHERE incident",
            "incident_version WHERE incident",
            "incident_of WHERE incident",
            "incident WHERE id",
          ])
            sql(`DELETE FROM ${from} = ?`).run(id);
      });
      return ids.length === 20;
    };
  }

  /** All but the newest revision, once they are old and no incident that is kept names them. */
  function dropRevisions(before: number): () => boolean {
    return once(() => {
      const gone = sql(
        `SELECT r.revision FROM revision r WHERE r.accepted_at < ? AND r.revision < (SELECT max(revision) FROM revision WHERE accepted_at < ?)`,
      )
        .pluck()
        .all(before, before) as number[];
      for (const revision of gone) {
        sql("DELETE FROM revision_file WHERE revision = ?").run(revision);
        sql("DELETE FROM revision WHERE revision = ?").run(revision);
      }
      if (gone.length > 0) sql("DELETE FROM map_text WHERE hash NOT IN (SELECT text FROM revision_file)").run();
    });
  }

  /** Over the size that is allowed, the oldest samples go: polls first, then minutes, hours, what polls said, then changes. */
  function fit(): (now: number) => boolean {
    let warned = false;
    return (now) => {
      if (pages("page_count") - pages("freelist_count") <= (maxSize * 0.95) / pages("page_size")) return false;
      if (!warned) history.log("warn", "The history has reached storage.max_size; its oldest samples are let go before their time.");
      warned = true;
      for (const table of ["raw_pack", "minute_pack", "dep_pack", "hour_pack", "run_day"]) {
        const changes = sql(`DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} ORDER BY key LIMIT ${DELETE_ROWS})`).run().changes;
        if (changes > 0) return true;
      }
      const oldest = sql("SELECT at FROM transition ORDER BY at LIMIT 1 OFFSET 2000").pluck().get() as number | undefined;
      return oldest !== undefined && oldest < now && dropTransitions(oldest)() && pages("freelist_count") === 0;
    };
  }

  function vacuum(): () => boolean {
    return () => {
      const free = pages("freelist_count");
      const total = pages("page_count");
      if (free < FREE_PAGES || (free * 10 < total && total * pages("page_size") <= maxSize)) return false;
      history.connection.db.pragma(`incremental_vacuum(${VACUUM_PAGES})`);
      return true;
    };
  }

  return { step };
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}
