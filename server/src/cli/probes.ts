import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Finding } from "../config/probes/finding.ts";
import { judgeFile, mayDefineProbes } from "../config/probes/judge.ts";
import { RENDER_FIRST, templateLine } from "../config/template.ts";
import type { SystemMap } from "../domain/map.ts";
import { type CliIo, explain } from "./io.ts";
import { loadMap } from "./map-folder.ts";

const HELP = `headwater probes [--config DIR] [--json] PATH…

Reads Kubernetes, Cloud Run, Compose, Docker and App Service definitions, and says
where their probes and the map do not go together. PATH is a file, or a folder
that is searched. Templates must be rendered first.

  --config DIR  configuration folder with the map (default: config)
  --json        { findings: [ { file, line, rule, level?, message } ],
                skipped: [ { file, reason } ] }

Exit code 0 without findings or with notes alone, 1 with findings, 2 for a wrong
call.
`;

const LARGEST_FILE = 4 * 1_048_576;
const MOST_FILES = 5_000;
const SKIPPED_FOLDERS = new Set(["node_modules", ".git"]);

interface Skipped {
  file: string;
  reason: string;
}

/** `probes PATH…`: judges probe definitions against the map. */
export async function probes(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("probes", call, HELP, io);
  const loaded = await loadMap(call.config, io, "probes");
  if (!loaded) return 1;
  const { map } = loaded;
  const findings: Finding[] = [];
  const skipped: Skipped[] = [];
  for (const start of call.paths) {
    const files = await search(path.resolve(io.cwd, start));
    if (files === null) {
      io.stderr(`headwater probes: ${start} cannot be read\n`);
      return 2;
    }
    for (const file of files) await judgeOne(file, map, io, findings, skipped);
  }
  findings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  if (call.json) io.stdout(`${JSON.stringify({ findings, skipped }, null, 2)}\n`);
  else report(findings, skipped, io);
  return findings.some(({ level }) => level !== "note") ? 1 : 0;
}

function readCall(args: string[]): { config: string; json: boolean; paths: string[] } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { config: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return "help";
    if (positionals.length === 0) return "name a file or a folder";
    return { config: values.config ?? "config", json: values.json ?? false, paths: positionals };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

/** The files to judge, sorted; a file that is named itself always is one. Null where nothing is there. */
async function search(start: string): Promise<string[] | null> {
  const facts = await stat(start).catch(() => null);
  if (!facts) return null;
  if (!facts.isDirectory()) return [start];
  const found: string[] = [];
  const queue = [start];
  for (const folder of queue) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) queue.push(full);
      else if (entry.isFile() && mayDefineProbes(entry.name) && found.length < MOST_FILES) found.push(full);
    }
  }
  return found.sort();
}

async function judgeOne(full: string, map: SystemMap, io: CliIo, findings: Finding[], skipped: Skipped[]): Promise<void> {
  const file = path.relative(io.cwd, full).replaceAll("\\", "/");
  const facts = await stat(full).catch(() => null);
  const text = facts && facts.size <= LARGEST_FILE ? await readFile(full, "utf8").catch(() => null) : null;
  if (text === null) {
    skipped.push({ file, reason: "cannot be read, or is too large" });
    return;
  }
  const found = judgeFile({ path: file, text }, path.basename(path.dirname(full)), map);
  if (found) findings.push(...found);
  else skipped.push({ file, reason: templateLine(text, false) === null ? "does not parse" : RENDER_FIRST });
}

function report(findings: readonly Finding[], skipped: readonly Skipped[], io: CliIo): void {
  for (const { file, line, rule, level, message } of findings) io.stdout(`${file}:${line}: ${level ?? "warning"} ${rule}: ${message}\n`);
  for (const { file, reason } of skipped) io.stderr(`${file}: skipped: ${reason}\n`);
  const among = skipped.length === 0 ? "" : `; ${skipped.length} ${skipped.length === 1 ? "file was" : "files were"} not judged`;
  if (findings.length === 0) io.stdout(`no findings${among}\n`);
}
