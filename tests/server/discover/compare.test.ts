import { describe, expect, test } from "vitest";
import { LabelPatcher } from "../../../server/src/config/label-patch.ts";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { assemble } from "../../../server/src/discover/assemble.ts";
import { compareGraph } from "../../../server/src/discover/compare.ts";
import { patchFor } from "../../../server/src/discover/patch.ts";
import { readFiles } from "../../../server/src/discover/recognise.ts";
import { readReport } from "../../../server/src/discover/report.ts";

const MAP = `teams: { shop: {}, data: {} }
resources:
  orders-db: { kind: database, team: data }
  events: { kind: queue, team: data }
  mail-a: { kind: external-api, team: shop }
  mail-b: { kind: external-api, team: shop }
services:
  web:
    team: shop
    url: http://shop-web.internal:8080/health
    dependencies:
      - { on: orders, criticality: hard, owner: data }
      # Nobody knows why.
      - on: legacy
        criticality: soft
  orders:
    team: data
    renamed_from: baskets
    dependencies:
      - { on: orders-db, component: postgres, criticality: hard }
      - { on: events, criticality: soft }
      - { on: [mail-a, mail-b], criticality: soft }
  legacy: { team: shop }
  billing:
    name: Billing
    team: data
    dependencies: [{ on: events, criticality: soft }]
`;
const FILES = [{ path: "map/a.yaml", text: MAP }];

function drift(sources: { path: string; text: string }[], told: [string, string][] = [], more: typeof FILES = []) {
  const { map, errors } = parseConfig([...FILES, ...more], "keep", "2026-11-29");
  if (!map) throw new Error(JSON.stringify(errors));
  const result = compareGraph(assemble(readFiles(sources).drafts), map, new Map(told));
  const lines = result.findings.map(({ kind, node, to, team, calls }) =>
    [kind, node, to, team, calls].filter((part) => part !== null).join(" "),
  );
  const diffs = result.findings.map(
    (finding) =>
      patchFor(
        finding,
        map,
        new LabelPatcher(FILES),
        new Set(result.findings.filter(({ seen }) => seen === "service").map(({ node }) => node)),
      ).diff,
  );
  return { ...result, lines, diffs };
}

const jaeger = (...calls: [string, string, number][]) => [
  { path: "j.json", text: JSON.stringify({ data: calls.map(([parent, child, callCount]) => ({ parent, child, callCount })) }) },
];
const compose = (text: string) => [{ path: "compose.yaml", text }];

/** All that the map declares, as a Compose file. */
const SAME = `services:
  shop-web: { image: a, environment: { ORDERS_URL: http://baskets, LEGACY_HOST: legacy } }
  baskets: { image: b, environment: { DB: "postgres://u:p@orders-db/x", Q: "amqp://events", M: "smtp://mail-a:25" } }
  legacy: { image: c }
  billing-service: { image: d, environment: { Q: "amqp://events" } }
  orders-db: { image: postgres }
  events: { image: rabbitmq }
`;

