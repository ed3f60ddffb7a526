import type { SourceFile } from "../config/tree.ts";
import type { Place, SystemMap } from "../domain/map.ts";
import { proposed } from "./compare.ts";
import type { DriftFinding } from "./findings.ts";
import { count } from "./summary.ts";
import { dependency, key, text } from "./yaml.ts";

/** What to change in the map for one finding. */
export interface Patch {
  /** In the map's own YAML. */
  yaml: string;
  /** The same as a unified diff, where the place is written in a way that allows one. */
  diff: string | null;
}

/** A patch for each kind of finding. `files` are those of the configuration; `folder` is how the caller names it. Pure. */
export function patchFor(finding: DriftFinding, map: SystemMap, files: readonly SourceFile[], folder: string): Patch {
  const { kind, node, to } = finding;
  const lines = linesOf(finding.place, files);
  const diff = (edit: Edit | null) =>
    edit === null || finding.place === null ? null : unified(`${folder}/${finding.place.file}`.replace(/^\.\//, ""), lines, edit);
  switch (kind) {
    case "undeclared_edge": {
      const entry = dependency({ to: to ?? "", criticality: proposed(finding) }, []);
      const calls = finding.calls === null ? "" : `, ${count(finding.calls, "call")}`;
      const mark = ` # review: ${proposed(finding)} is ${finding.confidence === "certain" && finding.calls === null ? "as reported" : "a guess"}${calls}`;
      return {
        yaml: under("services", node, [`    dependencies:`, `      - ${entry}${mark}`]),
        diff: diff(insertion(finding, map, lines, `${entry}${mark}`)),
      };
    }
    case "undeclared_node": {
      if (finding.seen === "service") return { yaml: `services:\n  ${key(node)}: {} # review: where does it report? url:\n`, diff: null };
      const body = finding.seen === null || finding.seen === "resource" ? "{} # review: its kind?" : `{ kind: ${text(finding.seen)} }`;
      return { yaml: `resources:\n  ${key(node)}: ${body}\n`, diff: null };
    }
    case "unseen_edge": {
      const block = finding.place === null ? null : blockAt(lines, finding.place.line - 1);
      const edit = block && { at: block.start, remove: block.end - block.start, insert: [] };
      return { yaml: under("services", node, ["    dependencies:", `      # remove the entry for ${to}`]), diff: diff(edit) };
    }
    case "unseen_node":
      return { yaml: `# remove ${node}, and every entry that names it\n`, diff: null };
    case "criticality_differs": {
      const yaml = under("services", node, [
        "    dependencies:",
        `      - ${dependency({ to: to ?? "", criticality: proposed(finding) }, [])}`,
      ]);
      return {
        yaml,
        diff: diff(replacement(finding, lines, /(\bcriticality:\s*)(["']?)(?:hard|soft|informational)\2/, `$1${finding.seen}`)),
      };
    }
    case "team_differs": {
      const team = finding.seen ?? "";
      const yaml = under(map.nodes.get(node)?.kind === "resource" ? "resources" : "services", node, [`    team: ${key(team)}`]);
      return {
        yaml,
        diff: map.teams.has(team)
          ? diff(
              replacement(
                finding,
                lines,
                new RegExp(`(\\bteam:\\s*)(["']?)${escaped(finding.declared ?? "")}\\2(?![\\w.-])`),
                `$1${key(team)}`,
              ),
            )
          : null,
      };
    }
    case "kind_differs": {
      const declared = map.nodes.get(node);
      if (declared?.kind === "resource" && finding.seen !== "service" && finding.seen !== null)
        return {
          yaml: under("resources", node, [`    kind: ${text(finding.seen)}`]),
          diff: diff(replacement(finding, lines, /(\bkind:\s*)(?:"[^"]*"|'[^']*'|[^,}#\n]*[^,}#\s])/, `$1${text(finding.seen)}`)),
        };
      const section = finding.seen === "service" ? "services" : "resources";
      return {
        yaml: `# move ${node} to ${section}\n${section}:\n  ${key(node)}: ${finding.seen === "service" ? "{}" : `{ kind: ${text(finding.seen ?? "")} }`}\n`,
        diff: null,
      };
    }
  }
}

const under = (section: string, id: string, lines: readonly string[]) => `${section}:\n  ${key(id)}:\n${lines.join("\n")}\n`;
const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Lines from `at`, counted from 0, that give way to others. */
interface Edit {
  at: number;
  remove: number;
  insert: string[];
}

function linesOf(place: Place | null, files: readonly SourceFile[]): string[] {
  const file = place && files.find(({ path }) => path === place.file);
  return file ? file.text.split("\n") : [];
}

const indentOf = (line: string) => line.length - line.trimStart().length;
const isBare = (line: string) => line.trim() === "" || line.trim().startsWith("#");

/** The lines of the list entry that begins at a line; null where it does not begin with a dash there. */
function blockAt(lines: readonly string[], start: number): { start: number; end: number } | null {
  const first = lines[start];
  if (first === undefined || !/^\s*- /.test(first)) return null;
  let end = start + 1;
  while (end < lines.length && (isBare(lines[end] ?? "") || indentOf(lines[end] ?? "") > indentOf(first))) end++;
  while (end > start + 1 && isBare(lines[end - 1] ?? "")) end--;
  return { start, end };
}

/** A new entry after the last one of the service, or the first one under its key. */
function insertion({ node, place }: DriftFinding, map: SystemMap, lines: readonly string[], entry: string): Edit | null {
  const service = map.nodes.get(node);
  if (service?.kind !== "service" || place === null) return null;
  const own = service.edges.filter((edge) => edge.place.file === place.file && edge.place.line > place.line);
  const last = Math.max(...own.map((edge) => edge.place.line));
  if (own.length > 0) {
    const block = own.length === service.edges.length ? blockAt(lines, last - 1) : null;
    if (!block) return null;
    const indent = " ".repeat(indentOf(lines[block.start] ?? ""));
    return { at: block.end, remove: 0, insert: [`${indent}- ${entry}`] };
  }
  if (service.edges.length > 0) return null;
  const head = lines[place.line - 1] ?? "";
  const body = lines.slice(place.line).find((line) => !isBare(line)) ?? "";
  // A body in braces, or none at all, has no line to put it under.
  if (!/:\s*(?:#.*)?$/.test(head.trimEnd()) || indentOf(body) <= indentOf(head) || /^\s*dependencies:/m.test(body)) return null;
  const indent = " ".repeat(indentOf(body));
  return { at: place.line, remove: 0, insert: [`${indent}dependencies:`, `${indent}  - ${entry}`] };
}

/** One word of the entry or node at the finding's place, within its own lines. */
function replacement({ place }: DriftFinding, lines: readonly string[], pattern: RegExp, by: string): Edit | null {
  if (place === null) return null;
  const start = place.line - 1;
  const indent = indentOf(lines[start] ?? "");
  for (let at = start; at < Math.min(lines.length, start + 100); at++) {
    const line = lines[at] ?? "";
    if (at > start && !isBare(line) && indentOf(line) <= indent) return null;
    if (!line.trimStart().startsWith("#") && pattern.test(line)) return { at, remove: 1, insert: [line.replace(pattern, by)] };
  }
  return null;
}

const CONTEXT = 3;

function unified(path: string, lines: readonly string[], { at, remove, insert }: Edit): string {
  const from = Math.max(0, at - CONTEXT);
  // A text that ends with a line break has an empty last part, which is no line.
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const to = Math.min(count, at + remove + CONTEXT);
  const carriage = (lines[at - 1] ?? lines[at] ?? "").endsWith("\r") ? "\r" : "";
  const body = [
    ...lines.slice(from, at).map((line) => ` ${line}`),
    ...lines.slice(at, at + remove).map((line) => `-${line}`),
    ...insert.map((line) => `+${line.endsWith("\r") ? line : `${line}${carriage}`}`),
    ...lines.slice(at + remove, to).map((line) => ` ${line}`),
  ];
  const missing = lines.at(-1) !== "" && to === count ? "\n\\ No newline at end of file" : "";
  return `--- a/${path}\n+++ b/${path}\n@@ -${from + 1},${to - from} +${from + 1},${to - from - remove + insert.length} @@\n${body.join("\n")}${missing}\n`;
}
