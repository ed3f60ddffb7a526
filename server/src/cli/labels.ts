import path from "node:path";
import { Suggester } from "../config/suggest.ts";
import type { SourceFile } from "../config/tree.ts";
import { Labels } from "../contract/index.ts";
import { printable } from "../domain/printable.ts";
import { LabelsError, labelsReport } from "../labels/report.ts";
import { isStoreError } from "../store/database.ts";
import { readArgs, readTimeout, urlProblem } from "./args.ts";
import { ask, escaped, serverAddress } from "./ask.ts";
import { historyProblem } from "./history-file.ts";
import { type CliIo, explain } from "./io.ts";
import { labelsText } from "./labels-text.ts";
import { loadMap } from "./map-folder.ts";

const HELP = `headwater labels [--data DIR] [--config DIR] [--team ID] [--json]
headwater labels --url URL [--team ID] [--json] [--timeout 30s]

Tells which labels of the map are in doubt, with evidence and a patch for each, by
the team that answers for it: declared hard, yet the service goes on without it;
declared soft, yet the service goes with it; reported and not declared, declared
and not reported; another criticality in the report; no owner; no review for long.

  --data DIR      the data folder (default: data); read beside a running server or
                  without one
  --config DIR    judge the map in this folder instead of the one last accepted
  --url URL       ask a running Headwater instead; where it has a login,
                  HEADWATER_TOKEN holds a viewer's token
  --team ID       only what this team answers for
  --json          as /api/v1/labels has it
  --timeout TIME  with --url: a whole number and ms, s or m

Exit code 0 when no label is in doubt, 1 when one is or nothing can be read, 2 for
a wrong call.
`;

interface Call {
  data: string;
  config: string | null;
  url: URL | null;
  team: string | null;
  json: boolean;
  timeout: number;
}

/** `labels`: 0 when no label is in doubt, 1 when one is or nothing can be read, 2 for a wrong call. */
export async function labels(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("labels", call, HELP, io);
  const map = call.config === null ? null : await loadMap(call.config, io, "labels");
  if (call.config !== null && map === null) return 1;
  const found = call.url
    ? await ask(call.url, Labels, "list of labels", call.timeout, io.env.HEADWATER_TOKEN)
    : judge(path.resolve(io.cwd, call.data), map?.files ?? null);
  if (typeof found === "string") {
    io.stderr(`headwater labels: ${printable(found)}\n`);
    return 1;
  }
  const { team } = call;
  // Of a team that is written wrong, nothing in doubt would be no good news.
  if (team !== null && !found.teams.some((one) => one.team === team)) {
    const hint = new Suggester().hint(
      team,
      found.teams.flatMap((one) => one.team ?? []),
    );
    io.stderr(`headwater labels: no label is of a team "${printable(team)}"${printable(hint)}\n`);
    return 1;
  }
  const shown = team === null ? found : ofTeam(found, team);
  io.stdout(call.json ? `${escaped(JSON.stringify(shown, null, 2))}\n` : labelsText(shown, call.config ?? ""));
  return shown.findings_total > 0 ? 1 : 0;
}

function readCall(args: string[]): Call | "help" | string {
  try {
    const { values } = readArgs({
      args,
      options: {
        data: { type: "string" },
        config: { type: "string" },
        url: { type: "string" },
        team: { type: "string" },
        json: { type: "boolean", default: false },
        timeout: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    if (values.url !== undefined && (values.data !== undefined || values.config !== undefined))
      return "--url asks a running Headwater, which has its own data and map";
    const url = values.url === undefined ? null : serverAddress(values.url, "api/v1/labels");
    if (values.url !== undefined && url === null) return urlProblem(values.url);
    const timeout = readTimeout(values.timeout ?? "30s");
    if (typeof timeout === "string") return timeout;
    return { data: values.data ?? "data", config: values.config ?? null, url, team: values.team ?? null, json: values.json, timeout };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

/** By the history itself; a sentence where that is not possible. */
function judge(data: string, files: readonly SourceFile[] | null): Labels | string {
  try {
    return labelsReport({ data, files, now: Date.now() }).labels;
  } catch (error) {
    if (error instanceof LabelsError) return error.message;
    if (isStoreError(error)) return historyProblem(error, data);
    throw error;
  }
}

function ofTeam(all: Labels, team: string): Labels {
  const findings = all.findings.filter((one) => one.team === team);
  return {
    ...all,
    teams: all.teams.filter((one) => one.team === team),
    findings,
    findings_total: all.teams.find((one) => one.team === team)?.findings ?? 0,
    edges: all.edges.filter(({ owner }) => owner === team),
  };
}
