import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { assemble } from "../../../server/src/discover/assemble.ts";
import { compareGraph } from "../../../server/src/discover/compare.ts";
import { filesBeside, readFiles } from "../../../server/src/discover/recognise.ts";
import { mapYaml } from "../../../server/src/discover/yaml.ts";

type Files = { path: string; text: string }[];

const graphOf = (files: Files, beside: Files = [], profiles?: string) => assemble(readFiles(files, beside, profiles).drafts);
type Graph = ReturnType<typeof graphOf>;
const ids = ({ nodes }: Graph) => nodes.map(({ id }) => id);
const edges = (graph: Graph) =>
  graph.edges.map(({ from, to, evidence }) => `${from} ${to} ${evidence.map(({ where }) => where).join(" ")}`);

describe("a Compose service that extends another", () => {
  test("has what that has, under its own: mappings and lists are added to, commands and checks replaced", () => {
    const text = `services:
  base:
    image: x/base
    command: serve --upstream http://old:80
    environment: { DB_URL: "postgres://db/x", PAY_URL: "http://pay-old:1" }
    depends_on: [cache]
    healthcheck: { test: curl http://localhost:1/healthz, interval: 5s }
  web:
    extends: { service: base }
    command: serve --upstream http://orders:80
    environment: [PAY_URL=http://pay:1]
    depends_on: { db: { condition: service_healthy } }
    healthcheck: { test: curl http://localhost:8080/health/deep }
  again: { extends: again, image: y }
  cache: { image: redis }
  db: { image: postgres }
`;
    const graph = graphOf([{ path: "compose.yaml", text }]);
    expect(edges(graph).filter((edge) => edge.startsWith("web"))).toEqual([
      "web cache compose.yaml:6",
      "web db compose.yaml:12 compose.yaml:5",
      "web orders compose.yaml:10",
      "web pay compose.yaml:11",
    ]);
    expect(graph.nodes.find(({ id }) => id === "web")?.addresses).toMatchObject([{ url: "http://web:8080/health/deep" }]);
    expect(ids(graph)).toContain("again");
  });

  test("is read at once, however often its aliases repeat each other", () => {
    const nested = (name: string) =>
      Array.from({ length: 23 }, (_, n) => `x-${name}${n + 1}: &${name}${n + 1} { p: *${name}${n}, q: *${name}${n} }\n`).join("");
    const text = `x-a0: &a0 { k: v }\nx-b0: &b0 { k: v }\n${nested("a")}${nested("b")}services:
  base: { image: x, deploy: *a23 }
  web: { image: y, extends: base, deploy: *b23 }
`;
    expect(ids(graphOf([{ path: "compose.yaml", text }]))).toEqual(["base", "web"]);
  });

  test("in another file takes that file's files of variables from beside that file", () => {
    const file = {
      path: "shop/compose.yaml",
      text: "services:\n  web: { extends: { file: '../common/\u0024{STAGE}.yaml', service: app } }\n  old: { extends: { file: gone.yaml, service: app } }\n",
    };
    const beside = [
      { path: "shop/.env", text: "STAGE=base\n" },
      { path: "common/base.yaml", text: "services:\n  app: { image: x/app, env_file: app.env }\n" },
      { path: "common/app.env", text: "REDIS_HOST=cache\n" },
    ];
    expect(filesBeside(file, "STAGE=base")).toEqual(["common/base.yaml", "shop/gone.yaml"]);
    const graph = graphOf([file], beside);
    expect(edges(graph)).toEqual(["web cache common/app.env:1"]);
    expect(ids(graph)).toEqual(["cache", "old", "web"]);
    expect(graph.leftOut).toEqual([
      { name: "gone.yaml", where: "shop/compose.yaml:3", why: "a file to extend that is not there, so whom it names is not known" },
    ]);
  });
});

test("a Compose file is read with those that it includes, each with the variables beside it", () => {
  const file = {
    path: "compose.yaml",
    text: "include:\n  - infra/compose.yaml\n  - { path: [b.yaml, compose.yaml] }\n  - oci://example.com/x\nservices:\n  web: { image: a, depends_on: [db] }\n",
  };
  const beside = [
    { path: "infra/compose.yaml", text: "include: [../b.yaml]\nservices: { db: { image: '\u0024{DB_IMAGE}' } }\n" },
    { path: "infra/.env", text: "DB_IMAGE=postgres:17\n" },
    { path: "b.yaml", text: "services: { queue: { image: rabbitmq } }\n" },
  ];
  expect(filesBeside(file, "")).toEqual(["infra/compose.yaml", "b.yaml", "compose.yaml", "oci:/example.com/x"]);
  const graph = graphOf([file], beside);
  expect(graph.nodes.map(({ id, resourceKind }) => [id, resourceKind])).toEqual([
    ["db", "database"],
    ["queue", "queue"],
    ["web", null],
  ]);
  expect(edges(graph)).toEqual(["web db compose.yaml:6"]);
  expect(graph.leftOut.map(({ name }) => name)).toEqual(["oci://example.com/x"]);
  const alone = { path: "compose.yaml", text: "include: [infra/compose.yaml]\n" };
  expect(ids(graphOf([alone], beside))).toEqual(["db", "queue"]);
  // A pipeline includes files as well, and is none of ours.
  expect(readFiles([{ ...alone, path: ".gitlab-ci.yml" }], beside).unusable).toMatchObject([{ foreign: true }]);
});

