import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { gather } from "../../../server/src/cli/init-sources.ts";
import { probes } from "../../../server/src/cli/probes.ts";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { judgeFile } from "../../../server/src/config/probes/judge.ts";
import { runCommand } from "../../support/command.ts";

const CASES = path.join(import.meta.dirname, "../../fixtures/map-cases/probes");

const run = (args: string[]) => runCommand(probes, args, { cwd: CASES });

interface Found {
  file: string;
  line: number;
  rule: string;
  level?: string;
}

describe("each case of manifests brings the findings that stand beside it, at their lines", () => {
  test.each(readdirSync(CASES).sort())("%s", async (name) => {
    const expected = JSON.parse(readFileSync(path.join(CASES, name, "expected.json"), "utf8")) as { findings: Found[] };
    const { code, out } = await run(["--config", `${name}/config`, `${name}/manifests`, "--json"]);
    const { findings } = JSON.parse(out) as { findings: Found[] };
    const short = (list: Found[]) =>
      list.map(({ file, line, rule, level }) => `${file.replace(`${name}/`, "")}:${line} ${rule} ${level ?? ""}`).sort();
    expect(short(findings)).toEqual(short(expected.findings));
    expect(code).toBe(expected.findings.some(({ level }) => level !== "note") ? 1 : 0);
  });
});

const MAP = parseConfig(
  [
    {
      path: "map/a.yaml",
      text: `services:
  orders: { url: "http://orders.internal:8080/health/deep", timeout: 3s }
  plain: { url: "http://plain.internal:8080" }
`,
    },
  ],
  "keep",
  "2026-11-29",
).map;

function judge(text: string, file = "a.yaml", folder = "manifests"): string[] {
  if (!MAP) throw new Error("the map is wrong");
  const found = judgeFile({ path: file, text }, folder, MAP);
  return (found ?? [{ line: 0, rule: "does not parse" }]).map(({ line, rule }) => `${line} ${rule}`);
}

/** A Deployment whose container begins on line 9; `rest` is indented as its keys. */
const deployment = (rest: string, name = "orders", kind = "Deployment") => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
  serviceName: ${name}-headless
  template:
    spec:
      containers:
        - name: main
          readinessProbe: { httpGet: { path: /readyz, port: 8080 } }
