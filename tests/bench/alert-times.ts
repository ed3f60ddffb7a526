import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { mountTinyDisk } from "../support/disk.ts";
import { eventually, scratchFolder, startServe } from "../support/headwater.ts";
import { startMonitors } from "../support/monitors.ts";
import { freePort } from "../support/ports.ts";
import { startService, type TestService } from "../support/service.ts";

/**
 * How long the shipped rules and routes take, at their own pace, from an event until a real Alertmanager holds the alert,
 * and from the event's end until it has let it go: every rule once. Some forty minutes: `pnpm bench:alerts`. Prints a
 * Markdown table.
 */

const LIMIT_MS = 600_000;
/** Some rules look back over half an hour. */
const LOOK_BACK_MS = 2_400_000;
const folder = scratchFolder();
const services: TestService[] = [];
let databaseDown = false;
for (let i = 0; i < 10; i++)
  services.push(
    await startService({
      dial: (_req, res) => {
        const components = [{ name: "orders-db", status: databaseDown ? "down" : "up", criticality: "hard" }];
        res.writeHead(databaseDown ? 503 : 200, { "content-type": "application/json" });
        res.end(JSON.stringify({ status: databaseDown ? "unhealthy" : "healthy", components }));
      },
    }),
  );
let refuses = false;
const receiver = createServer((req, res) => {
  req.resume();
  res.writeHead(refuses ? 500 : 200).end();
});
await once(receiver.listen(0, "127.0.0.1"), "listening");
const receiverPort = (receiver.address() as AddressInfo).port;
const disk = mountTinyDisk(folder.data, "8m");
const port = await freePort();
const map = () =>
  [
    "resources: { orders-db: {} }",
    "services:",
    ...services.map(({ url }, i) => `  s${i}: { url: '${url}', dependencies: [ { on: orders-db, criticality: hard } ] }`),
    "systems: { shop: { members: [ { node: s0, criticality: hard } ] } }",
  ].join("\n");
folder.write("config/headwater.yaml", `alerts: { webhook: { url: 'http://127.0.0.1:${receiverPort}/' } }\n`);
folder.write("config/map/fleet.yaml", map());
const serve = () => startServe(folder, ["--port", String(port)]);
let running = await serve();
const monitors = await startMonitors(folder.path, {
  headwater: `127.0.0.1:${port}`,
  receiver: `127.0.0.1:${receiverPort}`,
  asShipped: true,
});

const firing = async () => [...new Set((await monitors.firing()).map(({ labels }) => labels.alertname ?? ""))];
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const rows: string[] = [];
/** Alerts that go on for long after their event, because their rules look back. */
const lasting = new Set<string>();
const ends: Promise<void>[] = [];

interface Event {
  /** What happens, for people. */
  event: string;
  alert: string;
  begin: () => unknown;
  end?: () => unknown;
  /** Its rule looks back: other events need not wait for its end. */
  looksBack?: boolean;
}

async function measure({ event, alert, begin, end, looksBack = false }: Event): Promise<void> {
  await eventually("silence", firing, (names) => names.every((name) => lasting.has(name)), LIMIT_MS);
  const began = performance.now();
  await begin();
  await eventually(alert, firing, (names) => names.includes(alert), LIMIT_MS);
  const fired = performance.now();
  await end?.();
  const over = eventually("the end", firing, (names) => !names.includes(alert), looksBack ? LOOK_BACK_MS : LIMIT_MS).then(() => {
    lasting.delete(alert);
    rows.push(`| ${event} | \`${alert}\` | ${seconds(fired - began)} | ${seconds(performance.now() - fired)} |`);
    console.log(rows.at(-1));
  });
  if (looksBack) {
    lasting.add(alert);
    ends.push(over);
  } else await over;
}

/** Stopped again and again for a while: too little CPU, as it were. */
function stutter(): () => void {
  const { child } = running;
  const timer = setInterval(() => {
    child.kill("SIGSTOP");
    setTimeout(() => child.kill("SIGCONT"), 2_500);
  }, 8_000);
  return () => clearInterval(timer);
}

/** Does this to the history's file from outside. */
function alter(statement: string): void {
  const database = new Database(join(folder.data, "headwater.db"), { timeout: 5_000 });
  database.exec(statement);
  database.close();
}

const refuse = () => Promise.all(services.map((service) => service.refuse()));
const listen = () => Promise.all(services.map((service) => service.listen()));

await eventually("fresh", running.staleness, ({ stale }) => !stale, LIMIT_MS);
await measure({
  event: "three restarts",
  alert: "HeadwaterRestarts",
  begin: async () => {
    for (let i = 0; i < 3; i++) {
      // Each is seen by a scrape.
      await sleep(20_000);
      await running.end();
      running = await serve();
    }
  },
  looksBack: true,
});
await measure({
  event: "a row that the file refuses",
  alert: "HeadwaterHistoryDropped",
  begin: () => {
    alter("CREATE TRIGGER refused BEFORE INSERT ON transition BEGIN SELECT RAISE(ABORT, 'refused'); END");
    databaseDown = true;
  },
  end: () => {
    alter("DROP TRIGGER refused");
    databaseDown = false;
  },
  looksBack: true,
});
await measure({
  event: "the process wedged (SIGSTOP)",
  alert: "HeadwaterGone",
  begin: () => running.child.kill("SIGSTOP"),
  end: () => running.child.kill("SIGCONT"),
});
await measure({ event: "every service out of reach", alert: "HeadwaterStale", begin: refuse, end: listen });
await measure({ event: "the same, for long", alert: "HeadwaterPollsStopped", begin: refuse, end: listen });
if (disk) await measure({ event: "the disk full", alert: "HeadwaterHistoryNotWritten", begin: disk.fill, end: disk.clear });
await measure({
  event: "a broken map saved",
  alert: "HeadwaterMapRefused",
  begin: () => folder.write("config/map/fleet.yaml", "services: { shop: { urll: nowhere } }\n"),
  end: () => folder.write("config/map/fleet.yaml", map()),
});
await measure({
  event: "a database down",
  alert: "HeadwaterCause",
  begin: () => {
    databaseDown = true;
  },
  end: () => {
    databaseDown = false;
  },
});
await measure({
  event: "the receiver of our alerts fails",
  alert: "HeadwaterAlertsNotTaken",
  begin: () => {
    refuses = databaseDown = true;
  },
  end: () => {
    refuses = databaseDown = false;
  },
});
let steady: () => void = () => undefined;
await measure({
  event: "too little CPU (2.5 of 8 s without any)",
  alert: "HeadwaterLate",
  begin: () => {
    steady = stutter();
  },
  end: () => steady(),
});
await Promise.all(ends);
await monitors.stop();
await running.end();
receiver.close();
for (const service of services) await service.close();
disk?.unmount();
folder.remove();
console.log(["| event | alert | after | cleared after the end |", "| --- | --- | --- | --- |", ...rows].join("\n"));
process.exit(0);
