import { Findings } from "../config/problems.ts";
import { readDocuments, treeOfJson } from "../config/read.ts";
import { RENDER_FIRST, templateLine } from "../config/template.ts";
import type { MapNodeTree, SourceFile, TreeNode } from "../config/tree.ts";
import { backstageEntities, isBackstage, readBackstage } from "./backstage.ts";
import { envFilesIn, isCompose, readCompose } from "./compose.ts";
import { type Beside, readVariables } from "./compose-settings.ts";
import { type Drafts, joinDrafts } from "./graph.ts";
import { readKubernetes } from "./kubernetes.ts";
import { isKubernetes } from "./kubernetes-objects.ts";
import {
  dependencyCalls,
  isServiceGraphText,
  readDependencies,
  readServiceGraph,
  readServiceGraphText,
  serviceGraphCalls,
} from "./service-graph.ts";

/** A file that told nothing, and why. */
export interface Unusable {
  file: string;
  line: number;
  reason: string;
  /** It is none of what we read, but nothing is wrong with it. */
  foreign: boolean;
}

/** What files tell together. */
export interface Reading {
  drafts: Drafts;
  /** What each file was taken for. */
  read: { file: string; as: string }[];
  unusable: Unusable[];
}

/** Above this many characters, JSON is read without the places of its parts, and YAML not at all. */
const LARGEST_WITH_PLACES = 262_144;
const LARGEST_YAML = 4 * 1_048_576;
const KNOWN_SHAPES =
  "a Compose file, Kubernetes manifests, Backstage entities, a service graph's metrics (traces_service_graph_request_total), or the dependencies of Jaeger or Zipkin";

/**
 * Recognises files by their shape and reads them, those that belong together together. `settings` are files of variables
 * that belong to Compose files, see `settingsOf`. Pure; never throws.
 */
export function readFiles(files: readonly SourceFile[], settings: readonly SourceFile[] = []): Reading {
  const parts: Drafts[] = [];
  const read: Reading["read"] = [];
  const unusable: Unusable[] = [];
  const manifests: MapNodeTree[] = [];
  const entities: MapNodeTree[] = [];
  const refuse = (file: string, line: number, reason: string, foreign = false) => unusable.push({ file, line, reason, foreign });
  const byPath = new Map(settings.filter(({ unreadable }) => unreadable === undefined).map((file) => [file.path, file]));
  for (const file of files) {
    const documents = documentsOf(file, refuse);
    if (documents === null) continue;
    const kinds = new Set<string>();
    if (documents === "metrics") {
      parts.push(readServiceGraphText(file.text, file.path));
      kinds.add("service graph");
    }
    for (const document of documents === "metrics" ? [] : documents) {
      const kind = takeDocument(document, besideOf(file.path, byPath), parts, manifests, entities);
      if (kind) kinds.add(kind);
    }
    if (kinds.size > 0) read.push({ file: file.path, as: [...kinds].join(", ") });
    else refuse(file.path, 1, file.text.trim() === "" ? "is empty" : `not recognised: a source is ${KNOWN_SHAPES}`, true);
  }
  return { drafts: joinDrafts([readBackstage(entities), readKubernetes(manifests), ...parts]), read, unusable };
}

/** The path of a file that another one names from its folder; both use `/`. */
function fromFolder(file: string, named: string): string {
  if (named.startsWith("/")) return named;
  const parts: string[] = [];
  for (const part of `${file.slice(0, file.lastIndexOf("/") + 1)}${named}`.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join("/");
}

function besideOf(path: string, settings: ReadonlyMap<string, SourceFile>): Beside {
  return {
    variables: readVariables(settings.get(fromFolder(path, ".env"))?.text ?? ""),
    file: (named) => settings.get(fromFolder(path, named)),
  };
}

/** Paths of the files of variables that a Compose file names; none for any other. `dotEnv` is the `.env` beside it. */
export function settingsOf(file: SourceFile, dotEnv: string): string[] {
  const documents = file.text.includes("env_file") ? readDocuments(file) : null;
  const variables = readVariables(dotEnv);
  return [...new Set((documents ?? []).flatMap((document) => envFilesIn(document, variables)))].map((named) =>
    fromFolder(file.path, named),
  );
}

function documentsOf(file: SourceFile, refuse: (file: string, line: number, reason: string) => void): TreeNode[] | "metrics" | null {
  const { path, text } = file;
  if (file.unreadable !== undefined) {
    refuse(path, 1, file.unreadable);
    return null;
  }
  if (isServiceGraphText(text)) return "metrics";
  const json = /^\uFEFF?\s*[{[]/.test(text) ? parsed(text) : undefined;
  if (json === undefined && text.length > LARGEST_YAML) {
    refuse(path, 1, `too large: YAML of more than ${LARGEST_YAML / 1_048_576} MiB is not read`);
    return null;
  }
  const findings = new Findings();
  const documents = json !== undefined && text.length > LARGEST_WITH_PLACES ? null : readDocuments(file, findings);
  const template = templateLine(text, documents !== null || json !== undefined);
  if (template !== null) {
    refuse(path, template, RENDER_FIRST);
    return null;
  }
  if (documents !== null) return documents;
  if (json !== undefined) return [treeOfJson(json, path, new Findings())];
  const [first] = findings.finish().errors;
  refuse(path, first?.line ?? 1, `does not parse: ${first?.message ?? "no YAML"}`);
  return null;
}

/** A JSON value, or undefined. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch {
    return undefined;
  }
}

/** What a document is, once it was taken for that; null where it is none of ours. */
function takeDocument(
  document: TreeNode,
  beside: Beside,
  parts: Drafts[],
  manifests: MapNodeTree[],
  entities: MapNodeTree[],
): string | null {
  if (document.kind === "map" && !isBackstage(document) && isKubernetes(document)) {
    manifests.push(document);
    return "Kubernetes";
  }
  const found = backstageEntities(document);
  if (found.length > 0) {
    entities.push(...found);
    return "Backstage";
  }
  if (isCompose(document)) {
    parts.push(readCompose(document, beside));
    return "Compose";
  }
  const dependencies = dependencyCalls(document);
  if (dependencies) {
    parts.push(readDependencies(dependencies));
    return "Jaeger dependencies";
  }
  const calls = serviceGraphCalls(document);
  if (calls === null) return null;
  parts.push(readServiceGraph(calls));
  return "service graph";
}

/** Whether a text is a graph of calls, such as a tracing backend serves, and no report of a service. */
export function isGraphText(text: string): boolean {
  if (isServiceGraphText(text)) return true;
  const json = /^\s*[{[]/.test(text) ? parsed(text) : undefined;
  if (typeof json !== "object" || json === null) return false;
  const tree = treeOfJson(json, "", new Findings());
  return (dependencyCalls(tree) ?? serviceGraphCalls(tree)) !== null;
}
