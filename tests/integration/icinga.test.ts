import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { debianFolder, debianTool, librariesOf } from "../support/debian.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { MONITORS } from "../support/monitors.ts";
import { startService, type TestService } from "../support/service.ts";

/** The shipped definitions in a real Icinga 2 on a real Headwater; only its times are shortened and its port named. */

const PACKAGE = "icinga2-bin";
const folder = scratchFolder();
const told = join(folder.path, "told");
let service: TestService;
let running: Running;
/** Stands between the two and counts what Icinga asks. */
let relay: TestService;
let icinga: ChildProcess;
let output = "";

beforeAll(async () => {
  service = await startService();
  folder.write("config/headwater.yaml", "staleness: { limit: 15s }\n");
  folder.write("config/map/shop.yaml", `services: { shop: { url: '${service.url}', interval: 1s, timeout: 900ms } }\n`);
  running = await startServe(folder);
  await eventually("fresh", running.staleness, ({ stale }) => !stale);
  relay = await startService({
    dial: (req, res) =>
      void fetch(`${running.address}${req.url}`)
        .then(async (answer) => res.writeHead(answer.status).end(await answer.text()))
        .catch(() => res.destroy()),
  });

  const shipped = readFileSync(join(MONITORS, "icinga2.conf"), "utf8")
    .replace(/(check|retry)_interval = \d+s/g, "$1_interval = 1s")
    .replace(":8080", `:${relay.port}`)
    .replace("headwater_timeout = 5", "headwater_timeout = 3");
  const lines = [
    "include <itl>",
    `const PluginContribDir = "${MONITORS.replace(/\/$/, "")}"`,
    'object CheckerComponent "checker" { }',
    'object NotificationComponent "notification" { }',
    'object HostGroup "headwater" { }',
    'object Host "hw" { check_command = "dummy"; address = "127.0.0.1"; groups = [ "headwater" ] }',
    `object NotificationCommand "tell" { command = [ "/bin/sh", "-c", "echo $$NAME $$STATE $$TEXT >> ${told}" ]`,
    '  env.NAME = "$service.name$"; env.STATE = "$service.state$"; env.TEXT = "$service.output$" }',
    'object User "on-call" { }',
    'apply Notification "all" to Service { command = "tell"; users = [ "on-call" ]; assign where true }',
    shipped,
  ];
  folder.write("icinga/icinga2.conf", `${lines.join("\n")}\n`);
  const at = (name: string) => {
    const path = join(folder.path, "icinga", name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const program = debianTool("icinga2", PACKAGE);
  const include = join(debianFolder("usr/share/icinga2", PACKAGE), "include");
  const { username } = userInfo();
  const constants = {
    IncludeConfDir: include,
    ConfigDir: at("."),
    DataDir: at("lib"),
    SpoolDir: at("spool"),
    CacheDir: at("cache"),
    LogDir: at("log"),
    InitRunDir: at("run"),
    RunAsUser: username,
    RunAsGroup: username,
  };
  const defined = Object.entries(constants).map(([name, value]) => `-D${name}=${value}`);
  icinga = spawn(program, ["daemon", "-c", join(folder.path, "icinga/icinga2.conf"), "-I", include, ...defined], {
    env: librariesOf(PACKAGE),
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [icinga.stdout, icinga.stderr]) stream?.on("data", (text) => (output += text));
});

afterAll(async () => {
  running?.child.kill("SIGCONT");
  await running?.end("SIGKILL");
  if (icinga && icinga.exitCode === null) {
    const gone = new Promise((resolve) => icinga.once("close", resolve));
    icinga.kill("SIGTERM");
    await gone;
  }
  await relay?.close();
  await service?.close();
  folder.remove();
});

const notices = async () => (existsSync(told) ? readFileSync(told, "utf8").trim().split("\n") : []);

test("a wedged Headwater is critical, and fresh again when it goes on", async () => {
  await eventually(
    "its start",
    async () => output,
    (text) => /Activated all objects/.test(text),
    30_000,
  );
  await eventually(
    "two checks",
    async () => relay.calls.length,
    (checks) => checks >= 2,
    40_000,
  );
  expect(await notices()).toEqual([]);
  running.child.kill("SIGSTOP");
  const [first] = await eventually("the notice", notices, (lines) => lines.length > 0, 40_000);
  expect(first).toMatch(/^headwater-staleness CRITICAL CRITICAL: /);
  running.child.kill("SIGCONT");
  const lines = await eventually("the recovery", notices, (seen) => seen.length > 1, 40_000);
  expect(lines.at(-1)).toMatch(/^headwater-staleness OK OK: /);
});
