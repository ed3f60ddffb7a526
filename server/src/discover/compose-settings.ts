import { child, type MapNodeTree, type ScalarNode, scalar, textOf } from "../config/tree.ts";

/** Names and values of a `.env` file, which Compose reads beside its own. */
export type Variables = ReadonlyMap<string, string>;

const MOST = 5_000;

/** The lines `NAME=value` of a `.env` file; later values may refer to earlier ones. */
export function readVariables(text: string): Variables {
  const found = new Map<string, string>();
  for (const line of text.split("\n", MOST)) {
    const [, name, quoted, bare = ""] =
      /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:["'](.*)["']|([^#]*?))\s*(?:#.*)?$/.exec(line.slice(0, 4_000)) ?? [];
    if (name !== undefined) found.set(name, interpolated(quoted ?? bare, found));
  }
  return found;
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

/** The value of a key where it is text or a list of texts. */
export function scalarsOf(body: MapNodeTree, key: string): ScalarNode[] {
  const node = child(body, key);
  const all = node?.kind === "list" ? node.items : node ? [node] : [];
  return all.flatMap((item) => (item.kind === "scalar" ? [item] : []));
}

/** Environment of a service, as a mapping or a list; a name alone takes its value from `variables`. */
export function environmentOf(body: MapNodeTree, variables: Variables): { name: string; value: ScalarNode }[] {
  const environment = child(body, "environment");
  const filled = (node: ScalarNode, text: string) => ({ ...node, value: interpolated(text, variables) });
  if (environment?.kind === "map") {
    return [...environment.entries].flatMap(([name, { node }]) => {
      const value = scalar(environment, name);
      if (value) return [{ name, value: filled(value, textOf(value)) }];
      const set = node.kind === "scalar" && node.value === null ? variables.get(name) : undefined;
      return set === undefined || node.kind !== "scalar" ? [] : [{ name, value: { ...node, value: set } }];
    });
  }
  return (environment?.kind === "list" ? environment.items : []).flatMap((item) => {
    if (item.kind !== "scalar") return [];
    const [, name = "", value] = /^([^=]+)(?:=(.*))?$/s.exec(textOf(item)) ?? [];
    const text = value ?? variables.get(name);
    return text === undefined ? [] : [{ name, value: filled(item, text) }];
  });
}
