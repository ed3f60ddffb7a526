import type { Reach } from "./consequences.ts";
import type { Change, MapDiff } from "./diff.ts";

/** Lines of one part that are printed; a review reads no more, and says so. */
const MOST_LINES = 60;

/** Names and addresses are data: nothing in them may become markup. */
export const code = (value: unknown) => `\`${String(value ?? "none").replace(/[`\p{Cc}]/gu, "·")}\``;
export const list = (values: readonly string[]) => values.map(code).join(", ");
const both = (before: unknown, after: unknown) => `${code(before)} → ${code(after)}`;

function sentence(change: Change): string {
  switch (change.kind) {
    case "node_added":
      return `${code(change.node)} is new`;
    case "node_removed":
      return `${code(change.node)} is removed`;
    case "node_renamed":
      return `${code(change.from)} is renamed to ${code(change.to)}`;
    case "no_effect":
      return `${code(change.node)}: text only`;
    case "edge_added":
      return `${code(change.from)} now depends on ${code(change.to)}, ${change.after}`;
    case "edge_removed":
      return `${code(change.from)} no longer depends on ${code(change.to)} (was ${change.before})`;
    case "criticality":
      return `${code(change.from)} on ${code(change.to)}: ${change.before} → **${change.after}**`;
    case "owner":
      return `${code(change.from)} on ${code(change.to)}: owner ${both(change.before, change.after)}`;
    case "url":
      return `${code(change.node)}: address ${both(change.before, change.after)}`;
    case "interval":
    case "team":
      return `${code(change.node)}: ${change.kind} ${both(change.before, change.after)}`;
    case "redundancy": {
      const side = ({ on, need }: { on: string[]; need: number }) => (on.length === 1 ? code(on[0]) : `${need} of ${list(on)}`);
      return `${code(change.from)} needs ${side(change.after)} instead of ${side(change.before)}`;
    }
    case "system_membership":
      return `${code(change.to)} in system ${code(change.from)}: ${change.before ?? "no member"} → **${change.after ?? "no member"}**`;
  }
}

/** What changes in effect, a line each without markup: changes first, then settings. */
export function changeLines({ changes, other }: MapDiff): string[] {
  const settings = other.map(({ node, what, before, after }) => `${node}: ${what} ${before ?? "none"} → ${after ?? "none"}`);
  const lines = changes.filter(({ kind }) => kind !== "no_effect").map((change) => sentence(change).replace(/[`*]/g, ""));
  return [...lines, ...settings];
}

export function bullets(lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_LINES).map((line) => `- ${line}\n`);
  const rest = lines.length - shown.length;
  return shown.join("") + (rest > 0 ? `- … and ${rest} more\n` : "");
}

/** One line for each failure that ends otherwise, with what it does to whom. */
function failures({ shifts, reaches }: MapDiff): string[] {
  const reachOf = new Map(reaches.map((reach) => [reach.failed, reach]));
  const byNode = new Map<string, string[]>();
  for (const { failed, node, system, before, after } of shifts) {
    const line = `${system ? "system " : ""}${code(node)} ${before} → **${after}**`;
    byNode.set(failed, [...(byNode.get(failed) ?? []), line]);
  }
  return [...byNode].map(([failed, lines]) => {
    const rest = lines.length - 8;
    return `If ${code(failed)} fails${reachText(reachOf.get(failed))}: ${lines.slice(0, 8).join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
  });
}

function reachText(reach: Reach | undefined): string {
  if (!reach || reach.before === reach.after) return "";
  const nodes = (count: number) => `${count} other ${count === 1 ? "node" : "nodes"}`;
  if (reach.before === null) return ` (new, reaches ${nodes(reach.after ?? 0)})`;
  if (reach.after === null) return ` (removed, reached ${nodes(reach.before)})`;
  return ` (reached ${reach.before}, now ${nodes(reach.after)})`;
}

/** Single points of failure that come and go, and what polling costs; what stays as it is goes without saying. */
function totals({ single_points: { appear, vanish }, calls_per_second: { before, after } }: MapDiff): string[] {
  const named = (ids: readonly string[]) =>
    list(ids.slice(0, MOST_LINES)) + (ids.length > MOST_LINES ? ` and ${ids.length - MOST_LINES} more` : "");
  return [
    ...(appear.length > 0 ? [`**New single points of failure:** ${named(appear)}\n`] : []),
    ...(vanish.length > 0 ? [`**No longer single points of failure:** ${named(vanish)}\n`] : []),
    ...(before !== after ? [`**Cost:** ${before} → ${after} calls a second\n`] : []),
  ];
}

/** The difference as Markdown, for a comment on a merge request. */
export function renderMarkdown(diff: MapDiff): string {
  const changes = diff.changes.filter(({ kind }) => kind !== "no_effect");
  const texts = diff.changes.length - changes.length;
  if (diff.changes.length + diff.other.length === 0) return "## Dependency map\n\nNothing changes in effect.\n";
  const parts = [`## Dependency map: ${changes.length} ${changes.length === 1 ? "change" : "changes"}\n`];
  parts.push(
    diff.affected.length > 0
      ? `**Affected:** ${list(diff.affected.slice(0, MOST_LINES))}${diff.affected.length > MOST_LINES ? ` and ${diff.affected.length - MOST_LINES} more` : ""}\n`
      : "No single failure ends otherwise than before.\n",
  );
  if (diff.teams.length > 0) parts.push(`**Ask:** ${list(diff.teams)}\n`);
  parts.push(...totals(diff));
  if (changes.length > 0) parts.push(`### Changes\n\n${bullets(changes.map(sentence))}`);
  if (diff.shifts.length > 0) parts.push(`### What a failure now does\n\n${bullets(failures(diff))}`);
  const others = diff.other.map(
    ({ node, what, before, after }) => `${code(node)}: ${what.replace(/[`*_<>|]/g, "·")} ${both(before, after)}`,
  );
  if (others.length > 0) parts.push(`### Settings\n\n${bullets(others)}`);
  if (texts > 0) parts.push(`${texts} ${texts === 1 ? "node changes" : "nodes change"} in text only.\n`);
  return parts.join("\n");
}
