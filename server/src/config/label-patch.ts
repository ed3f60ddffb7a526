import { type Document, isAlias, type Node, parseDocument, visit } from "yaml";
import type { LabelEdit, LabelPatch } from "../domain/label.ts";
import { ByHand, editsFor, SHARED, UNUSUAL } from "./label-edits.ts";
import { Findings } from "./problems.ts";
import { readYaml } from "./read.ts";
import type { SourceFile, TreeNode } from "./tree.ts";
import { applyEdits, unifiedDiff } from "./unified.ts";

/** A patch, or why a person has to make the change. */
export type Patched = { patch: LabelPatch } | { byHand: string };

/** Whose dependency an edit changes; `to` is null for one that is added. */
export interface EditedEdge {
  from: string;
  to: string | null;
  /** The file that declares the service. */
  file: string;
}

/** Makes patches for dependencies in the files of one map; each file is read once. */
export class LabelPatcher {
  readonly #files: ReadonlyMap<string, SourceFile>;
  readonly #open = new Map<string, OpenFile>();

  constructor(files: readonly SourceFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  /** The edit as a change of the file's own text, checked by reading the result again. Never throws. */
  patch({ from, to, file: path }: EditedEdge, edit: LabelEdit): Patched {
    try {
      const file = this.#files.get(path);
      if (!file) return { byHand: "its file is not at hand" };
      const open = this.#open.get(path) ?? new OpenFile(file);
      this.#open.set(path, open);
      const edits = editsFor(open, from, to, edit);
      if (!means(open, applyEdits(file.text, edits), from, to, edit)) return { byHand: UNUSUAL };
      return { patch: { file: path, ...unifiedDiff(path, file.text, edits) } };
    } catch (error) {
      return { byHand: error instanceof ByHand ? error.message : UNUSUAL };
    }
  }
}

type Json = null | string | number | boolean | Json[] | { [key: string]: Json };

class OpenFile {
  readonly path: string;
  readonly text: string;
  readonly document: Document;
  /** What the file says, by the parser that maps are read with; null where it does not parse. */
  readonly meaning: Json;
  readonly #shared = new Set<string>();

  constructor(file: SourceFile) {
    this.path = file.path;
    this.text = file.text;
    this.document = parseDocument(file.text, {
      schema: "core",
      version: "1.2",
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
    });
    this.meaning = meaningOf(file);
    visit(this.document, { Alias: (_key, alias) => void this.#shared.add(alias.source) });
  }

  /** The node itself, unless it is an alias or others refer to it. */
  own<T extends Node>(node: T): T {
    if (isAlias(node) || ("anchor" in node && typeof node.anchor === "string" && this.#shared.has(node.anchor))) throw new ByHand(SHARED);
    return node;
  }
}

function meaningOf(file: SourceFile): Json {
  const tree = readYaml(file, new Findings(), "keep");
  return tree && plain(tree);
}

function plain(tree: TreeNode): Json {
  if (tree.kind === "list") return tree.items.map(plain);
  if (tree.kind === "map") return Object.fromEntries([...tree.entries].map(([key, { node }]) => [key, plain(node)]));
  return tree.value;
}

// --- does the new text mean what it should, and nothing else ------------------------------------------------------

function means(open: OpenFile, text: string, from: string, to: string | null, edit: LabelEdit): boolean {
  const expected = structuredClone(open.meaning) as { services: Record<string, { dependencies?: Json }>; resources?: Record<string, Json> };
  const service = expected?.services?.[from];
  if (!service) return false;
  const list = (Array.isArray(service.dependencies) ? service.dependencies : []) as { [key: string]: Json }[];
  const item = list.find(({ on }) => (Array.isArray(on) ? on.includes(to) : on === to));
  if (edit.kind === "add") {
    const added = { on: edit.on, ...(edit.component === null ? {} : { component: edit.component }), criticality: edit.criticality };
    service.dependencies = [...list, added];
    if (edit.isNew) expected.resources = { ...expected.resources, [edit.on]: {} };
  } else if (!item) return false;
  else if (edit.kind === "set") item[edit.key] = edit.value;
  else if (edit.kind === "components") item.component = edit.names.length === 1 ? (edit.names[0] ?? "") : [...edit.names];
  else service.dependencies = list.filter((one) => one !== item);
  return canonical(meaningOf({ path: open.path, text })) === canonical(expected as Json);
}

/** With keys in order, and without what is empty: an empty list of dependencies is none. */
function canonical(value: Json): string {
  return JSON.stringify(value, (key, part: Json) => {
    if (key === "dependencies" && (part === null || (Array.isArray(part) && part.length === 0))) return undefined;
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
