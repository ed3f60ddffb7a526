import { afterEach, beforeEach, expect, test } from "vitest";
import type { IncidentDetail, IncidentList, NodeHistory } from "../../server/src/contract/index.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";
import { type SilentFleet, startSilentFleet } from "../support/silent-fleet.ts";

/** The whole product over real sockets: polls, verdict, history, board, stream and staleness. */

let folder: ReturnType<typeof scratchFolder>;
let services: Map<string, TestService>;
let fleet: SilentFleet | null;
let running: Running | null;
/** What each service says of its dependencies; a name listed is down. */
let down: Set<string>;

beforeEach(() => {
  folder = scratchFolder();
  services = new Map();
  fleet = null;
  running = null;
  down = new Set();
});

afterEach(async () => {
  await running?.end("SIGKILL");
  for (const service of services.values()) await service.close();
  fleet?.close();
  folder.remove();
});

/** A service that reports truthfully on what it needs: unhealthy with 503 while any of it is down. */
async function addService(id: string, needs: string[]): Promise<void> {
  const service = await startService({
    dial: (_request, response) => {
      const components = needs.map((name) => ({
        name,
        status: down.has(name) ? "down" : "up",
        criticality: "hard",
        latency_ms: 2,
        age_ms: 50,
        ...(down.has(name) && { error: "connection refused" }),
      }));
      const failing = components.some((component) => component.status === "down");
      response.writeHead(failing ? 503 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: failing ? "unhealthy" : "healthy", components }));
    },
  });
  services.set(id, service);
}

function writeMap(needs: Record<string, string[]>, resources: string[], extra = ""): void {
  const lines = [
    "defaults: { interval: 1s, timeout: 400ms, flip_after: 2, max_age: 5s }",
    "teams: { platform: { contact: '#platform' } }",
    "resources:",
    ...resources.map((id) => `  ${id}: { kind: database, team: platform }`),
    "services:",
    ...Object.entries(needs).map(
      ([id, on]) =>
        `  ${id}: { team: platform, url: '${services.get(id)?.url}', dependencies: [ ${on.map((name) => `{ on: ${name}, criticality: hard }`).join(", ")} ] }`,
    ),
    "systems:",
    `  shop: { public: true, members: [ { node: ${Object.keys(needs)[0]}, criticality: hard } ] }`,
    extra,
  ];
  folder.write("config/map/shop.yaml", `${lines.join("\n")}\n`);
}

/** Starts a fleet whose every service needs what it is given, and Headwater on it. */
async function start(needs: Record<string, string[]>, resources: string[]): Promise<Running> {
  for (const [id, on] of Object.entries(needs)) await addService(id, on);
  writeMap(needs, resources);
  running = await startServe(folder);
  await eventually(
    "all known",
    running.board,
    (board) => board.coverage.known > 0 && board.nodes.every((node) => node.status === "healthy"),
  );
  return running;
}

const twelve = () => Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`s${String(i + 1).padStart(2, "0")}`, ["main-db"]]));
const open = (board: { incidents: { status: string }[] }) => board.incidents.filter((incident) => incident.status !== "resolved");

test("twelve services that report one database down are one incident, its cause the database and twelve impacted", async () => {
  const headwater = await start(twelve(), ["main-db"]);
  down.add("main-db");
  const board = await eventually("the cause", headwater.board, (seen) => seen.incidents[0]?.impacted.length === 12);
  expect(board.incidents).toHaveLength(1);
  expect(board.incidents[0]).toMatchObject({ kind: "cause", status: "open", severity: "page", cause: { node: "main-db", kind: "node" } });
  expect(board.incidents[0]?.cause?.why.length).toBeGreaterThan(0);
  expect(board.nodes.filter((node) => node.role === "root_cause").map((node) => node.id)).toEqual(["main-db"]);
  expect(board.nodes.filter((node) => node.role === "impacted")).toHaveLength(12);
  expect(board.systems[0]).toMatchObject({ id: "shop", status: "unhealthy" });
  expect((await headwater.staleness()).stale).toBe(false);

  down.clear();
  const after = await eventually("the end", headwater.board, (seen) => open(seen).length === 0);
  expect(after.incidents[0]).toMatchObject({ id: board.incidents[0]?.id, status: "resolved", end: "cleared" });
  expect(after.nodes.every((node) => node.role === null && node.status === "healthy")).toBe(true);
});

test("a service that hangs is unknown with the reason, and no incident is opened for it", async () => {
  const headwater = await start({ a: ["db"], b: ["db"], c: ["db"] }, ["db"]);
  const b = services.get("b");
  if (b) b.dial = "hang";
  const board = await eventually("unknown", headwater.board, (seen) => seen.nodes.find((node) => node.id === "b")?.status === "unknown");
  const node = board.nodes.find((each) => each.id === "b");
  expect(node?.reason).toContain("timeout");
  expect(node?.last_known?.status).toBe("healthy");
  expect(board.incidents).toEqual([]);
  expect((await headwater.staleness()).code).toBe(200);
});

