import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runCli, scratchFolder } from "../support/headwater.ts";

const REPORTS: Record<string, object> = {
  "/orders/health": {
    status: "healthy",
    components: [
      { name: "orders-db", status: "up", criticality: "hard" },
      { name: "catalogue", status: "up", criticality: "soft" },
      { name: "redis", status: "up", criticality: "informational" },
      { name: "diskSpace", status: "up" },
      { name: "amqp://guest:topsecret9@mq/x", status: "up", criticality: "soft" },
    ],
  },
  "/catalogue/health": { status: "UP", components: { redis: { status: "UP" }, ping: { status: "UP" } } },
  "/api/dependencies": { data: [{ parent: "web", child: "orders", callCount: 1204 }] },
};
const asked: { url: string; authorization: string | undefined }[] = [];
const server = http.createServer((request, response) => {
  asked.push({ url: request.url ?? "", authorization: request.headers.authorization });
  const body = REPORTS[(request.url ?? "").replace(/\?.*/, "")];
  response.statusCode = body ? 200 : 404;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body ?? {}));
});
let origin = "";
let folder: ReturnType<typeof scratchFolder>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  folder = scratchFolder();
  asked.length = 0;
});
afterEach(() => folder.remove());

const FIXTURES = join(import.meta.dirname, "../fixtures/discover");
const SAVED = { HEALTH_AUTHORIZATION: "x", HEALTH_TOKEN: "x" };

