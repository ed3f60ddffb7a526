import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { panelsOf } from "../support/dashboard.ts";
import { mountTinyDisk, type TinyDisk } from "../support/disk.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { type Monitors, startMonitors } from "../support/monitors.ts";
import { freePort } from "../support/ports.ts";
import { startService, type TestService } from "../support/service.ts";

/**
 * The shipped rules in a real Prometheus and the shipped routes in a real Alertmanager, on a real Headwater: they fire when
 * it is wedged, blinded, given a broken map or a full disk, clear when that is over, and keep silent while services flap.
 */

const folder = scratchFolder();
const services: TestService[] = [];
let receiver: TestService;
let disk: TinyDisk | null;
let running: Running;
let monitors: Monitors;
/** When all of this began, in Unix seconds. */
const began = Date.now() / 1_000;
/** What the routes' receivers were told: path, status, names. */
const told: { path: string; status: string; names: string[] }[] = [];
let databaseDown = false;
/** While they flap, one poll of one service is bad; the turn goes on when that one has answered well twice, so no two overlap. */
let flapping = false;
let turn = { of: 0, bad: false, goodSince: 0 };
let flaps = 0;

/** Whether this poll of service `i` is the bad one. */
function flapsNow(i: number): boolean {
  if (turn.of !== i) return false;
  if (!turn.bad) {
    if (flapping) {
      turn.bad = true;
      flaps++;
    }
    return flapping;
  }
  turn.goodSince++;
  if (turn.goodSince === 2) turn = { of: (i + 1) % services.length, bad: false, goodSince: 0 };
  return false;
}

const STALENESS = "staleness: { limit: 3s, write_limit: 6s }\n";
const map = () =>
  [
    "defaults: { interval: 1s, timeout: 800ms, flip_after: 2 }",
    "teams: { payments: {}, data: {} }",
    "resources: { orders-db: { team: data } }",
    "services:",
    ...services.map(({ url }, i) => `  s${i}: { url: '${url}', team: payments, dependencies: [ { on: orders-db, criticality: hard } ] }`),
    "systems: { shop: { members: [ { node: s0, criticality: hard } ] } }",
  ].join("\n");

const names = async () => [...new Set((await monitors.firing()).map(({ labels }) => labels.alertname ?? ""))].sort();
const within = (seconds: number) => seconds * 1_000;
/** Polls that started late are told for up to two windows of ten seconds. */
const silent = () => eventually("silence", names, (seen) => seen.length === 0, within(45));

beforeAll(async () => {
  for (let i = 0; i < 4; i++) {
    services.push(
      await startService({
        dial: (_req, res) => {
          const bad = flapsNow(i) || databaseDown;
          const components = [{ name: "orders-db", status: bad ? "down" : "up", criticality: "hard" }];
          res.writeHead(bad ? 503 : 200, { "content-type": "application/json" });
          res.end(JSON.stringify({ status: bad ? "unhealthy" : "healthy", components }));
        },
      }),
    );
  }
  receiver = await startService({
    dial: async (req, res) => {
      const { status, alerts } = JSON.parse(await text(req)) as { status: string; alerts: { labels: { alertname: string } }[] };
      told.push({ path: req.url ?? "", status, names: alerts.map(({ labels }) => labels.alertname) });
      res.end();
    },
  });
  // Our own alerts go to the Alertmanager that Prometheus uses, whose port is known once it runs: a reload tells of it.
  const port = await freePort();
  folder.write("config/headwater.yaml", STALENESS);
  disk = mountTinyDisk(folder.data, "4m");
  folder.write("config/map/shop.yaml", map());
  running = await startServe(folder, ["--port", String(port)]);
  monitors = await startMonitors(folder.path, { headwater: `127.0.0.1:${port}`, receiver: `127.0.0.1:${receiver.port}` });
  folder.write("config/headwater.yaml", `${STALENESS}alerts: { alertmanager: { urls: [ '${monitors.alertmanager}' ] } }\n`);
  await eventually("known", running.board, (board) => board.map.revision === 2 && board.nodes.every(({ status }) => status === "healthy"));
  await silent();
});

afterAll(async () => {
  running?.child.kill("SIGCONT");
  await running?.end("SIGKILL");
  await monitors?.stop();
  for (const service of [...services, receiver]) await service?.close();
  disk?.unmount();
  folder.remove();
});

test("nothing alerts while services flap", async () => {
  const before = await monitors.everSeen();
  flapping = true;
  await eventually(
    "two bad polls of each",
    async () => flaps,
    (seen) => seen >= 2 * services.length,
    within(60),
  );
  flapping = false;
  expect(await monitors.everSeen()).toEqual(before);
  expect(await monitors.firing()).toEqual([]);
  expect((await running.board()).incidents).toEqual([]);
});

