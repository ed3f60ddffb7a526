import type { AggregatorConfig } from "../domain/config.ts";
import { type Drop, dropBelow, dropIncidents, dropRevisions, dropTransitions } from "./dropping.ts";
import { DAY_MS, HOUR_MS, SERIES_SPACE, SLOT_MS, slotOf } from "./samples.ts";
import { RAW } from "./tiers.ts";
import { PACKED, ROLLED, type Upkeep } from "./upkeep.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;
/** Samples of an hour that is not rolled up yet stay, whatever their age. */
const IF_ROLLED = `AND key / ${SERIES_SPACE * SLOTS_PER_HOUR} IN (SELECT slot FROM done WHERE tier = ${ROLLED})`;
const CLEAN_EVERY_MS = 60_000;
/** Beyond this many free pages, and a tenth of the file, space is given back. */
const FREE_PAGES = 1_000;
const VACUUM_PAGES = 150;
/** Over the size that is allowed everything is cut to this share of its retention, and then further. */
const SHARES = [0.1, 0.01, 0];

/** What is past its retention goes, the oldest first, a few rows a step; then space goes back to the disk. */
export interface Cleaning {
  /** False when nothing is due. `byAge`: whether the clock is believed so far that what is old by it may go. */
  step(now: number, byAge: boolean): boolean;
}

/** `maxSize` is in bytes, retention in milliseconds. */
export function createCleaning(upkeep: Upkeep, maxSize: number, keep: AggregatorConfig["retention"]): Cleaning {
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let cleaning: Drop[] = [];
  return {
    step(now, byAge) {
      if (cleaning.length === 0) {
        if (Math.abs(now - cleanedAt) < CLEAN_EVERY_MS) return false;
        cleanedAt = now;
        cleaning = [...(byAge ? pastRetention(upkeep, keep, now) : []), fit(upkeep, maxSize, keep, now), vacuum(upkeep, maxSize)];
      }
      const next = cleaning[0];
      if (next && !next()) cleaning.shift();
      return cleaning.length > 0;
    },
  };
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}

function pastRetention(upkeep: Upkeep, keep: AggregatorConfig["retention"], now: number): Drop[] {
  const { history, sql, transaction } = upkeep;
  const forgetDone: Drop = () => {
    transaction(() => {
      // An hour is forgotten after its slots: whose slots are known and which is not is rolled up again.
      sql(`DELETE FROM done WHERE tier = ${PACKED} AND slot < ?`).run(slotOf(now - Math.max(keep.minutes, keep.raw)));
      sql(`DELETE FROM done WHERE tier = ${ROLLED} AND slot < ?`).run(hourOf(now - Math.max(keep.hours, keep.minutes, keep.raw)));
      sql("DELETE FROM gap WHERE stop < ?").run(now - keep.changes);
      sql("DELETE FROM change WHERE at < ?").run(now - keep.changes);
      sql("DELETE FROM work WHERE stop < ?").run(now - keep.changes);
      history.states.prune(history.connection);
    });
    return false;
  };
  return [
    dropBelow(upkeep, "raw", slotOf(now - keep.raw), IF_ROLLED),
    dropBelow(upkeep, "dep", slotOf(now - HOUR_MS), IF_ROLLED),
    dropBelow(upkeep, "minute", slotOf(now - keep.minutes)),
    dropBelow(upkeep, "hour", hourOf(now - keep.hours)),
    dropBelow(upkeep, "dep_hour", hourOf(now - keep.hours)),
    dropBelow(upkeep, "run", hourOf(now - keep.changes)),
    ...olderThan(upkeep, keep, 1, now),
    forgetDone,
  ];
}

/** What is older than a share of its retention, in the order in which it is missed least: samples first, changes last. */
function olderThan(upkeep: Upkeep, keep: AggregatorConfig["retention"], share: number, now: number): Drop[] {
  const { raw, minutes, hours, changes } = keep;
  const since = (ms: number): number => now - ms * share;
  return [
    dropBelow(upkeep, "raw_pack", Math.floor(slotOf(since(raw)) / RAW.per)),
    dropBelow(upkeep, "minute_pack", hourOf(since(minutes))),
    dropBelow(upkeep, "dep_pack", Math.floor(since(hours) / DAY_MS)),
    dropBelow(upkeep, "hour_pack", Math.floor(since(hours) / DAY_MS)),
    dropBelow(upkeep, "run_day", Math.floor(since(changes) / DAY_MS)),
    dropRevisions(upkeep, since(changes)),
    dropIncidents(upkeep, since(changes)),
    dropTransitions(upkeep, since(changes)),
  ];
}

/**
 * Over the size that is allowed everything gives up the older part of its time before anything gives up all of it, so
 * that whatever it is that has grown so large, some of each remains.
 */
function fit(upkeep: Upkeep, maxSize: number, keep: AggregatorConfig["retention"], now: number): Drop {
  const { history, pages } = upkeep;
  const isOver = (): boolean => pages("page_count") - pages("freelist_count") > (maxSize * 0.95) / pages("page_size");
  let left: Drop[] | null = null;
  return () => {
    if (!isOver()) return false;
    if (!left) history.log("warn", "The history has reached storage.max_size; its oldest samples are let go before their time.");
    left ??= SHARES.flatMap((share) => olderThan(upkeep, keep, share, now));
    const next = left[0];
    if (next && !next()) left.shift();
    return left.length > 0;
  };
}

function vacuum({ history, pages }: Upkeep, maxSize: number): Drop {
  return () => {
    const free = pages("freelist_count");
    const total = pages("page_count");
    if (free < FREE_PAGES || (free * 10 < total && total * pages("page_size") <= maxSize)) return false;
    history.connection.db.pragma(`incremental_vacuum(${VACUUM_PAGES})`);
    return true;
  };
}
