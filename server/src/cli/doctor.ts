import { count } from "../domain/phrases.ts";
import { printable } from "../domain/printable.ts";
import { AFTER_DAMAGE } from "../store/database.ts";
import { type Examination, examine } from "../store/inspect.ts";
import { readArgs } from "./args.ts";
import { withDatabase } from "./history-file.ts";
import { type CliIo, explain } from "./io.ts";

const HELP = `headwater doctor [--data DIR] [--quick] [--json]

Examines the history: is the file whole, what takes its space, how far back it reaches. Reads only; works beside a
running server.

  --data DIR   the data folder (default: data)
  --quick      leave out the slow comparison of indexes with their tables
  --json       for machines

Exit code 0 when all is well, 1 when the history is damaged or cannot be read, 2 for a wrong call.
`;

/** `doctor`: 0 when all is well, 1 for damage or no readable history, 2 for a wrong call. */
export async function doctor(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("doctor", call, HELP, io);
  return withDatabase("doctor", call.data, io, ({ file, connection }) => {
    const found = examine(file, connection, call.quick);
    io.stdout(call.json ? `${JSON.stringify(jsonOf(found), null, 2)}\n` : textOf(found));
    return found.damage.length > 0 ? 1 : 0;
  });
}

function readCall(args: string[]): { data: string; quick: boolean; json: boolean } | string {
  try {
    const { values } = readArgs({
      args,
      options: {
        data: { type: "string", default: "data" },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
    return values.help ? "help" : { data: values.data, quick: values.quick, json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function jsonOf(found: Examination): Record<string, unknown> {
  return {
    file: found.file,
    healthy: found.damage.length === 0,
    damage: found.damage,
    version: found.version,
    known_version: found.knownVersion,
    journal_mode: found.journal,
    bytes: found.bytes,
    log_bytes: found.logBytes,
    free_bytes: found.freeBytes,
    began: time(found.began),
    last_sign_of_life: time(found.alive),
    gaps: found.gaps,
    set_aside: found.setAside,
    tables: found.tables.map((table) => ({ ...table, oldest: time(table.oldest), newest: time(table.newest) })),
  };
}

function textOf(found: Examination): string {
  const size = (bytes: number): string => (bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
  const lines = [
    `${printable(found.file)}: ${size(found.bytes)}, log ${size(found.logBytes)}, free ${size(found.freeBytes)}`,
    `version ${found.version} (this Headwater knows ${found.knownVersion}), journal ${found.journal}`,
    `history since ${time(found.began) ?? "never"}, last sign of life ${time(found.alive) ?? "never"}, ${count(found.gaps, "gap")}`,
    found.damage.length === 0 ? "integrity: fine" : `integrity: DAMAGED\n${found.damage.map((text) => `  ${printable(text)}`).join("\n")}`,
    ...(found.damage.length === 0 ? [] : [`what to do: ${AFTER_DAMAGE}`]),
    ...found.setAside.map((name) => `set aside as damaged: ${printable(name)}`),
    "",
    `${"table".padEnd(18)}${"size".padStart(12)}${"rows".padStart(12)}  oldest`,
  ];
  const tables = found.tables
    .filter((table) => table.rows > 0)
    .sort((a, b) => b.bytes - a.bytes)
    .map(
      (table) => `${table.name.padEnd(18)}${size(table.bytes).padStart(12)}${String(table.rows).padStart(12)}  ${time(table.oldest) ?? ""}`,
    );
  return `${[...lines, ...tables].map((line) => line.trimEnd()).join("\n")}\n`;
}
