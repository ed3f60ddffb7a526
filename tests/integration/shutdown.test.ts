import { request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watch } from "../support/events.ts";
import { eventually, type Running, runCli, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

/** How the built product ends and comes back: in order, within its bound, and without losing more than it must. */

let folder: ReturnType<typeof scratchFolder>;
let services: TestService[];
let running: Running | null;

beforeEach(() => {
  folder = scratchFolder();
  services = [];
  running = null;
});
afterEach(async () => {
  await running?.end("SIGKILL");
  for (const service of services) await service.close();
  folder.remove();
});

async function start(count: number, settings: string): Promise<Running> {
  for (let i = 0; i < count; i++) services.push(await startService());
  folder.write(
    "config/map/shop.yaml",
    `defaults: { ${settings} }\nservices:\n${services.map(({ url }, i) => `  s${i}: { url: '${url}' }\n`).join("")}`,
  );
  running = await startServe(folder);
  await eventually("all known", running.board, (board) => board.nodes.every(({ status }) => status === "healthy"), 40_000);
  return running;
}

/** A status code over a connection of its own; null once nobody answers. */
function codeOf(address: string, path: string): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = request(`${address}${path}`, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    });
    asked.on("error", () => resolve(null));
    asked.end();
  });
}

test("it ends in order: not ready and draining at once, streams, then polls, then the port, all of it written", async () => {
  const headwater = await start(3, "interval: 4s, timeout: 3s, flip_after: 2");
  const [slow] = services;
  if (!slow) throw new Error("no service");
  slow.dial = "hang";
  const hanging = slow.calls.length;
  await eventually(
    "a poll under way",
    async () => slow.calls.length,
    (calls) => calls > hanging,
    20_000,
  );
  const stream = await watch(`${headwater.address}/api/v1/events`);
  let streamEnded = false;
  void stream.ended.then(() => {
    streamEnded = true;
  });

  const exit = headwater.end();
  await eventually(
    "not ready",
    () => codeOf(headwater.address, "/readyz"),
    (code) => code === 503,
  );
  // The poll that hangs has up to three seconds: that long the port stays open, and says what is going on.
  expect(await codeOf(headwater.address, "/livez")).toBe(200);
  expect(await codeOf(headwater.address, "/startupz")).toBe(200);
  const deep = (await (await headwater.get("/health/deep")).json()) as { status: string };
  expect(deep.status).toBe("draining");
  await eventually("the end of the stream", async () => streamEnded, Boolean);
  expect(await codeOf(headwater.address, "/livez")).toBe(200);
  const calls = () => services.map((service) => service.calls.length);
  const before = calls();
  expect(await exit).toBe(0);
  expect(calls()).toEqual(before);
  expect(await codeOf(headwater.address, "/livez")).toBeNull();

  const { code, stdout } = await runCli(["doctor", "--data", folder.data]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("integrity: fine")]);
  const polls = (await runCli(["export", "--csv", "polls", "--data", folder.data])).stdout.trim().split("\n").slice(1);
  // Every poll of the two that answered is in the history; the one that was cut off says so or is left out.
  for (const name of ["s1", "s2"])
    expect(polls.filter((line) => line.includes(`,${name},`)).length).toBe(services[Number(name.slice(1))]?.calls.length);
});

test("a second signal ends it at once", async () => {
  const headwater = await start(1, "interval: 10s, timeout: 9s");
  const [slow] = services;
  if (slow) slow.dial = "hang";
  const before = slow?.calls.length ?? 0;
  await eventually(
    "a poll under way",
    async () => slow?.calls.length ?? 0,
    (calls) => calls > before,
    20_000,
  );
  const first = headwater.end();
  await eventually(
    "draining",
    () => codeOf(headwater.address, "/readyz"),
    (code) => code === 503,
  );
  headwater.child.kill("SIGTERM");
  expect(await first).toBe(1);
});

test("what hangs at the end, a poll, a viewer, a receiver of alerts, holds it up for ten seconds at most", async () => {
  const receiver = await startService({ dial: "hang" });
  folder.write("config/headwater.yaml", `alerts: { webhook: { url: '${receiver.url}' } }\n`);
  const headwater = await start(2, "interval: 30s, timeout: 20s, flip_after: 1");
  for (const service of services) service.dial = "hang";
  const agentless = await fetch(`${headwater.address}/api/v1/events`);
  const began = performance.now();
  const code = await headwater.end();
  expect(code).toBe(0);
  expect(performance.now() - began).toBeLessThan(10_500);
  await agentless.body?.cancel().catch(() => {});
  await receiver.close();
});

test("a restart loses no more than one interval of polls, and doubles none", async () => {
  const interval = 8_000;
  const headwater = await start(6, "interval: 8s, timeout: 2s");
  const atLeast = (count: number) =>
    eventually(
      "polls",
      async () => Math.min(...services.map(({ calls }) => calls.length)),
      (calls) => calls >= count,
      60_000,
    );
  await atLeast(2);
  expect(await headwater.end()).toBe(0);
  running = await startServe(folder);
  const after = Math.max(...services.map(({ calls }) => calls.length));
  await atLeast(after + 2);
  for (const { calls } of services) {
    const gaps = calls.slice(1).map((at, i) => at - (calls[i] ?? at));
    // One poll at most is missing between any two, the time of the stop and start included, and none comes twice.
    expect(Math.max(...gaps)).toBeLessThan(2 * interval + 1_000);
    expect(Math.min(...gaps)).toBeGreaterThan(300);
  }
  expect((await running.board()).nodes.every(({ status }) => status === "healthy")).toBe(true);
});
