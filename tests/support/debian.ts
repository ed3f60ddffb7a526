import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const CACHE = new URL("../../node_modules/.cache/headwater-debian/", import.meta.url).pathname;
/** Where programs stand in a system or in an unpacked package. */
const FOLDERS = ["usr/bin", "bin", "usr/sbin", "usr/lib/nagios/plugins"];

/**
 * The path of a program: from PATH or its usual folder, else from its Debian package, which is unpacked beside
 * `node_modules` and not installed, so that no service starts. An error says what to do where neither works.
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

function installed(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/lib/nagios/plugins", "/usr/lib/monitoring-plugins"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function inside(root: string, name: string): string | undefined {
  return FOLDERS.map((folder) => join(root, folder, name)).find((path) => existsSync(path));
}

function unpack(inPackage: string): void {
  const folder = join(CACHE, inPackage);
  mkdirSync(folder, { recursive: true });
  execFileSync("apt-get", ["download", "-q", inPackage], { cwd: folder, stdio: "ignore" });
  const file = readdirSync(folder).find((entry) => entry.endsWith(".deb"));
  if (file === undefined) throw new Error("apt-get brought no package");
  execFileSync("dpkg-deb", ["-x", join(folder, file), folder], { stdio: "ignore" });
}
