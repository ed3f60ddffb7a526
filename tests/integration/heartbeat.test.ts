import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startHeartbeat } from "../../server/src/poller/heartbeat.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

let beats: number[];
let answer: number;
let server: Server;
let url: string;
let stop: (() => void) | null;
let service: TestService | null;
let running: Running | null;
let folder: ReturnType<typeof scratchFolder>;

beforeEach(async () => {
  beats = [];
  answer = 200;
  stop = null;
  service = null;
  running = null;
  folder = scratchFolder();
  server = createServer((_request, response) => {
    beats.push(performance.now());
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/abc?token=secret`;
});

afterEach(async () => {
  stop?.();
  await running?.end("SIGKILL");
  await service?.close();
  server.closeAllConnections();
  server.close();
  folder.remove();
});

const counted = (atLeast: number) =>
  eventually(
    "beats",
    async () => beats.length,
    (count) => count >= atLeast,
  );

test("a failing switch is asked more and more seldom, told once, and told again when it works", async () => {
  const told: [boolean, string | null][] = [];
  answer = 500;
  stop = startHeartbeat({ url, every: 20, fresh: () => true, onChange: (working, reason) => told.push([working, reason]) });
  await counted(5);
  // A busy machine makes gaps longer, never shorter: each beat leaves after the answer to the one before it.
  const gaps = beats.slice(1, 5).map((at, i) => at - (beats[i] ?? 0));
  expect(gaps.filter((gap, i) => gap < 20 * 2 ** i - 1)).toEqual([]);
  answer = 200;
  await eventually(
    "works again",
    async () => told.length,
    (count) => count === 2,
  );
  expect(told).toEqual([
    [false, "status 500"],
    [true, null],
  ]);
});

test("nothing is pushed while stale", async () => {
  let fresh = false;
  let asked = 0;
  stop = startHeartbeat({
    url,
    every: 10,
    fresh: () => {
      asked++;
      return fresh;
    },
    onChange: () => undefined,
  });
  await eventually(
    "asked",
    async () => asked,
    (count) => count >= 5,
  );
  expect(beats).toEqual([]);
  fresh = true;
  await counted(2);
});

test("a running Headwater pushes while polls bring reports and goes silent when all are gone; the address stays secret", async () => {
  service = await startService();
  folder.write("config/headwater.yaml", `heartbeat: { url: "${url}", every: 1s }\nstaleness: { limit: 3s }\n`);
  folder.write("config/map/shop.yaml", `services:\n  shop: { url: '${service.url}', interval: 1s, timeout: 400ms }\n`);
  running = await startServe(folder, [], {});
  await counted(2);
  await service.refuse();
  await eventually("stale", running.staleness, (seen) => seen.code === 503 && seen.because.includes("no_answers"));
  const silentFrom = beats.length;
  const { limit_ms } = await running.staleness();
  expect(limit_ms).toBe(3_000);
  await service.listen();
  await eventually("fresh", running.staleness, (seen) => seen.code === 200);
  await counted(silentFrom + 1);
  expect(running.output()).not.toContain("secret");
  expect(running.output()).not.toContain("/ping/");
  const everything = await Promise.all(
    ["/api/v1/board", "/api/v1/map", "/metrics"].map(async (path) => (await running?.get(path))?.text()),
  );
  expect(everything.join()).not.toContain("secret");
});
