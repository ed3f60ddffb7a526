import { performance } from "node:perf_hooks";
import type { AggregatorConfig } from "../domain/config.ts";
import { logSize } from "./database.ts";
import { ensure } from "./ensure.ts";
import type { HeadNode, HeadSlot } from "./head.ts";
import { addTally, count, emptyTally, type Tally } from "./histogram.ts";
import type { History } from "./history.ts";
import {
  addDependencies,
  minuteOf,
  readDependencyHour,
  readHour,
  readMinutes,
  writeDependencyHour,
  writeHour,
  writeMinutes,
} from "./rows.ts";
import { countedCheck, countedLatency, HOUR_MS, keyOf, readDependencies, readPolls, SERIES_SPACE, SLOT_MS, slotOf } from "./samples.ts";
import { getRow, MINUTES, packNext, putRow, RAW, type Table, TIERS } from "./tiers.ts";

const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;
const DAY_MS = 24 * HOUR_MS;

/** A poll may end this long after the slot in which it was asked. */
const GRACE_MS = 90_000;
/** One step holds up the event loop for about this long, at most. */
const BUDGET_MS = 4;
const DELETE_ROWS = 400;
const CLEAN_EVERY_MS = 60_000;
/** Beyond this many free pages, and a tenth of the file, space is given back. */
const FREE_PAGES = 1_000;
const VACUUM_PAGES = 150;

export interface Retention {
  /** One small step of what is due at `now`; true while there is more. */
  step(now: number): boolean;
  /** Bytes of the database and its log. */
  size(): number;
}

interface Packing {
  slot: HeadSlot;
  left: [number, HeadNode][];
  witnessed: Map<number, Map<number, Tally>>;
}

