import { describe, expect, it } from "vitest";
import { drift, lookedUp } from "../../../server/src/analysis/drift.ts";
import type { LabelFacts, LabelFinding, ReportedNames, WordStep } from "../../../server/src/domain/label.ts";
import type { Component } from "../../../server/src/domain/observation.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import type { Criticality } from "../../../server/src/domain/status.ts";
import { initialState } from "../../../server/src/state/reduce.ts";
import { mapOf } from "../engine/make.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 9, 24, 12);
const FROM = NOW - 30 * DAY;

/** checkout needs orders-db as told; web calls checkout; ads and its store stand apart. */
const textWith = (label: string): string => `
teams: { payments: {} }
resources: { orders-db: {}, spare-db: {}, ad-store: {}, stock: {} }
services:
  web: { url: http://web.internal/h, team: payments, dependencies: [{ on: checkout, criticality: hard }] }
  checkout:
    url: http://checkout.internal/h
    team: payments
    dependencies:
      - ${label}
      - { on: stock, criticality: hard }
  ads: { url: http://ads.internal/h, team: payments, dependencies: [{ on: ad-store, criticality: hard }] }
  search: { url: http://search.internal/h, team: payments, dependencies: [{ on: ad-store, criticality: hard }] }
`;
const HARD = "{ on: orders-db, criticality: hard }";
const SOFT = "{ on: orders-db, criticality: soft }";

/** So many outages of some length, a day apart, the newest a day ago; as a range of each. */
const outages = (count: number, length: number): { from: number; to: number }[] =>
  Array.from({ length: count }, (_, n) => ({ from: NOW - (count - n) * DAY, to: NOW - (count - n) * DAY + length }));

/** Steps that hold `word` in some ranges and `otherwise` else. */
const during = (ranges: readonly { from: number; to: number }[], word: string, otherwise: string, late = 0): WordStep[] => [
  { at: FROM, word: otherwise },
  ...ranges.flatMap(({ from, to }) => [
    { at: from + late, word },
    { at: to, word: otherwise },
  ]),
];

interface Given {
  label?: string;
  down?: { from: number; to: number }[];
  /** The service's own word while it is down. */
  word?: string;
  late?: number;
  facts?: Partial<LabelFacts>;
  edges?: Record<string, WordStep[]>;
  nodes?: Record<string, WordStep[]>;
}

function judge({ label = HARD, down = [], word = "healthy", late = 0, facts = {}, edges = {}, nodes = {} }: Given): LabelFinding[] {
  const map = mapOf(textWith(label));
  const all: LabelFacts = {
    from: FROM,
    to: NOW,
    unseen: [],
    maintenance: [],
    reported: new Map(),
    words: new Map([["checkout", during(down, word, "none", late)]]),
    ...facts,
    edges: new Map([["checkout>orders-db", during(down, "down", "up")], ...Object.entries(edges)]),
    nodes: new Map([["orders-db", during(down, "unhealthy", "healthy")], ...Object.entries(nodes)]),
  };
  return drift({ map, state: initialState(map), facts: all, now: NOW, reviewAfter: 180 * DAY });
}

const kinds = (findings: readonly LabelFinding[]): string[] => findings.map(({ kind, from, to }) => `${kind} ${from}>${to}`);

/** A local time of the map, in UTC. */
const local = (at = 0): string => new Date(at).toISOString().slice(0, 16);

/** A history in which nothing happened. */
const NOTHING: LabelFacts = {
  from: FROM,
  to: NOW,
  unseen: [],
  maintenance: [],
  reported: new Map(),
  words: new Map(),
  edges: new Map(),
  nodes: new Map(),
};

