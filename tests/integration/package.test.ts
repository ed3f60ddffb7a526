import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService } from "../support/service.ts";

/** The package as it would be published: packed, unpacked into a folder of its own, and run from there. */

const SERVER = new URL("../../server/", import.meta.url).pathname;
const place = mkdtempSync(join(tmpdir(), "headwater-package-"));
const unpacked = join(place, "node_modules/headwater");

interface Manifest {
  bin: Record<string, string>;
  exports: Record<string, Record<string, string>>;
  dependencies: Record<string, string>;
}
let manifest: Manifest;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

beforeAll(() => {
  execFileSync("npx", ["-y", "pnpm@12", "pack", "--pack-destination", place], { cwd: SERVER, stdio: "ignore" });
  const [tarball] = readdirSync(place).filter((name) => name.endsWith(".tgz"));
  mkdirSync(unpacked, { recursive: true });
  execFileSync("tar", ["xzf", join(place, tarball ?? ""), "-C", unpacked, "--strip-components", "1"]);
  manifest = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"));
  // What a registry would bring: the very same dependencies, and none of those for development.
  mkdirSync(join(unpacked, "node_modules/@fastify"), { recursive: true });
  for (const name of Object.keys(manifest.dependencies))
    symlinkSync(join(SERVER, "node_modules", name), join(unpacked, "node_modules", name));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

test("it holds what runs, the page and the licence, and no source, test or map of the source", () => {
  const files = filesIn(unpacked)
    .map((file) => file.slice(unpacked.length + 1))
    .filter((file) => !file.startsWith("node_modules/"));
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/cli.js", "dist/web/index.html"]));
  expect(
    files.filter(
      (file) => !/^(?:LICENSE|README\.md|package\.json)$|^dist\/.*\.(?:js|d\.ts|html|css|svg|br|gz|json|webmanifest)$/.test(file),
    ),
  ).toEqual([]);
});

test("its manifest stands alone: plain versions, exports and commands that are there, and every import declared", () => {
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect([name, version]).toEqual([name, expect.stringMatching(/^\^?\d+\.\d+\.\d+$/)]);
  const targets = [...Object.values(manifest.bin), ...Object.values(manifest.exports).flatMap((entry) => Object.values(entry))];
  for (const target of targets) expect([target, existsSync(join(unpacked, target))]).toEqual([target, true]);
  const scripts = filesIn(join(unpacked, "dist")).filter((file) => file.endsWith(".js") && !file.includes("/dist/web/"));
  const imported = new Set(
    scripts.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^(?:import|export) .*?from "([^."][^"]*)"|import\("([^."][^"]*)"\)/gm)].map(
        ([, a, b]) => a ?? b ?? "",
      ),
    ),
  );
  const packages = [...imported].filter((name) => !isBuiltin(name)).map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "");
  expect([...new Set(packages)].filter((name) => !(name in manifest.dependencies))).toEqual([]);
});

test("its command serves the board from anywhere", async () => {
  const service = await startService();
  mkdirSync(join(place, "config/map"), { recursive: true });
  writeFileSync(join(place, "config/map/shop.yaml"), `services: { shop: { url: '${service.url}', interval: 1s, timeout: 400ms } }\n`);
  const cli = join(unpacked, manifest.bin.headwater ?? "");
  const child = spawn(cli, ["serve", "--port", "0"], { cwd: place, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const address = /http:\S+/.exec(line.toString())?.[0] ?? "";
    const page = await (await fetch(address)).text();
    const asset = /src="([^"]+\.js)"/.exec(page)?.[1] ?? "";
    expect((await fetch(new URL(asset, address))).headers.get("content-type")).toMatch(/javascript/);
    await expect
      .poll(async () => ((await (await fetch(`${address}api/v1/board`)).json()) as { status: string }).status, { timeout: 20_000 })
      .toBe("healthy");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
    await service.close();
  }
});

test("its modules for others import by their names", () => {
  const script =
    'import { createReporter, reporterPlugin } from "headwater/reporter"; import { Board } from "headwater/contract"; console.log(typeof createReporter, typeof reporterPlugin, typeof Board.parse)';
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: place, encoding: "utf8" });
  expect(out.trim()).toBe("function function function");
});

test("the bill of materials names what ships, page included, and nothing that only builds or tests it", () => {
  const file = join(place, "sbom.json");
  const { scripts } = JSON.parse(readFileSync(join(SERVER, "../package.json"), "utf8")) as { scripts: Record<string, string> };
  const [program = "", ...args] = (scripts["release:sbom"] ?? "").replace(/--out \S+/, `--out ${file}`).split(" ");
  execFileSync("npx", ["-y", `${program}@12`, ...args], { cwd: join(SERVER, ".."), stdio: "ignore" });
  const { bomFormat, components } = JSON.parse(readFileSync(file, "utf8")) as {
    bomFormat: string;
    components: { name: string; group?: string; version: string; licenses?: unknown[] }[];
  };
  expect(bomFormat).toBe("CycloneDX");
  const listed = new Map(components.map(({ group, name, version }) => [group ? `${group}/${name}` : name, version]));
  const declared = ["package.json", "../web/package.json"].flatMap((path) =>
    Object.keys((JSON.parse(readFileSync(join(SERVER, path), "utf8")) as Manifest).dependencies),
  );
  expect(declared.filter((name) => !listed.has(name))).toEqual([]);
  expect(["typescript", "vitest", "pg", "redis", "vite"].filter((name) => listed.has(name))).toEqual([]);
  expect(components.filter(({ licenses }) => !licenses?.length).map(({ name }) => name)).toEqual([]);
});
