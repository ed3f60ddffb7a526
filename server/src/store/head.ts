import type { Observation } from "../domain/observation.ts";
import { Bytes, readVarint } from "./bytes.ts";
import { createChecks } from "./checks.ts";
import type { Connection } from "./database.ts";
import { ensure } from "./ensure.ts";
import type { Names } from "./names.ts";
import { type PollSample, type SaidSample, writePoll } from "./polls.ts";
import { toldBy } from "./said.ts";
import { SERIES_SPACE, SLOT_MS, slotOf, writeDependencies } from "./samples.ts";

/** The samples of one node in one open slot, in the very bytes that its rows will hold. */
export interface HeadNode {
  polls: Bytes;
  dependencies: Bytes;
  /** What its last report said; null where that is in no row yet. */
  before: SaidSample | null;
}

export interface HeadSlot {
  slot: number;
  nodes: Map<number, HeadNode>;
  samples: number;
  /** Bytes not yet in the tail, and how many samples they are. */
  journal: Bytes;
  journalled: number;
  /** Rows that it has in the tail. */
  rows: number;
}

/** Open slots beyond this many (an hour, when nothing can be written) lose their oldest. */
const OPEN_SLOTS = 8;
/**
 * The samples that are not packed yet: in memory by slot and node, and as they arrived in the table `tail`, from which
 * a restart fills the memory again.
 */
export interface Head {
  slots: Map<number, HeadSlot>;
  append(observation: Observation): void;
  /** Samples that are in no file yet. */
  queued(): number;
  dropped(): number;
  /** Writes what is new to the tail; inside a transaction. */
  write(connection: Connection): void;
  written(): void;
  /** Forgets a slot that was packed. */
  close(slot: number): void;
  /** Lets go of slots [from, to]. */
  drop(from: number, to: number): void;
  /** All of the open slots has to go into the tail of a new database. */
  forget(): void;
}

export function loadHead(connection: Connection, names: Names): Head {
  const slots = new Map<number, HeadSlot>();
  const checks = createChecks();
  let dropped = 0;

  for (const row of connection.sql("SELECT key, data FROM tail ORDER BY key").iterate() as Iterable<{ key: number; data: Uint8Array }>) {
    const slot = slotAt(Math.floor(row.key / SERIES_SPACE));
    slot.rows = (row.key % SERIES_SPACE) + 1;
    fill(slot, row.data);
  }

  function slotAt(number: number): HeadSlot {
    return ensure(slots, number, () => ({ slot: number, nodes: new Map(), samples: 0, journal: new Bytes(4_096), journalled: 0, rows: 0 }));
  }

  function nodeAt(slot: HeadSlot, series: number): HeadNode {
    return ensure(slot.nodes, series, () => ({ polls: new Bytes(512), dependencies: new Bytes(512), before: null }));
  }

  /** Entries of the tail: series, length of the poll's bytes, length of the dependencies', then both. */
  function fill(slot: HeadSlot, data: Uint8Array): void {
    const cursor = { data, at: 0 };
    while (cursor.at < data.length) {
      const node = nodeAt(slot, readVarint(cursor));
      const polls = readVarint(cursor);
      const dependencies = readVarint(cursor);
      node.polls.append(data.subarray(cursor.at, cursor.at + polls));
      node.dependencies.append(data.subarray(cursor.at + polls, cursor.at + polls + dependencies));
      cursor.at += polls + dependencies;
      slot.samples++;
    }
  }

  function append(observation: Observation): void {
    const series = names.series("node", observation.service);
    const slot = slotAt(slotOf(observation.at));
    const node = nodeAt(slot, series);
    const { report, at } = observation;
    const { said, words, traits, ages, dependencies } = toldBy(names, series, report, checks.of(observation));
    const poll: PollSample = {
      at,
      latencyMs: observation.latencyMs,
      outcome: observation.outcome,
      status: report?.status ?? null,
      instance: observation.instance === observation.service ? null : names.series("instance", observation.instance),
      httpStatus: observation.httpStatus,
      httpAge: Math.max(0, Math.round((observation.httpAge ?? 0) / 1_000)),
      said,
      words,
      traits,
      ages,
    };
    const polls = node.polls.length;
    const before = node.dependencies.length;
    writePoll(node.polls, slot.slot * SLOT_MS, poll, node.before);
    if (report) node.before = { said, words, traits };
    if (dependencies.length > 0) writeDependencies(node.dependencies, at, dependencies);
    slot.journal.varint(series);
    slot.journal.varint(node.polls.length - polls);
    slot.journal.varint(node.dependencies.length - before);
    slot.journal.append(node.polls.view(polls));
    slot.journal.append(node.dependencies.view(before));
    slot.journalled++;
    slot.samples++;
    if (slots.size > OPEN_SLOTS) dropOldest(slot.slot);
  }

  function dropOldest(keep: number): void {
    const oldest = Math.min(...[...slots.keys()].filter((slot) => slot !== keep));
    dropped += slots.get(oldest)?.samples ?? 0;
    slots.delete(oldest);
  }

  return {
    slots,
    append,
    queued: () => [...slots.values()].reduce((sum, slot) => sum + slot.journalled, 0),
    dropped: () => dropped,
    write({ sql }) {
      const insert = sql("INSERT INTO tail(key, data) VALUES(?, ?)");
      for (const slot of slots.values()) if (slot.journalled > 0) insert.run(slot.slot * SERIES_SPACE + slot.rows, slot.journal.view());
    },
    written() {
      for (const slot of slots.values()) {
        if (slot.journalled > 0) slot.rows++;
        slot.journal.length = 0;
        slot.journalled = 0;
      }
    },
    close(slot) {
      slots.delete(slot);
    },
    drop(from, to) {
      for (const { slot, samples } of [...slots.values()]) {
        if (slot < from || slot > to) continue;
        dropped += samples;
        slots.delete(slot);
      }
    },
    forget() {
      for (const slot of slots.values()) {
        slot.journal.length = 0;
        slot.rows = 0;
        for (const [series, node] of slot.nodes) {
          slot.journal.varint(series);
          slot.journal.varint(node.polls.length);
          slot.journal.varint(node.dependencies.length);
          slot.journal.append(node.polls.view());
          slot.journal.append(node.dependencies.view());
        }
        slot.journalled = slot.samples;
      }
    },
  };
}
