// A few hundred services at a one-second interval for some minutes: no poll skipped, none doubled, memory flat.
// node tests/bench/soak.mjs [--services 200] [--seconds 300]; needs `pnpm build`. Prints a JSON line; exits 1 when it fails.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { services: { type: "string", default: "200" }, seconds: { type: "string", default: "300" } } });
const count = Math.min(1_000, Number(values.services));
const seconds = Math.min(3_600, Number(values.seconds));

const components = Array.from({ length: 8 }, (_, i) => ({
  name: `dep-${i}`,
  status: "up",
  criticality: i < 3 ? "hard" : "soft",
  latency_ms: 3,
  age_ms: 20,
}));
const body = JSON.stringify({ status: "healthy", components });
const calls = Array.from({ length: count }, () => []);
const servers = await Promise.all(
  calls.map(
    (times) =>
      new Promise((resolve) => {
        const server = createServer((_request, response) => {
          times.push(performance.now());
          response.writeHead(200, { "content-type": "application/json" }).end(body);
        });
        server.keepAliveTimeout = 0;
        server.listen(0, "127.0.0.1", () => resolve(server));
      }),
  ),
);

const folder = mkdtempSync(join(tmpdir(), "headwater-soak-"));
mkdirSync(join(folder, "config/map"), { recursive: true });
const dependencies = components.map(({ name, criticality }) => ({ on: name, criticality }));
const map = {
  defaults: { interval: "1s", timeout: "800ms" },
  resources: Object.fromEntries(components.map(({ name }) => [name, { kind: "external" }])),
  services: Object.fromEntries(
    servers.map((server, i) => [`s${i}`, { url: `http://127.0.0.1:${server.address().port}/health`, dependencies }]),
  ),
};
writeFileSync(join(folder, "config/map/fleet.yaml"), JSON.stringify(map));
const cli = new URL("../../server/dist/cli.js", import.meta.url).pathname;
const child = spawn(process.execPath, [cli, "serve", "--config", join(folder, "config"), "--data", join(folder, "data"), "--port", "0"], {
  stdio: ["ignore", "pipe", "ignore"],
});
const address = await new Promise((resolve, reject) => {
  child.stdout.on("data", (text) => {
    const found = /Headwater is at (\S+)\//.exec(text);
    if (found) resolve(found[1]);
  });
  child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
});

const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
await sleep(15_000);
const skippedSoFar = async () =>
  Number(/^headwater_ticks_skipped_total(?:\{.*\})? (\d+)/m.exec(await (await fetch(`${address}/metrics`)).text())?.[1] ?? Number.NaN);
const skippedAtStart = await skippedSoFar();
const before = calls.map((times) => times.length);
const began = performance.now();
const memory = [];
while (performance.now() - began < seconds * 1_000) {
  await sleep(5_000);
  memory.push(rss());
}
const elapsed = (performance.now() - began) / 1_000;
const skipped = (await skippedSoFar()) - skippedAtStart;
const polls = calls.map((times, i) => times.length - before[i]);
const off = polls.filter((made) => made < Math.floor(elapsed) - 1 || made > Math.ceil(elapsed) + 1).length;
const third = Math.max(1, Math.floor(memory.length / 3));
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const growth = mean(memory.slice(-third)) - mean(memory.slice(third, 2 * third));
const gaps = calls
  .flatMap((times) =>
    times
      .filter((at) => at > began)
      .map((at, i, all) => (i > 0 ? at - all[i - 1] : null))
      .filter((gap) => gap !== null),
  )
  .sort((a, b) => a - b);
const at = (share) => Math.round(gaps[Math.floor(share * (gaps.length - 1))]);

child.kill("SIGTERM");
const code = await new Promise((resolve) => child.once("exit", resolve));
for (const server of servers) {
  server.closeAllConnections();
  server.close();
}
rmSync(folder, { recursive: true, force: true });
const ok = skipped === 0 && off === 0 && growth < 20 && code === 0;
const figures = {
  services: count,
  seconds: Math.round(elapsed),
  polls: polls.reduce((sum, one) => sum + one, 0),
  skipped,
  skipped_at_start: skippedAtStart,
  services_off_count: off,
  gap_p50_ms: at(0.5),
  gap_p99_ms: at(0.99),
  gap_max_ms: at(1),
  rss_mb: {
    first: Math.round(memory[0]),
    last: Math.round(memory.at(-1)),
    peak: Math.round(Math.max(...memory)),
    growth: Math.round(growth * 10) / 10,
  },
  exit: code,
  ok,
};
console.log(JSON.stringify(figures));
process.exitCode = ok ? 0 : 1;
