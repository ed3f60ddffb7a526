import { expect, test } from "vitest";
import { diffMaps } from "../../../server/src/config/diff.ts";
import { parseConfig } from "../../../server/src/config/parse.ts";

// The maps are edited as plain values.
// biome-ignore lint/suspicious/noExplicitAny: what an edit touches differs from case to case
type Any = any;

const base = (): Any => ({
  defaults: { interval: "10s", timeout: "2s" },
  teams: { a: {}, b: {}, p: {} },
  resources: { db: { kind: "database", team: "p" }, cache: { kind: "cache", team: "p" } },
  services: {
    web: { team: "a", url: "http://web/x", dependencies: [{ on: "api", criticality: "hard", owner: "a" }] },
    api: {
      team: "b",
      url: "http://api/x",
      dependencies: [
        { on: "db", criticality: "hard", owner: "b" },
        { on: "cache", criticality: "soft" },
      ],
    },
  },
  systems: { shop: { members: [{ node: "web", criticality: "hard" }] } },
});
const CASES: [name: string, edit: (map: Any) => void, changes: object[], affected: string[], teams: string[]][] = [
  [
    "soft to hard",
    (m) => {
      m.services.api.dependencies[1].criticality = "hard";
    },
    [{ kind: "criticality", from: "api", to: "cache", before: "soft", after: "hard" }],
    ["api", "cache", "shop", "web"],
    ["a", "b"],
  ],
  [
    "hard to informational",
    (m) => {
      m.services.web.dependencies[0].criticality = "informational";
    },
    [{ kind: "criticality", from: "web", to: "api", before: "hard", after: "informational" }],
    ["api", "cache", "db", "shop", "web"],
    ["a"],
  ],
  [
    "owner given to the service's own team is none",
    (m) => {
      m.services.api.dependencies[1].owner = "b";
    },
    [],
    [],
    [],
  ],
  [
    "owner to another team",
    (m) => {
      m.services.api.dependencies[1].owner = "p";
    },
    [{ kind: "owner", from: "api", to: "cache", before: "b", after: "p" }],
    [],
    ["b", "p"],
  ],
  [
    "edge removed",
    (m) => {
      m.services.api.dependencies.pop();
    },
    [{ kind: "edge_removed", from: "api", to: "cache", before: "soft" }],
    ["api", "cache", "shop", "web"],
    ["b"],
  ],
  [
    "edge added hard",
    (m) => {
      m.services.web.dependencies.push({ on: "cache", criticality: "hard" });
    },
    [{ kind: "edge_added", from: "web", to: "cache", after: "hard" }],
    ["cache", "shop", "web"],
    ["a"],
  ],
  [
    "edge added without effect",
    (m) => {
      m.services.web.dependencies.push({ on: "db", criticality: "hard" });
    },
    [{ kind: "edge_added", from: "web", to: "db", after: "hard" }],
    [],
    ["a"],
  ],
  [
    "service added with edges",
    (m) => {
      m.services.jobs = { team: "p", url: "http://jobs/x", dependencies: [{ on: "db", criticality: "hard", owner: "b" }] };
    },
    [
      { kind: "node_added", node: "jobs" },
      { kind: "edge_added", from: "jobs", to: "db", after: "hard" },
    ],
    ["db"],
    ["b", "p"],
  ],
  [
    "service removed",
    (m) => {
      delete m.services.web;
      m.systems.shop.members = [{ node: "api", criticality: "hard" }];
    },
    [
      { kind: "node_removed", node: "web" },
      { kind: "edge_removed", from: "web", to: "api", before: "hard" },
      { kind: "system_membership", from: "shop", to: "web", before: "hard", after: null },
      { kind: "system_membership", from: "shop", to: "api", before: null, after: "hard" },
    ],
    ["api", "cache", "db", "shop"],
    ["a", "b"],
  ],
  [
    "renamed with a changed label",
    (m) => {
      m.services.shop2 = { ...m.services.api, renamed_from: "api", url: "http://api/x" };
      delete m.services.api;
      m.services.web.dependencies[0] = { on: "shop2", criticality: "soft", owner: "a" };
    },
    [
      { kind: "node_renamed", from: "api", to: "shop2" },
      { kind: "criticality", from: "web", to: "shop2", before: "hard", after: "soft" },
    ],
    ["db", "shop", "shop2", "web"],
    ["a", "b"],
  ],
  [
    "default written out",
    (m) => {
      m.services.api.interval = "10s";
      m.services.api.timeout = "2s";
    },
    [],
    [],
    [],
  ],
  [
    "interval by default",
    (m) => {
      m.defaults.interval = "30s";
    },
    [
      { kind: "interval", node: "web", before: "10s", after: "30s" },
      { kind: "interval", node: "api", before: "10s", after: "30s" },
    ],
    [],
    ["a", "b"],
  ],
  [
    "interval in other words",
    (m) => {
      m.services.api.interval = "10000ms";
    },
    [],
    [],
    [],
  ],
  [
    "url",
    (m) => {
      m.services.api.url = "http://api2/x";
    },
    [{ kind: "url", node: "api", before: "http://api/x", after: "http://api2/x" }],
    [],
    ["b"],
  ],
  [
    "url without a difference",
    (m) => {
      m.services.api.url = "HTTP://API:80/x";
    },
    [],
    [],
    [],
  ],
  [
    "team of a service whose edges name owners",
    (m) => {
      m.services.web.team = "p";
    },
    [{ kind: "team", node: "web", before: "a", after: "p" }],
    [],
    ["a", "p"],
  ],
  [
    "redundancy",
    (m) => {
      m.resources.cache2 = { team: "p" };
      m.services.api.dependencies[1] = { on: ["cache", "cache2"], criticality: "soft" };
    },
    [
      { kind: "node_added", node: "cache2" },
      { kind: "redundancy", from: "api", before: { on: ["cache"], need: 1 }, after: { on: ["cache", "cache2"], need: 1 } },
    ],
    ["api", "cache", "shop", "web"],
    ["b", "p"],
  ],
  [
    "membership label",
    (m) => {
      m.systems.shop.members[0].criticality = "soft";
    },
    [{ kind: "system_membership", from: "shop", to: "web", before: "hard", after: "soft" }],
    ["api", "db", "shop", "web"],
    ["a"],
  ],
  [
    "new system",
    (m) => {
      m.systems.office = { members: [{ node: "api", criticality: "hard" }] };
    },
    [{ kind: "system_membership", from: "office", to: "api", before: null, after: "hard" }],
    ["api", "cache", "db"],
    ["b"],
  ],
  [
    "text only",
    (m) => {
      m.services.api.description = "x";
      m.services.api.tags = { tier: 1 };
    },
    [{ kind: "no_effect", node: "api" }],
    [],
    [],
  ],
  [
    "need of a group",
    (m) => {
      m.resources.c2 = { team: "p" };
    },
    [{ kind: "node_added", node: "c2" }],
    [],
    ["p"],
  ],
  [
    "team removed",
    (m) => {
      delete m.services.web.team;
    },
    [{ kind: "team", node: "web", before: "a", after: null }],
    [],
    ["a"],
  ],
  [
    "kind of a node",
    (m) => {
      delete m.resources.cache;
      m.services.cache = { team: "p" };
    },
    [{ kind: "no_effect", node: "cache" }],
    [],
    [],
  ],
];

