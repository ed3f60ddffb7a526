import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { assemble } from "../../../server/src/discover/assemble.ts";
import type { FoundGraph } from "../../../server/src/discover/graph.ts";
import { filesBeside, readFiles } from "../../../server/src/discover/recognise.ts";
import { mapYaml } from "../../../server/src/discover/yaml.ts";

const FIXTURES = path.join(import.meta.dirname, "../../fixtures/discover");
const load = (...names: string[]) => names.map((name) => ({ path: name, text: readFileSync(path.join(FIXTURES, name), "utf8") }));
const graphOf = (...names: string[]) => assemble(readFiles(load(...names)).drafts);

/** A graph as lines, in the form of the fixtures' `expected.txt`. */
function linesOf({ nodes, edges, teams, leftOut }: FoundGraph): string[] {
  return [
    ...nodes.map(({ id, kind, resourceKind }) => [kind, id, ...(resourceKind ? [resourceKind] : [])].join(" ")),
    ...edges.map(({ from, to, criticality, confidence }) => `edge ${from} ${to} ${criticality} ${confidence}`),
    ...leftOut.map(({ name }) => `left ${name}`),
    ...teams.map(({ id }) => `team ${id}`),
  ].sort();
}

const inFolder = (folder: string) =>
  readdirSync(path.join(FIXTURES, folder))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`);

const SOURCES: [name: string, files: string[], expected: string][] = [
  ["a Compose file", inFolder("sock-compose"), "sock-compose/expected.txt"],
  ["Kubernetes manifests", inFolder("boutique-manifests"), "boutique-manifests/expected.txt"],
  ["Backstage entities", inFolder("catalog"), "catalog/expected.txt"],
  ["a service graph's metrics", ["traces/metrics.prom"], "traces/metrics.expected.txt"],
  ["Jaeger's dependencies", ["traces/jaeger.json"], "traces/jaeger.expected.txt"],
];

describe("what a source shows becomes a graph", () => {
  test.each(SOURCES)("%s", (_, files, expected) => {
    const wanted = readFileSync(path.join(FIXTURES, expected), "utf8").trim().split("\n").sort();
    expect(linesOf(graphOf(...files))).toEqual(wanted);
  });

  test("the same graph as Prometheus' answer, as OTLP and as Zipkin's dependencies", () => {
    expect(graphOf("traces/query.json").edges.map(({ from, to, calls }) => [from, to, calls])).toEqual([
      ["gateway", "orders-service", 711],
      ["orders-service", "redis", 33],
    ]);
    expect(graphOf("traces/otlp.json").edges.map(({ from, to, calls }) => [from, to, calls])).toEqual([["gateway", "orders-service", 12]]);
    expect(graphOf("traces/zipkin.json").edges.map(({ from, to, calls }) => [from, to, calls])).toEqual([
      ["backend", "mysql", 53],
      ["frontend", "backend", 53],
    ]);
  });

  test("each thing says where it was found", () => {
    const { nodes, edges } = graphOf(...SOURCES.flatMap(([, files]) => files));
    expect(nodes.length).toBeGreaterThan(30);
    for (const { evidence } of [...nodes, ...edges]) expect(evidence[0]?.where).toMatch(/\.(?:ya?ml|prom|json):\d+$/);
  });

  test("a graph may have more edges than fit on the stack", () => {
    const rows = Array.from(
      { length: 150_000 },
      (_, n) => `traces_service_graph_request_total{client="c${n % 400}",server="s${Math.floor(n / 400)}"} 1`,
    );
    expect(readFiles([{ path: "graph.prom", text: rows.join("\n") }]).drafts.edges).toHaveLength(150_000);
  });

  test("calls of one edge are summed over its metrics", () => {
    const edge = graphOf("traces/metrics.prom").edges.find(({ from, to }) => from === "gateway" && to === "orders-service");
    expect(edge?.calls).toBe(711);
  });
});

describe("the map of any graph", () => {
  test.each(SOURCES)("of %s passes check, marks what was inferred and holds no secret", (_, files) => {
    const map = mapYaml(graphOf(...files), files);
    expect(parseConfig([{ path: "map/discovered.yaml", text: map }], "keep", "2026-11-29").errors).toEqual([]);
    expect(map).toMatch(/^# yaml-language-server: \$schema=/);
    for (const line of map.split("\n").filter((line) => line.includes("criticality:")))
      expect(line).toMatch(/# (?:review: |as \S+ reports)/);
    expect(map).not.toMatch(/s3cr3tpw|ordersSecret99|default_password|fake_password|hunter2|guest:guest/);
    expect(map).not.toMatch(/^[^#\n]*reviewed:/m);
  });

  test("is written again the same", () => {
    const files = SOURCES.flatMap(([, files]) => files);
    expect(mapYaml(graphOf(...files), files)).toBe(mapYaml(graphOf(...files), files));
  });
});

const compose = (text: string) => ({ path: "compose.yaml", text });
const jaeger = (...calls: [string, string, number][]) => ({
  path: "jaeger.json",
  text: JSON.stringify({ data: calls.map(([parent, child, callCount]) => ({ parent, child, callCount })) }),
});
const ids = (...files: { path: string; text: string }[]) => assemble(readFiles(files).drafts).nodes.map(({ id }) => id);

describe("several sources speak of one system", () => {
  test("names that differ by case, hyphens or -service are one node", () => {
    const file = compose("services: { orders: { image: a }, cart-service: { image: b } }");
    expect(ids(file, jaeger(["orders-service", "cartService", 5]))).toEqual(["cart-service", "orders"]);
  });

  test("two names of one source stay two nodes", () => {
    expect(ids(compose("services: { orders: { image: a } }"), jaeger(["orders-service", "orders", 5]))).toEqual([
      "orders",
      "orders-service",
    ]);
    expect(ids(compose("services: { orders: { image: a }, orders-api: { image: a } }"))).toEqual(["orders", "orders-api"]);
  });

  test("a database elsewhere does not become the service of its host's first label", () => {
    const file = compose(
      "services: { orders: { image: a }, web: { image: b, environment: { D: 'mysql://orders.c9.eu-west-1.rds.amazonaws.com/x' } } }",
    );
    expect(ids(file)).toEqual(["orders", "orders-database", "web"]);
  });

  test("an edge that configuration and traces show has both as evidence", () => {
    const file = compose("services: { web: { image: a, environment: [ORDERS_URL=http://orders] }, orders: { image: b } }");
    const { edges } = assemble(readFiles([file, jaeger(["web", "orders", 9])]).drafts);
    expect(edges).toMatchObject([
      { from: "web", to: "orders", calls: 9, confidence: "certain", evidence: [{ source: "compose" }, { source: "jaeger" }] },
    ]);
  });
});

describe("what real projects do", () => {
  type Files = { path: string; text: string }[];
  const edgesWith = (settings: Files, ...files: Files) =>
    assemble(readFiles(files, settings).drafts).edges.map(({ from, to }) => `${from} ${to}`);
  const edgesOf = (...files: Files) => edgesWith([], ...files);

  test("a Compose file takes values from the .env beside it, for names alone too", () => {
    const text =
      "services:\n  web: { image: a, environment: [CART_ADDR, 'PAY=http://\u0024{PAY_HOST}:80', X] }\n  cache: { image: '\u0024{CACHE_IMAGE}' }\n  cart: { image: b, environment: { DB_URL: } }\n";
    const env =
      'CART_PORT=7070\nCART_ADDR=cart:\u0024{CART_PORT}\nPAY_HOST="pay" # here\nCACHE_IMAGE=valkey/valkey:8\nDB_URL=postgres://u:s3cr3t@store/x\n';
    const file = { path: "shop/compose.yaml", text };
    const settings = [{ path: "shop/.env", text: env }];
    expect(edgesWith(settings, file)).toEqual(["cart store", "web cart", "web pay"]);
    const graph = assemble(readFiles([file], settings).drafts);
    expect(graph.nodes.find(({ id }) => id === "cache")).toMatchObject({ kind: "resource", resourceKind: "cache" });
    expect(mapYaml(graph, ["compose.yaml"])).not.toContain("s3cr3t");
    // Another folder's is another project's.
    expect(edgesWith([{ path: "other/.env", text: env }], { path: "compose.yaml", text })).toEqual([]);
  });

  test("a Compose file takes values from the files under env_file, in each of its forms, its own over theirs", () => {
    const text = [
      "services:",
      "  web: { image: a, env_file: web.env }",
      "  orders:",
      "    image: b",
      "    env_file: [./common.env, { path: '../common/\u0024{STAGE}.env', required: false }, { path: none.env, required: false }, gone.env]",
      "    environment: { PAY_URL: 'http://pay:1' }",
    ].join("\n");
    const file = { path: "shop/compose.yaml", text };
    const settings = [
      { path: "shop/.env", text: "STAGE=test\n" },
      { path: "shop/web.env", text: "# ORDERS=http://wrong:1\nORDERS_URL=http://orders:8080\nAPI_KEY=s3cr3t\n" },
      { path: "shop/common.env", text: "DB_URL='postgres://u:s3cr3t@old:5432/x'\nPAY_URL=http://overridden:1\n" },
      { path: "common/test.env", text: '\nexport DB_URL="postgres://u:s3cr3t@store:5432/x" # the new one\r\n' },
    ];
    expect(filesBeside(file, "STAGE=test")).toEqual([
      "shop/web.env",
      "shop/common.env",
      "common/test.env",
      "shop/none.env",
      "shop/gone.env",
    ]);
    const graph = assemble(readFiles([file], settings).drafts);
    expect(graph.edges.map(({ from, to, evidence }) => `${from} ${to} ${evidence[0]?.where}`)).toEqual([
      "orders pay shop/compose.yaml:6",
      "orders store common/test.env:2",
      "web orders shop/web.env:2",
    ]);
    expect(graph.leftOut).toEqual([{ name: "gone.env", where: "shop/compose.yaml:5", why: expect.stringContaining("not there") }]);
    expect(mapYaml(graph, ["compose.yaml"])).not.toContain("s3cr3t");
  });

  test("a health check under the service's own name is its own", () => {
    const { nodes } = assemble(
      readFiles([
        compose(
          'services: { config-server: { image: a, healthcheck: { test: ["CMD", "curl", "http://config-server:8888/actuator/health"] } } }',
        ),
      ]).drafts,
    );
    expect(nodes[0]?.addresses).toMatchObject([{ url: "http://config-server:8888/actuator/health", deep: true }]);
  });

  const deployment = (name: string, labels: string, env = "") =>
    `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name}, namespace: shop }\nspec: { template: { metadata: { labels: { ${labels} } }, spec: { containers: [{ name: a, image: x/${name}, env: [${env}] }] } } }\n`;
  const service = (name: string, selector: string) =>
    `---\napiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: shop }\nspec: { selector: { ${selector} }, ports: [{ port: 80 }] }\n`;

  test("versions behind one Service are one node, by the Service's name", () => {
    const text =
      service("reviews", "app: reviews") +
      deployment("reviews-v1", "app: reviews") +
      deployment("reviews-v2", "app: reviews", "{ name: RATINGS_HOST, value: ratings }") +
      deployment("ratings-v1", "app: ratings") +
      service("ratings", "app: ratings");
    expect(ids({ path: "a.yaml", text })).toEqual(["ratings", "reviews"]);
    expect(edgesOf({ path: "a.yaml", text })).toEqual(["reviews ratings"]);
  });

  test("what Istio says of hosts outside and of routes counts as names", () => {
    const istio = (kind: string, name: string, spec: string) =>
      `---\napiVersion: networking.istio.io/v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: shop }\nspec: ${spec}\n`;
    const env =
      "{ name: PAY_URL, value: 'https://api.pay.example/v1' }, { name: DB_HOST, value: db.corp.example }, { name: REVIEWS_URL, value: 'http://reviews.example' }";
    const text =
      deployment("orders", "app: orders", env) +
      deployment("reviews", "app: reviews") +
      service("reviews", "app: reviews") +
      istio("ServiceEntry", "pay", "{ hosts: [api.pay.example], ports: [{ number: 443, name: https }] }") +
      istio("ServiceEntry", "ledger", "{ hosts: [db.corp.example], ports: [{ number: 5432, name: tcp }] }") +
      istio("ServiceEntry", "any", "{ hosts: ['*.cloud.example'] }") +
      istio(
        "VirtualService",
        "r",
        "{ hosts: [reviews.example], http: [{ route: [{ destination: { host: reviews.shop.svc.cluster.local } }] }] }",
      );
    const graph = assemble(readFiles([{ path: "a.yaml", text }]).drafts);
    expect(graph.nodes.map(({ id, kind, resourceKind }) => [id, kind, resourceKind])).toEqual([
      ["ledger", "resource", "database"],
      ["orders", "service", null],
      ["pay", "resource", "external-api"],
      ["reviews", "service", null],
    ]);
    expect(edgesOf({ path: "a.yaml", text })).toEqual(["orders ledger", "orders pay", "orders reviews"]);
    expect(graph.leftOut).toMatchObject([{ name: "any" }]);
  });

  test("a pod's own host name means the Service before it", () => {
    const env =
      "{ name: KAFKA, value: 'kafka-0.kafka-hl.shop.svc:9092,kafka-1.kafka-hl.shop.svc:9092' }, { name: CACHE_URL, value: 'http://cache-2.shop' }";
    const text =
      deployment("orders", "app: orders", env) +
      deployment("kafka", "app: kafka") +
      service("kafka-hl", "app: kafka") +
      deployment("cache-2", "app: cache-2") +
      deployment("shop", "app: shop");
    expect(edgesOf({ path: "a.yaml", text })).toEqual(["orders cache-2", "orders kafka"]);
  });

  test("a Service that gathers many workloads makes them no single node", () => {
    const text =
      service("scrape", "part-of: shop") +
      deployment("orders", "app: orders, part-of: shop") +
      deployment("carts", "app: carts, part-of: shop");
    expect(ids({ path: "a.yaml", text })).toEqual(["carts", "orders"]);
  });
});

describe("what cannot be used says where and why", () => {
  test.each([
    ["broken YAML", "services:\n  a: { image: x\n  b: [", 2, "does not parse"],
    ["a template", "services:\n  a: {{ .Values.x }}\n  b: [\n", 2, "must be rendered first: helm template"],
    [
      "a template that happens to be YAML",
      'apiVersion: v1\nkind: Service\nmetadata:\n  name: "{{ .Release.Name }}-web"\nspec: { ports: [] }\n',
      4,
      "must be rendered first",
    ],
    ["another kind of file", "name: x\nversion: 1\n", 1, "not recognised"],
    ["nothing", "\n", 1, "is empty"],
    ["a list of numbers", "[1, 2]", 1, "not recognised"],
  ])("%s", (_, text, line, reason) => {
    const { unusable } = readFiles([{ path: "a.yaml", text }]);
    expect(unusable).toMatchObject([{ file: "a.yaml", column: expect.any(Number), reason: expect.stringContaining(reason) }]);
    expect(Math.abs((unusable[0]?.line ?? 0) - line)).toBeLessThanOrEqual(1);
  });
});

describe("hostile files do no harm", () => {
  const bomb = (last: string) => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 12; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(", ")}]`,
      );
    return `${lines.join("\n")}\n${last}`;
  };
  const lists = () => {
    let text =
      "l0: &l0 { apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { template: { spec: { containers: [{ name: a, image: b }] } } } }\n";
    for (let level = 1; level < 12; level++)
      text += `l${level}: &l${level} { apiVersion: v1, kind: List, items: [${Array(10)
        .fill(`*l${level - 1}`)
        .join(", ")}] }\n`;
    return `${text}apiVersion: v1\nkind: List\nitems: [*l11, *l11]\n`;
  };
  test.each([
    [
      "aliases that multiply",
      bomb("services: { a: { image: x, environment: *a11, ports: *a11, depends_on: *a11, command: *a11 } }"),
      ["a"],
    ],
    ["lists that multiply", lists(), ["a"]],
    [
      "anchors inside themselves",
      "services: &s\n  a: { image: x, environment: *s, depends_on: &d [*d, b] }\n  b: { image: y }\n",
      ["a", "b"],
    ],
    ["nesting without end", `services:\n  a: { image: x, environment: ${"{ a: ".repeat(400)}1${" }".repeat(400)} }\n`, ["a"]],
    [
      "values of wrong types",
      "services: { a: [], b: null, c: { image: [1], depends_on: 5, environment: { X: {}, Y: [1] }, ports: { a: 1 }, healthcheck: [], networks: [n], links: { a: b } }, d: { image: x } }",
      ["c", "d"],
    ],
    [
      "names that are code elsewhere",
      JSON.stringify([
        { parent: "__proto__", child: "constructor", callCount: 1 },
        { parent: "a\nb: c", child: "- {on: x}", callCount: 2 },
      ]),
      ["a-b-c", "constructor", "on-x", "proto"],
    ],
  ])("%s", (_, text, expected) => {
    const graph = assemble(readFiles([{ path: "a.yaml", text }]).drafts);
    expect(graph.nodes.map(({ id }) => id)).toEqual(expected);
    expect(parseConfig([{ path: "map/a.yaml", text: mapYaml(graph, ["a.yaml"]) }], "keep", "2026-11-29").errors).toEqual([]);
  });
});