describe("a label that says hard", () => {
  it("is in doubt when the service called itself healthy through every outage", () => {
    const [finding, ...more] = judge({ down: outages(5, 20 * MINUTE) });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      kind: "hard_unharmed",
      from: "checkout",
      to: "orders-db",
      declared: "hard",
      suggested: "soft",
      team: "payments",
      level: "confirmed",
      text: "checkout declares orders-db hard, yet called itself healthy in 5 of 5 outages of it (1 h 40 m in all)",
      edit: { kind: "set", key: "criticality", value: "soft" },
    });
    expect(finding?.evidence).toMatchObject({ outages: 5, agreeing: 5, durationMs: 100 * MINUTE });
    expect(finding?.evidence.moments[0]).toEqual({ from: NOW - DAY, to: NOW - DAY + 20 * MINUTE });
    expect(finding?.evidence.moments).toHaveLength(5);
  });

  it("is in doubt, less surely, after one outage if that was long", () => {
    expect(judge({ down: outages(1, HOUR) })[0]).toMatchObject({ kind: "hard_unharmed", level: "suspected" });
    expect(judge({ down: outages(1, 10 * MINUTE) })).toEqual([]);
  });

  it("is in doubt when the service was degraded at worst", () => {
    expect(judge({ down: outages(3, HOUR), word: "degraded" })[0]?.text).toContain("no worse than degraded");
  });

  it.each<[string, Given]>([
    ["the service was unhealthy", { down: outages(5, HOUR), word: "unhealthy" }],
    ["the service told it two intervals later", { down: outages(5, 20 * MINUTE), word: "unhealthy", late: 20_000 }],
    ["the service did not answer", { down: outages(5, HOUR), word: "unknown" }],
    ["outages were shorter than the service may need to tell", { down: outages(20, MINUTE) }],
    ["its callers called it down meanwhile", { down: outages(5, HOUR), edges: { "web>checkout": during(outages(5, HOUR), "down", "up") } }],
    [
      "work was announced for it",
      { down: outages(1, HOUR), facts: { maintenance: [{ node: "orders-db", ...(outages(1, HOUR)[0] ?? { from: 0, to: 0 }) }] } },
    ],
    ["we were away", { down: outages(3, HOUR), facts: { unseen: outages(3, 2 * HOUR) } }],
    ["history has no word of the service", { down: outages(5, HOUR), facts: { words: new Map() } }],
    [
      "the outages followed one another within minutes",
      { down: [0, 1, 2, 3].map((n) => ({ from: NOW - DAY + n * 8 * MINUTE, to: NOW - DAY + n * 8 * MINUTE + 5 * MINUTE })) },
    ],
  ])("holds when %s", (_name, given) => {
    expect(kinds(judge(given))).toEqual([]);
  });

  it("holds for alternatives of which another one worked", () => {
    const label = "{ on: [orders-db, spare-db], criticality: hard }";
    const down = outages(5, HOUR);
    expect(judge({ label, down })).toEqual([]);
    expect(kinds(judge({ label, down, edges: { "checkout>spare-db": during(down, "down", "up") } }))).toEqual([
      "hard_unharmed checkout>orders-db",
    ]);
  });
});

describe("a label that says soft", () => {
  const fallen = (down: { from: number; to: number }[]): Record<string, WordStep[]> => ({ checkout: during(down, "unhealthy", "healthy") });

  it("is in doubt when the service went unhealthy with every outage", () => {
    const down = outages(5, 20 * MINUTE);
    const [finding, ...more] = judge({ label: SOFT, down, word: "unhealthy", nodes: fallen(down) });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ kind: "soft_hurts", declared: "soft", suggested: "hard", level: "confirmed" });
    expect(finding?.text).toBe(
      "checkout declares orders-db soft, yet was unhealthy in 5 of 5 outages of it (1 h 40 m in all), and nothing else explains that",
    );
    expect(finding?.evidence.notes[0]).toContain("by chance alone");
  });

  it("is in doubt when it says informational, too", () => {
    const down = outages(3, HOUR);
    const found = judge({ label: "{ on: orders-db, criticality: informational }", down, word: "unhealthy", nodes: fallen(down) });
    expect(kinds(found)).toEqual(["soft_hurts checkout>orders-db"]);
  });

  const three = outages(3, HOUR);
  it.each<[string, Given]>([
    ["the service was degraded", { down: three, word: "degraded" }],
    ["it happened once", { down: outages(1, HOUR), word: "unhealthy", nodes: fallen(outages(1, HOUR)) }],
    [
      "something else that it needs was down, too",
      { down: three, word: "unhealthy", edges: { "checkout>stock": during(three, "down", "up") } },
    ],
    [
      "a hard dependency was unhealthy that it does not report",
      { down: three, word: "unhealthy", nodes: { stock: during(three, "unhealthy", "healthy") } },
    ],
    [
      "the service was unhealthy before",
      {
        down: three,
        word: "unhealthy",
        nodes: {
          checkout: during(
            three.map(({ from, to }) => ({ from: from - HOUR, to })),
            "unhealthy",
            "healthy",
          ),
        },
      },
    ],
    [
      "others fell at the same time",
      {
        down: three,
        word: "unhealthy",
        nodes: {
          ...fallen(three),
          ads: during(three, "unknown", "healthy"),
          search: during(three, "unknown", "healthy"),
          "ad-store": during(three, "unknown", "healthy"),
        },
      },
    ],
    [
      "the service fails so often that they had to meet",
      {
        down: outages(2, 6 * HOUR),
        word: "unhealthy",
        nodes: {
          checkout: during(
            [...Array(400).keys()].map((n) => ({ from: FROM + n * HOUR, to: FROM + n * HOUR + 10 * MINUTE })),
            "unhealthy",
            "healthy",
          ),
        },
      },
    ],
  ])("holds when %s", (_name, given) => {
    expect(kinds(judge({ label: SOFT, ...given }))).toEqual([]);
  });

  it("holds when the map itself announces the work", () => {
    const [first] = three;
    const map = mapOf(`${textWith(HARD)}maintenance: [{ nodes: [orders-db], from: ${local(first?.from)}, to: ${local(first?.to)} }]\n`);
    const facts: LabelFacts = {
      ...NOTHING,
      words: new Map([["checkout", during(three.slice(0, 1), "healthy", "none")]]),
      edges: new Map([["checkout>orders-db", during(three.slice(0, 1), "down", "up")]]),
    };
    const found = (given: typeof map) => kinds(drift({ map: given, state: initialState(given), facts, now: NOW, reviewAfter: 180 * DAY }));
    expect(found(mapOf(textWith(HARD)))).toEqual(["hard_unharmed checkout>orders-db"]);
    expect(found(map)).toEqual([]);
  });

  it("holds when only this service calls it down, and others see it at work", () => {
    const map = mapOf(
      `${textWith(SOFT)}  books: { url: http://books.internal/h, team: payments, dependencies: [{ on: orders-db, criticality: hard }] }\n`,
    );
    const facts: LabelFacts = {
      from: FROM,
      to: NOW,
      unseen: [],
      maintenance: [],
      reported: new Map(),
      words: new Map([["checkout", during(three, "unhealthy", "none")]]),
      edges: new Map([["checkout>orders-db", during(three, "down", "up")]]),
      nodes: new Map([
        ["checkout", during(three, "unhealthy", "healthy")],
        ["orders-db", [{ at: FROM, word: "healthy" }]],
      ]),
    };
    expect(kinds(drift({ map, state: initialState(map), facts, now: NOW, reviewAfter: 180 * DAY }))).toEqual([]);
  });
});

