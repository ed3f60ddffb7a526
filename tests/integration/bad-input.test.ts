import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Board } from "../../server/src/contract/index.ts";
import { eventually, type Running, runCli, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

/** What `serve` does with a broken map, port, folder or database: one clear sentence, exit 1, nothing touched. */

let folder: ReturnType<typeof scratchFolder>;
let service: TestService;
let running: Running | null;

const GOOD = () => `services:\n  shop: { url: '${service.url}', interval: 1s, timeout: 400ms }\n`;
const BROKEN = "services:\n  shop: { urll: 'http://127.0.0.1:1/' }\n  cart: { url: 'http://127.0.0.1:1/', dependencies: [ { on: db } ] }\n";

beforeEach(async () => {
  folder = scratchFolder();
  service = await startService();
  running = null;
});

afterEach(async () => {
  await running?.end("SIGKILL");
  await service.close();
  folder.remove();
});

const serve = (...args: string[]) => runCli(["serve", "--config", folder.config, "--data", folder.data, "--port", "0", ...args]);

test("a broken map and no history: every mistake with its place, exit 1, and no data folder", async () => {
  folder.write("config/map/shop.yaml", BROKEN);
  const { code, stderr } = await serve();
  expect(code).toBe(1);
  const lines = stderr.split("\n").filter((line) => line.startsWith(join(folder.config, "map/shop.yaml:")));
  expect(lines).toContainEqual(expect.stringMatching(/shop\.yaml:2:\d+: error .*urll/));
  expect(lines).toContainEqual(expect.stringMatching(/shop\.yaml:3:\d+: error .*criticality/));
  expect(existsSync(folder.data)).toBe(false);
});

test("no configuration folder and no history: one sentence, exit 1, and no data folder", async () => {
  const { code, stderr } = await runCli(["serve", "--config", join(folder.path, "confg"), "--data", folder.data, "--port", "0"]);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain("--config");
  expect(existsSync(folder.data)).toBe(false);
});

test("a broken map with history starts on the last accepted revision, says so, and --strict refuses", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  running = await startServe(folder);
  const { map } = await running.board();
  expect(await running.end()).toBe(0);

  folder.write("config/map/shop.yaml", BROKEN);
  const strict = await serve("--strict");
  expect(strict.code).toBe(1);
  expect(strict.stderr).toContain("map/shop.yaml:2:");

  running = await startServe(folder);
  expect(running.output()).toContain("map/shop.yaml:2:");
  const board = await running.board();
  expect(board.map.revision).toBe(map.revision);
  expect(board.map.refused?.problems.length).toBeGreaterThanOrEqual(2);
  expect(board.nodes.map((node) => node.id)).toEqual(["shop"]);
});

test.each([
  ["broken", BROKEN],
  ["half-written", "services:\n  shop: { url: 'http://127."],
  ["empty", ""],
])("a map that is %s on reload is refused on the board and in the metrics, and the old one runs on", async (_name, text) => {
  folder.write("config/map/shop.yaml", GOOD());
  running = await startServe(folder);
  const { board, get } = running;
  await eventually("healthy", board, (seen) => seen.nodes[0]?.status === "healthy");

  folder.write("config/map/shop.yaml", text);
  const refused = await eventually("refused", board, (seen) => seen.map.refused !== null);
  expect(refused.map.refused?.problems.length).toBeGreaterThan(0);
  expect(refused.nodes.map((node) => node.id)).toEqual(["shop"]);
  expect(await (await get("/metrics")).text()).toMatch(/^headwater_map_refused(?:\{.*\})? 1$/m);
  const calls = service.calls.length;
  await eventually(
    "polls go on",
    async () => service.calls.length,
    (seen) => seen > calls + 1,
  );

  folder.write("config/map/shop.yaml", GOOD().replace("shop:", "store:"));
  const mended = await eventually("mended", board, (seen) => seen.map.refused === null && seen.nodes[0]?.id === "store");
  expect(mended.map.revision).toBe(refused.map.revision + 1);
});

test("a map that polls nothing does not replace, at a start either, one that polls", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  running = await startServe(folder);
  const { map } = await running.board();
  expect(await running.end()).toBe(0);

  folder.write("config/map/shop.yaml", "");
  const strict = await serve("--strict");
  expect(strict.code).toBe(1);
  expect(strict.stderr).toContain("polls-nothing");

  running = await startServe(folder);
  const board = await running.board();
  expect(board.map.revision).toBe(map.revision);
  expect(board.map.refused?.problems.map(({ code }) => code)).toEqual(["polls-nothing"]);
  expect(board.nodes.map((node) => node.id)).toEqual(["shop"]);
});

