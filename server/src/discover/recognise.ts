import type { Variables } from "../config/compose.ts";
import { Findings } from "../config/problems.ts";
import { readDocuments, treeOfJson } from "../config/read.ts";
import { RENDER_FIRST, templateLine } from "../config/template.ts";
import type { MapNodeTree, SourceFile, TreeNode } from "../config/tree.ts";
import { backstageEntities, isBackstage, readBackstage } from "./backstage.ts";
import { isCompose, readCompose } from "./compose.ts";
import { filesNamedIn, includesOf } from "./compose-files.ts";
import { type Beside, profilesIn, readVariables } from "./compose-settings.ts";
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
  column: number;
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
 * Recognises files by their shape and reads them, those that belong together together. `beside` are the files that Compose
 * files name, see `filesBeside`, `profiles` the value of `COMPOSE_PROFILES`. Pure; never throws.
 */
export function readFiles(files: readonly SourceFile[], beside: readonly SourceFile[] = [], profiles?: string): Reading {
  const parts: Drafts[] = [];
  const read: Reading["read"] = [];
  const unusable: Unusable[] = [];
  const manifests: MapNodeTree[] = [];
  const entities: MapNodeTree[] = [];
  const refuse: Refuse = ({ file, line = 1, column = 1 }, reason, foreign = false) =>
    unusable.push({ file, line, column, reason, foreign });
  const shelf = new Shelf([...beside, ...files], profiles);
  const included = new Set(files.map(({ path }) => path));
  const queue = [...files];
  for (const file of queue) {
    const documents = documentsOf(file, refuse);
    if (documents === null) continue;
    const kinds = new Set<string>();
    if (documents === "metrics") {
      parts.push(readServiceGraphText(file.text, file.path));
      kinds.add("service graph");
    }
    for (const document of documents === "metrics" ? [] : documents) {
      const kind = takeDocument(document, shelf.beside(file.path), parts, manifests, entities);
      if (kind) kinds.add(kind);
      if (kind === "Compose") queue.push(...shelf.includedBy(document as MapNodeTree, included));
    }
    if (kinds.size > 0) read.push({ file: file.path, as: [...kinds].join(", ") });
    else refuse({ file: file.path }, file.text.trim() === "" ? "is empty" : `not recognised: a source is ${KNOWN_SHAPES}`, true);
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

/** Files by their paths, for Compose files that name others. */
class Shelf {
  readonly #files: ReadonlyMap<string, SourceFile>;
  readonly #profiles: string | undefined;
  readonly #documents = new Map<string, TreeNode | undefined>();

  constructor(files: readonly SourceFile[], profiles: string | undefined) {
    this.#files = new Map(files.filter(({ unreadable }) => unreadable === undefined).map((file) => [file.path, file]));
    this.#profiles = profiles;
  }

  /** What a Compose file at this path finds beside it. */
  beside(path: string): Beside {
    const variables = this.#variables(path);
    const profiles = new Set(profilesIn(this.#profiles ?? variables.get("COMPOSE_PROFILES")));
    const file: Beside["file"] = (named, from) => this.#files.get(fromFolder(from, named));
    return { variables, profiles, file, document: (named, from) => this.#document(file(named, from)) };
  }

  /** The files that a Compose file includes and that were not `taken` yet; they are then. */
  includedBy(document: MapNodeTree, taken: Set<string>): SourceFile[] {
    const { path } = document.origin;
    const named = includesOf(document, this.#variables(path)).map((one) => fromFolder(path, one.path));
    return [...new Set(named)].flatMap((one) => {
      const file = taken.has(one) ? undefined : this.#files.get(one);
      if (file) taken.add(one);
      return file ?? [];
    });
  }

  #variables(path: string): Variables {
    return readVariables(this.#files.get(fromFolder(path, ".env"))?.text ?? "");
  }

  #document(file: { path: string; text: string } | undefined): TreeNode | undefined {
    if (!file) return undefined;
    if (!this.#documents.has(file.path)) this.#documents.set(file.path, readDocuments(file)?.[0]);
    return this.#documents.get(file.path);
  }
}

/** Paths of the files that a Compose file names; none for any other. `dotEnv` is the `.env` beside it. */
export function filesBeside(file: SourceFile, dotEnv: string): string[] {
  const documents = /\b(?:env_file|extends|include)\b/.test(file.text) ? readDocuments(file) : null;
  const variables = readVariables(dotEnv);
  const named = (documents ?? []).flatMap((document) => (isCompose(document) ? filesNamedIn(document, variables) : []));
  return [...new Set(named.map(({ path }) => fromFolder(file.path, path)))];
}

type Refuse = (place: { file: string; line?: number; column?: number }, reason: string, foreign?: boolean) => void;

function documentsOf(file: SourceFile, refuse: Refuse): TreeNode[] | "metrics" | null {
  const { path, text } = file;
  if (file.unreadable !== undefined) {
    refuse({ file: path }, file.unreadable);
    return null;
  }
  if (isServiceGraphText(text)) return "metrics";
  const json = /^\uFEFF?\s*[{[]/.test(text) ? parsed(text) : undefined;
  if (json === undefined && text.length > LARGEST_YAML) {
    refuse({ file: path }, `too large: YAML of more than ${LARGEST_YAML / 1_048_576} MiB is not read`);
    return null;
  }
  const findings = new Findings();
  const documents = json !== undefined && text.length > LARGEST_WITH_PLACES ? null : readDocuments(file, findings);
  const template = templateLine(text, documents !== null || json !== undefined);
  if (template !== null) {
    refuse({ file: path, line: template }, RENDER_FIRST);
    return null;
  }
  if (documents !== null) return documents;
  if (json !== undefined) return [treeOfJson(json, path, new Findings())];
  const [first] = findings.finish().errors;
  refuse(first ?? { file: path }, `does not parse: ${first?.message ?? "no YAML"}`);
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
