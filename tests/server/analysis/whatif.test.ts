import { expect, test } from "vitest";
import { whatIf } from "../../../server/src/analysis/whatif.ts";
import { parseMapObject } from "../../../server/src/config/parse.ts";

const { map, errors } = parseMapObject({
  resources: { db: {}, cache: {}, "mail-a": {}, "mail-b": {} },
  services: {
    orders: {
      url: "http://orders.test/",
      dependencies: [
        { on: "db", criticality: "hard" },
        { on: "cache", criticality: "soft" },
      ],
    },
    checkout: { url: "http://checkout.test/", dependencies: [{ on: "orders", criticality: "hard" }] },
    news: {
      url: "http://news.test/",
      dependencies: [
        { on: "orders", criticality: "soft" },
        { on: ["mail-a", "mail-b"], criticality: "hard" },
      ],
    },
    stats: { url: "http://stats.test/", dependencies: [{ on: "db", criticality: "informational" }] },
  },
  systems: {
    shop: {
      members: [
        { node: "checkout", criticality: "hard" },
        { node: "news", criticality: "soft" },
      ],
    },
  },
});
if (!map) throw new Error(JSON.stringify(errors));

test.each([
  ["db", { orders: "unhealthy", checkout: "unhealthy", news: "degraded" }, [], { shop: "unhealthy" }],
  ["cache", { orders: "degraded", checkout: "degraded", news: "degraded" }, [], { shop: "degraded" }],
  ["mail-a", {}, ["news"], {}],
  ["checkout", {}, [], { shop: "unhealthy" }],
  ["stats", {}, [], {}],
])("when %s fails", (node, impacted, atRisk, systems) => {
  const effects = whatIf(map, node);
  expect(Object.fromEntries(effects.impacted.map((one) => [one.node, one.status]))).toEqual(impacted);
  expect(effects.atRisk).toEqual(atRisk);
  expect(Object.fromEntries(effects.systems.map((one) => [one.id, one.effect]))).toEqual(systems);
});
