import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mountTinyDisk } from "../support/disk.ts";
import { eventually, scratchFolder, startServe } from "../support/headwater.ts";
import { startMonitors } from "../support/monitors.ts";
import { freePort } from "../support/ports.ts";
import { startService, type TestService } from "../support/service.ts";

/**
 * How long the shipped rules and routes take, at their own pace, from an event until a real Alertmanager holds the alert,
 * and from the event's end until it has let it go. Some ten minutes: `pnpm bench:alerts`. Prints a Markdown table.
 */

const LIMIT_MS = 300_000;
const folder = scratchFolder();
const services: TestService[] = [];
for (let i = 0; i < 10; i++) services.push(await startService());
const receiver = createServer((req, res) => {
  req.resume();
  res.end();
});
await once(receiver.listen(0, "127.0.0.1"), "listening");
const disk = mountTinyDisk(folder.data, "8m");
const port = await freePort();
const map = () => `services:\n${services.map(({ url }, i) => `  s${i}: { url: '${url}' }\n`).join("")}`;
folder.write("config/map/fleet.yaml", map());
const running = await startServe(folder, ["--port", String(port)]);
const monitors = await startMonitors(folder.path, {
  headwater: `127.0.0.1:${port}`,
  receiver: `127.0.0.1:${(receiver.address() as AddressInfo).port}`,
  asShipped: true,
});

const firing = async () => [...new Set((await monitors.firing()).map(({ labels }) => labels.alertname ?? ""))];
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const rows: string[] = [];

async function measure(event: string, alert: string, begin: () => unknown, end: () => unknown): Promise<void> {
  await eventually("silence", firing, (names) => names.length === 0, LIMIT_MS);
  const began = performance.now();
  await begin();
  await eventually(alert, firing, (names) => names.includes(alert), LIMIT_MS);
  const fired = performance.now();
  await end();
  await eventually("the end", firing, (names) => !names.includes(alert), LIMIT_MS);
  rows.push(`| ${event} | \`${alert}\` | ${seconds(fired - began)} | ${seconds(performance.now() - fired)} |`);
  console.log(rows.at(-1));
}

await eventually("fresh", running.staleness, ({ stale }) => !stale, LIMIT_MS);
const { child } = running;
await measure(
  "the process wedged (SIGSTOP)",
  "HeadwaterGone",
  () => child.kill("SIGSTOP"),
  () => child.kill("SIGCONT"),
);
await measure(
  "every service out of reach",
  "HeadwaterStale",
  () => Promise.all(services.map((service) => service.refuse())),
  () => Promise.all(services.map((service) => service.listen())),
);
if (disk) await measure("the disk full", "HeadwaterHistoryNotWritten", disk.fill, disk.clear);
await measure(
  "a broken map saved",
  "HeadwaterMapRefused",
  () => folder.write("config/map/fleet.yaml", "services: { shop: { urll: nowhere } }\n"),
  () => folder.write("config/map/fleet.yaml", map()),
);
await monitors.stop();
await running.end();
receiver.close();
for (const service of services) await service.close();
disk?.unmount();
folder.remove();
console.log(["| event | alert | after | cleared after the end |", "| --- | --- | --- | --- |", ...rows].join("\n"));
process.exit(0);
