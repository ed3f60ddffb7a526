import { stat } from "node:fs/promises";
import path from "node:path";
import { parseConfig } from "../config/parse.ts";
import { readFiles } from "../config/source.ts";
import type { SourceFile } from "../config/tree.ts";
import type { Problem, SystemMap } from "../domain/map.ts";
import { printable } from "../domain/printable.ts";
import { sentence } from "../start/words.ts";
import type { CliIo } from "./io.ts";

const TOLD_AT_MOST = 50;

/**
 * The map of a configuration folder and its files, for commands that poll nothing: no `${…}` needs a value. Null after telling what is
 * wrong; a folder that is not there is no empty map.
 */
export async function loadMap(
  folder: string,
  io: CliIo,
  command: string,
): Promise<{ map: SystemMap; files: readonly SourceFile[] } | null> {
  const dir = path.resolve(io.cwd, folder);
  const facts = await stat(dir).catch(() => null);
  if (!facts?.isDirectory()) {
    io.stderr(`headwater ${command}: ${printable(folder)} is not a folder; --config names another\n`);
    return null;
  }
  const { files } = await readFiles(dir);
  const { map, errors } = parseConfig(files, "keep", new Date().toISOString().slice(0, 10));
  if (map) return { map, files };
  io.stderr(`headwater ${command}: the map in ${printable(folder)} is broken\n`);
  tellMistakes(folder, errors, io);
  return null;
}

/** What is wrong with a map, a line each; `folder` is where its files are found, `before` stands before each of their paths. */
export function tellMistakes(folder: string, errors: readonly Problem[], io: CliIo, before = ""): void {
  for (const problem of errors.slice(0, TOLD_AT_MOST)) io.stderr(`${printable(before)}${sentence(folder, problem)}\n`);
  if (errors.length > TOLD_AT_MOST) io.stderr(`and ${errors.length - TOLD_AT_MOST} more\n`);
}
