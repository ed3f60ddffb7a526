// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in a map are written like this.
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parseConfig, parseMapObject, type References } from "../../../server/src/config/parse.ts";
import type { ServiceNode } from "../../../server/src/domain/map.ts";

// Many cases or real files: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

const TODAY = "2026-11-29";
const NONE: References = { env: () => undefined, file: () => undefined };

function parse(files: Record<string, string>, references: References | "keep" = NONE) {
  return parseConfig(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    references,
    TODAY,
  );
}

function serviceOf(text: string, id: string, references: References | "keep" = NONE): ServiceNode {
  const { map, errors } = parse({ "map/a.yaml": text }, references);
  expect(errors).toEqual([]);
  const node = map?.nodes.get(id);
  if (node?.kind !== "service") throw new Error(`${id} is no service`);
  return node;
}

describe("settings in effect", () => {
  test("a service that says nothing has the defaults of Headwater", () => {
    const node = serviceOf(`services: { a: { url: "http://a/deep" } }`, "a");
    expect(node).toMatchObject({
      name: "a",
      team: null,
      interval: 10_000,
      timeout: 2_000,
      downAfter: 3,
      upAfter: 3,
      maxAge: 60_000,
      componentMaxAge: 60_000,
      format: "auto",
      maxBody: 262_144,
      need: 1,
      instances: [{ id: "a", service: "a", url: "http://a/deep" }],
      edges: [],
      groups: [],
    });
  });

  test.each([
    ["defaults: { interval: 30s }", "", { interval: 30_000, maxAge: 122_000 }],
    ["defaults: { interval: 30s, flip_after: 5 }", "flip_after: 2, interval: 60s", { interval: 60_000, downAfter: 2, maxAge: 182_000 }],
    ["defaults: { down_after: 6 }", "up_after: 1", { downAfter: 6, upAfter: 1, maxAge: 72_000, componentMaxAge: 72_000 }],
    ["defaults: { max_age: 5m }", "component_max_age: 90s", { maxAge: 300_000, componentMaxAge: 90_000 }],
    ["defaults: { max_body: 1MiB, format: auto }", "max_body: 64KiB", { maxBody: 65_536 }],
  ])("%s under a service with { %s }", (defaults, own, expected) => {
    expect(serviceOf(`${defaults}\nservices: { a: { url: "http://a/deep", ${own} } }`, "a")).toMatchObject(expected);
  });

  test("defaults may be spread over files, but none said twice", () => {
    const spread = parse({
      "map/a.yaml": "defaults: { interval: 20s }",
      "map/b.yaml": `defaults: { timeout: 1s }\nservices: { a: { url: "http://a/" } }`,
    });
    expect(spread.map?.nodes.get("a")).toMatchObject({ interval: 20_000, timeout: 1_000 });
    const twice = parse({ "map/a.yaml": "defaults: { interval: 20s }", "map/b.yaml": "\ndefaults: { interval: 20s }" });
    expect(twice.errors).toMatchObject([
      { file: "map/b.yaml", line: 2, code: "declared-twice", message: expect.stringContaining("map/a.yaml:1") },
    ]);
  });
});

describe("instances", () => {
  test.each([
    ["two hosts", ["http://one:8080/h", "http://two:8080/h"], ["a/one:8080", "a/two:8080"]],
    ["the usual ports", ["http://one/h", "https://one/h"], ["a/one:80", "a/one:443"]],
    ["one host, two paths", ["http://one/x", "http://one/y"], ["a/one:80/x", "a/one:80/y"]],
    ["the same address twice", ["http://one/x", "http://ONE:80/x"], ["a/one:80/x", "a/one:80/x#2"]],
    ["a single one", ["http://one/x"], ["a/one:80"]],
  ])("%s are told apart by their addresses", (_, urls, ids) => {
    const node = serviceOf(`services: { a: { instances: ${JSON.stringify(urls)} } }`, "a");
    expect(node.instances.map(({ id }) => id)).toEqual(ids);
  });

  test("the order of the list does not change who is who", () => {
    const ids = (urls: string[]) =>
      new Map(serviceOf(`services: { a: { instances: ${JSON.stringify(urls)} } }`, "a").instances.map((one) => [one.url, one.id]));
    const urls = ["http://one/x", "http://two/x", "http://one/y"];
    expect(ids([...urls].reverse())).toEqual(new Map([...ids(urls)].reverse()));
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 3],
  ])("of %i instances half, rounded up, must not be unhealthy: %i", (count, need) => {
    const urls = Array.from({ length: count }, (_, index) => `http://host-${index}/h`);
    expect(serviceOf(`services: { a: { instances: ${JSON.stringify(urls)} } }`, "a").need).toBe(need);
  });
});

