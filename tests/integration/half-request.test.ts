import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { scratchFolder, startServe } from "../support/headwater.ts";

test("a client that never ends its request does not hold up an orderly end", async () => {
  const folder = scratchFolder();
  folder.write("config/map/shop.yaml", "resources:\n  orders-db: { kind: database }\n");
  const running = await startServe(folder);
  const { host, hostname, port } = new URL(running.address);
  const client = connect(Number(port), hostname);
  client.on("error", () => undefined);
  await once(client, "connect");
  const head = `Host: ${host}\r\nOrigin: ${running.address}\r\nContent-Type: application/json\r\nContent-Length: 100`;
  client.write(`POST /api/v1/map/check HTTP/1.1\r\n${head}\r\n\r\n{`);
  // Only after the half request: what is answered here was read later than it.
  expect((await running.get("/livez")).status).toBe(200);
  expect(await running.end()).toBe(0);
  client.destroy();
  folder.remove();
});
