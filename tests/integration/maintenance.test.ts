import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

let folder: ReturnType<typeof scratchFolder>;
let service: TestService;
let running: Running;
let isDown: boolean;

beforeEach(async () => {
  folder = scratchFolder();
  isDown = false;
  service = await startService({
    dial: (_request, response) => {
      response.writeHead(isDown ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: isDown ? "unhealthy" : "healthy", components: [] }));
    },
  });
  folder.write(
    "config/map/shop.yaml",
    [
      "defaults: { interval: 1s, timeout: 400ms, flip_after: 2, max_age: 10s }",
      `services: { shop: { url: '${service.url}' } }`,
      "systems: { storefront: { members: [ { node: shop, criticality: hard } ] } }",
      "",
    ].join("\n"),
  );
  running = await startServe(folder);
});

afterEach(async () => {
  await running.end("SIGKILL");
  await service.close();
  folder.remove();
});

async function send(method: "POST" | "DELETE", path: string, body?: object): Promise<Response> {
  const { origin } = new URL(running.address);
  return fetch(new URL(`/api/v1/${path}`, origin), {
    method,
    headers: { origin, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

it("work announced while running is in force after a crash: its failure alerts nobody, and is real once it is ended", async () => {
  await eventually("healthy", running.board, (board) => board.nodes[0]?.status === "healthy");
  const to = new Date(Date.now() + 600_000).toISOString();
  const announced = await send("POST", "maintenance", { nodes: ["shop"], to, reason: "new disks", name: "robin" });
  expect(announced.status).toBe(201);
  const { id } = (await announced.json()) as { id: number };
  expect((await send("POST", "changes", { node: "shop", text: "v2", name: "robin" })).status).toBe(201);
  await eventually("marked", running.board, (board) => board.nodes[0]?.marks.includes("maintenance") ?? false);

  await running.end("SIGKILL");
  running = await startServe(folder);
  await eventually("marked again", running.board, (board) => board.nodes[0]?.marks.includes("maintenance") ?? false);
  isDown = true;
  const during = await eventually("an incident", running.board, (board) => board.incidents.length > 0);
  expect(during.incidents[0]).toMatchObject({ kind: "maintenance", severity: "info" });
  expect(during.incidents[0]?.cause?.why.join(" ")).toMatch(
    /a change was marked on it .*“v2” by robin.*work on it was announced until .*“new disks”/,
  );

  expect((await send("DELETE", `maintenance/${id}`)).status).toBe(200);
  const after = await eventually("real", running.board, (board) => board.incidents.some((one) => one.kind === "cause"));
  expect(after.nodes[0]?.marks).not.toContain("maintenance");
  expect(after.incidents.find((one) => one.kind === "cause")).toMatchObject({ anchor: "shop", severity: "page" });
});