test("when every service is gone nothing is opened, and the staleness signal turns within its limit", async () => {
  const headwater = await start({ a: ["db"], b: ["db"], c: ["db"] }, ["db"]);
  const { limit_ms } = await headwater.staleness();
  const gone = Date.now();
  for (const service of services.values()) await service.refuse();
  const signal = await eventually("stale", headwater.staleness, (seen) => seen.code === 503, limit_ms + 5_000);
  expect(Date.now() - gone).toBeLessThan(limit_ms + 3_000);
  expect(signal.because.length).toBeGreaterThan(0);
  const board = await eventually("unknown", headwater.board, (seen) => seen.nodes.every((node) => node.status === "unknown"));
  expect(board.incidents).toEqual([]);

  for (const service of services.values()) await service.listen();
  await eventually("fresh again", headwater.staleness, (seen) => seen.code === 200);
});

test("a dozen services on several hosts that time out at connecting: blind, with last-known states kept, nothing opened", async () => {
  const hosts = Array.from({ length: 12 }, (_, i) => `127.0.0.${2 + (i % 4)}`);
  fleet = await startSilentFleet(hosts);
  const lines = fleet.urls.map((url, i) => `  s${i}: { url: '${url}', dependencies: [] }`);
  folder.write(
    "config/map/fleet.yaml",
    `defaults: { interval: 1s, timeout: 400ms, flip_after: 2, max_age: 30s }\nservices:\n${lines.join("\n")}\n`,
  );
  running = await startServe(folder);
  const { board, staleness } = running;
  await eventually("all known", board, (seen) => seen.nodes.every((node) => node.status === "healthy"));

  fleet.vanish();
  await eventually("blind", staleness, (seen) => seen.code === 503 && seen.because.includes("blind"));
  const blind = await eventually("unknown", board, (seen) => seen.nodes.every((node) => node.status === "unknown"));
  expect(blind.freshness).toMatchObject({ blind: true, stale: true });
  expect(blind.nodes.every((node) => node.last_known?.status === "healthy")).toBe(true);
  expect(blind.incidents).toEqual([]);
  expect(blind.coverage.known).toBe(0);
  expect((await (await running.get("/metrics")).text()).match(/^headwater_blind(?:\{.*\})? 1$/m)).not.toBeNull();

  fleet.comeBack();
  await eventually("sees again", staleness, (seen) => seen.code === 200);
  const after = await eventually("healthy", board, (seen) => seen.nodes.every((node) => node.status === "healthy"));
  expect(after.incidents).toEqual([]);
});

test("an incident, its history and its number survive a restart, and time away is a gap", async () => {
  const first = await start(twelve(), ["main-db"]);
  down.add("main-db");
  const before = await eventually("the cause", first.board, (seen) => seen.incidents[0]?.impacted.length === 12);
  const id = before.incidents[0]?.id;
  await first.get(`/api/v1/incidents/${id}/ack`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: first.address },
    body: JSON.stringify({ name: "night shift", note: "failing over" }),
  });
  // An open stream must not hold up the end.
  const stream = await first.get("/api/v1/events");
  const asked = Date.now();
  expect(await first.end()).toBe(0);
  expect(Date.now() - asked).toBeLessThan(10_000);
  await stream.body?.cancel().catch(() => undefined);

  running = await startServe(folder);
  const after = await running.board();
  expect(after.incidents).toHaveLength(1);
  expect(after.incidents[0]).toMatchObject({
    id,
    status: "open",
    opened_at: before.incidents[0]?.opened_at,
    acked: { by: "night shift", note: "failing over" },
  });
  expect(after.nodes.find((node) => node.id === "main-db")).toMatchObject({ status: "unhealthy", role: "root_cause" });
  expect(after.map.revision).toBe(before.map.revision);

  down.clear();
  await eventually("the end", running.board, (seen) => open(seen).length === 0);
  const now = new Date().toISOString();
  const history = (await (
    await running.get(
      `/api/v1/nodes/s01/history?from=${encodeURIComponent(new Date(Date.now() - 600_000).toISOString())}&to=${encodeURIComponent(now)}`,
    )
  ).json()) as NodeHistory;
  const words = history.spans.map((span) => span.status);
  expect(words[0]).toBe("no_data");
  expect(words).toContain("healthy");
  expect(words).toContain("unhealthy");
  const list = (await (await running.get("/api/v1/incidents")).json()) as IncidentList;
  expect(list.incidents.map((incident) => incident.id)).toEqual([id]);
  const detail = (await (await running.get(`/api/v1/incidents/${id}`)).json()) as IncidentDetail;
  expect(detail.events.map((event) => event.kind)).toEqual(expect.arrayContaining(["opened", "ack", "resolved"]));
});

test("with five streams and a client that hammers the board, each service gets one call an interval", async () => {
  const headwater = await start({ a: ["db"], b: ["db"], c: ["db"] }, ["db"]);
  const streams = await Promise.all(Array.from({ length: 5 }, () => headwater.get("/api/v1/events")));
  const counts = () => [...services.values()].map((service) => service.calls.length);
  const before = counts();
  const began = performance.now();
  let reads = 0;
  while (performance.now() - began < 5_000) {
    const answers = await Promise.all(["/api/v1/board", "/api/v1/nodes/a", "/staleness", "/status"].map((path) => headwater.get(path)));
    for (const answer of answers) await answer.arrayBuffer();
    reads += answers.length;
  }
  const seconds = (performance.now() - began) / 1_000;
  expect(reads).toBeGreaterThan(100);
  for (const [i, count] of counts().entries()) {
    const calls = count - (before[i] ?? 0);
    expect(calls).toBeGreaterThanOrEqual(Math.floor(seconds) - 1);
    expect(calls).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  }
  for (const stream of streams) await stream.body?.cancel();
});