${rest.replace(/^(?=.)/gm, "          ")}`;

describe("a probe asks the deep endpoint", () => {
  test.each([
    ["with a slash at the end", "livenessProbe: { timeoutSeconds: 3, httpGet: { path: /health/deep/, port: 8080 } }", ["11 liveness-deep"]],
    ["with a query", "livenessProbe: { timeoutSeconds: 3, httpGet: { path: '/health/deep?full=1', port: 8080 } }", ["11 liveness-deep"]],
    [
      "by a command",
      "livenessProbe:\n  timeoutSeconds: 3\n  exec: { command: [curl, -f, 'http://localhost:8080/health/deep'] }",
      ["13 liveness-deep"],
    ],
    [
      "by a command in a shell",
      "livenessProbe:\n  timeoutSeconds: 3\n  exec: { command: [sh, -c, 'wget -qO- localhost:8080/health/deep || exit 1'] }",
      ["13 liveness-deep"],
    ],
    ["and waits as long as the map", "startupProbe: { timeoutSeconds: 3, httpGet: { path: /health/deep, port: 8080 } }", []],
    ["and waits less", "startupProbe: { timeoutSeconds: 2, httpGet: { path: /health/deep, port: 8080 } }", ["11 timeout-short"]],
    ["and says not how long", "startupProbe: { httpGet: { path: /health/deep, port: 8080 } }", ["11 default-timeout"]],
    ["of another path with the same beginning", "livenessProbe: { httpGet: { path: /health/deeper, port: 8080 } }", []],
  ])("%s", (_, rest, expected) => {
    expect(judge(deployment(rest))).toEqual(expected);
  });

  test("of nobody when the workload is not in the map", () => {
    expect(judge(deployment("livenessProbe: { httpGet: { path: /health/deep, port: 8080 } }", "others"))).toEqual([]);
  });
});

describe("a database client in a probe", () => {
  const exec = (command: string, name = "orders-db", more = "") =>
    judge(deployment(`${more}livenessProbe: { periodSeconds: 20, exec: { command: ${command} } }`, name, "StatefulSet"));

  test.each([
    ["asks itself without a host", `[pg_isready, -U, postgres]`],
    ["asks itself over loopback", `[mysqladmin, ping, -h, 127.0.0.1]`],
    ["asks itself over loopback, glued", `[mysqladmin, ping, -hlocalhost]`],
    ["asks itself over a socket", `[psql, -h, /var/run/postgresql]`],
    ["asks itself by the pod's address", `[sh, -c, 'redis-cli -h $(hostname -i) ping']`],
    ["asks itself by the pod's variable", `[psql, -h, $(POD_IP)]`],
    ["asks itself by its own name", `[psql, -h, orders-db-0.orders-db.shop.svc]`],
    ["asks itself by its service's name", `[psql, -h, orders-db-headless]`],
    ["is only mentioned", `[sh, -c, 'test -f /usr/bin/psqlrc']`],
    ["asks itself by a name on the command line", `[cqlsh, -e, describe keyspaces]`],
  ])("%s: fine", (_, command) => {
    expect(exec(command)).toEqual([]);
  });

  test.each([
    ["by an option", `[psql, --host=users-db, -c, select 1]`],
    ["by an address", `[redis-cli, -u, 'redis://user@cache.shop.svc:6379', ping]`],
    ["by connection words", `[psql, 'host=users-db dbname=x']`],
    ["by a variable before it", `[sh, -c, 'PGHOST=users-db psql -c "select 1"']`],
    ["by a variable of unknown value", `[sh, -c, 'pg_isready -h $DB_HOST']`],
    ["with its full path", `[/usr/bin/mongosh, 'mongodb://users-db:27017/admin']`],
    ["as an only word", `[cqlsh, cassandra.shop.svc]`],
  ])("asks another host %s", (_, command) => {
    expect(exec(command)).toEqual(["11 exec-db-client"]);
  });

  test("takes the host from the container's environment", () => {
    const env = (value: string) => `env: [{ name: PGHOST, value: ${value} }]\n`;
    expect(exec("[pg_isready]", "orders-db", env("users-db"))).toEqual(["12 exec-db-client"]);
    expect(exec("[pg_isready]", "orders-db", env("localhost"))).toEqual([]);
    expect(exec("[psql, -h, $(PGHOST)]", "orders-db", env("localhost"))).toEqual([]);
  });

  test("stands on the line of the client in a script of several lines", () => {
    expect(
      judge(
        deployment(
          "livenessProbe:\n  exec:\n    command:\n      - sh\n      - -c\n      - |\n        set -e\n        psql -h users-db -c 'select 1'",
        ),
      ),
    ).toEqual(["18 exec-db-client"]);
  });
});

describe("a start", () => {
  test.each([
    ["that liveness waits 29 s for", "livenessProbe: { initialDelaySeconds: 29, httpGet: { path: /livez, port: 8080 } }", []],
    [
      "that liveness waits 30 s for",
      "livenessProbe: { initialDelaySeconds: 30, httpGet: { path: /livez, port: 8080 } }",
      ["11 startup-missing"],
    ],
    [
      "with a startup probe",
      "startupProbe: { httpGet: { path: /startupz, port: 8080 } }\nlivenessProbe: { initialDelaySeconds: 60, httpGet: { path: /livez, port: 8080 } }",
      [],
    ],
    ["that migrates and then serves", "command: [sh, -c, 'npx prisma migrate deploy && node server.js']", ["11 startup-missing"]],
    [
      "that migrates in a script",
      "command: [sh, -c]\nargs:\n  - |\n    alembic upgrade head\n    exec gunicorn app",
      ["14 startup-missing"],
    ],
    ["that is told to migrate", "env:\n  - { name: RUN_MIGRATIONS, value: 'true' }", ["12 startup-missing"]],
    ["that is told not to migrate", "env:\n  - { name: RUN_MIGRATIONS, value: 'false' }", []],
    ["that only names migrations", "args: [--migrations-path=/app/migrations]", []],
  ])("%s", (_, rest, expected) => {
    expect(judge(deployment(rest))).toEqual(expected);
  });

  test("of a job that migrates is its work", () => {
    const job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: { name: m }\nspec: { template: { spec: { containers: [ { name: m, command: [sh, -c, 'rails db:migrate && echo done'] } ] } } }\n";
    expect(judge(job)).toEqual([]);
  });
});

describe("paths and ports", () => {
  test.each([
    ["the root", "livenessProbe: { httpGet: { path: /, port: 8080 } }", ["11 redirect-or-auth"]],
    ["no path at all", "livenessProbe: { httpGet: { port: 8080 } }", ["11 redirect-or-auth"]],
    ["a login", "livenessProbe: { httpGet: { path: /users/sign_in, port: 8080 } }", ["11 redirect-or-auth"]],
    ["a word that only contains one", "livenessProbe: { httpGet: { path: /administration-free/livez, port: 8080 } }", []],
    ["a port by its number", "ports: [{ name: http, containerPort: 8080 }]\nlivenessProbe: { httpGet: { path: /livez, port: 8080 } }", []],
    [
      "a port that is not listed",
      "ports: [{ name: http, containerPort: 8080 }]\nlivenessProbe: { tcpSocket: { port: 9090 } }",
      ["12 port-not-exposed"],
    ],
    [
      "the same page by name and by number",
      "ports: [{ name: http, containerPort: 8080 }]\nlivenessProbe: { httpGet: { path: /readyz, port: http } }",
      ["10 same-path"],
    ],
    ["the same path at another port", "livenessProbe: { httpGet: { path: /readyz, port: 9090 } }", []],
  ])("%s", (_, rest, expected) => {
    expect(judge(deployment(rest))).toEqual(expected);
  });
});

describe("Cloud Run ends a start after 240 s", () => {
  const service = (version: string, annotation: string) => `apiVersion: ${version}
