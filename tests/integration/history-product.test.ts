import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DayStrips, NodeHistory } from "../../server/src/contract/index.ts";
import { mountTinyDisk, type TinyDisk } from "../support/disk.ts";
import { eventually, type Running, runCli, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";
import { openRaw } from "./store-support.ts";

/** The history of the built product, on real files: what its commands say beside it, and what it does when the file is in trouble. */

let folder: ReturnType<typeof scratchFolder>;
let service: TestService;
let running: Running | null;
let disk: TinyDisk | null;

beforeEach(async () => {
  folder = scratchFolder();
  service = await startService();
  running = null;
  disk = null;
  folder.write(
    "config/map/shop.yaml",
    `resources: { orders-db: { kind: database } }
services:
  shop:
    url: '${service.url}'
    interval: 1s
    timeout: 400ms
    dependencies: [ { on: orders-db, component: db, criticality: hard } ]
`,
  );
  folder.write("config/headwater.yaml", "staleness: { write_limit: 6s }\n");
});

afterEach(async () => {
  await running?.end("SIGKILL");
  disk?.unmount();
  await service.close();
  folder.remove();
});

const file = () => join(folder.data, "headwater.db");
const healthy = (what: string, { board }: Running) =>
  eventually(what, board, ({ nodes }) => nodes.length === 2 && nodes.every(({ status }) => status === "healthy"));
const stale = (code: string | null, { staleness }: Running) =>
  eventually(
    `staleness ${code}`,
    staleness,
    ({ because }) => (code === null ? because.length === 0 : because.includes(code as "history")),
    30_000,
  );
/** Status changes of the shop so far, gaps left out. */
const statuses = async ({ get }: Running) => {
  const { spans } = (await (await get("/api/v1/nodes/shop/history")).json()) as NodeHistory;
  return spans.map(({ status }) => status).filter((status) => status !== "no_data");
};

test("its commands read the file while the server writes it, and an export replays", async () => {
  running = await startServe(folder);
  await healthy("healthy", running);
  await eventually(
    "three seconds of history",
    () => statuses(running as Running),
    (seen) => seen.length > 0,
  );
  await eventually(
    "polls in the file",
    async () => (await runCli(["export", "--data", folder.data, "--csv", "polls"])).stdout.split("\n").length,
    (lines) => lines > 4,
  );
  const doctor = await runCli(["doctor", "--data", folder.data]);
  expect([doctor.code, doctor.stderr]).toEqual([0, ""]);
  expect(doctor.stdout).toContain("integrity: fine");
  const copy = join(folder.path, "copy.db");
  expect(await runCli(["backup", copy, "--data", folder.data])).toMatchObject({ code: 0, stderr: "" });
  const recording = join(folder.path, "now.jsonl");
  const exported = await runCli(["export", "--data", folder.data]);
  expect([exported.code, exported.stderr]).toEqual([0, ""]);
  writeFileSync(recording, exported.stdout);
  expect((await runCli(["replay", recording])).stdout).toMatch(/^2 nodes, \d+ polls over .*; no incident\n$/);
  const { replay } = JSON.parse((await runCli(["diff", folder.config, folder.config, "--replay", recording, "--json"])).stdout);
  expect(replay).toMatchObject({ differing: 0, incidents: [] });
  const days = (await (await running.get("/api/v1/strips/days?days=7")).json()) as DayStrips;
  const shop = days.nodes.shop ?? [];
  expect([shop[0], shop.at(-1), days.uptime.nodes.shop]).toEqual([null, expect.arrayContaining(["healthy"]), 1]);
  // The copy is a history of its own.
  await running.end();
  folder.write("restored/headwater.db", "");
  writeFileSync(join(folder.path, "restored/headwater.db"), readFileSync(copy));
  running = await startServe({ config: folder.config, data: join(folder.path, "restored") });
  expect((await statuses(running))[0]).toBe("healthy");
}, 60_000);

test("a damaged file is kept aside at the start, loudly, and polling and the board go on with a new one", async () => {
  running = await startServe(folder);
  await healthy("healthy", running);
  await running.end();
  writeFileSync(file(), readFileSync(file()).fill(0xff, 4_096, 16 * 4_096));
  running = await startServe(folder);
  expect(running.output()).toContain("is damaged; it is kept as headwater.db.corrupt-");
  await healthy("healthy on a new file", running);
  expect(readdirSync(folder.data).filter((name) => /^headwater\.db\.corrupt-[^-]+$/.test(name))).toHaveLength(1);
  expect((await runCli(["doctor", "--data", folder.data])).stdout).toContain("set aside as damaged: headwater.db.corrupt-");
}, 60_000);

test("a file that another process has locked turns the staleness signal, and no status; it heals", async () => {
  running = await startServe(folder);
  await healthy("healthy", running);
  const other = openRaw(file());
  other.exec("BEGIN IMMEDIATE");
  await stale("history", running);
  expect((await running.board()).nodes.map(({ status }) => status)).toEqual(["healthy", "healthy"]);
  await service.refuse();
  await eventually("unknown, while nothing can be written", running.board, ({ nodes }) => nodes.some(({ status }) => status === "unknown"));
  other.exec("COMMIT");
  other.close();
  // What happened meanwhile is in the history as well.
  await eventually(
    "the change in the history",
    () => statuses(running as Running),
    (seen) => seen.includes("unknown"),
  );
}, 90_000);

test("a full disk turns the staleness signal, and no status; it heals when there is room", async (context) => {
  disk = mountTinyDisk(folder.data, "6m");
  if (!disk) context.skip("needs to mount a small disk");
  running = await startServe(folder);
  await healthy("healthy", running);
  disk?.fill();
  await stale("history", running);
  expect((await running.board()).nodes.map(({ status }) => status)).toEqual(["healthy", "healthy"]);
  disk?.clear();
  await stale(null, running);
  expect((await runCli(["doctor", "--data", folder.data])).stdout).toContain("integrity: fine");
}, 90_000);
