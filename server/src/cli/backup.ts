import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { printable } from "../domain/printable.ts";
import { isCorrupt } from "../store/database.ts";
import { copyDatabase } from "../store/inspect.ts";
import { readArgs } from "./args.ts";
import { withDatabase } from "./history-file.ts";
import { type CliIo, explain } from "./io.ts";

const HELP = `headwater backup FILE [--data DIR] [--force]

Copies the history into FILE, complete and checked, while the server runs or not. To restore, stop the server and put
FILE into the data folder as headwater.db, after removing headwater.db, headwater.db-wal and headwater.db-shm there.

  --data DIR   the data folder (default: data)
  --force      replace FILE where it exists

Exit code 0, 1 for a failure, 2 for a wrong call.
`;

/** `backup FILE`: 0, 1 when there is nothing to copy or it cannot be written, 2 for a wrong call. */
export async function backup(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("backup", call, HELP, io);
  const target = path.resolve(io.cwd, call.file);
  if (existsSync(target) && !call.force) {
    io.stderr(`headwater backup: ${printable(call.file)} exists already; --force replaces it.\n`);
    return 1;
  }
  return withDatabase("backup", call.data, io, async ({ connection }) => {
    const partial = `${target}.partial`;
    try {
      rmSync(partial, { force: true });
      await copyDatabase(connection, partial);
      renameSync(partial, target);
    } catch (error) {
      rmSync(partial, { force: true });
      io.stderr(`headwater backup: ${printable(reasonOf(error))}; nothing was written to ${printable(call.file)}.\n`);
      return 1;
    }
    io.stdout(`${printable(call.file)}: ${(statSync(target).size / 1e6).toFixed(1)} MB, checked\n`);
    return 0;
  });
}

function reasonOf(error: unknown): string {
  if (isCorrupt(error)) return "the history is damaged: `headwater doctor` tells more";
  return error instanceof Error ? error.message : String(error);
}

function readCall(args: string[]): { file: string; data: string; force: boolean } | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        data: { type: "string", default: "data" },
        force: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    const [file] = positionals;
    return file && positionals.length === 1 ? { file, data: values.data, force: values.force } : "needs one file to write";
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}
