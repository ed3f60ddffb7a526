import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A file system of one size, on which a disk can be full. */
export interface TinyDisk {
  path: string;
  fill(): void;
  /** Takes away what `fill` wrote. */
  clear(): void;
  unmount(): void;
}

/** Mounts one at the path (`size` as tmpfs has it, "4m"); null where this process may not mount. */
export function mountTinyDisk(path: string, size: string): TinyDisk | null {
  mkdirSync(path, { recursive: true });
  if (process.getuid?.() !== 0 || spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]).status !== 0) return null;
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      const file = openSync(filler, "a");
      const page = Buffer.alloc(4_096);
      try {
        for (;;) writeSync(file, page);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(filler, { force: true }),
    unmount: () => void spawnSync("umount", ["-l", path]),
  };
}
