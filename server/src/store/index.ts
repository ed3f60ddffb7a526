import type { AggregatorConfig } from "../domain/config.ts";
import type { HistoryReader, HistoryWriter } from "../domain/history.ts";
import { readBodies } from "./bodies.ts";
import { loadClock } from "./clock.ts";
import { asOpenError, type Log, openDatabase, openForReading } from "./database.ts";
import { createDays } from "./days.ts";
import { loadHead } from "./head.ts";
import type { History } from "./history.ts";
import { loadMemory } from "./memory.ts";
import { loadNames } from "./names.ts";
import { createReader } from "./reader.ts";
import { readSaved } from "./restore.ts";
import { createRetention } from "./retention.ts";
import { jsonCodec, type StateCodec, trackStates } from "./states.ts";
import { Writer } from "./writer.ts";

export { StoreOpenError } from "./database.ts";
export { estimateSize } from "./estimate.ts";
export type { StateCodec } from "./states.ts";

export interface StoreOptions {
  /** The data folder, created where missing, or the database's file. */
  path: string;
  /** Bytes; over it the oldest samples go. */
  maxSize: number;
  retention: AggregatorConfig["retention"];
  /** How states become text; plain JSON by default. */
  codec?: StateCodec;
  log?: Log;
}

export interface Store {
  writer: HistoryWriter;
  reader: HistoryReader;
  close(): void;
}

/** While running, the time since the last sign of life counts as seen for this long. */
const SLACK_MS = 10_000;

/**
 * Opens the history for the one process that writes it; `restore` comes first. Throws `StoreOpenError` when the folder
 * is not writable, the file of a newer version or another program's, or in use; a damaged file is set aside.
 */
export function openStore(options: StoreOptions): Store {
  const log = options.log ?? (() => undefined);
  const codec = options.codec ?? jsonCodec;
  const { content, release } = openDatabase(options.path, log, (file, connection) => {
    const history = assemble(file, connection, codec, log, SLACK_MS);
    return { history, saved: readSaved(history) };
  });
  const { history, saved } = content;
  const retention = createRetention(history, options.maxSize, options.retention);
  const writer = new Writer(history, saved, retention, release);
  return { writer, reader: createReader(history), close: () => writer.close() };
}

/** Opens the history to read only, beside a running server or without one. Throws `StoreOpenError`. */
export function openReader(path: string): { file: string; history: History; reader: HistoryReader; close(): void } {
  const { file, connection } = openForReading(path);
  try {
    const history = assemble(file, connection, jsonCodec, () => undefined, 0);
    return { file, history, reader: createReader(history), close: () => connection.db.close() };
  } catch (error) {
    connection.db.close();
    throw asOpenError(error, file);
  }
}

function assemble(file: string, connection: History["connection"], codec: StateCodec, log: Log, slack: number): History {
  const names = loadNames(connection);
  const history: Omit<History, "memory" | "days"> & { memory?: History["memory"]; days?: History["days"] } = {
    file,
    connection,
    names,
    head: loadHead(connection, names),
    states: trackStates(codec),
    codec,
    bodies: readBodies(log),
    log,
    clock: loadClock(connection),
    incidents: new Map(),
    failing: false,
  };
  const memory = loadMemory(
    () => history.connection,
    names,
    slack,
    history.clock.aside,
    (...revised) => history.days?.forget(...revised),
  );
  return Object.assign(history, { memory, days: createDays(memory) });
}