test("a reload cannot take the login from a port that is open to others", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  const secret = "a-secret-of-this-test-alone";
  folder.write(
    "config/headwater.yaml",
    `listen: { host: 0.0.0.0 }\nauth: { tokens: [ { name: ops, role: operator, secret: ${secret} } ] }\n`,
  );
  running = await startServe(folder);
  const { get } = running;
  const board = async () => (await (await get("/api/v1/board", { headers: { authorization: `Bearer ${secret}` } })).json()) as Board;
  expect((await get("/api/v1/board")).status).toBe(401);
  folder.write("config/headwater.yaml", "listen: { host: 127.0.0.1 }\n");
  const refused = await eventually("refused", board, (seen) => seen.map.refused !== null);
  expect(refused.map.refused?.problems.map(({ code }) => code)).toEqual(["listens-without-auth"]);
  expect((await get("/api/v1/board")).status).toBe(401);
});

test("what a reference brings into an address is not to be read anywhere", async () => {
  const text = [
    "services:",
    `  shop: { url: '${service.url}/\${HEADWATER_TEST_PATH}/deep?key=\${HEADWATER_TEST_PATH}', interval: 1s, timeout: 400ms }`,
    "  cart: { url: '\u0024{HEADWATER_TEST_URL}', interval: 1s, timeout: 400ms }",
    `  twin: { instances: [ '${service.url}/\${HEADWATER_TEST_PATH}/a', '${service.url}/\${HEADWATER_TEST_PATH}/b' ], interval: 1s, timeout: 400ms }`,
  ].join("\n");
  folder.write("config/map/shop.yaml", text);
  const env = { HEADWATER_TEST_PATH: "hunter2secret", HEADWATER_TEST_URL: `${service.url}/hunter2secret` };
  running = await startServe(folder, [], env);
  const { get, output } = running;
  await eventually("healthy", running.board, (seen) => seen.nodes.every(({ status }) => status === "healthy"));
  const paths = ["board", "map", "nodes/shop", "nodes/cart", "nodes/twin", "revisions"].map((path) => `/api/v1/${path}`);
  const said = (await Promise.all(["/metrics", ...paths].map(async (path) => (await get(path)).text()))).join("\n");
  expect(said + output()).not.toContain("hunter2secret");
  expect(said).toContain(`${service.url}/\${HEADWATER_TEST_PATH}/deep?key=`);
});

test("a reload says which settings wait for the next start", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  running = await startServe(folder);
  folder.write("config/headwater.yaml", "site: eu-1\nretention: { raw: 12h }\nlisten: { hosts: [ board.example ] }\n");
  const { output } = running;
  await eventually(
    "a line in the log",
    async () => output(),
    (seen) => seen.includes("take effect at the next start"),
  );
  expect(output()).toContain('"settings":["retention"]');
});

test("the check of a map text tells nothing of this machine's variables and files", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  running = await startServe(folder, [], { HEADWATER_TEST_SET: "1" });
  const { address, get } = running;
  const check = async (reference: string) => {
    const text = `services:\n  cart: { url: 'http://127.0.0.1:1/', headers: { x: '\${${reference}}' } }\n`;
    const headers = { "content-type": "application/json", origin: address };
    return (await (await get("/api/v1/map/check", { method: "POST", headers, body: JSON.stringify({ text }) })).json()) as {
      errors: unknown;
    };
  };
  const there = await check(`file:${folder.config}/map/shop.yaml`);
  expect(there.errors).toEqual([]);
  for (const reference of ["file:/nowhere/at/all", "HEADWATER_TEST_SET", "HEADWATER_TEST_NOT_SET"])
    expect(await check(reference)).toEqual(there);
});

test("a log that nobody reads any more does not end the aggregator", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  running = await startServe(folder);
  running.child.stdout?.destroy();
  running.child.stderr?.destroy();
  folder.write("config/map/shop.yaml", BROKEN);
  await eventually("refused, and so logged", running.board, (seen) => seen.map.refused !== null);
  const calls = service.calls.length;
  await eventually(
    "polls go on",
    async () => service.calls.length,
    (seen) => seen > calls + 1,
  );
  expect(await running.end()).toBe(0);
});

test("SIGHUP reads the map and what it refers to again", async () => {
  folder.write("token", "one");
  folder.write(
    "config/map/shop.yaml",
    `services:\n  shop: { url: '${service.url}', interval: 1s, timeout: 400ms, headers: { x-token: '\${file:${join(folder.path, "token")}}' } }\n`,
  );
  running = await startServe(folder);
  await eventually(
    "first token",
    async () => service.lastHeaders["x-token"],
    (seen) => seen === "one",
  );
  folder.write("token", "two");
  running.child.kill("SIGHUP");
  await eventually(
    "second token",
    async () => service.lastHeaders["x-token"],
    (seen) => seen === "two",
  );
});

