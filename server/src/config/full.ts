import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  parseDocument,
  type Scalar,
  visit,
} from "yaml";
import type { CheckCode } from "./codes.ts";
import { Findings } from "./problems.ts";
import { type ReferenceMode, resolveReferences } from "./references.ts";
import type { Entry, MapNodeTree, Origin, ScalarNode, TreeNode } from "./tree.ts";

/** Deeper than any map needs; keeps hostile nesting from exhausting the stack. */
const DEEPEST = 64;
/** Syntax errors of one file that are told; what follows the first few is mostly their echo. */
const MOST_SYNTAX_ERRORS = 5;
const OPTIONS = { schema: "core", version: "1.2", uniqueKeys: false, prettyErrors: false, logLevel: "error" } as const;

/** The parser quotes the text it stumbled over, which may be a secret. */
const withoutContent = (message: string) => message.replace(/: ".*$/s, "");

class Reader {
  readonly #origin: Origin;
  readonly #findings: Findings;
  readonly #references: ReferenceMode;
  readonly #anchors = new Map<string, Node>();
  /** Aliases share the tree of their anchor; null while it is being read, so that a loop is seen. */
  readonly #done = new Map<Node, TreeNode | null>();

  constructor(origin: Origin, findings: Findings, references: ReferenceMode) {
    this.#origin = origin;
    this.#findings = findings;
    this.#references = references;
  }

  node(node: Node | null, at: number, depth: number): TreeNode {
    if (node === null) return this.#empty(at);
    const start = node.range?.[0] ?? at;
    if (depth > DEEPEST) return this.#refuse(start, "too-deep", `nested deeper than ${DEEPEST} levels`);
    if (isAlias(node)) return this.#alias(node.source, start);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return this.#refuse(start, "yaml", "not a value");
    if (node.anchor) this.#anchors.set(node.anchor, node);
    this.#done.set(node, null);
    const tree = isScalar(node)
      ? this.#scalar(node, start)
      : isMap(node)
        ? this.#map(node.items, start, depth)
        : this.#list(node.items, start, depth);
    this.#done.set(node, tree);
    return tree;
  }

  #alias(anchor: string, at: number): TreeNode {
    const target = this.#anchors.get(anchor);
    if (!target) return this.#refuse(at, "yaml", `no anchor &${anchor} stands before this alias`);
    return this.#done.get(target) ?? this.#refuse(at, "yaml", `*${anchor} stands inside its own anchor`);
  }

  #scalar(node: Scalar, at: number): ScalarNode {
    const source = node.source ?? String(node.value ?? "");
    const value = typeof node.value === "string" || typeof node.value === "number" || typeof node.value === "boolean" ? node.value : null;
    const tree: ScalarNode = { kind: "scalar", origin: this.#origin, at, bad: false, value, source, references: [], opaque: false };
    return typeof value === "string" && value.includes("${") ? resolveReferences(tree, this.#findings, this.#references) : tree;
  }

  #list(items: readonly unknown[], at: number, depth: number): TreeNode {
    return {
      kind: "list",
      origin: this.#origin,
      at,
      bad: false,
      items: items.map((item) => this.node(item as Node | null, at, depth + 1)),
    };
  }

  #map(pairs: readonly Pair[], at: number, depth: number): MapNodeTree {
    const entries = new Map<string, Entry>();
    const merged: TreeNode[] = [];
    for (const pair of pairs as readonly Pair<Node | null, Node | null>[]) {
      const keyAt = pair.key?.range?.[0] ?? at;
      const alias = isAlias(pair.key) ? this.#anchors.get(pair.key.source) : pair.key;
      if (alias && !isScalar(alias)) {
        this.#findings.error(this.#origin.place(keyAt), "wrong-type", "a key must be text");
        continue;
      }
      const node = this.node(pair.value, pair.key?.range?.[1] ?? keyAt, depth + 1);
      if (isScalar(alias) && alias.type === "PLAIN" && alias.source === "<<") {
        merged.push(...(node.kind === "list" ? node.items : [node]));
        continue;
      }
      const key = isScalar(alias) ? (typeof alias.value === "string" ? alias.value : (alias.source ?? "")) : "";
      const first = entries.get(key);
      if (first) {
        const line = this.#origin.place(first.at).line;
        this.#findings.error(
          this.#origin.place(keyAt),
          "declared-twice",
          `${JSON.stringify(key)} is declared twice here, first in line ${line}`,
        );
      } else entries.set(key, { at: keyAt, node, merged: false });
    }
    for (const source of merged) this.#merge(entries, source);
    const map: MapNodeTree = { kind: "map", origin: this.#origin, at, bad: false, entries };
    return merged.some(({ bad }) => bad) ? { ...map, partial: true } : map;
  }

  /** Own keys win over merged ones, earlier merged ones over later. */
  #merge(entries: Map<string, Entry>, source: TreeNode): void {
    if (source.bad) return;
    if (source.kind !== "map")
      this.#findings.error(this.#origin.place(source.at), "wrong-type", "<< must name a mapping, or a list of mappings");
    else for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, { ...entry, merged: true });
  }

  #empty(at: number): ScalarNode {
    return { kind: "scalar", origin: this.#origin, at, bad: false, value: null, source: "", references: [], opaque: false };
  }

  #refuse(at: number, code: CheckCode, message: string): ScalarNode {
    this.#findings.error(this.#origin.place(at), code, message);
    return { ...this.#empty(at), bad: true };
  }
}