describe("headwater init", () => {
  test("asks each deep endpoint once and writes services, resources and labels as reported", async () => {
    const orders = `${origin}/orders/health?token=verysecret1&full=1`;
    const out = join(folder.path, "new");
    const header = "authorization: Bearer topsecret9";
    const ended = await runCli(["init", orders, `${origin}/catalogue/health`, orders, "--header", header, "--out", out]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(asked.map(({ url }) => url).sort()).toEqual(["/catalogue/health", "/orders/health?token=verysecret1&full=1"]);
    expect(asked[0]?.authorization).toBe("Bearer topsecret9");
    const map = readFileSync(join(out, "map/discovered.yaml"), "utf8");
    expect(map + ended.stdout).not.toMatch(/topsecret9|verysecret1/);
    for (const line of [
      "{ on: orders-db, criticality: hard } # as orders reports;",
      "{ on: catalogue, criticality: soft } # as orders reports;",
      "{ on: redis, criticality: informational } # as orders reports;",
      "{ on: redis, criticality: soft } # review: soft is a guess;",
      "review: 2 services report this name: is it one thing that they share?",
      '{ on: mq, component: "amqp://***@mq/x", criticality: soft } # as orders reports;',
      `url: "${origin}/orders/health?token=\u0024{HEALTH_TOKEN}&full=1"`,
      'headers: { authorization: "\u0024{HEALTH_AUTHORIZATION}" }',
    ])
      expect(map).toContain(line);
    expect(map).not.toMatch(/diskSpace|ping/);
    expect(ended.stdout).toContain("set HEALTH_AUTHORIZATION, HEALTH_TOKEN");
    const check = await runCli(["check", out, "--json"], SAVED);
    expect(JSON.parse(check.stdout).errors).toEqual([]);
    expect(existsSync(join(out, "schema/map.schema.json"))).toBe(true);
  });

  test("names addresses, and takes two of one name for instances", async () => {
    const ended = await runCli(["init", `shop=${origin}/orders/health`, `shop=${origin}/catalogue/health`]);
    expect(ended.stdout).toContain(`  shop:`);
    expect(ended.stdout).toContain(`    instances:\n      - ${origin}/orders/health\n      - ${origin}/catalogue/health\n`);
  });

  test("gives an address the name that a Compose file has for its port, and a component that of the configured database", async () => {
    const port = new URL(origin).port;
    folder.write(
      "compose.yaml",
      `services:\n  shop: { image: a, ports: ["${port}:8080"], environment: { C: "redis://sessions:6379" } }\n  sessions: { image: redis }\n`,
    );
    const ended = await runCli(["init", join(folder.path, "compose.yaml"), `${origin}/orders/health`, "--json"]);
    const { nodes, edges } = JSON.parse(ended.stdout);
    expect(nodes.find(({ id }: { id: string }) => id === "shop").addresses).toMatchObject([{ url: `${origin}/orders/health` }]);
    expect(edges.find(({ to }: { to: string }) => to === "sessions")).toMatchObject({
      from: "shop",
      components: ["redis"],
      criticality: "informational",
    });
  });

  test("says which addresses did not report, and fails when none did", async () => {
    const one = await runCli(["init", `${origin}/orders/health`, `${origin}/gone/health`]);
    expect(one).toMatchObject({ code: 0, stderr: expect.stringContaining(`${origin}/gone/health: HTTP 404`) });
    expect(one.stdout).toContain("review: guessed; did not report");
    const none = await runCli(["init", `${origin}/gone/health`]);
    expect(none).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("no report") });
  });

  test("never overwrites a map unasked", async () => {
    folder.write("config/map/mine.yaml", "services: {}\n");
    const source = join(FIXTURES, "sock-compose/docker-compose.yml");
    expect(await runCli(["init", source, "--out", folder.config])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("map/mine.yaml"),
    });
    expect(existsSync(join(folder.config, "map/discovered.yaml"))).toBe(false);
    expect(await runCli(["init", source, "--out", folder.config, "--force"])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder.config, "map/mine.yaml"), "utf8")).toBe("services: {}\n");
  });

  test("says where it cannot write, also where no folder can be made", { skip: process.platform !== "linux" }, async () => {
    const source = join(FIXTURES, "sock-compose/docker-compose.yml");
    const ended = await runCli(["init", source, "--out", "/proc/headwater"]);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("/proc/headwater cannot be written (ENOENT)") });
  });

  test("prints a map alone on standard output, and what it means beside it", async () => {
    const ended = await runCli(["init", join(FIXTURES, "boutique-manifests"), join(FIXTURES, "catalog")]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^# yaml-language-server: /);
    expect(ended.stderr).toMatch(/^found 11 services, 5 resources, 16 dependencies, 5 teams, 1 system\n/);
    expect(ended.stderr).toContain("nightly-report");
    folder.write("config/map/a.yaml", ended.stdout);
    expect((await runCli(["check", folder.config])).code).toBe(0);
  });

  test.each([
    ["nothing", [], 2, "name at least one source"],
    ["a file that is not there", ["gone.yaml"], 2, "gone.yaml is neither a file, a folder nor an address"],
    ["an address with a password", ["http://a:topsecret9@h/health"], 2, "must hold no user or password"],
    ["--force alone", ["x.yaml", "--force"], 2, "--force belongs to --out"],
    ["an unknown dialect", ["x.yaml", "--dialect", "latin"], 2, 'no dialect "latin"'],
  ])("refuses %s", async (_, args, code, message) => {
    const ended = await runCli(["init", ...args]);
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain("topsecret9");
  });

  test("names file and line of what it cannot use, and makes no map of the rest", async () => {
    folder.write("broken.yaml", "services:\n  a: { image: x }\n  b: [\n");
    folder.write("other.json", '{ "name": "x" }');
    const ended = await runCli([
      "init",
      join(folder.path, "broken.yaml"),
      join(folder.path, "other.json"),
      join(FIXTURES, "traces/jaeger.json"),
    ]);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/broken\.yaml:[34]:\d+: error: does not parse/);
    expect(ended.stderr).toMatch(/other\.json:1:1: error: not recognised/);
  });
});

