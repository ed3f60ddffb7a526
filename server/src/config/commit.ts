import { readFile, stat } from "node:fs/promises";
import path from "node:path";

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

const read = (file: string) =>
  readFile(file, "utf8").then(
    (text) => text.trim(),
    () => null,
  );

/** The git commit that is checked out around a folder, or null; reads files and starts no process. */
export async function gitCommit(dir: string): Promise<string | null> {
  const git = await gitFolder(path.resolve(dir));
  if (git === null) return null;
  const head = await read(path.join(git, "HEAD"));
  if (head === null || HASH.test(head)) return head;
  const name = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (name === undefined || name.includes("..")) return null;
  const common = await read(path.join(git, "commondir"));
  const folders = common === null ? [git] : [git, path.resolve(git, common)];
  for (const folder of folders) {
    const loose = await read(path.join(folder, name));
    if (loose !== null && HASH.test(loose)) return loose;
    const packed = await read(path.join(folder, "packed-refs"));
    const line = packed?.split("\n").find((entry) => entry.endsWith(` ${name}`));
    const hash = line?.split(" ")[0] ?? "";
    if (HASH.test(hash)) return hash;
  }
  return null;
}

/** The nearest `.git` above a folder; in a linked worktree it is a file that names the real one. */
async function gitFolder(dir: string): Promise<string | null> {
  const candidate = path.join(dir, ".git");
  const facts = await stat(candidate).catch(() => null);
  if (facts?.isDirectory()) return candidate;
  if (facts?.isFile()) {
    const target = /^gitdir: (.+)$/.exec((await read(candidate)) ?? "")?.[1];
    return target === undefined ? null : path.resolve(dir, target);
  }
  const parent = path.dirname(dir);
  return parent === dir ? null : gitFolder(parent);
}
