import { placeOf, type ScalarNode, type TreeNode, textOf } from "../config/tree.ts";
import { type Mention, mentionsIn } from "./addresses.ts";

/** `file:line` of a value. */
function whereOf(node: TreeNode, key = 0): string {
  const { file, line } = placeOf(node);
  return `${file}:${line + key}`;
}

/** A mention, the key it stands under, and where. */
export interface PlacedMention {
  mention: Mention;
  key: string;
  where: string;
}

const LINE = /^\s*(?:-\s+)?["']?([\w.-]+)["']?\s*[:=]\s*(.+)$/;
/** A line that begins a part of the file: `redis:`, `"redis": {`, `[redis]`. */
const PART = /^(\s*)(?:-\s+)?(?:["']?([\w.-]+)["']?\s*:\s*\{?|\[([\w.-]+)\])\s*$/;
/** Keys that tell whose address they hold only with the part that they stand in: `host` under `redis`. */
const BARE_KEY = /^(?:host|hostname|addr|address|endpoint|url|uri|server)$/i;
const MOST_LINES = 5_000;

/** Hosts in a value that may be a whole file of settings, `key: value` or `key=value` a line. */
export function mentionsInValue(name: string, node: ScalarNode): PlacedMention[] {
  const value = textOf(node);
  if (!value.includes("\n")) return mentionsIn(name, value).map((mention) => ({ mention, key: name, where: whereOf(node) }));
  // The text of a block scalar begins on the line after its indicator.
  const first = node.source.startsWith("'") || node.source.startsWith('"') ? 0 : 1;
  const parts: { depth: number; name: string }[] = [];
  return value.split("\n", MOST_LINES).flatMap((row, index) => {
    if (/^\s*(?:#|\/\/|;|$)/.test(row)) return [];
    const line = row.slice(0, 2_000);
    const depth = line.search(/\S/);
    const [, , block, section] = PART.exec(line) ?? [];
    // What stands under `[redis]` is not indented.
    while ((parts.at(-1)?.depth ?? -1) >= depth) parts.pop();
    if (section !== undefined) parts.splice(0, parts.length, { depth: -1, name: section });
    else if (block !== undefined) parts.push({ depth, name: block });
    if (block !== undefined || section !== undefined) return [];
    const [, own = name, inner = row] = LINE.exec(line) ?? [];
    const part = parts.at(-1)?.name;
    const key = part !== undefined && BARE_KEY.test(own) ? `${part}.${own}` : own;
    return mentionsIn(key, inner.replace(/^["']|["',]+$/g, "")).map((mention) => ({ mention, key, where: whereOf(node, first + index) }));
  });
}
