import type { Range } from "../domain/history.ts";
import { isEarlier } from "../store/database.ts";
import { readArgs } from "./args.ts";
import { TABLES, type TableName, table } from "./export-csv.ts";
import { recordingOf } from "./export-recording.ts";
import { parseMoment, withHistory } from "./history-file.ts";
import { type CliIo, explain } from "./io.ts";

const HELP = `headwater export [--from TIME] [--to TIME] [--csv WHAT] [--data DIR]

Writes history to standard output: a recording that \`headwater replay\` reads, or a table.

  --from TIME   ISO 8601 time, a date, or how long ago (90m, 24h, 7d); default 24h
  --to TIME     the same, or now; default now
  --csv WHAT    polls, changes, incidents or availability, instead of a recording
  --data DIR    the data folder (default: data)

A recording begins a little before --from, so that its first verdicts are those of the time: by twenty polls, or with the
trouble that held then. Polls are kept one by one for a day (retention.raw); before that each run of equal ones is kept as
long as changes are (retention.changes), so all but latencies is the same. Works beside a running server.
Exit code 0, 1 when there is no history to read, 2 for a wrong call.
`;

interface Call {
  range: Range;
  csv: TableName | null;
  data: string;
}

/** `export`: 0, 1 without a readable history, 2 for a wrong call. */
export async function exportHistory(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args, Date.now());
  if (typeof call === "string") return explain("export", call, HELP, io);
  return withHistory("export", call.data, io, (open) => {
    if (isEarlier(open.history.connection)) {
      io.stderr(
        "headwater export: this history was written by an earlier Headwater; it can be exported once `headwater serve` has opened it.\n",
      );
      return 1;
    }
    if (call.csv) for (const row of table(open, call.csv, call.range)) io.stdout(row);
    else {
      const recording = recordingOf(open, call.range);
      if (!recording) {
        io.stderr("headwater export: this history holds no accepted map yet.\n");
        return 1;
      }
      for (const note of recording.notes) io.stderr(`headwater export: ${note}\n`);
      for (const line of recording.lines) io.stdout(`${JSON.stringify(line)}\n`);
    }
    return 0;
  });
}

function readCall(args: string[], now: number): Call | string {
  try {
    const { values } = readArgs({
      args,
      options: {
        from: { type: "string", default: "24h" },
        to: { type: "string", default: "now" },
        csv: { type: "string" },
        data: { type: "string", default: "data" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    const from = parseMoment(values.from, now);
    const to = parseMoment(values.to, now);
    if (from === null) return momentProblem("--from", values.from);
    if (to === null) return momentProblem("--to", values.to);
    if (from >= to) return "--from has to lie before --to";
    const csv = TABLES.find((name) => name === values.csv) ?? null;
    if (values.csv !== undefined && csv === null) return `--csv is one of ${TABLES.join(", ")}`;
    return { range: { from, to }, csv, data: values.data };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

function momentProblem(option: string, text: string): string {
  const meant = parseMoment(`${text.replace(" ", "T")}Z`, 0) === null ? "" : `; did you mean ${text.replace(" ", "T")}Z, in UTC?`;
  return `${option} ${text} is no time${meant || ": write 2026-10-24, 2026-10-24T09:15Z, now, or how long ago, such as 24h"}`;
}
