import { interpolated, type Surroundings, type Variables } from "../config/compose.ts";
import { child, type MapNodeTree, type ScalarNode, scalar, textOf } from "../config/tree.ts";

const MOST = 5_000;

/** What Compose finds beside its file. */
export interface Beside extends Surroundings {
  /** Profiles that are on; `*` stands for all. */
  profiles: ReadonlySet<string>;
  /** A file by its path as written in the file `from`; undefined where there is none. */
  file(path: string, from: string): { path: string; text: string } | undefined;
}

interface Setting {
  name: string;
  value: string;
  /** From 1. */
  line: number;
}

/** The lines `NAME=value` of a file of variables; a value may refer to `known` ones and to those before it. */
function readSettings(text: string, known: Variables): Setting[] {
  const values = new Map(known);
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/, MOST)
    .flatMap((row, index) => {
      const [, name, quoted, bare = ""] =
        /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*[=:]\s*(?:["'](.*)["']|(.*?))\s*(?:(?<=\s|["'])#.*)?$/.exec(row.slice(0, 4_000)) ?? [];
      if (name === undefined) return [];
      const value = interpolated(quoted ?? bare, values);
      values.set(name, value);
      return [{ name, value, line: index + 1 }];
    });
}

/** The variables of a `.env` file. */
export const readVariables = (text: string): Variables => new Map(readSettings(text, new Map()).map(({ name, value }) => [name, value]));

/** One file that a service reads its environment from. */
export interface EnvFile {
  /** As written, with variables filled in; relative to the Compose file. */
  path: string;
  required: boolean;
  at: ScalarNode;
}

/** The `env_file` of a service in each of its forms: a path, a list of paths, a list of `{ path, required }`. */
export function envFilesOf(body: MapNodeTree, variables: Variables): EnvFile[] {
  const node = child(body, "env_file");
  const all = node?.kind === "list" ? node.items : node ? [node] : [];
  return all.flatMap((item) => {
    const at = item.kind === "map" ? scalar(item, "path") : item;
    if (at?.kind !== "scalar" || at.value === null) return [];
    const required = item.kind !== "map" || scalar(item, "required")?.value !== false;
    return [{ path: interpolated(textOf(at), variables), required, at }];
  });
}

/** What the files of a service set, later ones over earlier ones; each value stands at its own line. */
function fromEnvFiles(body: MapNodeTree, { variables, file }: Beside): Map<string, ScalarNode> {
  const found = new Map<string, ScalarNode>();
  for (const { path, at } of envFilesOf(body, variables)) {
    const read = file(path, at.origin.path);
    for (const { name, value, line } of read ? readSettings(read.text, variables) : []) {
      const origin = { path: read?.path ?? path, place: () => ({ file: read?.path ?? path, line, column: 1 }) };
      found.set(name, { ...at, origin, at: 0, value, source: value, references: [], opaque: false });
    }
  }
  return found;
}

/** Names of profiles as `COMPOSE_PROFILES` lists them. */
export const profilesIn = (value: string | undefined): string[] => (value ?? "").split(",").flatMap((name) => name.trim() || []);

/** The value of a key where it is text or a list of texts. */
export function scalarsOf(body: MapNodeTree, key: string): ScalarNode[] {
  const node = child(body, key);
  const all = node?.kind === "list" ? node.items : node ? [node] : [];
  return all.flatMap((item) => (item.kind === "scalar" ? [item] : []));
}

/** Environment of a service: what its files set, and over that its own, a mapping or a list; a name alone takes its value from `.env`. */
export function environmentOf(body: MapNodeTree, beside: Beside): { name: string; value: ScalarNode }[] {
  const { variables } = beside;
  const found = fromEnvFiles(body, beside);
  const set = (name: string, at: ScalarNode, text: string | undefined) => {
    if (text !== undefined) found.set(name, { ...at, value: interpolated(text, variables) });
  };
  const environment = child(body, "environment");
  if (environment?.kind === "map") {
    for (const [name, { node }] of environment.entries)
      if (node.kind === "scalar") set(name, node, node.value === null ? variables.get(name) : textOf(node));
  }
  for (const item of environment?.kind === "list" ? environment.items : []) {
    if (item.kind !== "scalar") continue;
    const [, name = "", value] = /^([^=]+)(?:=(.*))?$/s.exec(textOf(item)) ?? [];
    set(name, item, value ?? variables.get(name));
  }
  return [...found].map(([name, value]) => ({ name, value }));
}