function mapOf(value: object) {
  const { map, errors } = parseConfig([{ path: "map/a.yaml", text: JSON.stringify(value) }], "keep", "2026-11-29");
  if (!map) throw new Error(JSON.stringify(errors));
  return map;
}

const inOrder = (changes: readonly object[]) =>
  changes.map((change) => JSON.stringify(Object.fromEntries(Object.entries(change).sort()))).sort();

test.each(CASES)("%s", (_, edit, changes, affected, teams) => {
  const head = base();
  edit(head);
  const result = diffMaps(mapOf(base()), mapOf(head));
  expect(inOrder(result.changes)).toEqual(inOrder(changes));
  expect(result.affected).toEqual(affected);
  expect(result.teams).toEqual(teams);
});

test("what changes of systems, teams and announced work is told beside the changes", () => {
  const work = { nodes: ["db", "api"], from: "2027-03-06T22:00", to: "2027-03-07T02:00", zone: "Europe/Berlin" };
  const [before, after] = [
    { ...base(), maintenance: [work] },
    { ...base(), maintenance: [{ ...work, to: "2027-03-07T03:00" }] },
  ];
  after.systems.shop = { ...after.systems.shop, public: true, team: "a" };
  after.teams.b = { contact: "#b" };
  const result = diffMaps(mapOf(before), mapOf(after));
  expect([result.changes, result.affected, result.teams]).toEqual([[], [], []]);
  expect(result.other).toEqual([
    { node: "shop", what: "public", before: "false", after: "true" },
    { node: "shop", what: "team", before: null, after: "a" },
    { node: "b", what: "contact", before: null, after: "#b" },
    { node: "api, db", what: "announced work", before: "2027-03-06T21:00:00.000Z to 2027-03-07T01:00:00.000Z", after: null },
    { node: "api, db", what: "announced work", before: null, after: "2027-03-06T21:00:00.000Z to 2027-03-07T02:00:00.000Z" },
  ]);
});
