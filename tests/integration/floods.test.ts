import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { watch } from "../support/events.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

/**
 * Clients that take what a server has: connections, time, memory. Others are served and polls go on. Floods come from an
 * address of their own, as they would; all of 127.0.0.0/8 is loopback where these tests run.
 */

const FLOODER = "127.0.0.9";
/** Descriptors that this process may open, which a flood of its own needs too. */
const MAY_OPEN = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? 4_096);

const folder = scratchFolder();
let honest: TestService;
let running: Running;
const sockets: Socket[] = [];

beforeAll(async () => {
  honest = await startService();
  folder.write("config/map/shop.yaml", `services: { honest: { url: '${honest.url}', interval: 1s, timeout: 500ms } }\n`);
  running = await startServe(folder);
  await eventually("fresh", running.staleness, ({ stale }) => !stale);
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(async () => {
  await running?.end("SIGKILL");
  await honest?.close();
  folder.remove();
});

function open(text: string | Buffer, localAddress = FLOODER): Socket {
  const { hostname, port } = new URL(running.address);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on("error", () => {});
  socket.write(text);
  sockets.push(socket);
  return socket;
}

/** All bytes that came until the server closed the connection. */
async function answerOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  if (!socket.closed) await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

const left = () => sockets.filter((socket) => !socket.closed).length;
const metric = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await (await running.get("/metrics")).text())?.[1]);

/** Probes are answered, reads are served, and the honest service is polled on and found healthy. */
async function goesOn(): Promise<void> {
  const calls = honest.calls.length;
  for (const path of ["/livez", "/readyz", "/staleness", "/api/v1/board"])
    expect([path, (await running.get(path)).status]).toEqual([path, 200]);
  await eventually(
    "polls",
    async () => honest.calls.length,
    (seen) => seen >= calls + 3,
  );
  const gaps = honest.calls.slice(calls).map((at, i, all) => at - (all[i - 1] ?? at));
  expect(gaps.filter((gap) => gap > 3_000)).toEqual([]);
  expect((await running.board()).nodes[0]?.status).toBe("healthy");
}

test("ten thousand connections that say little: one address holds three thousand, others get through, and all are cut", async () => {
  const wanted = Math.min(10_000, MAY_OPEN - 1_000);
  expect(wanted).toBeGreaterThan(3_000);
  for (let i = 0; i < wanted; i++) {
    open("GET /api/v1/board HTTP/1.1\r\nHost: localhost\r\nx-slow: ").resume();
    if (i % 500 === 499) await sleep(20);
  }
  await eventually(
    "those above the bound to be closed",
    async () => left(),
    (count) => count <= 3_000,
    30_000,
  );
  await goesOn();
  expect(await metric("process_open_fds")).toBeLessThan(3_200);
  // Whoever has not sent a request within ten seconds is cut, without a word to anybody else.
  await eventually(
    "the end of them",
    async () => left(),
    (count) => count === 0,
    60_000,
  );
  await eventually(
    "the end of them there",
    () => metric("process_open_fds"),
    (count) => count < 200,
  );
}, 150_000);

test("bodies that drip are cut after the time that a request may take", async () => {
  const head = `POST /api/v1/map/check HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
  // No more than the writes that one address has in a minute, or the limit would refuse them first.
  const dripping = Array.from({ length: 20 }, () => open(head));
  const answers = Promise.all(dripping.map(answerOf));
  const drip = setInterval(() => {
    for (const socket of dripping) if (socket.writable) socket.write(" ");
  }, 500);
  try {
    await goesOn();
    for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  } finally {
    clearInterval(drip);
  }
}, 60_000);

test("a compressed bomb as a body is not inflated", async () => {
  const bomb = gzipSync(Buffer.alloc(256 << 20, 32), { level: 9 });
  const before = await metric("process_resident_memory_bytes");
  const head = (length: number) =>
    `POST /api/v1/map/check HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
  const short = bomb.subarray(0, 60_000);
  for (const body of [bomb, short]) {
    const answer = await answerOf(open(Buffer.concat([Buffer.from(head(body.length)), body]), "127.0.0.10"));
    // Cut off in the middle of what it sends, a client may not get to read why.
    expect(answer).toMatch(/^(?:$|HTTP\/1\.1 4\d\d )/);
  }
  expect((await metric("process_resident_memory_bytes")) - before).toBeLessThan(100e6);
  await goesOn();
});

test("reads without end are refused with Retry-After, for that address alone", async () => {
  const read = `GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      answerOf(open(`${read.repeat(200)}GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, "127.0.0.11")),
    ),
  );
  const codes = answers.flatMap((answer) => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code)));
  expect(codes.length).toBe(2_010);
  expect(codes.filter((code) => code === 429).length).toBeGreaterThan(500);
  expect(answers.join("")).toMatch(/^retry-after: \d+/im);
  await goesOn();
});

test("asks for the board again and again and reads none of it: memory stays bounded, others are served", async () => {
  for (let i = 0; i < 50; i++) open("GET /api/v1/board HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200), "127.0.0.12").pause();
  await goesOn();
  expect(await metric("process_resident_memory_bytes")).toBeLessThan(400e6);
});

test("streams that are opened and left at once, a thousand times, leave nothing behind", async () => {
  const url = `${running.address}/api/v1/events`;
  for (let round = 0; round < 10; round++) {
    const viewers = await Promise.all(Array.from({ length: 100 }, () => watch(url, {}).catch(() => null)));
    for (const viewer of viewers) viewer?.leave();
    // Reads have a limit of two hundred a second.
    await sleep(500);
  }
  await eventually(
    "no viewer",
    () => metric("headwater_stream_viewers"),
    (count) => count === 0,
  );
  await goesOn();
}, 60_000);

test("a WebSocket that nobody offers is an ordinary request", async () => {
  const answer = await answerOf(
    open(
      "GET /api/v1/events HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    ).on("data", function (this: Socket) {
      this.end();
    }),
  );
  expect(answer).toMatch(/^HTTP\/1\.1 421 /);
});

test("after all of it, it ends in order", async () => {
  expect(await running.end()).toBe(0);
});