kind: Service
metadata: { name: reviews, annotations: { ${annotation} } }
spec: { template: { spec: { containers: [ { image: x, startupProbe: { tcpSocket: { port: 8080 }, periodSeconds: 60, failureThreshold: 5 } } ] } } }
`;
  test.each([
    ["Cloud Run", "serving.knative.dev/v1", "run.googleapis.com/ingress: all", ["4 cloud-run-startup-window"]],
    ["a manifest without a hint", "serving.knative.dev/v1", "", ["4 cloud-run-startup-window"]],
    ["Knative elsewhere", "serving.knative.dev/v1", "networking.knative.dev/ingress-class: x", []],
  ])("%s", (_, version, annotation, expected) => {
    expect(judge(service(version, annotation))).toEqual(expected);
  });
});

describe("definitions that are no manifest", () => {
  test.each([
    [
      "a Dockerfile in the service's folder",
      "orders/Dockerfile",
      "orders",
      "FROM x\nHEALTHCHECK CMD curl -f localhost:8080/health/deep\n",
      ["2 docker-healthcheck-deep"],
    ],
    [
      "a Dockerfile with the service's name",
      "Dockerfile.orders",
      "docker",
      'HEALTHCHECK CMD ["curl", "http://127.0.0.1:8080/health/deep"]\n',
      ["1 docker-healthcheck-deep"],
    ],
    ["a Dockerfile elsewhere", "other/Dockerfile", "other", "HEALTHCHECK CMD curl localhost:8080/health/deep\n", []],
    ["a Dockerfile that turns it off", "orders/Dockerfile", "orders", "HEALTHCHECK NONE\n", []],
    [
      "a Compose file",
      "compose.yaml",
      "x",
      "services:\n  orders:\n    image: x\n    healthcheck:\n      interval: 5s\n      test: curl -f http://localhost:8080/health/deep\n",
      ["6 docker-healthcheck-deep"],
    ],
    [
      "an ARM template",
      "app.json",
      "x",
      '{ "resources": [ { "type": "Microsoft.Web/sites", "name": "orders",\n"properties": { "siteConfig": {\n"healthCheckPath": "/health/deep" } } } ] }',
      ["3 health-check-path-deep"],
    ],
    [
      "an ARM configuration",
      "app.json",
      "x",
      '{ "resources": [ { "type": "Microsoft.Web/sites/config", "name": "orders/web",\n"properties": { "healthCheckPath": "/health/deep" } } ] }',
      ["2 health-check-path-deep"],
    ],
    [
      "Pulumi without a name of its own",
      "app.yaml",
      "x",
      "resources:\n  orders:\n    type: azure-native:web:WebApp\n    properties: { siteConfig: { healthCheckPath: /health/deep } }\n",
      ["4 health-check-path-deep"],
    ],
    [
      "Bicep",
      "app.bicep",
      "x",
      "resource app 'Microsoft.Web/sites@2023-12-01' = {\n  name: 'orders'\n  properties: { \n    siteConfig: {\n      healthCheckPath: '/health/deep'\n    }\n  }\n}\n",
      ["5 health-check-path-deep"],
    ],
    [
      "Terraform",
      "app.tf",
      "x",
      'resource "azurerm_linux_web_app" "a" {\n  name = "orders"\n  site_config {\n    health_check_path = "/health/deep"\n  }\n}\nresource "x" "y" {\n  name = "other"\n  health_check_path = "/health/deep"\n}\n',
      ["4 health-check-path-deep"],
    ],
    [
      "several documents",
      "a.yaml",
      "x",
      `---\n# nothing\n---\n${deployment("livenessProbe: { periodSeconds: 60, timeoutSeconds: 61, tcpSocket: { port: 1 } }", "x")}\n---\nkind: Unrelated\n`,
      ["14 timeout-long"],
    ],
    [
      "a list of manifests",
      "a.yaml",
      "x",
      "apiVersion: v1\nkind: List\nitems:\n  - { apiVersion: v1, kind: Pod, metadata: { name: x }, spec: { containers: [ { name: c, ports: [ { containerPort: 1 } ] } ] } }\n",
      ["4 readiness-missing"],
    ],
    [
      "a list whose kind alone says what its entries are",
      "a.yaml",
      "x",
      "apiVersion: apps/v1\nkind: DeploymentList\nitems:\n  - { metadata: { name: x }, spec: { template: { spec: { containers: [ { name: c, ports: [ { containerPort: 1 } ] } ] } } } }\n",
      ["4 readiness-missing"],
    ],
    ["a template", "a.yaml", "x", "{{- if .Values.enabled }}\nkind: Deployment\n{{- end }}\n", ["0 does not parse"]],
  ])("%s", (_, file, folder, text, expected) => {
    expect(judge(text, file, folder)).toEqual(expected);
  });
});

