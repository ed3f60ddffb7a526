import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it, one by one: asked to make them all, Node tries without end where none can be, as in
 * `/proc`. Throws the system's error of the first that cannot be made.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
