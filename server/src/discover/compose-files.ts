import { extensionOf, interpolated, servicesOf, type Variables, withBases } from "../config/compose.ts";
import { type Entry, items, type MapNodeTree, placeOf, type ScalarNode, type TreeNode, textOf } from "../config/tree.ts";
import { type Beside, envFilesOf, scalarsOf } from "./compose-settings.ts";
import type { LeftOut } from "./graph.ts";

/** Of what a service extends, these are replaced whole; all else is added to. */
const REPLACED = new Set(["command", "entrypoint", "test"]);
/** Nothing that is read lies deeper in a service; aliases inside aliases would never end. */
const DEEPEST = 4;

/** The services with what each extends laid under its own settings; each part keeps the place at which it stands. */
export function laidOverBases(services: MapNodeTree, beside: Beside): MapNodeTree {
  const entries = new Map<string, Entry>();
  for (const [name, entry] of services.entries)
    entries.set(name, entry.node.kind === "map" ? { ...entry, node: extended(entry.node, services, beside) } : entry);
  return { ...services, entries };
}

const extended = (body: MapNodeTree, services: MapNodeTree, beside: Beside) =>
  withBases(body, services, beside).reduceRight((base, own) => laidOver(base, own, 1));

function laidOver(base: MapNodeTree, own: MapNodeTree, depth: number): MapNodeTree {
  const entries = new Map(base.entries);
  for (const [key, entry] of own.entries) {
    const under = entries.get(key);
    entries.set(key, under && !REPLACED.has(key) ? { ...entry, node: together(under.node, entry.node, key, depth) } : entry);
  }
  return { ...own, entries };
}

function together(under: TreeNode, over: TreeNode, key: string, depth: number): TreeNode {
  if (over.kind === "scalar" && over.value === null) return under;
  if (under.kind === "map" && over.kind === "map") return depth < DEEPEST ? laidOver(under, over, depth + 1) : over;
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
