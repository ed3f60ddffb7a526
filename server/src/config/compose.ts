import { child, type MapNodeTree, mapping, type ScalarNode, scalar, type TreeNode, textOf } from "./tree.ts";

/** Names and values of a `.env` file, which Compose reads beside its own. */
export type Variables = ReadonlyMap<string, string>;

/** What a service may take from beside its file. */
export interface Surroundings {
  variables: Variables;
  /** A YAML file by its path as written in the file `from`; undefined where there is none. */
  document(path: string, from: string): TreeNode | undefined;
}

/** A chain of bases this long is a circle. */
const LONGEST_CHAIN = 20;

/** The services of a document: under `services`, or at its top level as in the first form of such files. */
export function servicesOf(document: MapNodeTree): MapNodeTree {
  return document.entries.has("services") || document.entries.has("include")
    ? (mapping(document, "services") ?? { ...document, entries: new Map() })
    : document;
}

/** A service with all that it extends, itself first. */
export function withBases(body: MapNodeTree, services: MapNodeTree, beside: Surroundings): MapNodeTree[] {
  const chain: MapNodeTree[] = [];
  let among: MapNodeTree | null = services;
  for (let at: MapNodeTree | null = body; at && chain.length <= LONGEST_CHAIN; ) {
    chain.push(at);
    const extension = extensionOf(at, beside.variables);
    if (extension?.file != null) {
      const document = beside.document(extension.file, extension.at.origin.path);
      among = document?.kind === "map" ? servicesOf(document) : null;
    }
    at = extension && among && mapping(among, extension.service);
  }
  return chain;
}

/** `extends: base`, or `extends: { service: base, file: other.yaml }`. */
export function extensionOf(body: MapNodeTree, variables: Variables): { service: string; file: string | null; at: ScalarNode } | null {
  const node = child(body, "extends");
  const at = node?.kind === "map" ? scalar(node, "service") : node;
  if (at?.kind !== "scalar") return null;
  const file = node?.kind === "map" ? scalar(node, "file") : null;
  return { service: interpolated(textOf(at), variables), file: file && interpolated(textOf(file), variables), at: file ?? at };
}

/** `${HOST:-db}`, `${HOST}` and `$HOST` as Compose fills them in; a variable that nothing sets stays, and names no host. */
export function interpolated(value: string, variables: Variables): string {
  if (!value.includes("$")) return value;
  return value
    .replace(/\$\{(\w+)(?::?[-?+]([^{}]*))?\}/g, (whole, name: string, fallback: string | undefined) => {
      const set = variables.get(name);
      return set !== undefined && set !== "" ? set : whole.includes("-") && fallback !== undefined ? fallback : whole;
    })
    .replace(/(?<!\$)\$([A-Za-z_]\w*)/g, (whole, name: string) => variables.get(name) ?? whole)
    .replaceAll("$$", "$");
}