describe("headwater drift", () => {
  const MAP = `teams: { shop: {} }
services:
  web:
    team: shop
    dependencies:
      - { on: orders, criticality: soft }
      - { on: gone, criticality: soft }
  orders: { team: shop }
  gone: { team: shop }
`;

  test("compares with the address of a tracing backend, and its patches apply", async () => {
    folder.write("config/map/a.yaml", MAP);
    const ended = await runCli(["drift", `${origin}/api/dependencies`, "--config", folder.config, "--json"]);
    expect(ended.code).toBe(1);
    const { findings } = JSON.parse(ended.stdout);
    expect(findings.map(({ kind, node, from, to, team }: Record<string, string>) => [kind, from ?? node, to ?? "", team])).toEqual([
      ["unseen_edge", "web", "gone", "shop"],
      ["unseen_node", "gone", "", "shop"],
    ]);
    execFileSync("git", ["apply", "-"], { cwd: folder.config, input: findings[0].diff });
    expect(readFileSync(join(folder.config, "map/a.yaml"), "utf8")).toBe(MAP.replace("      - { on: gone, criticality: soft }\n", ""));
  });

  test("finds a label that the service reports otherwise, and adds what it reports and the map does not know", async () => {
    folder.write(
      "config/map/a.yaml",
      `resources: { orders-db: { kind: database }, sessions: { kind: cache }, mq: {} }\nservices:\n  orders:\n    url: ${origin}/orders/health\n    dependencies:\n      - { on: orders-db, criticality: soft }\n      - { on: sessions, component: redis, criticality: informational }\n      - { on: mq, component: "amqp://***@mq/x", criticality: soft }\n`,
    );
    const ended = await runCli(["drift", `${origin}/orders/health`, "--config", folder.config, "--json"]);
    const { findings, matched } = JSON.parse(ended.stdout);
    expect(findings.map(({ kind, to, node, declared, seen }: Record<string, string>) => [kind, to ?? node, declared, seen])).toEqual([
      ["undeclared_edge", "catalogue", null, "soft"],
      ["undeclared_node", "catalogue", null, "resource"],
      ["criticality_differs", "orders-db", "soft", "hard"],
    ]);
    expect(findings[0].diff).toContain("+      - { on: catalogue, criticality: soft }\n");
    expect(findings[0].patch).toContain("      - { on: catalogue, criticality: soft } # review: soft is as reported\n");
    expect(findings[2].diff).toContain("+      - { on: orders-db, criticality: hard }\n");
    expect(matched).toContainEqual({ seen: "redis", node: "sessions", by: "component", name: "redis" });
  });

  test("takes a component for what each service's own entry in the map says it is", async () => {
    const entry = (id: string, db: string, more = "") =>
      `  ${id}:\n    url: ${origin}/${id}/health\n    dependencies:\n      - { on: ${db}, component: redis, criticality: informational }\n${more}`;
    const more =
      '      - { on: orders-db, criticality: hard }\n      - { on: catalogue, criticality: soft }\n      - { on: mq, component: "amqp://***@mq/x", criticality: soft }\n';
    folder.write(
      "config/map/a.yaml",
      `resources: { orders-db: {}, mq: {}, r1: {}, r2: {} }\nservices:\n${entry("orders", "r1", more)}${entry("catalogue", "r2")}`,
    );
    const ended = await runCli(["drift", `${origin}/orders/health`, `${origin}/catalogue/health`, "--config", folder.config, "--json"]);
    const { findings, matched } = JSON.parse(ended.stdout);
    expect(findings).toEqual([]);
    expect(
      matched.filter(({ by }: { by: string }) => by === "component").map(({ seen, node }: Record<string, string>) => [seen, node]),
    ).toEqual([
      ["redis", "r2"],
      ["redis", "r1"],
    ]);
  });

  test("says so when there is none, and is content with it", async () => {
    folder.write("config/map/a.yaml", MAP.replace("      - { on: gone, criticality: soft }\n", "").replace("  gone: { team: shop }\n", ""));
    const ended = await runCli(["drift", `${origin}/api/dependencies`, "--config", folder.config]);
    expect(ended).toMatchObject({ code: 0, stdout: "no drift: the map and the sources agree\n" });
  });

  test.each([
    ["a broken map", "services: { a: { dependencies: [{ on: b }] } }", 1, "map/a.yaml:1:"],
    ["a name for what is not in the map", MAP, 2, "the map has no node nobody"],
  ])("refuses %s", async (_, map, code, message) => {
    folder.write("config/map/a.yaml", map);
    const ended = await runCli(["drift", join(FIXTURES, "traces/jaeger.json"), "--config", folder.config, "--same", "x=nobody"]);
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
