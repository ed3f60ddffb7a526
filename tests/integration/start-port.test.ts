import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Staleness } from "../../server/src/contract/index.ts";
import { addressOf, Port } from "../../server/src/start/port.ts";

/** The port while a large map is still being read: open, honest, and handed over without a gap. */

const LISTEN = { host: "127.0.0.1", port: 0, hosts: [], basePath: "/" };
let port: Port | null = null;

afterEach(async () => {
  await port?.close(0);
  port = null;
});

async function opened(basePath = "/"): Promise<(path: string, method?: string) => Promise<Response>> {
  const made = new Port();
  port = made;
  const listen = { ...LISTEN, basePath };
  expect(await made.open(listen)).toBeNull();
  const { origin } = new URL(addressOf(made.server.address(), listen));
  return (path, method = "GET") => fetch(`${origin}${path}`, { method });
}

test.each(["/", "/health-board/"])("says that it lives and is not ready, under %s as at the root", async (basePath) => {
  const ask = await opened(basePath);
  for (const prefix of new Set(["", basePath.replace(/\/$/, "")])) {
    const codes = await Promise.all(
      ["/livez", "/readyz", "/startupz", "/staleness?x"].map(async (path) => (await ask(prefix + path)).status),
    );
    expect(codes).toEqual([200, 503, 503, 503]);
    expect(Staleness.parse(await (await ask(`${prefix}/staleness`)).json())).toMatchObject({ stale: true, because: ["starting"] });
  }
});

test("whatever else is asked is told to come back, and no probe takes another method than GET", async () => {
  const ask = await opened();
  for (const path of ["/", "/api/v1/board", "/status", "/metrics", "/__proto__", "/constructor"]) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ error: { code: "unavailable" } });
  }
  for (const method of ["HEAD", "POST"]) {
    const answer = await ask("/livez", method);
    expect([answer.status, answer.headers.get("allow"), answer.headers.get("cache-control")]).toEqual([405, "GET", "no-store"]);
  }
});

test("the app answers on the very connections that were open before it was there", async () => {
  const ask = await opened();
  expect((await ask("/api/v1/board")).status).toBe(503);
  const made = port as Port;
  made.adopt((_request, response) => void response.end("the app"));
  expect((await ask("/api/v1/board")).status).toBe(503);
  made.handOver();
  expect(await (await ask("/api/v1/board")).text()).toBe("the app");
});

test("a port that somebody has is told in a sentence; one for another address takes the place of the first", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const taken = (other.address() as AddressInfo).port;
  const ask = await opened();
  const made = port as Port;
  expect(await made.open({ ...LISTEN, port: taken })).toMatch(/cannot listen on 127\.0\.0\.1:\d+: somebody else listens there/);
  await expect(ask("/livez")).rejects.toThrow();
  await new Promise((resolve) => other.close(resolve));
  expect(await made.open({ ...LISTEN, port: taken })).toBeNull();
  expect((await fetch(`http://127.0.0.1:${taken}/livez`)).status).toBe(200);
});