test("a port in use: one sentence, exit 1, nothing touched", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { code, stderr } = await runCli(["serve", "--config", folder.config, "--data", folder.data, "--port", String(port)]);
  taken.close();
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(String(port));
  expect(existsSync(folder.data)).toBe(false);
});

test("a port in use and a broken map are told together", async () => {
  folder.write("config/map/shop.yaml", BROKEN);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { code, stderr } = await serve("--port", String(port));
  taken.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(/shop\.yaml:2:\d+: error .*urll/);
  expect(stderr).toMatch(new RegExp(`^headwater: cannot listen on 127\\.0\\.0\\.1:${port}: .*; and the map has \\d+ mistakes\n$`, "m"));
  expect(existsSync(folder.data)).toBe(false);
});

test("a file is no configuration folder: one sentence, exit 1, nothing touched", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  const file = join(folder.config, "map/shop.yaml");
  const { code, stderr } = await runCli(["serve", "--config", file, "--data", folder.data, "--port", "0"]);
  expect([code, stderr]).toEqual([1, `headwater: ${file} is not a folder; --config names another\n`]);
  expect(existsSync(folder.data)).toBe(false);
});

test("an empty map is run, and said to be empty", async () => {
  running = await startServe(folder);
  const { output } = running;
  await eventually(
    "a hint",
    async () => output(),
    (seen) => seen.includes(`the map in ${folder.config} is empty; headwater init writes a first one`),
  );
});

test("a folder that cannot be listed is told in a sentence, without a trace of ours", async () => {
  rmSync(join(folder.config, "map"), { recursive: true });
  symlinkSync("map", join(folder.config, "map"));
  for (const args of [
    ["check", folder.config],
    ["spof", "--config", folder.config],
    ["diff", folder.config],
    ["demo", "--config", folder.config],
  ]) {
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([
      1,
      `headwater ${args[0]}: ${join(folder.config, "map")}: too many symbolic links encountered (ELOOP)\n`,
    ]);
  }
});

test("what could not be printed is a failure", () => {
  const full = openSync("/dev/full", "w");
  const cli = new URL("../../server/dist/cli.js", import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, [cli, "schema"], { stdio: ["ignore", full, "pipe"], encoding: "utf8" });
  closeSync(full);
  expect([status, stderr]).toEqual([1, "headwater: what was to be printed could not be written (ENOSPC)\n"]);
});

test.each([
  [["chek"], 'there is no command "chek"; did you mean "check"?'],
  [["Serve"], 'there is no command "Serve"; did you mean "serve"?'],
  [["frobnicate"], 'there is no command "frobnicate"'],
  [["--data", "x", "serve"], "the command comes before its options, as in headwater serve --data"],
  [["help", "chek"], 'there is no command "chek"; did you mean "check"?'],
])("headwater %j is no command, and says so", async (args, sentence) => {
  const { code, stdout, stderr } = await runCli(args);
  expect([code, stdout, stderr]).toEqual([2, "", `headwater: ${sentence}\nheadwater --help lists the commands.\n`]);
});

test("a data folder that cannot be one: one sentence, exit 1, nothing touched", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  writeFileSync(folder.data, "a file");
  const { code, stderr } = await runCli(["serve", "--config", folder.config, "--data", join(folder.data, "inside"), "--port", "0"]);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(readFileSync(folder.data, "utf8")).toBe("a file");
});

test("a database of a newer version: one sentence, exit 1, not a byte of it changed", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  running = await startServe(folder);
  await running.end();
  running = null;
  const file = join(folder.data, "headwater.db");
  const db = new Sqlite(file);
  db.pragma("journal_mode = DELETE");
  db.pragma("user_version = 9999");
  db.close();
  const before = readFileSync(file);
  const { code, stderr } = await serve();
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(/newer|later/);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("another address without a login: refused in one sentence that says what to do", async () => {
  folder.write("config/map/shop.yaml", GOOD());
  const { code, stderr } = await serve("--host", "0.0.0.0");
  expect(code).toBe(1);
  expect(stderr).toContain("auth");
  expect(existsSync(folder.data)).toBe(false);
});

test.each([
  [["serve", "--nonsense"], 2],
  [["serve", "--port", "eighty"], 2],
  [["serve", "--port", "0x50"], 2],
  [["serve", "--port", "1e3"], 2],
  [["serve", "--port", ""], 2],
  [["serve", "--port", "-1"], 2],
  [["serve", "config"], 2],
  [["demo", "--port", "NaN"], 2],
  [["schema", "map", "--markdown"], 2],
  [["help", "serve"], 0],
  [["nonsense"], 2],
  [[], 2],
  [["--version"], 0],
  [["--help"], 0],
  [["serve", "--help"], 0],
])("headwater %j exits %i", async (args, code) => {
  expect((await runCli(args)).code).toBe(code);
});