test("a refused map is a ticket until it is mended", async () => {
  folder.write("config/map/shop.yaml", "services: { shop: { urll: nowhere } }\n");
  await eventually("the ticket", names, (seen) => seen.includes("HeadwaterMapRefused"), within(20));
  expect(await names()).toEqual(["HeadwaterMapRefused"]);
  await eventually(
    "its route",
    async () => told,
    (seen) => seen.some(({ path }) => path === "/tickets"),
  );
  folder.write("config/map/shop.yaml", map());
  await silent();
});

test("every service out of reach pages that Headwater cannot be trusted, and no cause", async () => {
  for (const service of services) await service.refuse();
  const alerts = await eventually(
    "the page",
    monitors.firing,
    (seen) => seen.some(({ labels }) => labels.alertname === "HeadwaterStale"),
    within(20),
  );
  expect(alerts.map(({ labels }) => labels.because)).toContain("no_answers");
  expect(await names()).toEqual(["HeadwaterStale"]);
  for (const service of services) await service.listen();
  await silent();
});

test("a full disk is a ticket and no page, while polls and board go on, until there is room", async (context) => {
  if (!disk) return context.skip("needs the right to mount a file system");
  const toldBefore = told.length;
  disk.fill();
  // A change that must be written, and room in no page that is there already.
  flapping = true;
  await eventually("the ticket", names, (seen) => seen.includes("HeadwaterHistoryNotWritten"), within(40));
  flapping = false;
  expect(await names()).toEqual(["HeadwaterHistoryNotWritten"]);
  expect((await running.staleness()).because).toEqual(["history"]);
  const polled = services[0]?.calls.length ?? 0;
  await eventually(
    "polls",
    async () => services[0]?.calls.length ?? 0,
    (calls) => calls >= polled + 2,
  );
  expect((await running.board()).nodes.every(({ status }) => status === "healthy")).toBe(true);
  disk.clear();
  await silent();
  // Word that the page of before is over may come as late as this.
  const firing = told.slice(toldBefore).filter(({ status }) => status === "firing");
  expect(firing.map(({ path }) => path)).not.toContain("/on-call");
});

test("a wedged process pages, and neither its causes nor its own alerts look cleared", async () => {
  databaseDown = true;
  const open = ["HeadwaterCause", "HeadwaterIncident"];
  await eventually("the cause", names, (seen) => open.every((name) => seen.includes(name)), within(20));
  const own = await eventually(
    "one alert of our own",
    async () => (await monitors.firing()).filter(({ labels }) => labels.alertname === "HeadwaterIncident"),
    (seen) => seen.length === 1 && seen[0]?.labels.node === "orders-db",
  );
  expect(own[0]?.labels).toEqual({ alertname: "HeadwaterIncident", site: "default", node: "orders-db", kind: "cause", team: "data" });
  expect(own[0]?.startsAt).toBe((await running.board()).incidents.find(({ status }) => status === "open")?.opened_at);

  running.child.kill("SIGSTOP");
  await eventually("the page", names, (seen) => seen.includes("HeadwaterGone"), within(20));
  // What cannot be scraped any more has left Prometheus' memory of the present: the causes stay all the same.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await names()).toEqual(["HeadwaterCause", "HeadwaterGone", "HeadwaterIncident"]);
  expect(told.some(({ status, names: ended }) => status === "resolved" && ended.includes("HeadwaterIncident"))).toBe(false);

  running.child.kill("SIGCONT");
  await eventually("back", names, (seen) => !seen.includes("HeadwaterGone"), within(20));
  expect(await names()).toEqual(expect.arrayContaining(open));
  databaseDown = false;
  await silent();
  await eventually(
    "the all-clear",
    async () => told,
    (seen) => seen.some(({ status, names: ended }) => status === "resolved" && ended.includes("HeadwaterIncident")),
  );
});

test("every panel of the dashboard has an answer, and something to draw of all that happened here", async () => {
  const { panels } = panelsOf();
  const instance = new URL(running.address).host;
  const empty: string[] = [];
  for (const { title, targets = [] } of panels)
    for (const { expr } of targets) {
      const query = expr.replaceAll("$job", "headwater").replaceAll("$instance", instance).replaceAll("$__rate_interval", "10s");
      const end = Date.now() / 1_000;
      // Steps as fine as the scrapes: a cause is in Prometheus for a second or two before the process is wedged.
      const search = new URLSearchParams({ query, start: String(began), end: String(end), step: "1" });
      const answer = await fetch(`${monitors.prometheus}/api/v1/query_range?${search}`);
      const { status, error, data } = (await answer.json()) as { status: string; error?: string; data?: { result: unknown[] } };
      expect([title, status, error]).toEqual([title, "success", undefined]);
      if (data?.result.length === 0) empty.push(title);
    }
  expect(empty).toEqual([]);
});