describe("edges", () => {
  const text = `
teams: { shop: {}, data: {} }
resources: { db: {}, east: {}, west: {}, log: {} }
services:
  a:
    team: shop
    url: http://a/deep
    dependencies:
      - { on: db, component: [read, write], criticality: hard, owner: data, reviewed: 2026-10-01 }
      - { on: [east, west], component: [mail-e, mail-w], criticality: soft }
      - { on: log, criticality: informational }
`;

  test("an edge keeps its label, its owner, its names and its place", () => {
    const [db, east, west, log] = serviceOf(text, "a").edges;
    expect(db).toEqual({
      from: "a",
      to: "db",
      criticality: "hard",
      owner: "data",
      reviewed: "2026-10-01",
      components: ["read", "write"],
      group: null,
      place: { file: "map/a.yaml", line: 9, column: 9 },
    });
    expect(east).toMatchObject({ to: "east", owner: "shop", components: ["mail-e"], group: 0 });
    expect(west).toMatchObject({ to: "west", components: ["mail-w"], group: 0 });
    expect(log).toMatchObject({ to: "log", components: ["log"], group: null, reviewed: null });
  });

  test("alternatives are a group of which one suffices", () => {
    expect(serviceOf(text, "a").groups).toEqual([{ members: ["east", "west"], need: 1, criticality: "soft" }]);
  });
});

describe("references", () => {
  const env: References = {
    env: (name) => ({ HOST: "a.internal", TOKEN: "s3cret${HOST}", N: "4", BAD: "two\nlines" })[name],
    file: (path) => (path === "/run/token" ? "from-file\n" : path === "ca.pem" ? "-----BEGIN CERTIFICATE-----\n" : undefined),
  };

  test("are replaced once, in values only, and remembered by name", () => {
    const node = serviceOf(
      'services: { a: { url: "http://${HOST}/deep", flip_after: "${N}", headers: { authorization: "Bearer ${TOKEN}", x-file: "${file:/run/token}" }, tls: { ca: ca.pem } } }',
      "a",
      env,
    );
    expect(node.instances[0]?.url).toBe("http://a.internal/deep");
    expect(node.headers.authorization).toBe("Bearer s3cret${HOST}");
    expect(node.headers["x-file"]).toBe("from-file");
    expect(node.downAfter).toBe(4);
    expect(node.references).toEqual(["${HOST}", "${TOKEN}", "${file:/run/token}"]);
    expect(node.tls?.ca).toContain("BEGIN CERTIFICATE");
  });

  test("stay as they are where their values do not matter", () => {
    const node = serviceOf('services: { a: { url: "http://${HOST}:${PORT}/deep", headers: { x: "${ABSENT}" } } }', "a", "keep");
    expect(node.instances[0]?.url).toBe("http://${HOST}:${PORT}/deep");
    expect(node.headers.x).toBe("${ABSENT}");
  });

  test.each([
    ["a header that it makes unfit", 'services: { a: { url: "http://a/deep", headers: { authorization: "${BAD}" } } }'],
    ["an address that it breaks", 'services: { a: { url: "${TOKEN}" } }'],
    ["an undeclared team", 'services: { a: { url: "http://a/deep", team: "${TOKEN}" } }'],
    ["an unfit id", 'services: { a: { url: "http://a/deep", renamed_from: "${TOKEN}" } }'],
    ["a count that is none", 'services: { a: { url: "http://a/deep", flip_after: "${TOKEN}" } }'],
    ["an unknown word", 'services: { a: { url: "http://a/deep", format: "${TOKEN}" } }'],
    ["a zone", 'maintenance: [{ nodes: [a], from: 2027-01-01T00:00, to: 2027-01-02T00:00, zone: "${TOKEN}" }]'],
  ])("never show their value: %s", (_, text) => {
    const { errors } = parse({ "map/a.yaml": text }, env);
    expect(errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors)).not.toMatch(/s3cret|two/);
  });
});

