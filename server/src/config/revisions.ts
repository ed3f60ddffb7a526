import { spawnSync } from "node:child_process";
import path from "node:path";
import { AGGREGATOR_FILE, type SourceFile } from "./parse.ts";
import { decodeFile } from "./utf8.ts";

const LARGEST = 128 * 1_048_576;

function git(cwd: string, args: readonly string[], input?: string): { ok: boolean; output: Buffer } {
  const done = spawnSync("git", args, { cwd, input, maxBuffer: LARGEST });
  return { ok: done.status === 0, output: done.stdout ?? Buffer.alloc(0) };
}

const line = (buffer: Buffer) => buffer.toString("utf8").trim();

/**
 * The configuration files of a git revision, links followed; null where it is no revision. `cwd` lies in the repository,
 * `dir` is the configuration folder as seen from there.
 */
export function filesAt(cwd: string, revision: string, dir: string): SourceFile[] | null {
  const commit = git(cwd, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  const prefix = git(cwd, ["rev-parse", "--show-prefix"]);
  if (!commit.ok || !prefix.ok) return null;
  const folder = path.posix.join(line(prefix.output) || ".", dir.replaceAll("\\", "/"));
  if (folder.startsWith("..") || path.posix.isAbsolute(folder)) return null;
  const hash = line(commit.output);
  const listing = git(cwd, ["ls-tree", "-z", "--name-only", "--full-tree", hash, at(folder, AGGREGATOR_FILE), `${at(folder, "map")}/`]);
  const names = listing.output
    .toString("utf8")
    .split("\0")
    .filter((name) => name.endsWith(".yaml") && !path.posix.basename(name).startsWith(".") && !/[\r\n]/.test(name));
  const blobs = git(cwd, ["cat-file", "--batch", "--follow-symlinks"], names.map((name) => `${hash}:${name}\n`).join(""));
  const found = contents(blobs.output, names.length);
  return names.map((name, index) => ({ path: path.posix.relative(folder, name), ...(found[index] ?? missing("cannot be read")) }));
}

const at = (folder: string, name: string) => path.posix.normalize(path.posix.join(folder, name));
type Content = Omit<SourceFile, "path">;
const missing = (unreadable: string): Content => ({ text: "", unreadable });

/** Takes the answer of `cat-file --batch` apart: a line that says what follows, and what follows. */
function contents(output: Buffer, count: number): Content[] {
  const found: Content[] = [];
  let offset = 0;
  while (found.length < count && offset < output.length) {
    const end = output.indexOf(10, offset);
    if (end < 0) break;
    const [, type = "", size = "0"] = output.toString("utf8", offset, end).split(" ");
    offset = end + 1;
    const header = output.toString("utf8", output.lastIndexOf(10, end - 1) + 1, end);
    if (type === "blob") {
      found.push(decodeFile(output.subarray(offset, offset + Number(size))));
      offset += Number(size) + 1;
    } else {
      if (/^(?:symlink|dangling|loop|notdir) \d+$/.test(header)) offset += Number(header.split(" ")[1]) + 1;
      found.push(missing("is not a file in this revision"));
    }
  }
  return found;
}
