import { stat } from "node:fs/promises";
import path from "node:path";
import { parseConfig } from "../config/parse.ts";
import { readFiles } from "../config/source.ts";
import type { SourceFile } from "../config/tree.ts";
import type { SystemMap } from "../domain/map.ts";
import type { CliIo } from "./io.ts";
import { printable } from "./printable.ts";

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
  for (const { file, line, column, code, message } of errors.slice(0, TOLD_AT_MOST))
    io.stderr(`${path.join(folder, file)}:${line}:${column}: error ${code}: ${message}\n`);
  return null;
}
