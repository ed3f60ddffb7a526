import { readAllDocuments, readAnyYaml } from "./full.ts";
import type { Findings } from "./problems.ts";
import { readPlainYaml } from "./quick.ts";
import { listReferences, type ReferenceMode, resolveReferences } from "./references.ts";
import type { Entry, Origin, SourceFile, TreeNode } from "./tree.ts";

/** Deeper than any map needs. */
const DEEPEST = 64;

/** The text without a byte order mark, and places in it. */
function open(file: SourceFile): { text: string; origin: Origin } {
  const text = file.text.replace(/^\uFEFF/, "");
  let starts: number[] | null = null;
  const place = (offset: number) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: file.path, line: low + 1, column: Math.max(1, offset - (starts[low] ?? 0) + 1) };
  };
  return { text, origin: { path: file.path, place } };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Reads one YAML file into a tree with places; null when it does not parse. YAML 1.2 core: `no`, `on` and dates are text.
 * What is wrong goes to `findings`; never throws.
 */
export function readYaml(file: SourceFile, findings: Findings, references: ReferenceMode): TreeNode | null {
  const { text, origin } = open(file);
  if (file.unreadable !== undefined) {
    findings.error({ file: file.path, line: file.line ?? 1, column: 1 }, "unreadable", `the file ${file.unreadable}`);
    return null;
  }
  const plain = readPlainYaml(text, origin, (node) => resolveReferences(node, findings, references));
  if (plain !== null) return plain;
  return readAnyYaml(text, origin, findings, references);
}

/**
 * All documents of a file that others wrote, such as a manifest; null when it does not parse, with why in `findings` where
 * that is wanted. References stay as they are.
 */
export function readDocuments(file: SourceFile, findings?: Findings): TreeNode[] | null {
  const { text, origin } = open(file);
  return readAllDocuments(text, origin, findings);
}

/** The same tree of a JSON value, for maps inside recordings; every place is line 1 of `path`. Never throws. */
export function treeOfJson(value: unknown, path: string, findings: Findings): TreeNode {
  const origin: Origin = { path, place: () => ({ file: path, line: 1, column: 1 }) };
  const common = { origin, at: 0, bad: false };
  const walk = (part: unknown, depth: number): TreeNode => {
    if (depth > DEEPEST) {
      findings.error(origin.place(0), "too-deep", `nested deeper than ${DEEPEST} levels`);
      return { ...common, kind: "scalar", value: null, source: "", references: [], opaque: false, bad: true };
    }
    if (Array.isArray(part)) return { ...common, kind: "list", items: part.map((item) => walk(item, depth + 1)) };
    if (typeof part === "object" && part !== null) {
      const entries = new Map<string, Entry>();
      for (const [key, item] of Object.entries(part)) entries.set(key, { at: 0, node: walk(item, depth + 1), merged: false });
      return { ...common, kind: "map", entries };
    }
    const plain = typeof part === "string" || typeof part === "number" || typeof part === "boolean" ? part : null;
    const references = typeof plain === "string" && plain.includes("${") ? listReferences(plain) : [];
    return {
      ...common,
      kind: "scalar",
      value: plain,
      source: plain === null ? "" : String(plain),
      references,
      opaque: references.length > 0,
    };
  };
  return walk(value, 0);
}
