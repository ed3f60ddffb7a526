import { describe, expect, it } from "vitest";
import { singlePoints, whatIf } from "../../../server/src/analysis/whatif.ts";
import type { System } from "../../../server/src/domain/map.ts";
import type { Criticality } from "../../../server/src/domain/status.ts";
import { mapOf, type Needs, type NodeOptions } from "../../support/scene.ts";

const PLACE = { file: "map.yaml", line: 1, column: 1 };

function withSystem(needs: Needs, members: Record<string, Criticality>, options: Record<string, NodeOptions> = {}) {
  const shop: System = {
    id: "shop",
    name: "Shop",
    description: null,
    public: true,
    team: null,
    place: PLACE,
    members: Object.entries(members).map(([node, criticality]) => ({ node, criticality, place: PLACE })),
  };
  return { ...mapOf(needs, options), systems: new Map([["shop", shop]]) };
}

const effects = (map: Parameters<typeof whatIf>[0], node: string) =>
  Object.fromEntries(whatIf(map, node).impacted.map(({ node: id, status }) => [id, status]));

describe("what if a node is down", () => {
  it("hands failure on over hard edges, degradation over soft ones, and nothing over informational ones", () => {
    const map = mapOf({ web: "api!", api: "db!", search: "db~", portal: "search!", audit: "db?" });
    expect(effects(map, "db")).toEqual({ api: "unhealthy", search: "degraded", web: "unhealthy", portal: "degraded" });
    expect(whatIf(map, "db").impacted.find(({ node }) => node === "web")?.path).toEqual(["web", "api", "db"]);
  });

  it("leaves a redundancy group standing while enough members are left, and calls its service at risk", () => {
    const groups = [{ members: ["a", "b"], need: 1, criticality: "hard" as const }];
    const map = mapOf({ api: "a! b!" }, { api: { groups } });
    expect(whatIf(map, "a")).toMatchObject({ impacted: [], atRisk: ["api"] });
    const both = mapOf({ api: "a! b!", a: "disk!", b: "disk!" }, { api: { groups } });
    expect(effects(both, "disk")).toEqual({ a: "unhealthy", b: "unhealthy", api: "unhealthy" });
  });

  it("ends in circles, and knows nothing of strangers", () => {
    const map = mapOf({ a: "b!", b: "c!", c: "a! db!" });
    expect(effects(map, "db")).toEqual({ a: "unhealthy", b: "unhealthy", c: "unhealthy" });
    expect(whatIf(map, "nobody")).toEqual({ node: "nobody", impacted: [], atRisk: [], systems: [] });
  });

  it("tells what becomes of systems by the criticality of their members", () => {
    const map = withSystem({ web: "db!", mail: "smtp!" }, { web: "hard", mail: "soft" });
    expect(whatIf(map, "db").systems).toEqual([{ id: "shop", effect: "unhealthy" }]);
    expect(whatIf(map, "smtp").systems).toEqual([{ id: "shop", effect: "degraded" }]);
  });
});

describe("single points of failure", () => {
  it("are nodes that alone make a system unhealthy, those that break most first", () => {
    const groups = [{ members: ["r1", "r2"], need: 1, criticality: "hard" as const }];
    const map = withSystem({ web: "api! cache~ r1! r2!", api: "db!" }, { web: "hard" }, { web: { groups } });
    expect(singlePoints(map).map(({ node, unhealthy }) => [node, unhealthy])).toEqual([
      ["db", 2],
      ["api", 1],
      ["web", 0],
    ]);
  });

  it("without systems are what breaks any service but itself", () => {
    expect(singlePoints(mapOf({ web: "api!", api: "db!" })).map(({ node }) => node)).toEqual(["db", "api"]);
  });
});