/** What YAML forbids in a file, comments and quotes included; written as `\0` or `\x1b` in double quotes it is fine. */
const FORBIDDEN = /[^\P{Cc}\t\n\r\u0085]/u;

/** A quote that nothing closes is wrong where it opens; the parser notices at the end of the file. */
function openingOf(document: Document, at: number, message: string): number {
  let opening = at;
  if (/closing .quote/.test(message)) {
    visit(document, {
      Scalar: (_, { range, type }) => {
        if (type?.startsWith("QUOTE_") && range && range[0] <= at && range[1] >= at) opening = range[0];
      },
    });
  }
  return opening;
}

/** The tree of any YAML text; null when it does not parse, with what is wrong in `findings`. Never throws. */
export function readAnyYaml(text: string, origin: Origin, findings: Findings, references: ReferenceMode): TreeNode | null {
  const control = text.search(FORBIDDEN);
  if (control >= 0) {
    const code = text.charCodeAt(control).toString(16).toUpperCase().padStart(4, "0");
    findings.error(origin.place(control), "yaml", `the control character U+${code} may not stand in YAML`);
    return null;
  }
  try {
    const document = parseDocument(text, OPTIONS);
    for (const error of document.errors.slice(0, MOST_SYNTAX_ERRORS)) {
      const message =
        error.code === "MULTIPLE_DOCS" ? "a file holds one document; what follows this line is a second" : withoutContent(error.message);
      findings.error(origin.place(openingOf(document, error.pos[0], message)), "yaml", message);
    }
    for (const warning of document.warnings) findings.error(origin.place(warning.pos[0]), "yaml", withoutContent(warning.message));
    if (document.errors.length > 0) return null;
    return new Reader(origin, findings, references).node(document.contents, 0, 0);
  } catch (error) {
    findings.error(origin.place(0), "yaml", error instanceof RangeError ? "nested too deeply" : "cannot be parsed");
    return null;
  }
}

/**
 * All documents of a text, references as they are; null when it does not parse, with its first mistakes in `findings`
 * where they are wanted. Never throws.
 */
export function readAllDocuments(text: string, origin: Origin, findings?: Findings): TreeNode[] | null {
  try {
    const documents = parseAllDocuments(text, OPTIONS);
    if (!Array.isArray(documents)) return [];
    const errors = documents.flatMap((document) => document.errors.map(({ message, pos: [at] }) => ({ document, message, at })));
    for (const { document, message, at } of errors.slice(0, MOST_SYNTAX_ERRORS))
      findings?.error(origin.place(openingOf(document, at, message)), "yaml", withoutContent(message));
    if (errors.length > 0) return null;
    return documents.map((document) => new Reader(origin, new Findings(), "keep").node(document.contents, 0, 0));
  } catch (error) {
    findings?.error(origin.place(0), "yaml", error instanceof RangeError ? "nested too deeply" : "cannot be parsed");
    return null;
  }
}
