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
const MOST_LINES = 5_000;

/** Hosts in a value that may be a whole file of settings, `key: value` or `key=value` a line. */
export function mentionsInValue(name: string, node: ScalarNode): PlacedMention[] {
  const value = textOf(node);
  if (!value.includes("\n")) return mentionsIn(name, value).map((mention) => ({ mention, key: name, where: whereOf(node) }));
  // The text of a block scalar begins on the line after its indicator.
  const first = node.source.startsWith("'") || node.source.startsWith('"') ? 0 : 1;
  return value.split("\n", MOST_LINES).flatMap((row, index) => {
    if (/^\s*(?:#|\/\/|;)/.test(row)) return [];
    const [, key = name, inner = row] = LINE.exec(row.slice(0, 2_000)) ?? [];
    return mentionsIn(key, inner.replace(/^["']|["',]+$/g, "")).map((mention) => ({ mention, key, where: whereOf(node, first + index) }));
  });
}
