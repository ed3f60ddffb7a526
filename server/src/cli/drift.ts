import path from "node:path";
import { LabelPatcher } from "../config/label-patch.ts";
import { compareGraph } from "../discover/compare.ts";
import type { Drift, DriftFinding } from "../discover/findings.ts";
import { listMatches } from "../discover/match.ts";
import { type Patch, patchFor } from "../discover/patch.ts";
import { count, listed } from "../discover/summary.ts";
import { printable } from "../domain/printable.ts";
import { readArgs } from "./args.ts";
import { discover } from "./init.ts";
import { ASKING_HELP, ASKING_OPTIONS, readAsking } from "./init-asking.ts";
import type { Asking } from "./init-sources.ts";
import { type CliIo, explain } from "./io.ts";
import { loadMap } from "./map-folder.ts";

const HELP = `headwater drift SOURCE… [--config DIR] [--same SEEN=ID]… [--json]

Compares the map with what sources show: what is called or configured and not
declared, what is declared and never seen, kinds, criticalities and teams that
differ. Sources are those of headwater init.

  --config DIR     configuration folder with the map (default: config)
  --same SEEN=ID   what the sources call SEEN is ID in the map; may be repeated
${ASKING_HELP}  --json           { findings, matched, ambiguous, not_judged, sources }

Each finding has a patch; git apply --directory=DIR takes those that are diffs. A
name is matched by id, name, former id, host of the address, component, or without
a word such as -service.

Exit code 0 without findings, 1 with findings or without a map to compare, 2 for a
wrong call.
`;

interface Call {
  sources: string[];
  config: string;
  same: Map<string, string>;
  json: boolean;
  asking: Asking;
}

type Patched = DriftFinding & { patch: Patch };

/** `drift SOURCE…`: prints where the map and the sources differ. */
export async function drift(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("drift", call, HELP, io);
  const loaded = await loadMap(call.config, io, "drift");
  if (loaded === null) return 1;
  const { map, files } = loaded;
  const strangers = [...call.same.values()].filter((id) => !map.nodes.has(id));
  if (strangers.length > 0) {
    io.stderr(`headwater drift: --same: the map has no node ${printable(strangers.join(", "))}\n`);
    return 2;
  }
  const found = await discover(call.sources, call.asking, io, "drift");
  if (typeof found === "number") return found;
  const result = compareGraph(found.graph, map, call.same);
  const patcher = new LabelPatcher(files);
  const newServices = new Set(
    result.findings.filter(({ kind, seen }) => kind === "undeclared_node" && seen === "service").map(({ node }) => node),
  );
  const findings = result.findings.map((finding): Patched => ({ ...finding, patch: patchFor(finding, map, patcher, newServices) }));
  if (call.json) io.stdout(`${JSON.stringify(toJson(findings, result, found.sources.read), null, 2)}\n`);
  else io.stdout(toText(findings, result, call.config));
  return findings.length > 0 ? 1 : 0;
}

function readCall(args: string[]): Call | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        config: { type: "string" },
        same: { type: "string", multiple: true },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        ...ASKING_OPTIONS,
      },
    });
    if (values.help) return "help";
    if (positionals.length === 0) return "name at least one source";
    const same = new Map<string, string>();
    for (const pair of values.same ?? []) {
      const [, seen, id] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
      if (seen === undefined || id === undefined) return "--same is written SEEN=ID";
      same.set(seen, id);
    }
    const asking = readAsking(values);
    if (typeof asking === "string") return asking;
    return { sources: positionals, config: values.config ?? "config", same, json: values.json ?? false, asking };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

function toJson(findings: readonly Patched[], { matching, notJudged }: Drift, sources: readonly object[]): object {
  return {
    findings: findings.map(({ kind, node, to, declared, seen, calls, confidence, evidence, team, place, message, patch }) => ({
      kind,
      ...(to === null ? { node } : { from: node, to }),
      declared,
      seen,
      calls,
      confidence,
      team,
      place,
      message,
      evidence,
      patch: patch.yaml,
      diff: patch.diff,
    })),
    matched: listMatches(matching),
    ambiguous: matching.ambiguous,
    not_judged: notJudged,
    sources,
  };
}

const TITLES: Readonly<Record<DriftFinding["kind"], string>> = {
  undeclared_edge: "needed, and not in the map",
  undeclared_node: "not in the map",
  unseen_edge: "in the map, and never seen",
  unseen_node: "in the map, and never seen",
  kind_differs: "of another kind",
  criticality_differs: "reported with another criticality",
  team_differs: "of another team",
};
const TOLD = 30;

function toText(findings: readonly Patched[], { matching, notJudged }: Drift, config: string): string {
  const lines: string[] = [];
  let title = "";
  for (const finding of findings) {
    if (TITLES[finding.kind] !== title) lines.push(...(title === "" ? [] : [""]), TITLES[finding.kind]);
    title = TITLES[finding.kind];
    lines.push(...told(finding, config));
  }
  const others = listMatches(matching).filter(({ by, seen, node }) => by !== "id" || seen !== node);
  if (others.length > 0)
    lines.push(
      "",
      "taken for the same",
      ...cut(others.map(({ seen, node, by, name }) => `  ${seen} = ${node} (by ${by}${name === seen ? "" : `, ${name}`})`)),
    );
  if (matching.ambiguous.length > 0)
    lines.push(
      "",
      "could be several, so none; --same settles it",
      ...cut(matching.ambiguous.map(({ seen, could_be }) => `  ${seen}: ${could_be.join(", ")}`)),
    );
  if (notJudged.length > 0) lines.push("", "not judged", ...cut(byReason(notJudged)));
  lines.push("", findings.length === 0 ? "no drift: the map and the sources agree" : count(findings.length, "finding"));
  return `${lines.map(safe).join("\n").trimStart()}\n`;
}

/** One line a reason, with what it holds for. */
function byReason(notJudged: Drift["notJudged"]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { node, to, why } of notJudged) reasons.set(why, [...(reasons.get(why) ?? []), to === null ? node : `${node} → ${to}`]);
  return [...reasons].map(([why, names]) => `  ${why}: ${listed(names)}`);
}

function told({ message, team, place, evidence, patch }: Patched, config: string): string[] {
  const facts = [team === null ? "no team" : `team ${team}`, ...(place ? [`${path.join(config, place.file)}:${place.line}`] : [])];
  const seen = evidence.slice(0, 2).map(({ what, where }) => `${what}, ${where}`);
  const text = patch.diff ?? patch.yaml;
  return [
    `  ${message}`,
    `    ${facts.join(", ")}${seen.length > 0 ? `; seen: ${seen.join("; ")}` : ""}`,
    ...text
      .trimEnd()
      .split("\n")
      .map((line) => `      ${line}`),
  ];
}

const cut = (lines: readonly string[]) =>
  lines.length > TOLD ? [...lines.slice(0, TOLD), `  and ${lines.length - TOLD} more`] : [...lines];

/** Indentation stays; whatever could steer a terminal does not. */
const safe = (line: string) => printable(line.replace(/\r$/, "")).trimEnd();
