import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const CACHE = new URL("../../node_modules/.cache/headwater-debian/", import.meta.url).pathname;
/** Where programs stand in a system or in unpacked packages. */
const FOLDERS = ["usr/bin", "bin", "usr/sbin", "usr/lib/nagios/plugins", "usr/lib/monitoring-plugins"];
/** And where they really stand: what is in the usual folder may be a script that calls them by an absolute path. */
const APART = [
  ["usr/lib/postgresql", "bin"],
  ["usr/lib", "icinga2/sbin"],
] as const;

/**
 * The path of a program: from PATH or its usual folder, else from its Debian package, which is unpacked beside
 * `node_modules` with what it needs, and not installed, so that no service starts. Run it with `librariesOf` that package.
 * An error says what to do where neither works.
 */
export function debianTool(name: string, inPackage: string): string {
  const found = installed(name) ?? inside(join(CACHE, inPackage), name);
  if (found) return found;
  try {
    unpack(inPackage);
  } catch {
    if (process.getuid?.() === 0) {
      // The lists may be empty or old; if this does not help, the error below says so.
      try {
        execFileSync("apt-get", ["update", "-q"], { stdio: "ignore" });
        unpack(inPackage);
      } catch {}
    }
  }
  const unpacked = inside(join(CACHE, inPackage), name);
  if (unpacked) return unpacked;
  throw new Error(
    `This test needs ${name}. Install it and put it into PATH (Debian: apt-get install --no-install-recommends ${inPackage}, as root, after apt-get update).`,
  );
}

/** A folder that a package brings, such as `usr/share/icinga2`: the installed one, else the unpacked. */
export function debianFolder(path: string, inPackage: string): string {
  const [installedAt, unpackedAt] = [join("/", path), join(CACHE, inPackage, path)];
  return existsSync(installedAt) ? installedAt : unpackedAt;
}

/** The environment in which a program of an unpacked package finds its libraries; the present one where none was unpacked. */
export function librariesOf(inPackage: string): NodeJS.ProcessEnv {
  const root = join(CACHE, inPackage, "usr/lib");
  if (!existsSync(root)) return process.env;
  const folders = [root, ...entries(root).filter((path) => path.endsWith("-linux-gnu"))];
  return { ...process.env, LD_LIBRARY_PATH: [...folders, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter) };
}

function installed(name: string): string | undefined {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return onPath.find((path) => existsSync(path)) ?? inside("/", name);
}

function inside(root: string, name: string): string | undefined {
  const apart = APART.flatMap(([parent, folder]) => entries(join(root, parent)).map((path) => join(path, folder)));
  return [...apart, ...FOLDERS.map((folder) => join(root, folder))].map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function entries(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function unpack(inPackage: string): void {
  const folder = join(CACHE, inPackage);
  mkdirSync(folder, { recursive: true });
  const plan = execFileSync("apt-get", ["install", "-s", "-q", "--no-install-recommends", inPackage], { encoding: "utf8" });
  const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name ?? "");
  execFileSync("apt-get", ["download", "-q", ...(missing.length > 0 ? missing : [inPackage])], { cwd: folder, stdio: "ignore" });
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith(".deb")))
    execFileSync("dpkg-deb", ["-x", join(folder, file), folder], { stdio: "ignore" });
}
