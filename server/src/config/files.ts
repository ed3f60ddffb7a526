import { createHash } from "node:crypto";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Problem } from "../domain/map.ts";
import { AGGREGATOR_FILE, type SourceFile } from "./parse.ts";
import { decodeFile } from "./utf8.ts";

const LARGEST_FILE = 8 * 1_048_576;
const LARGEST_SET = 64 * 1_048_576;
const MOST_FILES = 2_000;

/** The files of a configuration folder at one moment. */
export interface FileSet {
  /** Sorted by path. */
  files: SourceFile[];
  /** SHA-256 over paths and contents, hex. */
  hash: string;
  /** Files that look meant but are not read. */
  ignored: Problem[];
}

/** `headwater.yaml` and `map/*.yaml`, as paths relative to the folder; no dot files, nothing deeper. */
async function list(dir: string): Promise<{ names: string[]; ignored: Problem[] }> {
  const names: string[] = [];
  const ignored: Problem[] = [];
  const top = await entries(dir);
  if (top.includes(AGGREGATOR_FILE)) names.push(AGGREGATOR_FILE);
  const inside = (await entries(path.join(dir, "map"))).map((name) => `map/${name}`);
  for (const name of [...top.filter((name) => name === "headwater.yml"), ...inside]) {
    if (path.basename(name).startsWith(".")) continue;
    if (name.endsWith(".yaml")) names.push(name);
    else if (name.endsWith(".yml")) {
      const message = `${name} is not read: files of a configuration end in .yaml`;
      ignored.push({ file: name, line: 1, column: 1, code: "ignored-file", message });
    }
  }
  return { names: names.sort().slice(0, MOST_FILES), ignored };
}

async function entries(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return [];
    throw error;
  }
}

export const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");

async function readOne(dir: string, name: string, room: number): Promise<SourceFile | null> {
  const full = path.join(dir, name);
  const refuse = (unreadable: string): SourceFile => ({ path: name, text: "", unreadable });
  let flattened = false;
  try {
    const facts = await stat(full);
    if (facts.isDirectory()) return null;
    if (!facts.isFile()) return refuse("is not a regular file");
    if (facts.size > LARGEST_FILE) return refuse(`is larger than ${LARGEST_FILE / 1_048_576} MiB`);
    if (facts.size > room) return refuse(`the configuration is larger than ${LARGEST_SET / 1_048_576} MiB`);
    const content = decodeFile(await readFile(full));
    flattened = FLATTENED.test(content.text);
    return { path: name, ...(flattened ? await followFlattened(full, content.text) : content) };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" && (flattened || (await isLink(full)))) return refuse("is a symbolic link to a file that does not exist");
    if (code === "ELOOP") return refuse("is a symbolic link that leads in a circle");
    return refuse(`cannot be read (${code})`);
  }
}

/**
 * A checkout without symbolic links, as on Windows, leaves a link's target as the whole text of a file. No map is a bare
 * path, so such a file is read as the link that it was.
 */
const FLATTENED = /^[\w.][\w./-]{0,1000}\.yaml$/;

async function followFlattened(full: string, target: string): Promise<Omit<SourceFile, "path">> {
  const file = path.resolve(path.dirname(full), target);
  const facts = await stat(file);
  if (!facts.isFile() || facts.size > LARGEST_FILE) throw Object.assign(new Error("no file"), { code: "ENOENT" });
  return decodeFile(await readFile(file));
}

async function isLink(full: string): Promise<boolean> {
  return lstat(full).then(
    (facts) => facts.isSymbolicLink(),
    () => false,
  );
}

/**
 * Reads a configuration folder. A file that cannot be read is in the set with `unreadable`; throws only where the folder
 * itself cannot be listed for another reason than not being there.
 */
export async function readFiles(dir: string): Promise<FileSet> {
  const { names, ignored } = await list(dir);
  const files: SourceFile[] = [];
  const hash = createHash("sha256");
  let room = LARGEST_SET;
  for (const name of names) {
    const file = await readOne(dir, name, room);
    if (file === null) continue;
    room -= file.text.length;
    files.push(file);
    hash.update(`${file.path}\0${file.text.length}\0${file.unreadable ?? ""}\0${file.text}\0`);
  }
  return { files, hash: hash.digest("hex"), ignored };
}

/** What `stat` says of the files, links followed: changes when any of them may have; cheap beside reading them. */
export async function stamp(dir: string): Promise<string> {
  const { names } = await list(dir);
  const facts = await Promise.all(
    names.map(async (name) => {
      const found = await stat(path.join(dir, name), { bigint: true }).catch(() => null);
      return found ? `${name}:${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : `${name}:?`;
    }),
  );
  return facts.join("\n");
}
