import path from "node:path";
import { parseDuration } from "../domain/duration.ts";
import { printable } from "../domain/printable.ts";
import { asOpenError, isStoreError, openForReading } from "../store/database.ts";
import { openReader } from "../store/index.ts";
import type { CliIo } from "./io.ts";

export type OpenHistory = ReturnType<typeof openReader>;
export type OpenDatabase = ReturnType<typeof openForReading>;

/**
 * Runs a command's work on the history of a data folder, to read, beside a running server or without; says what is wrong
 * with it in one sentence, exit code 1, also where damage shows only while it is read.
 */
export async function withHistory(
  command: string,
  folder: string,
  io: CliIo,
  work: (open: OpenHistory) => Promise<number> | number,
): Promise<number> {
  return withStore(command, folder, io, openReader, work);
}

/** The same on the bare database, of which nothing was read yet: it may be damaged. */
export async function withDatabase(
  command: string,
  folder: string,
  io: CliIo,
  work: (open: OpenDatabase) => Promise<number> | number,
): Promise<number> {
  const bare = (path: string): OpenDatabase & { close(): void } => {
    const open = openForReading(path);
    return { ...open, close: () => open.connection.db.close() };
  };
  return withStore(command, folder, io, bare, work);
}

async function withStore<T extends { file: string; close(): void }>(
  command: string,
  folder: string,
  io: CliIo,
  openAt: (path: string) => T,
  work: (open: T) => Promise<number> | number,
): Promise<number> {
  const data = path.resolve(io.cwd, folder);
  let open: T | null = null;
  try {
    open = openAt(data);
    return await work(open);
  } catch (error) {
    if (!isStoreError(error)) throw error;
    io.stderr(`headwater ${command}: ${printable(historyProblem(error, open?.file ?? data))}\n`);
    return 1;
  } finally {
    open?.close();
  }
}

/** What is wrong with a history that a command was to read, and what to do; for errors of which `isStoreError` is true. */
export function historyProblem(error: unknown, file: string): string {
  const { code, message } = asOpenError(error, file);
  if (code === "missing") return `${message} Start \`headwater serve\` first, or name the folder of another with --data.`;
  return message.replace("is not writable.", "cannot be opened: may this user read it, and write in its folder?");
}

/** A moment as people write it: ISO 8601, a date (UTC), `now`, or a duration before now such as `24h`; null for anything else. */
export function parseMoment(text: string, now: number): number | null {
  if (text === "now") return now;
  const ago = parseDuration(text);
  if (ago !== null) return now > ago ? now - ago : null;
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return null;
  // Of a day that a month does not have, Date makes one of the next.
  const day = Date.parse(text.slice(0, 10));
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== text.slice(0, 10)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