describe("what a broken file may declare is not called undeclared", () => {
  const user = `services: { web: { url: "http://web/deep", dependencies: [{ on: orders, criticality: hard, owner: shop }, { on: ordres, criticality: soft }] } }`;
  const undeclaredIn = (files: Record<string, string>) =>
    parse(files)
      .errors.filter(({ code }) => code.startsWith("undeclared"))
      .map(({ message }) => message.split(" ")[0]);

  test("a file that does not parse", () => {
    expect(undeclaredIn({ "map/a.yaml": user, "map/b.yaml": "teams: { shop: {} }\nservices: { orders: {" })).toEqual(['"ordres"']);
  });

  test("a file with a misspelt section", () => {
    expect(undeclaredIn({ "map/a.yaml": user, "map/b.yaml": "teams: { shop: {} }\nservice: { orders: {} }" })).toEqual(['"ordres"']);
  });

  test("a file that cannot be read may declare anything", () => {
    const files = [
      { path: "map/a.yaml", text: user },
      { path: "map/b.yaml", text: "", unreadable: "is a symbolic link to nothing" },
    ];
    expect(parseConfig(files, NONE, TODAY).errors).toMatchObject([{ file: "map/b.yaml", code: "unreadable" }]);
  });
});

test("a map of the aggregator's file alone is empty, and the config has its defaults", () => {
  const { config, map, warnings } = parse({ "headwater.yaml": "site: eu-1" });
  expect(map?.nodes.size).toBe(0);
  expect(warnings).toMatchObject([{ code: "empty-map" }]);
  expect(config).toEqual({
    site: "eu-1",
    listen: { host: "127.0.0.1", port: 8080, hosts: [], basePath: "/" },
    storage: { maxSize: 2_000_000_000 },
    retention: { raw: 86_400_000, minutes: 604_800_000, hours: 7_776_000_000, changes: 34_560_000_000 },
    auth: { kind: "unset" },
    heartbeat: null,
    staleness: { limit: null, overdueLimit: 0.1, writeLimit: 60_000 },
    analysis: { settle: null, unreachableAfter: null, reviewAfter: 15_552_000_000 },
    canaries: [],
    alerts: { alertmanager: null, webhook: null },
    log: { level: "info", format: "auto" },
  });
});

test.each([
  ["auth: none", { kind: "none" }],
  ["auth: { proxy: { header: x-user, from: [10.0.0.0/8] } }", { kind: "proxy", header: "x-user", from: ["10.0.0.0/8"] }],
  [
    'auth: { tokens: [{ name: oncall, role: operator, secret: "${T}" }] }',
    { kind: "tokens", tokens: [{ name: "oncall", role: "operator", secret: "t" }] },
  ],
])("%s", (text, auth) => {
  const { config } = parse({ "headwater.yaml": text }, { env: () => "t", file: () => undefined });
  expect(config?.auth).toEqual(auth);
});

describe("maintenance times are local to their zone", () => {
  test.each([
    ["Europe/Berlin", "2027-03-06T22:00", "2027-03-07T02:00", "2027-03-06T21:00:00.000Z", "2027-03-07T01:00:00.000Z"],
    ["UTC", "2027-03-06T22:00", "2027-03-06T22:00:30", "2027-03-06T22:00:00.000Z", "2027-03-06T22:00:30.000Z"],
    ["America/New_York", "2027-07-01T00:00", "2027-07-01T01:00", "2027-07-01T04:00:00.000Z", "2027-07-01T05:00:00.000Z"],
    ["Europe/Berlin", "2027-10-31T02:30", "2027-10-31T02:45", "2027-10-31T00:30:00.000Z", "2027-10-31T01:45:00.000Z"],
    ["Europe/Berlin", "2027-03-28T02:30", "2027-03-28T04:00", "2027-03-28T01:30:00.000Z", "2027-03-28T02:00:00.000Z"],
    ["Asia/Kolkata", "2027-01-01T05:30", "2027-01-01T06:30", "2027-01-01T00:00:00.000Z", "2027-01-01T01:00:00.000Z"],
  ])("%s %s to %s", (zone, from, to, first, last) => {
    const { map, errors } = parse({
      "map/a.yaml": `services: { a: { url: "http://a/deep" } }\nmaintenance: [{ nodes: [a], from: ${from}, to: ${to}, zone: ${zone}, reason: work }]`,
    });
    expect(errors).toEqual([]);
    const [window] = map?.maintenance ?? [];
    expect([new Date(window?.from ?? 0).toISOString(), new Date(window?.to ?? 0).toISOString()]).toEqual([first, last]);
  });
});

describe("the map inside a recording", () => {
  test("is read from JSON in the shape of the YAML", () => {
    const { map, errors } = parseMapObject({
      defaults: { interval: "5s", timeout: "2s", flip_after: 1, max_age: "20s" },
      resources: { db: { kind: "database" } },
      services: {
        a: { url: "http://a.test/health/deep", headers: { authorization: "${GONE}" }, dependencies: [{ on: "db", criticality: "hard" }] },
      },
    });
    expect(errors).toEqual([]);
    expect(map?.nodes.get("a")).toMatchObject({
      interval: 5_000,
      downAfter: 1,
      maxAge: 20_000,
      edges: [{ to: "db", criticality: "hard" }],
    });
  });

  test.each([[null], [[]], ["map"], [{ services: { a: { dependencies: [{ on: "b", criticality: "hard" }] } } }], [{ services: 7 }]])(
    "refuses %j",
    (value) => {
      const { map, errors } = parseMapObject(value);
      expect(map).toBeNull();
      expect(errors.length).toBeGreaterThan(0);
    },
  );
});