/** Rolls samples up and lets old ones go. `maxSize` is in bytes, retention in milliseconds. */
export function createRetention(history: History, maxSize: number, keep: AggregatorConfig["retention"]): Retention {
  let packing: Packing | null = null;
  let rolling: { hour: number; left: number[] } | null = null;
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let cleaning: ((now: number) => boolean)[] = [];
  let sizeNow = 0;
  let sizeAt = Number.NEGATIVE_INFINITY;

  const sql = (text: string) => history.connection.sql(text);
  const transaction = (work: () => void): void => history.connection.db.transaction(work).immediate();
  const isDone = (tier: number, slot: number): boolean =>
    sql("SELECT 1 FROM done WHERE tier = ? AND slot = ?").get(tier, slot) !== undefined;
  const put = (table: Table, key: number, data: Uint8Array): void => putRow(history.connection, table, key, data);
  const get = (table: Table, key: number): Uint8Array | null => getRow(history.connection, table, key);

  function tallies(node: HeadNode, slot: number): Map<number, Tally> {
    const minutes = new Map<number, Tally>();
    for (const poll of readPolls(node.polls.view(), slot)) {
      const latency = countedLatency(poll);
      if (latency !== undefined) count(ensure(minutes, minuteOf(poll.at), emptyTally), latency);
    }
    return minutes;
  }

  /** What a service's checks say of other nodes, by target and minute. */
  function witness(service: number, node: HeadNode, slot: number, into: Map<number, Map<number, Tally>>): void {
    const targets: Map<number, Tally>[] = [];
    for (const { n, target } of history.names.components(service)) targets[n] = ensure(into, target, () => new Map());
    readDependencies(node.dependencies.view(), slot, (at, n, status, latencyMs) => {
      const minutes = targets[n];
      const latency = countedCheck(status, latencyMs);
      if (minutes && latency !== undefined) count(ensure(minutes, minuteOf(at), emptyTally), latency);
    });
  }

  /** Some nodes of a closed slot; when all are there, the slot is done and leaves the tail. */
  function pack(now: number): boolean {
    if (!packing) {
      const slot = [...history.head.slots.values()].find((one) => (one.slot + 1) * SLOT_MS + GRACE_MS <= now && one.journalled === 0);
      if (!slot) return false;
      const hour = Math.floor(slot.slot / SLOTS_PER_HOUR);
      if (isDone(0, slot.slot) || isDone(1, hour)) {
        // What was rolled up of this hour so far lacks these samples: begin again.
        if (rolling?.hour === hour) rolling = null;
        merge(slot);
        return true;
      }
      packing = { slot, left: [...slot.nodes], witnessed: new Map() };
    }
    const { slot, left, witnessed } = packing;
    const until = performance.now() + BUDGET_MS;
    transaction(() => {
      while (left.length > 0 && performance.now() < until) {
        const [series, node] = left.pop() ?? [0, null];
        if (!node) continue;
        const key = keyOf(slot.slot, series);
        put("raw", key, node.polls.view());
        if (node.dependencies.length > 0) put("dep", key, node.dependencies.view());
        put("minute", key, writeMinutes(tallies(node, slot.slot)));
        witness(series, node, slot.slot, witnessed);
      }
      if (left.length > 0) return;
      for (const [target, minutes] of witnessed)
        if (!slot.nodes.has(target)) put("minute", keyOf(slot.slot, target), writeMinutes(minutes));
      seal(slot);
    });
    if (left.length === 0) {
      history.head.close(slot.slot);
      packing = null;
    }
    return true;
  }

  function seal(slot: HeadSlot): void {
    sql("INSERT OR IGNORE INTO done(tier, slot) VALUES(0, ?)").run(slot.slot);
    sql("DELETE FROM tail WHERE key >= ? AND key < ?").run(slot.slot * SERIES_SPACE, (slot.slot + 1) * SERIES_SPACE);
  }

  /** Samples of a slot or hour that is done already, late ones or those after a clock that stepped back, are added to it. */
  function merge(slot: HeadSlot): void {
    const rolled = isDone(1, Math.floor(slot.slot / SLOTS_PER_HOUR));
    transaction(() => {
      const witnessed = new Map<number, Map<number, Tally>>();
      for (const [series, node] of slot.nodes) {
        const key = keyOf(slot.slot, series);
        const minutes = tallies(node, slot.slot);
        put("raw", key, concat(get("raw", key), node.polls.view()));
        witness(series, node, slot.slot, witnessed);
        if (rolled) {
          addHour(slot.slot, series, minutes);
          addDependencyHour(slot.slot, series, node);
        } else if (node.dependencies.length > 0) put("dep", key, concat(get("dep", key), node.dependencies.view()));
        addMinutes(key, minutes);
      }
      for (const [target, minutes] of witnessed) {
        if (minutes.size === 0 || isPolled(slot.slot, target)) continue;
        if (rolled) addHour(slot.slot, target, minutes);
        addMinutes(keyOf(slot.slot, target), minutes);
      }
      seal(slot);
    });
    history.head.close(slot.slot);
  }

  /** Polls of the node itself tell more than what others say of it. */
  function isPolled(slot: number, series: number): boolean {
    return get("raw", keyOf(slot, series)) !== null || get("raw_pack", keyOf(Math.floor(slot / RAW.per), series)) !== null;
  }

  function addMinutes(key: number, minutes: Map<number, Tally>): void {
    const before = get("minute", key);
    if (before) readMinutes(before, (minute) => ensure(minutes, minute, emptyTally));
    put("minute", key, writeMinutes(minutes));
  }

  function addHour(slot: number, series: number, minutes: ReadonlyMap<number, Tally>): void {
    const key = keyOf(Math.floor(slot / SLOTS_PER_HOUR), series);
    const own = emptyTally();
    for (const tally of minutes.values()) addTally(own, tally);
    const before = get("hour", key);
    if (before) readHour(before, own);
    put("hour", key, writeHour(own));
  }

  function addDependencyHour(slot: number, series: number, node: HeadNode): void {
    if (node.dependencies.length === 0) return;
    const key = keyOf(Math.floor(slot / SLOTS_PER_HOUR), series);
    const dependencies = new Map<number, Tally>();
    addDependencies(node.dependencies.view(), slot, dependencies);
    const before = get("dep_hour", key);
    if (before) readDependencyHour(before, dependencies);
    put("dep_hour", key, writeDependencyHour(dependencies));
  }

  /** Some nodes of an hour whose slots are all done. */
  function roll(now: number): boolean {
    if (!rolling) {
      const open = new Set([...history.head.slots.keys()].map((slot) => Math.floor(slot / SLOTS_PER_HOUR)));
      // The divisor stands in the text: bound numbers are floating, and so would be the quotient.
      const slot = `slot / ${SLOTS_PER_HOUR}`;
      const hours = sql(
        `SELECT DISTINCT ${slot} FROM done WHERE tier = 0 AND ${slot} NOT IN (SELECT slot FROM done WHERE tier = 1) ORDER BY 1`,
      ).pluck();
      const hour = (hours.all() as number[]).find((one) => (one + 1) * HOUR_MS + GRACE_MS <= now && !open.has(one));
      if (hour === undefined) return false;
      const nodes = new Set<number>();
      for (let slot = hour * SLOTS_PER_HOUR; slot < (hour + 1) * SLOTS_PER_HOUR; slot++)
        for (const key of sql("SELECT key FROM minute WHERE key >= ? AND key < ?")
          .pluck()
          .all(slot * SERIES_SPACE, (slot + 1) * SERIES_SPACE))
          nodes.add(Number(key) % SERIES_SPACE);
      rolling = { hour, left: [...nodes].sort((a, b) => b - a) };
    }
    const { hour, left } = rolling;
    const until = performance.now() + BUDGET_MS;
    transaction(() => {
      for (let series = left.pop(); series !== undefined; series = performance.now() < until ? left.pop() : undefined)
        rollNode(hour, series);
      if (left.length === 0) sql("INSERT OR IGNORE INTO done(tier, slot) VALUES(1, ?)").run(hour);
    });
    if (left.length === 0) rolling = null;
    return true;
  }

  function rollNode(hour: number, series: number): void {
    const own = emptyTally();
    const dependencies = new Map<number, Tally>();
    for (let slot = hour * SLOTS_PER_HOUR; slot < (hour + 1) * SLOTS_PER_HOUR; slot++) {
      const minutes = get("minute", keyOf(slot, series));
      if (minutes) readMinutes(minutes, () => own);
      const checks = get("dep", keyOf(slot, series));
      if (checks) addDependencies(checks, slot, dependencies);
    }
    put("hour", keyOf(hour, series), writeHour(own));
    if (dependencies.size > 0) put("dep_hour", keyOf(hour, series), writeDependencyHour(dependencies));
  }

  /** Some rows of hours that are rolled up, or of days that are over, into packed rows. */
  function compact(now: number): boolean {
    const until = performance.now() + BUDGET_MS;
    let some = false;
    transaction(() => {
      for (const tier of TIERS) {
        const isOver =
          tier === RAW || tier === MINUTES
            ? (pack: number) => isDone(1, Math.floor((pack * tier.per) / SLOTS_PER_HOUR))
            : (day: number) => (day + 1) * DAY_MS + HOUR_MS / 2 <= now && !rolling;
        while (performance.now() < until && packNext(history.connection, tier, isOver)) some = true;
      }
    });
    return some;
  }

  /** What is past its retention goes, the oldest first, a few rows a step; then space goes back to the disk. */
  function clean(now: number): boolean {
    if (cleaning.length === 0) {
      if (Math.abs(now - cleanedAt) < CLEAN_EVERY_MS) return false;
      cleanedAt = now;
      cleaning = [
        deleteBelow("raw", slotOf(now - keep.raw)),
        deleteBelow("raw_pack", Math.floor(slotOf(now - keep.raw) / RAW.per)),
        deleteBelow("dep", slotOf(now - HOUR_MS), `AND key / ${SERIES_SPACE * SLOTS_PER_HOUR} IN (SELECT slot FROM done WHERE tier = 1)`),
        deleteBelow("minute", slotOf(now - keep.minutes)),
        deleteBelow("minute_pack", hourOf(now - keep.minutes)),
        deleteBelow("hour", hourOf(now - keep.hours)),
        deleteBelow("dep_hour", hourOf(now - keep.hours)),
        deleteBelow("hour_pack", Math.floor((now - keep.hours) / DAY_MS)),
        deleteBelow("dep_pack", Math.floor((now - keep.hours) / DAY_MS)),
        once(() => {
          sql("DELETE FROM done WHERE tier = 0 AND slot < ?").run(slotOf(now - Math.max(keep.minutes, keep.raw)));
          sql("DELETE FROM done WHERE tier = 1 AND slot < ?").run(hourOf(now - keep.hours));
          sql("DELETE FROM gap WHERE stop < ?").run(now - keep.changes);
          sql("DELETE FROM change WHERE at < ?").run(now - keep.changes);
          sql("DELETE FROM work WHERE stop < ?").run(now - keep.changes);
          history.states.prune(history.connection);
        }),
        dropTransitions(now - keep.changes),
        dropIncidents(now - keep.changes),
        dropRevisions(now - keep.changes),
        fit(),
        vacuum(),
      ];
    }
    const next = cleaning[0];
    if (next && !next(now)) cleaning.shift();
    return cleaning.length > 0;
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

  /** Over the size that is allowed, the oldest samples go: polls first, then minutes, then hours, then changes. */
  function fit(): (now: number) => boolean {
    let warned = false;
    return (now) => {
      if (pages("page_count") - pages("freelist_count") <= (maxSize * 0.95) / pages("page_size")) return false;
      if (!warned) history.log("warn", "The history has reached storage.max_size; its oldest samples are let go before their time.");
      warned = true;
      for (const table of ["raw_pack", "minute_pack", "dep_pack", "hour_pack"]) {
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

  function pages(name: "page_count" | "freelist_count" | "page_size"): number {
    return Number(history.connection.db.pragma(name, { simple: true }));
  }

  return {
    step: (now) => pack(now) || roll(now) || compact(now) || clean(now),
    size() {
      const now = performance.now();
      if (now - sizeAt > 5_000 && history.connection.db.open) {
        sizeAt = now;
        try {
          sizeNow = pages("page_count") * pages("page_size") + logSize(history.file);
        } catch {
          // Keeps the last known size while the file cannot be read.
        }
      }
      return sizeNow;
    },
  };
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}

function concat(a: Uint8Array | null, b: Uint8Array): Uint8Array {
  return a ? Buffer.concat([a, b]) : b;
}
