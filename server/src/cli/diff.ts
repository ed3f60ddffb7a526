import { stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { diffMaps } from "../config/diff.ts";
import { renderMarkdown } from "../config/diff-report.ts";
import { parseConfig } from "../config/parse.ts";
import { filesAt } from "../config/revisions.ts";
import { readFiles } from "../config/source.ts";
import type { SystemMap } from "../domain/map.ts";
import type { CliIo } from "./io.ts";

const HELP = `headwater diff BASE [HEAD] [--config DIR] [--fail-on affected] [--json]

Compares two maps by what they mean: what changed, what a failure now does, whom to ask. BASE and HEAD are folders, else
git revisions; HEAD defaults to the configuration folder as it is.

  --config DIR         configuration folder in the repository (default: config)
  --fail-on affected   exit code 1 when some single failure now ends otherwise
  --json               { changes, affected, teams, other, shifts } instead of Markdown

Exit code 0 also with changes, 1 when a map has errors, 2 for a wrong call.
`;

interface Call {
  base: string;
  head: string | null;
  config: string;
  json: boolean;
  failOnAffected: boolean;
}

/** `diff BASE [HEAD]`: prints the difference in effect. */
export async function diff(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (call === "help") {
    io.stdout(HELP);
    return 0;
  }
  if (typeof call === "string") {
    io.stderr(`headwater diff: ${call}\n${HELP}`);
    return 2;
  }
  const base = await load(call.base, call, io);
  const head = base === null ? null : await load(call.head ?? path.resolve(io.cwd, call.config), call, io);
  if (base === null || head === null) return 2;
  if (base === "broken" || head === "broken") return 1;
  const result = diffMaps(base, head);
  const { changes, affected, teams, other, shifts } = result;
  io.stdout(call.json ? `${JSON.stringify({ changes, affected, teams, other, shifts }, null, 2)}\n` : renderMarkdown(result));
  return call.failOnAffected && affected.length > 0 ? 1 : 0;
}

function readCall(args: string[]): Call | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        config: { type: "string" },
        "fail-on": { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    const [base, head, more] = positionals;
    if (base === undefined || more !== undefined) return "name one or two maps";
    const failOn = values["fail-on"];
    if (failOn !== undefined && failOn !== "affected") return "--fail-on knows only affected";
    return {
      base,
      head: head ?? null,
      config: values.config ?? "config",
      json: values.json ?? false,
      failOnAffected: failOn !== undefined,
    };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

/** A folder's or a revision's map; null where it is neither, `broken` where it has errors. Both are told. */
async function load(name: string, call: Call, io: CliIo): Promise<SystemMap | "broken" | null> {
  const dir = path.resolve(io.cwd, name);
  const isFolder = await stat(dir).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  const files = isFolder ? (await readFiles(dir)).files : filesAt(io.cwd, name, call.config);
  if (files === null) {
    io.stderr(`headwater diff: ${JSON.stringify(name)} is neither a folder nor a git revision\n`);
    return null;
  }
  const { map, errors } = parseConfig(files, "keep", new Date().toISOString().slice(0, 10));
  if (map) return map;
  for (const problem of errors.slice(0, 50))
    io.stderr(`${name}: ${problem.file}:${problem.line}:${problem.column}: error ${problem.code}: ${problem.message}\n`);
  return "broken";
}
