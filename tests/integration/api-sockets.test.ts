import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { appOn, closeApps } from "../support/app.ts";
import { TestLive } from "../support/live.ts";

afterEach(closeApps);

/** Sends bytes to a server of its own and gives all that came back until it closed the connection. */
async function exchange(text: string, live = new TestLive()): Promise<{ status: number; head: string; body: string }> {
  const app = await appOn(live);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const socket = connect(address.port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  const [head = "", body = ""] = Buffer.concat(chunks).toString().split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
}

const request = (line: string, ...headers: string[]) => `${[`${line} HTTP/1.1`, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`;

describe("over a socket", () => {
  it.each(["HEAD", "POST", "PROPFIND", "TRACE", "OPTIONS"])("%s on a probe is 405 with Allow: GET", async (method) => {
    const { status, head } = await exchange(request(`${method} /livez`, "Host: anything.example", "Content-Length: 0"));
    expect([status, /^allow: (.*)$/im.exec(head)?.[1]]).toEqual([405, "GET"]);
  });

  it.each([
    ["a foreign name", "Host: evil.example", 421],
    ["our name with a foreign port", "Host: localhost:1", 200],
    ["two names in one", "Host: localhost,evil.example", 421],
    ["a name behind a user", "Host: localhost@evil.example", 421],
  ])("takes or refuses %s", async (_name, host, status) => {
    expect((await exchange(request("GET /api/v1/version", host))).status).toBe(status);
  });

  it("answers a probe that names nobody", async () => {
    expect((await exchange("GET /livez HTTP/1.0\r\n\r\n")).status).toBe(200);
  });

  it("goes by the Host header also where the target names another host", async () => {
    expect((await exchange(request("GET http://localhost/api/v1/version", "Host: evil.example"))).status).toBe(421);
  });

  it.each([
    ["no HTTP at all", "\u0016\u0003\u0001 hello\r\n\r\n", 400],
    ["no Host", request("GET /api/v1/version"), 421],
    ["no Host of old", "GET / HTTP/1.0\r\n\r\n", 421],
    ["headers without end", request("GET /livez", "Host: localhost", `X-Long: ${"x".repeat(20_000)}`), 431],
    ["a broken escape", request("GET /api/v1/nodes/%ff%", "Host: localhost"), 400],
  ])("refuses %s in plain words", async (_name, text, expected) => {
    const { status, body } = await exchange(text);
    expect(status).toBe(expected);
    expect(JSON.parse(body)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  });
});
