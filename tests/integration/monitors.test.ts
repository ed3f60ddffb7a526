import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { probes } from "../../server/src/cli/probes.ts";
import { debianTool } from "../support/debian.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { MONITORS } from "../support/monitors.ts";
import { freePort } from "../support/ports.ts";
import { startService, type TestService } from "../support/service.ts";

/** What ships in config/monitors, tried by the programs that it is for. */

const folder = scratchFolder();
let service: TestService;
let running: Running;

beforeAll(async () => {
  service = await startService();
  folder.write("config/headwater.yaml", "staleness: { limit: 15s }\nalerts: { webhook: { url: 'http://127.0.0.1:9/' } }\n");
  folder.write(
    "config/map/shop.yaml",
    `defaults: { interval: 1s, timeout: 900ms, flip_after: 2 }\nservices: { shop: { url: '${service.url}' } }\nsystems: { store: { public: true, members: [ { node: shop, criticality: hard } ] } }\n`,
  );
  running = await startServe(folder);
  await eventually("fresh", running.staleness, ({ stale }) => !stale);
});

afterAll(async () => {
  running?.child.kill("SIGCONT");
  await running?.end("SIGKILL");
  await service?.close();
  folder.remove();
});

/** Exit code and output of a program. */
async function run(
  file: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<{ code: number; out: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, args, { ...options, timeout: 30_000 });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

const read = (name: string) => readFileSync(join(MONITORS, name), "utf8");

describe("the rules for Prometheus", () => {
  it("pass their own tests", async () => {
    const { code, out } = await run(debianTool("promtool", "prometheus"), ["test", "rules", join(MONITORS, "prometheus-rules.test.yml")]);
    expect([code, out]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });

  it("are each tested", () => {
    const tests = read("prometheus-rules.test.yml");
    const alerts = [...read("prometheus-rules.yml").matchAll(/alert: (\w+)/g)].map(([, name]) => name ?? "");
    expect(alerts.length).toBeGreaterThan(5);
    expect(alerts.filter((name) => !tests.includes(`alertname: ${name}\n`))).toEqual([]);
  });

  it("speak of metrics and labels that there are", async () => {
    const rules = parse(read("prometheus-rules.yml")) as { groups: { rules: { expr: string }[] }[] };
    const text = await (await running.get("/metrics")).text();
    const series = text.split("\n").filter((line) => !line.startsWith("#"));
    const asked = rules.groups.flatMap(({ rules }) =>
      rules.flatMap(({ expr }) => [...expr.matchAll(/((?:headwater|process)_\w+)(?:\{(\w+))?/g)]),
    );
    expect(asked.length).toBeGreaterThan(8);
    for (const [, name = "", label] of asked) {
      const found = series.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      expect(found.length, name).toBeGreaterThan(0);
      if (label !== undefined && label !== "job") expect(found[0], name).toContain(`${label}="`);
    }
  });

  it("and the rest of Prometheus' and Alertmanager's configuration are taken by their own checkers", async () => {
    const prometheus = await run(debianTool("promtool", "prometheus"), ["check", "config", join(MONITORS, "prometheus.yml")]);
    expect([prometheus.code, prometheus.out]).toEqual([0, expect.stringContaining("10 rules found")]);
    const manager = await run(debianTool("amtool", "prometheus-alertmanager"), ["check-config", join(MONITORS, "alertmanager.yml")]);
    expect([manager.code, manager.out]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });

  it("metrics are well formed by promtool's own words", async () => {
    const child = spawn(debianTool("promtool", "prometheus"), ["check", "metrics"], { stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
    child.stdin.end(await (await running.get("/metrics")).text());
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, out]).toEqual([0, ""]);
  });
});

test("the routes for Alertmanager bring each alert to whom it is for", async () => {
  const route = async (...labels: string[]) =>
    (
      await run(debianTool("amtool", "prometheus-alertmanager"), [
        "config",
        "routes",
        "test",
        `--config.file=${join(MONITORS, "alertmanager.yml")}`,
        ...labels,
      ])
    ).out.split("\n")[0];
  expect(await route("alertname=HeadwaterGone", "severity=page")).toBe("on-call");
  expect(await route("alertname=HeadwaterMapRefused", "severity=ticket")).toBe("tickets");
  expect(await route("alertname=HeadwaterIncident", "kind=cause", "team=payments")).toBe("payments");
  expect(await route("alertname=HeadwaterIncident", "kind=visibility", "team=payments")).toBe("tickets");
  expect(await route("alertname=HeadwaterIncident", "kind=cause", "team=data")).toBe("on-call");
});

test("the Kubernetes manifest passes our own lint, its probes ask what they should, and nothing else", async () => {
  const manifest = join(MONITORS, "kubernetes.yaml");
  const out: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: () => {}, env: {}, cwd: folder.path, colour: false };
  expect(await probes(["--config", folder.config, "--json", manifest], io)).toBe(0);
  expect(JSON.parse(out.join(""))).toEqual({ findings: [], skipped: [] });
  for (const [, path = ""] of read("kubernetes.yaml").matchAll(/httpGet: \{ path: (\S+),/g))
    expect((await running.get(path)).status).toBe(200);
});

test("systemd takes the unit", async () => {
  const unit = read("headwater.service").replace("/usr/bin/headwater", process.execPath);
  writeFileSync(join(folder.path, "headwater.service"), unit);
  expect(await run(debianTool("systemd-analyze", "systemd"), ["verify", join(folder.path, "headwater.service")])).toEqual({
    code: 0,
    out: "",
  });
});

describe("check_headwater", () => {
  const plugin = join(MONITORS, "check_headwater");
  /** A PATH with nothing but what the script needs and one of the two clients. */
  const pathWith = (client: string): NodeJS.ProcessEnv => {
    const bin = join(folder.path, `bin-${client}`);
    mkdirSync(bin, { recursive: true });
    for (const name of ["sh", "tr", "cut", "sed", "timeout", client])
      try {
        symlinkSync(debianTool(name, name === client ? client : "coreutils"), join(bin, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    return { PATH: bin };
  };
  const check = (client: string, url: string, ...args: string[]) => run(plugin, ["-u", url, ...args], { env: pathWith(client) });

  /** A server that answers /staleness with this. */
  async function answering(status: number, body: string): Promise<TestService> {
    return startService({ dial: (_req, res) => void res.writeHead(status, { "content-type": "application/json" }).end(body) });
  }
  const signal = (because: string[]) =>
    JSON.stringify({
      stale: because.length > 0,
      because,
      last_answer_at: null,
      age_ms: 20.5,
      limit_ms: 15_000,
      reporting: 4,
      instances: 5,
      overdue: 1,
    });

  it.each(["curl", "wget"])("by %s: says OK of a fresh one", async (client) => {
    expect(await check(client, running.address)).toEqual({
      code: 0,
      out: expect.stringMatching(/^OK: 1 of 1 instances report \| age=[\d.]+ms;;15000 overdue=0;;;0 reporting=1;;;0\n$/),
    });
  });

  it.each([
    ["curl", ["history"], 1, /^WARNING: history is not written, 4 of 5/],
    ["wget", ["history"], 1, /^WARNING: history is not written, 4 of 5/],
    [
      "curl",
      ["no_answers", "few_reporting"],
      2,
      /^CRITICAL: not to be trusted: no_answers, few_reporting, 4 of 5 instances report \| age=20\.5ms;;15000 overdue=1/,
    ],
    ["wget", ["no_answers", "history"], 2, /^CRITICAL: not to be trusted: no_answers, history/],
  ])("by %s: of one that is stale by %j exits %i", async (client, because, code, out) => {
    const stale = await answering(503, signal(because));
    expect(await check(client, stale.url.replace("/health/deep", "/"))).toEqual({ code, out: expect.stringMatching(out) });
    await stale.close();
  });

  it.each([
    ["another server", 200, "<html>welcome</html>"],
    ["an error page", 503, "upstream gone"],
    ["a redirect", 302, ""],
    ["a hostile body", 200, '{"stale":false","because":["$(reboot)"]}\u001b[2J | x=1'],
  ])("takes %s for no Headwater, and shows nothing of it", async (_what, status, body) => {
    const other = await answering(status, body);
    for (const client of ["curl", "wget"])
      expect(await check(client, other.url.replace("/health/deep", ""))).toEqual({
        code: 2,
        out: "CRITICAL: no answer of a Headwater within 5 s\n",
      });
    await other.close();
  });

  it.each(["curl", "wget"])("by %s: gives up on one that is wedged, drips or is not there", async (client) => {
    running.child.kill("SIGSTOP");
    const wedged = await check(client, running.address, "-t", "1");
    running.child.kill("SIGCONT");
    const dripping = await startService({ dial: "drip" });
    const drip = await check(client, dripping.url.replace("/health/deep", ""), "-t", "1");
    await dripping.close();
    const gone = await check(client, dripping.url.replace("/health/deep", ""), "-t", "1");
    expect([wedged.code, drip.code, gone.code]).toEqual([2, 2, 2]);
    await eventually("fresh again", running.staleness, ({ stale }) => !stale);
  });

  it.each([[[]], [["-u", "ftp://x"]], [["-u", "http://x", "-t", "soon"]], [["-x"]]])("exits 3 for the call %j", async (args) => {
    expect((await run(plugin, args)).code).toBe(3);
  });
});

test("check_http, as the command for Nagios has it, tells fresh from stale", async () => {
  const line = /check_http -H \$HOSTADDRESS\$ -p \$ARG1\$ (.*)/.exec(read("nagios.cfg"))?.[1] ?? "";
  const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  expect(args).toContain('"stale":false');
  const check = (port: string) => run(debianTool("check_http", "monitoring-plugins-basic"), ["-H", "127.0.0.1", "-p", port, ...args]);
  expect((await check(new URL(running.address).port)).code).toBe(0);
  const stale = await startService({ dial: (_req, res) => void res.writeHead(503).end('{"stale":true,"because":["blind"]}') });
  expect((await check(String(stale.port))).code).toBe(2);
  await stale.close();
});

test("blackbox exporter, with the shipped modules, tells fresh from stale and from silence", async () => {
  const port = await freePort();
  const child: ChildProcess = spawn(
    debianTool("prometheus-blackbox-exporter", "prometheus-blackbox-exporter"),
    [`--config.file=${join(MONITORS, "blackbox.yml")}`, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"],
    { stdio: "ignore" },
  );
  const probe = async (module: string, target: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/probe?module=${module}&target=${encodeURIComponent(target)}`);
    return /^probe_success (\d)$/m.exec(await answer.text())?.[1];
  };
  try {
    await eventually(
      "the exporter",
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        ),
      Boolean,
    );
    expect(await probe("headwater_staleness", `${running.address}/staleness`)).toBe("1");
    expect(await probe("headwater_public", `${running.address}/status`)).toBe("1");
    expect(await probe("headwater_staleness", `${running.address}/livez`)).toBe("0");
    const stale = await startService({ dial: (_req, res) => void res.writeHead(503).end('{"stale":true,"because":["blind"]}') });
    expect(await probe("headwater_staleness", stale.url)).toBe("0");
    await stale.close();
    expect(await probe("headwater_staleness", stale.url)).toBe("0");
  } finally {
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    await closed;
  }
});

test("the examples ask addresses that there are", async () => {
  for (const name of ["gatus.yaml", "nagios.cfg", "blackbox.yml"]) {
    const paths = [...read(name).matchAll(/(?:internal:8080|-u )(\/\w+)/g)].map(([, path]) => path ?? "");
    for (const path of paths) expect((await running.get(path)).status, `${name} ${path}`).toBe(200);
  }
  const gatus = parse(read("gatus.yaml")) as { endpoints: { conditions: string[] }[] };
  expect(gatus.endpoints.every(({ conditions }) => conditions[0] === "[STATUS] == 200")).toBe(true);
});