describe("what is reported, and what is declared", () => {
  /** A state in which checkout has just reported these components. */
  function reporting(text: string, components: readonly (Partial<Component> & { name: string })[], given: { failuresOnly?: boolean } = {}) {
    const map = mapOf(text);
    const state = initialState(map);
    const before = state.instances.get("checkout");
    if (!before) throw new Error("checkout has an instance");
    const said = components.map((one) => ({ status: "up" as const, computedAgeMs: null, ...one }));
    const instances = new Map(state.instances).set("checkout", { ...before, components: said, ...given });
    return { map, state: { ...state, instances } as SystemState };
  }
  const looked = (names: Record<string, number>, reports = 8_000): ReportedNames => ({
    from: NOW - DAY,
    to: NOW,
    reports,
    names: new Map(Object.entries(names)),
  });
  const ofCheckout = ({ map, state }: ReturnType<typeof reporting>, names: ReportedNames): LabelFinding[] =>
    drift({ map, state, facts: { ...NOTHING, reported: new Map([["checkout", names]]) }, now: NOW, reviewAfter: 180 * DAY }).filter(
      ({ from }) => from === "checkout",
    );

  it("names that no edge has are not declared", () => {
    const said = reporting(textWith(HARD), [{ name: "orders-db" }, { name: "stock" }, { name: "kafka", criticality: "hard" }]);
    const [finding, ...more] = ofCheckout(said, looked({ "orders-db": 8_000, stock: 8_000, kafka: 8_000 }));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      kind: "not_declared",
      to: null,
      component: "kafka",
      suggested: "hard",
      level: "confirmed",
      edit: { kind: "add", on: "kafka", component: null, criticality: "hard", isNew: true },
    });
    expect(finding?.evidence.reports).toEqual({ total: 8_000, agreeing: 8_000 });
  });

  it("a name that means a node of the map is declared on that", () => {
    const said = reporting(textWith(HARD), [{ name: "orders-db" }, { name: "stock" }, { name: "AdStore#2" }]);
    const [finding] = ofCheckout(said, looked({ "AdStore#2": 50 }));
    expect(finding).toMatchObject({
      to: "ad-store",
      edit: { kind: "add", on: "ad-store", component: "AdStore", criticality: "soft", isNew: false },
    });
    expect(finding?.level).toBe("likely");
  });

  it.each(["diskSpace", "ping", "self", "Checkout"])("%s is nothing to depend on", (name) => {
    expect(
      ofCheckout(
        reporting(textWith(HARD), [{ name: "orders-db" }, { name: "stock" }, { name }]),
        looked({ [name]: 8_000, "orders-db": 8_000, stock: 8_000 }),
      ),
    ).toEqual([]);
  });

  it("a name that was seen a few times only may be gone tomorrow", () => {
    expect(
      ofCheckout(
        reporting(textWith(HARD), [{ name: "orders-db" }, { name: "stock" }, { name: "kafka" }]),
        looked({ kafka: 3, "orders-db": 9, stock: 9 }),
      ),
    ).toEqual([]);
  });

  it("a dependency that no report lists is not reported", () => {
    const [finding, ...more] = ofCheckout(reporting(textWith(HARD), [{ name: "stock" }]), looked({ stock: 8_000 }));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ kind: "not_reported", to: "orders-db", component: null, edit: { kind: "remove" } });
    expect(finding?.text).toContain("none of its 8000 reports");
  });

  it("and may go by another name", () => {
    const [finding, ...more] = ofCheckout(
      reporting(textWith(HARD), [{ name: "stock" }, { name: "ordersdb-primary" }]),
      looked({ stock: 8_000, "ordersdb-primary": 8_000 }),
    );
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      kind: "not_reported",
      component: "ordersdb-primary",
      edit: { kind: "components", names: ["ordersdb-primary"] },
    });
  });

  it("as a word of which a short name may stand", () => {
    const text = textWith(HARD)
      .replace("stock: {}", "stock: {}, s3: {}")
      .replace("- { on: stock,", "- { on: s3, criticality: hard }\n      - { on: stock,");
    const found = ofCheckout(
      reporting(text, [{ name: "orders-db" }, { name: "stock" }, { name: "S3Client" }]),
      looked({ "orders-db": 8_000, stock: 8_000, S3Client: 8_000 }),
    );
    expect(found.map(({ kind, to, component }) => [kind, to, component])).toEqual([["not_reported", "s3", "S3Client"]]);
  });

  it("a service that is polled every quarter of an hour is judged by most of a day", () => {
    const text = textWith(HARD).replace("url: http://checkout.internal/h", "url: http://checkout.internal/h\n    interval: 15m");
    const of = (reports: number) => ofCheckout(reporting(text, [{ name: "stock" }]), looked({ stock: reports }, reports));
    expect(kinds(of(90))).toEqual(["not_reported checkout>orders-db"]);
    expect(kinds(of(40))).toEqual([]);
  });

  it.each<[string, ReportedNames, { failuresOnly?: boolean }]>([
    ["few reports were seen", looked({ stock: 20 }, 20), {}],
    ["it was listed within the day", looked({ stock: 8_000, "orders-db": 2 }), {}],
    ["the service lists failures alone", looked({ stock: 8_000 }), { failuresOnly: true }],
  ])("nothing is missing when %s", (_name, names, given) => {
    expect(ofCheckout(reporting(textWith(HARD), [{ name: "stock" }], given), names)).toEqual([]);
  });

  it.each<[Criticality, string[]]>([
    ["hard", []],
    ["soft", ["criticality_differs checkout>orders-db"]],
  ])("a report that calls a hard dependency %s: %j", (criticality, expected) => {
    const said = reporting(textWith(HARD), [{ name: "orders-db", criticality }, { name: "stock" }]);
    expect(kinds(ofCheckout(said, looked({ "orders-db": 8_000, stock: 8_000 })))).toEqual(expected);
  });

  it("only services with something to explain have their reports looked up", () => {
    const map = mapOf(textWith(HARD));
    const state = initialState(map);
    expect(lookedUp(map, state, NOW)).toEqual(["web", "checkout", "ads", "search"]);
    const edges = new Map([...state.edges].map(([key, edge]) => [key, { ...edge, reportedAt: NOW - MINUTE }]));
    expect(lookedUp(map, { ...state, edges }, NOW)).toEqual([]);
  });
});

describe("who looks after a label", () => {
  it("a review that is older than the limit is old, a missing one is none", () => {
    const dated = (day: string): LabelFinding[] => judge({ label: `{ on: orders-db, criticality: soft, reviewed: ${day} }` });
    expect(dated("2026-09-01")).toEqual([]);
    const [finding] = dated("2026-01-05");
    expect(finding).toMatchObject({ kind: "review_old", to: "orders-db", edit: { kind: "set", key: "reviewed", value: "2026-10-24" } });
    expect(finding?.text).toContain("looked at 292 d ago");
  });

  it("an edge without owner in a service without team belongs to nobody, or to the team of all the file", () => {
    const map = mapOf(textWith(SOFT).replace("url: http://checkout.internal/h\n    team: payments", "url: http://checkout.internal/h"));
    const found = drift({ map, state: initialState(map), facts: NOTHING, now: NOW, reviewAfter: 180 * DAY });
    expect(kinds(found)).toEqual(["no_owner checkout>orders-db", "no_owner checkout>stock"]);
    expect(found[0]?.edit).toEqual({ kind: "set", key: "owner", value: "payments" });
  });
});
