import { afterEach, beforeEach, expect, test } from "vitest";
import type { NodeHistory } from "../../server/src/contract/index.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

/** What the history keeps of a map that changes, while Headwater runs and while it does not. */

let folder: ReturnType<typeof scratchFolder>;
let service: TestService;
let running: Running | null;

const mapOf = (id: string, more = "") =>
  `resources:\n  orders-db: { kind: database }\nservices:\n  ${id}:\n    url: '${service.url}'\n    interval: 1s\n    timeout: 400ms\n${more}` +
  "    dependencies: [ { on: orders-db, component: db, criticality: hard } ]\n";

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

const historyOf = async ({ get }: Running, id: string) => (await (await get(`/api/v1/nodes/${id}/history`)).json()) as NodeHistory;
const statuses = ({ spans }: NodeHistory) => spans.map(({ status }) => status).filter((status) => status !== "no_data");

test("a resource has the latencies of its witnesses' checks, under its own name", async () => {
  folder.write("config/map/shop.yaml", mapOf("shop"));
  running = await startServe(folder);
  const { latency } = await eventually(
    "latencies",
    () => historyOf(running as Running, "orders-db"),
    (seen) => seen.latency.some(({ count }) => count > 1),
  );
  expect(latency.flatMap(({ p50 }) => p50 ?? []).every((ms) => ms > 0 && ms < 20)).toBe(true);
});

test("a node renamed while Headwater did not run keeps its history, and one that left has its end", async () => {
  folder.write("config/map/shop.yaml", mapOf("shop"));
  running = await startServe(folder);
  await eventually("healthy", running.board, (seen) => seen.nodes.every(({ status }) => status === "healthy"));
  expect(await running.end()).toBe(0);

  folder.write("config/map/shop.yaml", mapOf("store", "    renamed_from: shop\n"));
  running = await startServe(folder);
  const board = await running.board();
  expect(board.nodes.map(({ id, status }) => [id, status])).toContainEqual(["store", "healthy"]);
  expect(statuses(await historyOf(running, "store"))[0]).toBe("healthy");
  expect((await running.get("/api/v1/nodes/shop/history")).status).toBe(404);

  folder.write("config/map/shop.yaml", `services:\n  store: { url: '${service.url}', interval: 1s, timeout: 400ms }\n`);
  await eventually("the resource has left", running.board, (seen) => seen.nodes.length === 1);
  const gone = await historyOf(running, "orders-db");
  expect(statuses(gone)).toContain("healthy");
  expect(gone.spans.at(-1)?.status).toBe("no_data");
});
