import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../../web/", import.meta.url));
export const WEB_ROOT = fileURLToPath(new URL("../../server/dist/web/", import.meta.url));

function newest(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Math.max(0, ...entries.filter((entry) => entry.isFile()).map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

/** Builds the page when it is not built, or older than its sources: a browser test never looks at yesterday's page. */
export function ensureBuiltPage(): void {
  const index = join(WEB_ROOT, "index.html");
  const sources = Math.max(newest(join(WEB, "src")), newest(join(WEB, "public")), statSync(join(WEB, "index.html")).mtimeMs);
  if (existsSync(index) && statSync(index).mtimeMs >= sources) return;
  const vite = createRequire(join(WEB, "package.json")).resolve("vite/package.json");
  execFileSync(process.execPath, [join(dirname(vite), "bin/vite.js"), "build", "--logLevel", "warn"], {
    cwd: WEB,
    stdio: "inherit",
    // A test runner's NODE_ENV would make it a development build.
    env: { ...process.env, NODE_ENV: "production" },
  });
}