describe("a Compose service with profiles", () => {
  const text = `services:
  web: { image: a, depends_on: [db] }
  db: { image: postgres }
  adminer: { image: adminer, profiles: [debug, tools], depends_on: [db] }
`;
  const file = { path: "compose.yaml", text };

  test.each<[string, Files, string | undefined, boolean]>([
    ["is left out where none of them is on", [], undefined, false],
    ["is there where the .env turns one on", [{ path: ".env", text: "COMPOSE_PROFILES=x,tools\n" }], undefined, true],
    ["is there where the environment does", [{ path: ".env", text: "COMPOSE_PROFILES=x\n" }], "debug", true],
    ["is there where all are on", [], "*", true],
  ])("%s", (_, beside, profiles, there) => {
    const graph = graphOf([file], beside, profiles);
    expect(ids(graph).includes("adminer")).toBe(there);
    expect(graph.leftOut.map(({ name, where }) => `${name} ${where}`)).toEqual(there ? [] : ["adminer compose.yaml:4"]);
  });

  test("is no drift while it is off", () => {
    const declared = 'resources: { db: {} }\nservices: { web: { url: "http://web/x" }, adminer: { url: "http://adminer/x" } }\n';
    const { map } = parseConfig([{ path: "map/a.yaml", text: declared }], "keep", "2026-11-29");
    if (!map) throw new Error("the map is wrong");
    const { findings, notJudged } = compareGraph(graphOf([file]), map, new Map());
    expect(findings.map(({ kind, node }) => `${kind} ${node}`)).toEqual(["undeclared_edge web"]);
    expect(notJudged).toMatchObject([{ node: "adminer", why: expect.stringContaining("profiles debug, tools") }]);
  });
});

describe("workloads of one name in two namespaces", () => {
  const workload = (name: string, namespace: string, image: string, env = "") =>
    `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: { template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: a, image: ${image}, env: [${env}] }] } } }\n`;
  const service = (name: string, namespace: string) =>
    `---\napiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: { selector: { app: ${name} }, ports: [{ port: 6379 }] }\n`;
  const text =
    ["shop", "billing"].map((namespace) => workload("redis", namespace, "redis") + service("redis", namespace)).join("") +
    workload("web", "shop", "x/web", "{ name: REDIS_HOST, value: redis }") +
    workload(
      "invoices",
      "billing",
      "x/i",
      "{ name: REDIS_HOST, value: redis }, { name: SESSIONS, value: 'redis://redis.shop.svc.cluster.local:6379' }",
    );
  const outside = workload(
    "mail",
    "post",
    "x/m",
    "{ name: REDIS_URL, value: 'redis://redis.billing:6379' }, { name: OLD_URL, value: 'redis://redis.shop.example.com:6379' }",
  );

  test("are two nodes, and a bare host means the one in the same namespace", () => {
    const graph = graphOf([{ path: "a.yaml", text: text + outside }]);
    expect(ids(graph)).toEqual(["invoices", "mail", "redis", "redis.billing", "redis.shop", "web"]);
    expect(graph.edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "invoices redis.billing",
      "invoices redis.shop",
      "mail redis",
      "mail redis.billing",
      "web redis.shop",
    ]);
    expect(parseConfig([{ path: "map/a.yaml", text: mapYaml(graph, ["a.yaml"]) }], "keep", "2026-11-29").errors).toEqual([]);
  });

  test("are found in a map by id or by the host of the address", () => {
    const declared =
      'services: { cache: { url: "http://redis.shop.svc:6379/x" }, redis-billing: { url: "http://elsewhere/x" }, web: { url: "http://web.shop/x" } }\n';
    const { map } = parseConfig([{ path: "map/a.yaml", text: declared }], "keep", "2026-11-29");
    if (!map) throw new Error("the map is wrong");
    const { matches } = compareGraph(graphOf([{ path: "a.yaml", text }]), map, new Map()).matching;
    expect([...matches].map(([seen, { node }]) => `${seen} ${node}`).sort()).toEqual([
      "redis.billing redis-billing",
      "redis.shop cache",
      "web web",
    ]);
  });
});
