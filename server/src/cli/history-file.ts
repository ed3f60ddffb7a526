import path from "node:path";
import { parseDuration } from "../domain/duration.ts";
import { openReader, StoreOpenError } from "../store/index.ts";
import type { CliIo } from "./io.ts";

export type OpenHistory = ReturnType<typeof openReader>;

/** Opens the history of a data folder to read, beside a running server or without; says what is wrong and gives null. */
export function openHistory(command: string, folder: string, io: CliIo): OpenHistory | null {
  try {
    return openReader(path.resolve(io.cwd, folder));
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    io.stderr(`headwater ${command}: ${error.message}\n`);
    return null;
  }
}

/** A moment as people write it: ISO 8601, a date (UTC), `now`, or a duration before now such as `24h`; null for anything else. */
export function parseMoment(text: string, now: number): number | null {
  if (text === "now") return now;
  const ago = parseDuration(text);
  if (ago !== null) return now - ago;
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/** Text without what could steer a terminal or hide: control characters and marks of writing direction. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ");
}
