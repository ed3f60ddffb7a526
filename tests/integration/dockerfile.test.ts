import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Image, runDockerfile } from "../support/dockerfile.ts";
import { freePort } from "../support/ports.ts";

const root = new URL("../..", import.meta.url).pathname;
let scratch: string;
let image: Image;
let child: ChildProcess | undefined;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "headwater-image-"));
  image = runDockerfile(readFileSync(join(root, "Dockerfile"), "utf8"), root, scratch);
}, 600_000);

afterAll(() => {
  child?.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
});

test("the image runs as an ordinary user and keeps config and data in volumes", () => {
  expect(image.user).toBe("node");
  expect(image.volumes).toEqual(["/config", "/data"]);
});

/** Files below the image's root but for its data, with size and time of change. */
function files(): Map<string, string> {
  const entries = readdirSync(image.root, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.startsWith(join(image.root, "data")));
  return new Map(
    paths.map((path) => {
      const { size, mtimeMs } = statSync(path);
      return [path.slice(image.root.length), `${size} ${mtimeMs}`];
    }),
  );
}

test("the image is small and holds nothing to build or to develop with", () => {
  const held = [...files()];
  const megabytes = held.reduce((sum, [, text]) => sum + Number(text.split(" ")[0]), 0) / 1e6;
  // Above the base image, that is: Node itself. What is compiled against a newer Node is a little larger.
  expect(megabytes).toBeLessThan(70);
  expect(held.map(([path]) => path).filter((path) => /\.(?:ts|tsx|map|cc?|cpp|hpp?|o|a|gyp|tar\.gz)$/.test(path))).toEqual([]);
  expect(
    held.map(([path]) => path).filter((path) => /\/(?:typescript|vite|vitest|node-gyp|biome|pg|redis)\/package\.json$/.test(path)),
  ).toEqual([]);
});

test("what the steps leave behind serves the board, and its health check passes only while it runs", async () => {
  const port = await freePort();
  const here = (words: string[]) => words.map((word) => word.replaceAll("8080", String(port)));
  const healthy = () =>
    promisify(execFile)(image.healthcheck[0] ?? "", here(image.healthcheck.slice(1))).then(
      () => true,
      () => false,
    );
  // An image listens on every address; who has no tokens must say so.
  writeFileSync(join(image.root, "config/headwater.yaml"), `auth: none\nlisten: { hosts: [ "127.0.0.1" ] }\n`);
  expect(await healthy()).toBe(false);
  const before = files();

  const [program = "node", ...args] = here([...image.entrypoint, ...image.cmd]);
  child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    child?.stdout?.on("data", (text: Buffer) => text.toString().includes("Headwater is at") && resolve());
    child?.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });

  expect(await healthy()).toBe(true);
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Headwater");
  const ended = new Promise((resolve) => child?.once("exit", resolve));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  // A read-only root is enough: nothing but the data folder was written.
  expect(files()).toEqual(before);
  expect(readdirSync(join(image.root, "data"))).toContain("headwater.db");
});
