import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { jsonSchema } from "../config/document.ts";
import { parseConfig } from "../config/parse.ts";
import { assemble, TooManyNodes } from "../discover/assemble.ts";
import type { FoundGraph } from "../discover/graph.ts";
import { graphJson } from "../discover/json.ts";
import { count, listed, summaryOf } from "../discover/summary.ts";
import { mapYaml } from "../discover/yaml.ts";
import { printable } from "../domain/printable.ts";
import { makeFolder } from "../store/folder.ts";
import { readArgs } from "./args.ts";
import { ASKING_HELP, ASKING_OPTIONS, readAsking } from "./init-asking.ts";
import { type Asking, gather, type Sources } from "./init-sources.ts";
import { type CliIo, explain } from "./io.ts";

const HELP = `headwater init SOURCE… [--out DIR [--force]] [--json]

Writes a first map from what is there already. A SOURCE is

  an address       http://… of a deep endpoint, asked once; NAME=http://… gives
                   it a name, the same NAME twice means two instances; also the
                   address of Jaeger's dependencies or of a service graph's metrics
  a file, a folder a Compose file, Kubernetes manifests (rendered), Backstage
                   entities, the metrics of OpenTelemetry's service graph
                   (Prometheus text or JSON), dependencies of Jaeger or Zipkin;
                   told apart by their shape

All sources of a call go into one map. What was inferred is marked "review:". No
password, token or value of a header gets into it.

  --out DIR        write DIR/map/discovered.yaml, and the schema beside it,
                   instead of printing the map
  --force          overwrite it, also where DIR holds a map already
${ASKING_HELP}  --json           { nodes, edges, teams, systems, left_out, sources, silent,
                   passed, map }

Exit code 0 with a map, 1 without one, 2 for a wrong call.
`;

interface Call {
  sources: string[];
  out: string | null;
  force: boolean;
  json: boolean;
  asking: Asking;
}

/** `init SOURCE…`: prints or writes a first map. */
export async function init(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("init", call, HELP, io);
  if (call.out !== null && !call.force) {
    const held = await mapFiles(path.resolve(io.cwd, call.out));
    if (held.length > 0) {
      io.stderr(
        `headwater init: ${call.out} holds a map already (${listed(held)}). headwater drift compares it with the sources; --force overwrites map/discovered.yaml\n`,
      );
      return 1;
    }
  }
  const found = await discover(call.sources, call.asking, io, "init");
  if (typeof found === "number") return found;
  const { graph, sources } = found;
  const map = mapYaml(
    graph,
    sources.read.map(({ source }) => source),
  );
  if (!isValid(map, io)) return 1;
  if (call.out !== null && !(await write(call.out, map, io))) return 1;
  if (call.json) io.stdout(`${JSON.stringify({ ...graphJson(graph, sources), map }, null, 2)}\n`);
  else {
    if (call.out === null) io.stdout(map);
    (call.out === null ? io.stderr : io.stdout)(report(graph, map, sources, call.out));
  }
  return 0;
}

function readCall(args: string[]): Call | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        out: { type: "string" },
        force: { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        ...ASKING_OPTIONS,
      },
    });
    if (values.help) return "help";
    if (positionals.length === 0) return "name at least one source";
    if (values.force && values.out === undefined) return "--force belongs to --out";
    const asking = readAsking(values);
    if (typeof asking === "string") return asking;
    return { sources: positionals, out: values.out ?? null, force: values.force ?? false, json: values.json ?? false, asking };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

/** The graph of all sources, or the exit code after telling why there is none. */
export async function discover(
  sources: readonly string[],
  asking: Asking,
  io: CliIo,
  command: string,
): Promise<{ graph: FoundGraph; sources: Sources } | number> {
  const gathered = await gather(sources, asking, io);
  if (typeof gathered === "string") {
    io.stderr(`headwater ${command}: ${printable(gathered)}\n`);
    return 2;
  }
  for (const { file, line, column, reason } of gathered.problems)
    io.stderr(`${printable(`${file}:${line}:${column}: error: ${reason}`)}\n`);
  if (gathered.problems.length > 0) return 1;
  for (const { source, reason } of gathered.silent) io.stderr(`${printable(source)}: no report: ${printable(reason)}\n`);
  try {
    const graph = assemble(gathered.drafts);
    if (gathered.read.length > 0 && graph.nodes.length > 0) return { graph, sources: gathered };
  } catch (error) {
    if (!(error instanceof TooManyNodes)) throw error;
    io.stderr(`headwater ${command}: ${error.message}\n`);
    return 1;
  }
  for (const { file, line, column, reason, foreign } of gathered.passed.slice(0, 20))
    if (!foreign) io.stderr(`${printable(`${file}:${line}:${column}: ${reason}`)}\n`);
  io.stderr(`headwater ${command}: the sources name no service and no dependency; headwater init --help tells what a source may be\n`);
  return 1;
}

async function mapFiles(dir: string): Promise<string[]> {
  const names = await readdir(path.join(dir, "map")).catch(() => []);
  return names.filter((name) => name.endsWith(".yaml")).map((name) => `map/${name}`);
}

/** The map must pass `check` whatever the sources held. */
function isValid(map: string, io: CliIo): boolean {
  const { errors } = parseConfig([{ path: "map/discovered.yaml", text: map }], "keep", new Date().toISOString().slice(0, 10));
  for (const { line, code, message } of errors.slice(0, 20))
    io.stderr(`headwater init: line ${line} of the map would be wrong: ${code}: ${printable(message)}\n`);
  return errors.length === 0;
}

async function write(out: string, map: string, io: CliIo): Promise<boolean> {
  const dir = path.resolve(io.cwd, out);
  try {
    makeFolder(path.join(dir, "map"));
    makeFolder(path.join(dir, "schema"));
    await writeFile(path.join(dir, "map/discovered.yaml"), map);
    await writeFile(path.join(dir, "schema/map.schema.json"), `${JSON.stringify(jsonSchema("map"), null, 2)}\n`);
    return true;
  } catch (error) {
    const { code, path: place } = error as NodeJS.ErrnoException;
    io.stderr(`headwater init: ${printable(place ?? out)} cannot be written (${code ?? "unknown error"}); --out names another folder\n`);
    return false;
  }
}

function report(graph: FoundGraph, map: string, { read, silent, passed }: Sources, out: string | null): string {
  const { found, guessed, next } = summaryOf(graph, map);
  const broken = passed.filter(({ foreign }) => !foreign);
  const last = out === null ? "save the map as config/map/discovered.yaml, and run headwater check" : `run headwater check ${out}`;
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)]);
  const lines = [
    `found ${found}${out === null ? "" : `, written to ${path.join(out, "map/discovered.yaml")}`}`,
    ...section("read", counted(read.map(({ source, as }) => `${source} (${as})`))),
    ...section(
      "did not report, and are in the map with their address",
      counted(silent.map(({ source, reason }) => `${source}: ${reason}`)),
    ),
    ...section("passed over", [
      ...counted(broken.map(({ file, line, column, reason }) => `${file}:${line}:${column}: ${reason}`)),
      ...(passed.length > broken.length ? [`${count(passed.length - broken.length, "file")} of other kinds`] : []),
    ]),
    ...section("left out", counted(graph.leftOut.map(({ name, where, why }) => `${name} (${where}): ${why}`))),
    ...section("guessed", guessed),
    ...section("next", [...next, last]),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

const TOLD = 20;
const counted = (lines: readonly string[]) =>
  lines.length > TOLD ? [...lines.slice(0, TOLD), `and ${lines.length - TOLD} more`] : [...lines];
