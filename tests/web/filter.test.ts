import { describe, expect, test } from "vitest";
import { arrange, defaultGrouping, folds, groupSummary, tagKeys, troubled } from "../../web/src/model/arrange.ts";
import { countShows, type Filters, NO_FILTERS, parseFilters, selectNodes, showOnly, writeFilters } from "../../web/src/model/filter.ts";
import { incident, node } from "./make.ts";

const nodes = [
  node("web", { team: "shop", tags: { area: "front", tier: "1" } }),
  node("api", { team: "shop", tags: { area: "front" }, status: "unhealthy", role: "impacted" }),
  node("db", { team: "data", kind: "resource", resource_kind: "database", status: "unhealthy", role: "root_cause" }),
  node("mail", { status: "unknown" }),
  node("pay", { team: "pay", role: "at_risk" }),
];
const systems = [
  {
    id: "s",
    name: "Shop",
    status: "healthy" as const,
    coverage: { known: 2, total: 2 },
    members: [{ node: "api", criticality: "hard" as const }],
  },
];
const ids = (
  change: Partial<Filters>,
  incidents = [incident(1, { impacted: [{ node: "api", since: "2026-10-24T12:00:00.000Z" }] })],
): string[] => selectNodes(nodes, { ...NO_FILTERS, ...change }, systems, incidents).map((one) => one.id);

describe("filters in the URL", () => {
  test.each<Partial<Filters>>([
    {},
    { q: "pay team" },
    { show: "at_risk", view: "tiles" },
    { team: "a&b=c", group: "tag:tier" },
    { tag: "tier:1", system: "s" },
  ])("%o survive a reload", (change) => {
    const filters = { ...NO_FILTERS, ...change };
    expect(parseFilters(writeFilters(filters))).toEqual(filters);
  });

  test("groups that are unfolded are kept, whatever their names", () => {
    const filters = { ...NO_FILTERS, open: ["Area 1, east", "a&b", ""] };
    expect(parseFilters(writeFilters(filters, "?open=before"))).toEqual(filters);
  });
  test("nothing chosen leaves the address clean", () => expect(writeFilters(NO_FILTERS)).toBe(""));
  test("other parameters stay", () => expect(writeFilters({ ...NO_FILTERS, q: "x" }, "?keep=1")).toBe("?keep=1&q=x"));
  test("words that are no filter are left out", () => expect(parseFilters("?status=worse&view=wall")).toEqual(NO_FILTERS));
});

describe("which nodes are shown", () => {
  test("words search id, name, team, kind and tags, and all must occur", () => {
    expect(ids({ q: "tier:1" })).toEqual(["web"]);
    expect(ids({ q: "database" })).toEqual(["db"]);
    expect(ids({ q: "shop a" })).toEqual(["web", "api"]);
    expect(ids({ q: "shop db" })).toEqual([]);
  });
  test("a team sees its own nodes and what hurts them", () => expect(ids({ team: "shop" })).toEqual(["web", "api", "db"]));
  test("a team that nothing hurts sees its own only", () => expect(ids({ team: "shop" }, [])).toEqual(["web", "api"]));
  test("an incident that is over hurts nobody", () => {
    const over = incident(1, { status: "resolved", impacted: [{ node: "api", since: "2026-10-24T12:00:00.000Z" }] });
    expect(ids({ team: "shop" }, [over])).toEqual(["web", "api"]);
  });
  test("a system shows its members", () => expect(ids({ system: "s" })).toEqual(["api"]));
  test("a tag needs key and value", () => expect(ids({ tag: "area:front" })).toEqual(["web", "api"]));
  test("counts belong to the words", () => {
    expect(countShows(nodes)).toEqual({ all: 5, cause: 1, own: 0, impacted: 1, unknown: 1, at_risk: 1, maintenance: 0, healthy: 2 });
    expect(showOnly(nodes, "at_risk").map((one) => one.id)).toEqual(["pay"]);
  });
});

describe("groups", () => {
  const shape = (by: string): [string, string[]][] =>
    arrange(nodes, by, systems).map((group) => [group.title, group.nodes.map((one) => one.id)]);
  test("stand in map order, whatever their state", () => {
    expect(shape("team")).toEqual([
      ["shop", ["web", "api"]],
      ["data", ["db"]],
      ["pay", ["pay"]],
      ["No team", ["mail"]],
    ]);
    const worse = nodes.map((one) => ({ ...one, status: "unhealthy" as const, role: null }));
    expect(arrange(worse, "team", systems).map((group) => group.title)).toEqual(shape("team").map(([title]) => title));
  });
  test("can be systems or tags", () => {
    expect(shape("system")).toEqual([
      ["Shop", ["api"]],
      ["In no system", ["web", "db", "mail", "pay"]],
    ]);
    expect(shape("tag:tier")[0]).toEqual(["1", ["web"]]);
    expect(shape("none")).toEqual([["All nodes", nodes.map((one) => one.id)]]);
    expect(arrange([], "team", [])).toEqual([]);
  });
  test("are by area where most nodes have one, else by team", () => {
    expect(defaultGrouping(nodes)).toBe("team");
    expect(defaultGrouping(nodes.slice(0, 3))).toBe("tag:area");
    expect(defaultGrouping([node("x")])).toBe("none");
    expect(tagKeys(nodes)).toEqual(["area", "tier"]);
  });
  test("say what is wrong in them", () => {
    expect(groupSummary(nodes)).toBe("1 cause, 1 impacted, 1 unknown, 1 at risk");
    expect(groupSummary([node("x")])).toBe("all healthy");
  });
});

describe("more nodes than anybody can look at", () => {
  const fleet = (count: number) => Array.from({ length: count }, (_, index) => node(`n${index}`, { team: `t${index % 3}` }));
  test.each([
    [1_500, "team", false],
    [1_501, "team", true],
    [1_501, "none", false],
  ])("%i in groups by %s fold: %s", (count, by, folded) => {
    expect(folds(arrange(fleet(count), by, []))).toBe(folded);
  });

  test("the groups with trouble are known, also where it is only maintenance", () => {
    const nodes = [
      ...fleet(3),
      node("x", { team: "t1", status: "unknown" }),
      node("y", { team: "t2", status: "degraded", marks: ["maintenance"] }),
    ];
    expect(troubled(arrange(nodes, "team", []))).toEqual(["t1", "t2"]);
  });
});
