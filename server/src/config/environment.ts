import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import type { References } from "./parse.ts";

const LARGEST = 1_048_576;

/** References to the process's environment and to files; relative paths start at `dir`. Nothing is remembered. */
export function environmentReferences(env: Readonly<Record<string, string | undefined>>, dir: string): References {
  return {
    env: (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
    file: (name) => readText(path.resolve(dir, name)),
  };
}

/** Regular files of at most 1 MiB; undefined for anything else. */
function readText(file: string): string | undefined {
  let handle: number | undefined;
  try {
    // Without waiting: a named pipe that nobody writes to would hold up everything.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = fstatSync(handle);
    return facts.isFile() && facts.size <= LARGEST ? readFileSync(handle, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
