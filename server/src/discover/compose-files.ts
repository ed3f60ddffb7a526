import {
  child,
  type Entry,
  items,
  type MapNodeTree,
  mapping,
  placeOf,
  type ScalarNode,
  scalar,
  type TreeNode,
  textOf,
} from "../config/tree.ts";
import { type Beside, envFilesOf, interpolated, scalarsOf, type Variables } from "./compose-settings.ts";
import type { LeftOut } from "./graph.ts";

/** Of what a service extends, these are replaced whole; all else is added to. */
const REPLACED = new Set(["command", "entrypoint", "test"]);
/** A chain of bases this long is a circle. */
const LONGEST_CHAIN = 20;

/** The services of a document: under `services`, or at its top level as in the first form of such files. */
export function servicesOf(document: MapNodeTree): MapNodeTree {
  return document.entries.has("services") || document.entries.has("include")
    ? (mapping(document, "services") ?? { ...document, entries: new Map() })
    : document;
}

/** The services with what each extends laid under its own settings; each part keeps the place at which it stands. */
export function withBases(services: MapNodeTree, beside: Beside): MapNodeTree {
  const entries = new Map<string, Entry>();
  for (const [name, entry] of services.entries)
    entries.set(name, entry.node.kind === "map" ? { ...entry, node: extended(entry.node, services, beside, 0) } : entry);
  return { ...services, entries };
}

function extended(body: MapNodeTree, services: MapNodeTree, beside: Beside, depth: number): MapNodeTree {
  const extension = depth < LONGEST_CHAIN ? extensionOf(body, beside.variables) : null;
  if (!extension) return body;
  const document = extension.file === null ? null : beside.document(extension.file, extension.at.origin.path);
  const among = extension.file === null ? services : document?.kind === "map" ? servicesOf(document) : null;
  const base = among && mapping(among, extension.service);
  return base ? laidOver(extended(base, among, beside, depth + 1), body) : body;
}

/** `extends: base`, or `extends: { service: base, file: other.yaml }`. */
function extensionOf(body: MapNodeTree, variables: Variables): { service: string; file: string | null; at: ScalarNode } | null {
  const node = child(body, "extends");
  const at = node?.kind === "map" ? scalar(node, "service") : node;
  if (at?.kind !== "scalar") return null;
  const file = node?.kind === "map" ? scalar(node, "file") : null;
  return { service: interpolated(textOf(at), variables), file: file && interpolated(textOf(file), variables), at: file ?? at };
}

function laidOver(base: MapNodeTree, own: MapNodeTree): MapNodeTree {
  const entries = new Map(base.entries);
  for (const [key, entry] of own.entries) {
    const under = entries.get(key);
    entries.set(key, under && !REPLACED.has(key) ? { ...entry, node: together(under.node, entry.node, key) } : entry);
  }
  return { ...own, entries };
}

function together(under: TreeNode, over: TreeNode, key: string): TreeNode {
  if (over.kind === "scalar" && over.value === null) return under;
  if (under.kind === "map" && over.kind === "map") return laidOver(under, over);
  if (under.kind === "scalar" && over.kind === "scalar" && key !== "env_file") return over;
  const { origin, at, bad } = over;
  return { kind: "list", origin, at, bad, items: [...listed(under), ...listed(over)] };
}

/** A value as a list: what may be a list may be one value, or a mapping of names to values. */
function listed(node: TreeNode): readonly TreeNode[] {
  if (node.kind === "list") return node.items;
  if (node.kind === "scalar") return node.value === null ? [] : [node];
  return [...node.entries].map(([name, { at, node: value }]): ScalarNode => {
    const written = value.kind === "scalar" && value.value !== null ? `${name}=${textOf(value)}` : name;
    return { kind: "scalar", origin: value.origin, at, bad: false, value: written, source: written, references: [], opaque: false };
  });
}

/** A file that a Compose file names, as written with variables filled in; relative to the file in which the name stands. */
export interface Named {
  path: string;
  at: ScalarNode;
  what: string;
  required: boolean;
}

/** Compose files that this one includes whole. */
export function includesOf(document: MapNodeTree, variables: Variables): Named[] {
  return items(document, "include").flatMap((item) =>
    (item.kind === "map" ? scalarsOf(item, "path") : item.kind === "scalar" ? [item] : []).map((at) => ({
      path: interpolated(textOf(at), variables),
      at,
      what: "an included file",
      required: true,
    })),
  );
}

/** All that is needed beside a Compose file to understand it: included files, those of bases and those of variables. */
export function filesNamedIn(document: MapNodeTree, variables: Variables): Named[] {
  const bodies = [...servicesOf(document).entries.values()].flatMap(({ node }) => (node.kind === "map" ? [node] : []));
  return [
    ...includesOf(document, variables),
    ...bodies.flatMap((body): Named[] => {
      const extension = extensionOf(body, variables);
      const base = extension?.file ? [{ path: extension.file, at: extension.at, what: "a file to extend", required: true }] : [];
      return [...base, ...envFilesOf(body, variables).map((file) => ({ ...file, what: "env_file" }))];
    }),
  ];
}

/** The needed files that are not there: whom they would name is not known. */
export function missingFiles(document: MapNodeTree, { variables, file }: Beside): LeftOut[] {
  return filesNamedIn(document, variables)
    .filter(({ path, at, required }) => required && !file(path, at.origin.path))
    .map(({ path, at, what }) => {
      const place = placeOf(at);
      return { name: path, where: `${place.file}:${place.line}`, why: `${what} that is not there, so whom it names is not known` };
    });
}