test("an alias used a thousand times is no bomb, one that grows without end is refused", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `  s${index}: { url: "http://s${index}/deep", headers: *h }`).join("\n");
  expect(parse({ "map/a.yaml": `services:\n  a: { url: "http://a/deep", headers: &h { accept: a } }\n${many}` }).errors).toEqual([]);
  const levels = Array.from({ length: 30 }, (_, index) => `  l${index + 1}: &l${index + 1} [*l${index}, *l${index}]`).join("\n");
  expect(parse({ "map/a.yaml": `services:\n  l0: &l0 [x]\n${levels}` }).errors.length).toBeGreaterThan(0);
  expect(parse({ "map/a.yaml": "services: &s\n  a: *s" }).errors).toMatchObject([{ code: "yaml", line: 2 }]);
});

test("thousands of mistakes are counted, not listed", () => {
  const text = `services:\n${Array.from({ length: 5_000 }, (_, index) => `  s${index}: { url: "http://s${index}/deep", intervall: 5s }`).join("\n")}`;
  const { errors } = parse({ "map/a.yaml": text });
  expect(errors).toHaveLength(2_001);
  expect(errors.at(-1)).toMatchObject({ code: "more", message: "3000 more of these are not listed" });
});

describe("whatever the bytes, parsing answers and never throws", () => {
  const pieces = [
    "services",
    "resources",
    "defaults",
    "teams",
    "systems",
    "a",
    ":",
    " ",
    "\n",
    "  ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&x",
    "*x",
    "<<",
    '"',
    "'",
    "|",
    ">",
    "#",
    "!!str",
    "%YAML 1.1\n",
    "---",
    "\t",
    "${A}",
    "on",
    "criticality",
    "hard",
    "url",
    "http://a",
    "10s",
    "null",
    "\u0000",
    "\uFEFF",
    "é",
  ];
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join("")),
  );

  test("of text files", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("map/a.yaml", "headwater.yaml"), (content, path) => {
        const { errors, map } = parseConfig([{ path, text: content }], NONE, TODAY);
        expect(map === null).toBe(errors.length > 0);
        for (const error of errors) expect(error.line).toBeGreaterThan(0);
      }),
      { numRuns: 400 },
    );
  });

  test("of huge files of nothing, of one line, of one bracket", () => {
    for (const content of [
      "\n".repeat(3_000_000),
      "#\n".repeat(1_000_000),
      " ".repeat(3_000_000),
      `a: ${"x ".repeat(200_000)}`,
      "[".repeat(20_000),
      "{a: ".repeat(20_000),
      "- ".repeat(20_000),
    ]) {
      const { errors, map } = parseConfig([{ path: "map/a.yaml", text: content }], NONE, TODAY);
      expect(map === null).toBe(errors.length > 0);
    }
  });

  test("of JSON values", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const { errors, map } = parseMapObject(value);
        expect(map === null).toBe(errors.length > 0);
      }),
      { numRuns: 200 },
    );
  });

  test("of maps with one part replaced by anything", () => {
    const whole = {
      teams: { t: { contact: "x" } },
      resources: { r: { kind: "database", team: "t" } },
      services: {
        a: { url: "http://a/deep", team: "t", headers: { x: "y" }, dependencies: [{ on: ["r"], need: 1, criticality: "hard" }] },
      },
      systems: { s: { members: [{ node: "a", criticality: "soft" }] } },
      maintenance: [{ nodes: ["a"], from: "2027-01-01T00:00", to: "2027-01-02T00:00" }],
    };
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]) => {
      if (path.length > 0) paths.push(path);
      if (typeof value === "object" && value !== null) for (const [key, part] of Object.entries(value)) walk(part, [...path, key]);
    };
    walk(whole, []);
    const replace = (value: unknown, [key, ...rest]: string[], part: unknown): unknown => {
      if (key === undefined) return part;
      if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? replace(item, rest, part) : item));
      return { ...(value as object), [key]: replace((value as Record<string, unknown>)[key], rest, part) };
    };
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 3 }), (path, part) => {
        const { errors, map } = parseMapObject(replace(whole, path, part));
        expect(map === null).toBe(errors.length > 0);
      }),
      { numRuns: 500 },
    );
  });
});
