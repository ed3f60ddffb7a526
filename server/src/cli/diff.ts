import { stat } from "node:fs/promises";
import path from "node:path";
import { diffMaps } from "../config/diff.ts";
import { diffReplays, type IncidentBrief, type ReplayDiff } from "../config/diff-replay.ts";
import { renderReplay } from "../config/diff-replay-report.ts";
import { renderMarkdown } from "../config/diff-report.ts";
import { parseConfig } from "../config/parse.ts";
import { withNewIds } from "../config/rename.ts";
import { Reuse } from "../config/reuse.ts";
import { filesAt } from "../config/revisions.ts";
import { readFiles } from "../config/source.ts";
import type { SystemMap } from "../domain/map.ts";
import { printable } from "../domain/printable.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";
import { tellMistakes } from "./map-folder.ts";
import { readRecording, SHIFT } from "./recording.ts";

const HELP = `headwater diff BASE [HEAD] [--config DIR] [--replay FILE]
                           [--fail-on affected] [--json]

Compares two maps by what they mean: what changed, what a failure now does, whom
to ask. BASE and HEAD are folders, else git revisions; HEAD defaults to the
configuration folder as it is.

  --config DIR         configuration folder in the repository (default: config)
  --replay FILE        judge a recording (headwater export) by both maps: which
                       past verdicts and incidents would differ
  --fail-on affected   exit code 1 when some single failure now ends otherwise
  --json               instead of Markdown: { changes, affected, teams, other,
                       shifts, reaches, single_points, calls_per_second, replay? }

Exit code 0 also with changes, 1 when a map has errors or the recording cannot be
read, 2 for a wrong call.
`;

interface Call {
  base: string;
  head: string | null;
  config: string;
  json: boolean;
  failOnAffected: boolean;
  replay: string | null;
}

/** `diff BASE [HEAD]`: prints the difference in effect. */
export async function diff(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("diff", call, HELP, io);
  const reuse = new Reuse();
  const base = await load(call.base, call, io, reuse);
  const head = base === null ? null : await load(call.head, call, io, reuse);
  if (base === null || head === null) return 2;
  if (base === "broken" || head === "broken") return 1;
  const result = diffMaps(base, head);
  const { affected } = result;
  const replay = call.replay === null ? null : await replayed(call.replay, base, head, io);
  if (replay === "unreadable") return 1;
  if (call.json) {
    const told = { ...result, ...(replay ? { replay: jsonOf(replay) } : {}) };
    io.stdout(`${JSON.stringify(told, null, 2)}\n`);
  } else io.stdout(renderMarkdown(result) + (replay ? `\n${renderReplay(replay.diff, replay.zero)}` : ""));
  return call.failOnAffected && affected.length > 0 ? 1 : 0;
}

function readCall(args: string[]): Call | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        config: { type: "string" },
        "fail-on": { type: "string" },
        replay: { type: "string" },
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
      replay: values.replay ?? null,
    };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

interface Replayed {
  diff: ReplayDiff;
  /** Second zero of the recording, epoch milliseconds; null where it does not tell. */
  zero: number | null;
}

/** The recording judged by both maps; `unreadable`, after saying why, where it is none. */
async function replayed(file: string, base: SystemMap, head: SystemMap, io: CliIo): Promise<Replayed | "unreadable"> {
  const { renames } = withNewIds(base, head);
  const now = (id: string): string => renames.get(id) ?? id;
  const before = await readRecording(io.cwd, file, { map: base, now: (id) => id });
  const after = typeof before === "string" ? before : await readRecording(io.cwd, file, { map: head, now });
  if (typeof before === "string" || typeof after === "string") {
    io.stderr(`headwater diff: ${printable(String(typeof before === "string" ? before : after))}\n`);
    return "unreadable";
  }
  return { diff: diffReplays(before, after, now), zero: before.from };
}

/** Times as a recording counts them: seconds since its beginning, and the time of day where it tells when that was. */
function jsonOf({ diff, zero }: Replayed): Record<string, unknown> {
  const second = (at: number | null): number | null => (at === null ? null : (at - (zero ?? SHIFT)) / 1_000);
  const brief = (incident: IncidentBrief | null) =>
    incident && { ...incident, opened_at: second(incident.opened_at), resolved_at: second(incident.resolved_at) };
  return {
    began: zero === null ? null : new Date(zero).toISOString(),
    from: second(diff.from),
    to: second(diff.to),
    moments: diff.moments,
    differing: diff.differing,
    opened: diff.opened,
    incidents: diff.incidents.map(({ before, after }) => ({ before: brief(before), after: brief(after) })),
    verdicts: diff.verdicts.map((shift) => ({ ...shift, from: second(shift.from), to: second(shift.to) })),
  };
}

/** A folder's or a revision's map, or, of null, the configuration folder's; null where it is neither, `broken` where it has errors. Both are told. */
async function load(name: string | null, call: Call, io: CliIo, reuse: Reuse): Promise<SystemMap | "broken" | null> {
  const folder = name ?? call.config;
  const dir = path.resolve(io.cwd, folder);
  const isFolder = await stat(dir).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  const config = path.relative(io.cwd, path.resolve(io.cwd, call.config)).replaceAll("\\", "/");
  const files = isFolder ? (await readFiles(dir)).files : name === null ? null : filesAt(io.cwd, name, config);
  if (files === null) {
    const what =
      name === null
        ? `${folder} is not a folder; --config names another`
        : `${JSON.stringify(name)} is neither a folder nor a git revision`;
    io.stderr(`headwater diff: ${printable(what)}\n`);
    return null;
  }
  const { map, errors } = parseConfig(files, "keep", new Date().toISOString().slice(0, 10), reuse);
  if (map) return map;
  // A file of a revision as git takes it, from here.
  if (isFolder) tellMistakes(folder, errors, io);
  else tellMistakes(config, errors, io, `${name}:${/^\.\.(?:\/|$)/.test(config) ? "" : "./"}`);
  return "broken";
}