describe("probes", () => {
  test("prints a line for each finding", async () => {
    const { code, out } = await run(["--config", "same-path/config", "same-path/manifests/reviews.yaml"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^same-path\/manifests\/reviews\.yaml:15: warning same-path: .+\n$/);
  });

  test.each([[[]], [["no-such-file", "--config", "same-path/config"]], [["--unknown"]]])("a wrong call is exit 2: %j", async (args) => {
    expect(await run(args)).toMatchObject({ code: 2, out: "" });
  });

  test("a file that was named and cannot be judged fails, with its place; a folder without files is told", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "headwater-probes-"));
    const config = path.join(CASES, "same-path/config");
    try {
      writeFileSync(path.join(folder, "bad.yaml"), 'a: 1\nb: "open\n');
      const named = await runCommand(probes, ["--config", config, "bad.yaml"], { cwd: folder });
      expect(named).toMatchObject({ code: 1, out: "no findings; 1 file was not judged\n" });
      expect(named.err).toMatch(/^bad\.yaml: skipped: does not parse at 2:4: \S/);
      expect((await runCommand(probes, ["--config", config, "."], { cwd: folder })).code).toBe(0);
      expect((await runCommand(probes, ["--config", config, "/dev/zero"], { cwd: folder })).err).toContain("is no regular file");
      rmSync(path.join(folder, "bad.yaml"));
      expect((await runCommand(probes, ["--config", config, "."], { cwd: folder })).out).toContain("nothing to judge");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a pipe is read, no further than a file may be long", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "headwater-probes-"));
    const pipe = path.join(folder, "pipe");
    const judged = async (source: string) => {
      const writer = spawn("sh", ["-c", `${source} > pipe`], { cwd: folder, stdio: "ignore" });
      const ended = new Promise((resolve) => writer.once("exit", resolve));
      const result = await run(["--config", "same-path/config", pipe]);
      await ended;
      return result;
    };
    try {
      execFileSync("mkfifo", [pipe]);
      expect((await judged(`cat "${path.join(CASES, "same-path/manifests/reviews.yaml")}"`)).out).toMatch(/pipe:15: warning same-path: /);
      expect((await judged("yes 'a: 1' | head -c 4194305")).err).toMatch(/pipe: skipped: is larger than 4 MiB\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("what cannot be read counts as a file, here and in init: no folder gives more than 5,000", async () => {
    const entry = (name: string, folder: boolean) => ({ name, isDirectory: () => folder, isFile: () => !folder });
    const entries = Array.from({ length: 3_000 }, (_, i) => [entry(`folder${i}`, true), entry(`file${i}.yaml`, false)]).flat();
    const root = path.join(CASES, "same-path/manifests");
    const { readdir } = promises;
    const fake = async (folder: string, options: never) => {
      if (folder === root) return entries;
      if (folder.startsWith(root)) throw new Error("not readable");
      return await readdir(folder, options);
    };
    const spy = vi.spyOn(promises, "readdir").mockImplementation(fake as never);
    syncBuiltinESMExports();
    try {
      const told = await run(["--config", "same-path/config", "--json", root]);
      expect(JSON.parse(told.out).skipped).toHaveLength(5_000);
      const io = { cwd: CASES, env: {}, stdout: () => {}, stderr: () => {}, colour: false };
      const found = await gather([root], { headers: {}, timeout: 1_000, dialect: "auto" }, io);
      expect(found).toMatchObject({ passed: { length: 5_000 } });
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
  });

  test("explains itself", async () => {
    expect((await run(["--help"])).out).toContain("--config DIR");
  });
});
