import type { Place } from "../domain/map.ts";

/** One file of a configuration. `path` is relative to its folder and uses `/`. */
export interface SourceFile {
  path: string;
  text: string;
  /** Why the file could not be read; then `text` is empty. */
  unreadable?: string;
  /** The line at which that was seen; the first where it is missing. */
  line?: number;
}

/** Turns offsets of one file into places. */
export interface Origin {
  path: string;
  place(offset: number): Place;
}

interface Spot {
  origin: Origin;
  /** Offset of the value in its file. */
  at: number;
  /** Already complained of: it is skipped from here on. */
  bad: boolean;
}

export interface ScalarNode extends Spot {
  kind: "scalar";
  /** References are replaced already. */
  value: string | number | boolean | null;
  /** As written, references included. */
  source: string;
  /** The references it holds, as written: `${NAME}`. */
  references: readonly string[];
  /** References were left as they are: its content says nothing yet. */
  opaque: boolean;
}

export interface ListNode extends Spot {
  kind: "list";
  items: TreeNode[];
}

export interface Entry {
  /** Offset of the key. */
  at: number;
  node: TreeNode;
  /** Came in by a merge key (`<<`) and stands elsewhere. */
  merged: boolean;
}

export interface MapNodeTree extends Spot {
  kind: "map";
  entries: Map<string, Entry>;
  /** A merge key brings what cannot be read: there may be more entries than these. */
  partial?: boolean;
}

/** A YAML or JSON value that knows where each of its parts stands. Aliases share nodes; there are no loops. */
export type TreeNode = ScalarNode | ListNode | MapNodeTree;

/** Where a value stands. */
export function placeOf(node: TreeNode): Place {
  return node.origin.place(node.at);
}

/** Where a key of a mapping stands; the mapping itself where the key is missing. */
export function keyPlace(map: MapNodeTree, key: string): Place {
  const entry = map.entries.get(key);
  return entry ? entry.node.origin.place(entry.at) : placeOf(map);
}

/** The usable value under a key: null when it is missing, null or already complained of. */
export function child(map: MapNodeTree, key: string): TreeNode | null {
  const node = map.entries.get(key)?.node;
  if (!node || node.bad || (node.kind === "scalar" && node.value === null)) return null;
  return node;
}

export function scalar(map: MapNodeTree, key: string): ScalarNode | null {
  const node = child(map, key);
  return node?.kind === "scalar" ? node : null;
}

export function mapping(map: MapNodeTree, key: string): MapNodeTree | null {
  const node = child(map, key);
  return node?.kind === "map" ? node : null;
}

/** The usable items of a list; none when it is missing. */
export function items(map: MapNodeTree, key: string): TreeNode[] {
  const node = child(map, key);
  return node?.kind === "list" ? node.items.filter((item) => !item.bad) : [];
}

/** A scalar as text: what is written, where it is no text by type. */
export function textOf(node: ScalarNode): string {
  return typeof node.value === "string" ? node.value : node.source;
}

export function text(map: MapNodeTree, key: string): string | null {
  const node = scalar(map, key);
  return node ? textOf(node) : null;
}

/**
 * How a value may be quoted in a message: references stay references, long text is cut, control characters are shown. Only text
 * is in quotes: `3` and `"3"` are told apart.
 */
export function quote(node: ScalarNode): string {
  const shown = node.source.length > 60 ? `${node.source.slice(0, 57)}…` : node.source;
  return typeof node.value === "string" || node.references.length > 0 ? JSON.stringify(shown) : shown;
}