describe("what differs between sources and map is found", () => {
  test("nothing, where all is declared: names by id, former id, address and suffix", () => {
    const { lines, matching, notJudged } = drift(compose(SAME));
    expect(lines).toEqual([]);
    expect([...matching.matches.values()].filter(({ by }) => by !== "id").map(({ seen, node, by }) => [seen, node, by])).toEqual([
      ["baskets", "orders", "former id"],
      ["billing-service", "billing", "suffix"],
      ["shop-web", "web", "address"],
    ]);
    // The other of two alternatives need not be seen.
    expect(notJudged).toMatchObject([{ node: "orders", to: "mail-b" }]);
  });

  test("a call that is not declared, with its count, most calls first, and the team of the caller", () => {
    const { lines } = drift(jaeger(["web", "billing", 12], ["web", "orders", 5], ["orders", "fraud", 1204], ["web", "legacy", 1]));
    expect(lines.filter((line) => line.startsWith("undeclared"))).toEqual([
      "undeclared_edge orders fraud data 1204",
      "undeclared_edge web billing shop 12",
      "undeclared_node fraud",
    ]);
  });

  test("what is declared and never seen, with the owner of the label", () => {
    const { lines } = drift(compose(SAME.replace("ORDERS_URL: http://baskets, ", "").replace("billing-service: ", "x-billing: ")));
    expect(lines).toEqual(["unseen_edge web orders data", "unseen_node billing data"]);
  });

  test("nothing of databases, where traces show services alone", () => {
    const { lines, notJudged } = drift(jaeger(["web", "orders", 5], ["web", "legacy", 1], ["billing", "orders", 1]));
    expect(lines).toEqual(["undeclared_edge billing orders data 1"]);
    expect(notJudged.map(({ why }) => why)).toContain("these traces show services alone");
  });

  test("another kind, in words that mean another thing", () => {
    const other = SAME.replace("events: { image: rabbitmq }", "events: { image: postgres }").replaceAll(
      "amqp://events",
      "postgres://events/x",
    );
    expect(drift(compose(other)).lines).toEqual(["kind_differs events data"]);
    expect(drift(compose(SAME.replace("legacy: { image: c }", "legacy: { image: mysql }"))).lines).toEqual(["kind_differs legacy shop"]);
  });

  test("nothing of an address that did not report", () => {
    const { map } = parseConfig(FILES, "keep", "2026-11-29");
    if (!map) throw new Error("the map is right");
    const asked = { name: null, url: "http://127.0.0.1:7103/gone", headers: [], alone: true };
    const [refused, answered] = [
      { outcome: "refused", report: null },
      { outcome: "report", report: { status: "healthy", components: [] } },
    ].map((observation) => compareGraph(assemble(readReport(asked, "gone", observation as never)), map, new Map()).findings);
    expect(refused).toEqual([]);
    expect(answered?.map(({ kind, node }) => `${kind} ${node}`)).toEqual(["undeclared_node gone"]);
  });

  test("another team", () => {
    const catalog =
      "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: legacy }\nspec: { type: service, owner: data }\n";
    expect(drift([...compose(SAME), { path: "b.yaml", text: catalog }]).lines).toEqual(["team_differs legacy shop"]);
  });

  test("messages between two users of one queue are no dependency of one on the other", () => {
    const metrics = (client: string, server: string, type: string) =>
      `traces_service_graph_request_total{client="${client}",server="${server}",connection_type="${type}"} 7`;
    const text = [
      metrics("orders", "billing", "messaging_system"),
      metrics("web", "billing", "messaging_system"),
      metrics("web", "orders", ""),
      metrics("web", "legacy", ""),
    ].join("\n");
    expect(drift([{ path: "m.prom", text }]).lines).toEqual(["undeclared_edge web billing shop 7"]);
  });

  test("a name that fits two nodes fits none, until somebody says which", () => {
    const more = [{ path: "map/b.yaml", text: "services: { pay-api: { team: shop }, pay-service: { team: shop } }" }];
    const calls = jaeger(["web", "pay", 3], ["web", "orders", 5], ["web", "legacy", 1]);
    const before = drift(calls, [], more);
    expect(before.matching.ambiguous).toEqual([{ seen: "pay", could_be: ["pay-api", "pay-service"] }]);
    expect(before.lines).toContain("undeclared_node pay");
    const after = drift(calls, [["pay", "pay-api"]], more);
    expect(after.matching.ambiguous).toEqual([]);
    expect(after.lines).toContain("undeclared_edge web pay-api shop 3");
  });
});

describe("a finding comes with a patch for the map", () => {
  const apply = (diff: string | null | undefined) => diff?.split("\n").filter((line) => /^[-+](?![-+])/.test(line));

  test("a database that is new is declared with the edge, so that the map stays whole", () => {
    const { diffs } = drift(
      compose(SAME.replace("ORDERS_URL: http://baskets, ", 'ORDERS_URL: http://baskets, X: "postgres://ledger/x", ')),
    );
    expect(apply(diffs[0])).toEqual(["+  ledger: {}", "+      - { on: ledger, criticality: hard }"]);
  });

  test("a new entry goes after the last one", () => {
    const { diffs } = drift(jaeger(["orders", "fraud", 1204], ["web", "orders", 5], ["web", "legacy", 1]));
    expect(apply(diffs[0])).toEqual(["+      - { on: fraud, criticality: soft }"]);
  });

  test("an entry over several lines goes whole, and its neighbours stay", () => {
    const { lines, diffs } = drift(compose(SAME.replace(", LEGACY_HOST: legacy", "")));
    expect(lines).toEqual(["unseen_edge web legacy shop"]);
    expect(apply(diffs[0])).toEqual(["-      - on: legacy", "-        criticality: soft"]);
  });

  test("an entry of a list in brackets goes alone", () => {
    const { lines, diffs } = drift(
      compose(SAME.replace('billing-service: { image: d, environment: { Q: "amqp://events" } }', "billing-service: { image: d }")),
    );
    expect(lines).toEqual(["unseen_edge billing events data"]);
    expect(apply(diffs[0])).toEqual(["-    dependencies: [{ on: events, criticality: soft }]", "+    dependencies: []"]);
  });
});
