import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Finding } from "../config/probes/finding.ts";
import { judgeFile, mayDefineProbes } from "../config/probes/judge.ts";
import { Findings } from "../config/problems.ts";
import { readDocuments } from "../config/read.ts";
import { RENDER_FIRST, templateLine } from "../config/template.ts";
import type { SourceFile } from "../config/tree.ts";
import type { SystemMap } from "../domain/map.ts";
import { printable } from "../domain/printable.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";
import { loadMap } from "./map-folder.ts";

const HELP = `headwater probes [--config DIR] [--json] PATH…

Reads Kubernetes, Cloud Run, Compose, Docker and App Service definitions, and says
where their probes and the map do not go together. PATH is a file, or a folder
that is searched. Templates must be rendered first.

  --config DIR  configuration folder with the map (default: config)
  --json        { findings: [ { file, line, rule, level?, message } ],
                skipped: [ { file, reason } ] }

Exit code 0 without findings or with notes alone, 1 with findings or where a file
that was named cannot be judged, 2 for a wrong call.
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
  let looked = 0;
  let unjudged = false;
  for (const start of call.paths) {
    const files = await search(path.resolve(io.cwd, start));
    if (files === null) {
      io.stderr(`headwater probes: there is no ${printable(start)}\n`);
      return 2;
    }
    const before = skipped.length;
    for (const file of files) await judgeOne(file, map, io, findings, skipped);
    looked += files.length;
    // Of a file that was named, silence would be taken for good news.
    unjudged ||= files[0] === path.resolve(io.cwd, start) && skipped.length > before;
  }
  findings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  if (call.json) io.stdout(`${JSON.stringify({ findings, skipped }, null, 2)}\n`);
  else report(findings, skipped, looked, io);
  return unjudged || findings.some(({ level }) => level !== "note") ? 1 : 0;
}

function readCall(args: string[]): { config: string; json: boolean; paths: string[] } | string {
  try {
    const { values, positionals } = readArgs({
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
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    // Told as a file that cannot be read.
    if (entries === null && found.length < MOST_FILES) found.push(folder);
    for (const entry of entries ?? []) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name) && queue.length < MOST_FILES) queue.push(full);
      else if (entry.isFile() && mayDefineProbes(entry.name) && found.length < MOST_FILES) found.push(full);
    }
  }
  return found.sort();
}

async function judgeOne(full: string, map: SystemMap, io: CliIo, findings: Finding[], skipped: Skipped[]): Promise<void> {
  const file = path.relative(io.cwd, full).replaceAll("\\", "/");
  const text = await textOf(full);
  if ("reason" in text) {
    skipped.push({ file, ...text });
    return;
  }
  const found = judgeFile({ path: file, ...text }, path.basename(path.dirname(full)), map);
  if (found) findings.push(...found);
  else skipped.push({ file, reason: templateLine(text.text, false) === null ? parseProblem({ path: file, ...text }) : RENDER_FIRST });
}

async function textOf(full: string): Promise<{ text: string } | { reason: string }> {
  try {
    const facts = await stat(full);
    if (facts.isDirectory()) return { reason: "is a folder that cannot be read" };
    if (!facts.isFile() && !facts.isFIFO()) return { reason: "is no regular file" };
    // What the size says is not all: a pipe has none. One byte more than may be read tells what is too large.
    const chunks: Buffer[] = await createReadStream(full, { end: LARGEST_FILE }).toArray();
    const bytes = Buffer.concat(chunks);
    return bytes.length > LARGEST_FILE ? { reason: `is larger than ${LARGEST_FILE / 1_048_576} MiB` } : { text: bytes.toString("utf8") };
  } catch (error) {
    return { reason: `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})` };
  }
}

function parseProblem(file: SourceFile): string {
  const findings = new Findings();
  readDocuments(file, findings);
  const [first] = findings.finish().errors;
  return first ? `does not parse at ${first.line}:${first.column}: ${first.message}` : "does not parse";
}

function report(findings: readonly Finding[], skipped: readonly Skipped[], looked: number, io: CliIo): void {
  for (const { file, line, rule, level, message } of findings)
    io.stdout(`${printable(`${file}:${line}: ${level ?? "warning"} ${rule}: ${message}`)}\n`);
  for (const { file, reason } of skipped) io.stderr(`${printable(`${file}: skipped: ${reason}`)}\n`);
  const among = skipped.length === 0 ? "" : `; ${skipped.length} ${skipped.length === 1 ? "file was" : "files were"} not judged`;
  if (looked === 0) io.stdout("nothing to judge: no YAML, JSON, Dockerfile, Bicep or Terraform file is there\n");
  else if (findings.length === 0) io.stdout(`no findings${among}\n`);
}
