import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { assemble } from "../../../server/src/discover/assemble.ts";
import type { FoundGraph } from "../../../server/src/discover/graph.ts";
import { readFiles } from "../../../server/src/discover/recognise.ts";
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
  const edgesOf = (...files: { path: string; text: string }[]) =>
    assemble(readFiles(files).drafts).edges.map(({ from, to }) => `${from} ${to}`);

  test("a Compose file takes values from the .env beside it, for names alone too", () => {
    const text =
      "services:\n  web: { image: a, environment: [CART_ADDR, 'PAY=http://\u0024{PAY_HOST}:80', X] }\n  cache: { image: '\u0024{CACHE_IMAGE}' }\n  cart: { image: b, environment: { DB_URL: } }\n";
    const env =
      'CART_PORT=7070\nCART_ADDR=cart:\u0024{CART_PORT}\nPAY_HOST="pay" # here\nCACHE_IMAGE=valkey/valkey:8\nDB_URL=postgres://u:s3cr3t@store/x\n';
    const files = [
      { path: "shop/compose.yaml", text },
      { path: "shop/.env", text: env },
    ];
    expect(edgesOf(...files)).toEqual(["cart store", "web cart", "web pay"]);
    const graph = assemble(readFiles(files).drafts);
    expect(graph.nodes.find(({ id }) => id === "cache")).toMatchObject({ kind: "resource", resourceKind: "cache" });
    expect(mapYaml(graph, ["compose.yaml"])).not.toContain("s3cr3t");
    // Another folder's is another project's.
    expect(edgesOf({ path: "compose.yaml", text }, { path: "other/.env", text: env })).toEqual([]);
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
    ["a template", "services:\n  a: {{ .Values.x }}\n  b: [\n", 4, "templates must be rendered first"],
    ["another kind of file", "name: x\nversion: 1\n", 1, "not recognised"],
    ["nothing", "\n", 1, "is empty"],
    ["a list of numbers", "[1, 2]", 1, "not recognised"],
  ])("%s", (_, text, line, reason) => {
    const { unusable } = readFiles([{ path: "a.yaml", text }]);
    expect(unusable).toMatchObject([{ file: "a.yaml", reason: expect.stringContaining(reason) }]);
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
