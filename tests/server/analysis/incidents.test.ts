import { describe, expect, it } from "vitest";
import type { Incident } from "../../../server/src/domain/incident.ts";
import type { System } from "../../../server/src/domain/map.ts";
import type { Criticality } from "../../../server/src/domain/status.ts";
import { followClock } from "../../../server/src/state/clock.ts";
import { remap } from "../../../server/src/state/reduce.ts";
import { Life, START } from "../../support/life.ts";
import { mapOf, type Needs, type NodeOptions, type Said } from "../../support/scene.ts";

const PLACE = { file: "map.yaml", line: 1, column: 1 };

function shopOf(needs: Needs, members: Record<string, Criticality>, options: Record<string, NodeOptions> = {}) {
  const shop: System = {
    ...{ id: "shop", name: "Shop", description: null, public: true, team: null, place: PLACE },
    members: Object.entries(members).map(([node, criticality]) => ({ node, criticality, place: PLACE })),
  };
  return { ...mapOf(needs, options), systems: new Map([["shop", shop]]) };
}

const THREE = { flipAfter: 3 };
const shop = () =>
  new Life(
    shopOf(
      { web: "orders!", orders: "db!", billing: "db!", jobs: "db~" },
      { web: "hard", jobs: "soft" },
      { web: THREE, orders: THREE, billing: THREE, jobs: THREE },
    ),
  );
const DOWN = { down: ["db"] };
const OUTAGE = { orders: DOWN, billing: DOWN, jobs: DOWN, web: { down: ["orders"] } };

/** Twelve that need one database and find it down, each in its own second. */
const TWELVE = Array.from({ length: 12 }, (_, n) => `s${n}`);
const twelve = (): Life => {
  const map = mapOf(Object.fromEntries(TWELVE.map((id) => [id, "db!"])), Object.fromEntries(TWELVE.map((id) => [id, THREE])));
  const life = new Life(map, (id) => (TWELVE.indexOf(id) % 10) * 1_000);
  return life.run(60).run(60, Object.fromEntries(TWELVE.map((id) => [id, DOWN])));
};

const sorted = (impacted: Incident["impacted"]) => impacted.map(({ node }) => node).sort();

describe("an incident's life", () => {
  it("opens on confirmed states, dates from the first sign, and recovers until its victims are fine", () => {
    const life = shop().run(60).run(20, { orders: DOWN });
    expect(life.open()).toEqual([]);
    life.run(30, OUTAGE);
    expect(life.open()).toEqual(["cause db open"]);
    expect(life.of("db")).toMatchObject({ severity: "page", openedAt: START + 59_500, systems: [{ id: "shop", effect: "unhealthy" }] });
    expect(sorted(life.of("db").impacted)).toEqual(["billing", "jobs", "orders", "web"]);
    const told = life.events.flatMap(({ kind, node }) => (kind === "impact" ? [node] : []));
    expect(told.sort()).toEqual(["billing", "jobs", "orders", "web"]);
    life.run(30, { web: { down: ["orders"] } });
    expect(life.open()).toEqual(["cause db recovering"]);
    life.run(40);
    expect(life.of("db")).toMatchObject({ status: "resolved", end: "cleared" });
    expect(life.incidents).toHaveLength(1);
    expect(life.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["opened", "recovering", "resolved"]));
  });

  it("opens nothing for a straggler until it has been waited for, and then calls it a cause of its own", () => {
    const life = shop().run(60).run(60, OUTAGE);
    life.run(120, { billing: { word: "unhealthy" } });
    expect(life.open()).toEqual(["cause db recovering"]);
    life.run(120, { billing: { word: "unhealthy" } });
    expect(life.of("db")).toMatchObject({ status: "resolved", end: "cleared" });
    expect(life.open()).toEqual(["cause billing open"]);
  });

  it("absorbs a symptom that was confirmed first, when its cause turns up", () => {
    const map = shopOf({ api: "core!", core: "db!" }, { api: "hard" }, { core: { interval: 300 } });
    const life = new Life(map).run(601).run(150, { api: { down: ["core"] } });
    expect(life.open()).toEqual(["cause core open"]);
    const symptom = life.of("core").id;
    life.run(900, { api: { down: ["core"] }, core: DOWN });
    expect(life.open()).toEqual(["cause db open"]);
    expect(life.of("core")).toMatchObject({ id: symptom, status: "resolved", end: "absorbed", absorbedBy: life.of("db").id });
    expect(life.of("db").openedAt).toBeLessThanOrEqual(life.of("core").openedAt);
  });

  it("waits for what one caller suspects to speak of it before it opens anything", () => {
    const map = shopOf({ api: "core!", core: "db!" }, { api: "hard" }, { core: { interval: 60 } });
    const life = new Life(map).run(151).run(29, { api: { down: ["core"] } });
    expect(life.incidents).toEqual([]);
    life.run(60, { api: { down: ["core"] }, core: DOWN });
    expect(life.incidents).toHaveLength(1);
    expect(life.open()).toEqual(["cause db open"]);
  });

  it.each([
    { flipAfter: 1, quiet: 29, opens: 35 },
    { flipAfter: 3, quiet: 49, opens: 55 },
  ])("waits until the caller has confirmed it by $flipAfter and one interval more, however slowly the suspected one is polled", (one) => {
    const map = shopOf({ api: "core!", core: "db!" }, { api: "hard" }, { core: { interval: 300 }, api: { flipAfter: one.flipAfter } });
    const life = new Life(map).run(601).run(one.quiet, { api: { down: ["core"] } });
    expect(life.incidents).toEqual([]);
    life.run(one.opens - one.quiet, { api: { down: ["core"] } });
    expect(life.open()).toEqual(["cause core open"]);
  });

  it("does not absorb what had failed well before", () => {
    const life = shop()
      .run(60)
      .run(300, { billing: { word: "unhealthy" } });
    const first = life.of("billing").id;
    life.run(60, { ...OUTAGE, billing: { word: "unhealthy", down: ["db"] } });
    expect(life.open().sort()).toEqual(["cause billing open", "cause db open"]);
    expect(life.of("billing").id).toBe(first);
  });

  it("is one incident when the cause comes back while its victims recover", () => {
    const life = shop()
      .run(60)
      .run(60, OUTAGE)
      .run(35, { web: { down: ["orders"] } })
      .run(60, OUTAGE);
    expect(life.incidents).toHaveLength(1);
    expect(life.open()).toEqual(["cause db open"]);
    expect(life.events.map(({ kind }) => kind)).toContain("reopened");
  });

  it("resolves nothing without fresh evidence, and says since when it is unverified", () => {
    const life = new Life(shopOf({ api: "db!", other: "" }, { api: "hard" })).run(60).run(60, { api: DOWN });
    life.run(600, { api: { silent: "timeout" } });
    expect(life.of("db")).toMatchObject({ status: "open" });
    expect(life.of("db").unverifiedSince).toBeGreaterThan(START + 60_000);
    life.run(60);
    expect(life.of("db")).toMatchObject({ status: "resolved", end: "cleared", unverifiedSince: null });
  });

  it("resolves nothing while frozen", () => {
    const life = shop().run(60).run(60, OUTAGE);
    life.frozen = true;
    life.run(120);
    expect(life.open()).toEqual(["cause db open"]);
    life.frozen = false;
    life.run(30);
    expect(life.of("db").status).toBe("resolved");
  });

  it("ends a recovery within its time also when the clock is set back meanwhile", () => {
    const life = shop()
      .run(60)
      .run(60, OUTAGE)
      .run(40, { web: { down: ["orders"] } });
    expect(life.open()).toEqual(["cause db recovering"]);
    life.now -= 3_600_000;
    life.run(60);
    expect(life.of("db")).toMatchObject({ status: "resolved", end: "cleared" });
  });

  it.each([
    ["is set back", (now: number) => now - 7_200_000],
    ["was not set and is now", (now: number) => now],
  ])("is dated by now at the latest when the clock %s", (_what, clock) => {
    const life = shop();
    const right = life.now;
    if (clock(right) === right) life.now = 60_000;
    life.run(60).run(60, OUTAGE);
    const before = life.of("db");
    life.now = clock(right);
    life.state = followClock(life.state, life.now, null).state;
    life.run(10, OUTAGE);
    const { openedAt, detectedAt, impacted, cause } = life.of("db");
    expect(life.of("db").id).toBe(before.id);
    for (const at of [openedAt, detectedAt, cause?.firstSeen, ...impacted.map(({ since }) => since)]) {
      expect(at).toBeLessThanOrEqual(life.now);
      expect(at).toBeGreaterThan(life.now - 300_000);
    }
  });

  it("opens nothing that was known after a restart", () => {
    const life = shop().run(60).run(60, OUTAGE);
    const after = new Life(life.map);
    Object.assign(after, { now: life.now, incidents: life.incidents, nextId: life.nextId });
    after.run(60, OUTAGE);
    expect(after.incidents).toHaveLength(1);
    expect(after.events.filter(({ kind }) => kind === "opened")).toEqual([]);
  });

  it("ends when its cause leaves the map, and follows it where it is renamed", () => {
    const life = shop().run(60).run(60, OUTAGE);
    const renamed = mapOf({ web: "orders!", orders: "store!", billing: "store!", jobs: "store~" });
    const heir = renamed.nodes.get("store");
    if (heir) life.map = { ...renamed, nodes: new Map([...renamed.nodes, ["store", { ...heir, renamedFrom: "db" }]]) };
    life.step();
    expect(life.incidents[0]).toMatchObject({ anchor: "store", status: "open" });
    life.map = mapOf({ web: "" });
    life.step();
    expect(life.incidents[0]).toMatchObject({ status: "resolved", end: "removed_from_map" });
  });

  it("keeps its evidence as it stood when it was last judged, with the revision, whatever the map and the witnesses become", () => {
    const life = shop().run(60).run(60, OUTAGE);
    const { cause, impacted, systems, severity } = life.of("db");
    expect(cause?.why[0]).toMatch(/^3 of 3 dependents report it down/);
    expect(life.of("db").mapRevision).toBe(1);
    // Only orders needs it now, under another label, and the cause clears in the same moment.
    life.map = { ...mapOf({ web: "orders!", orders: "db~", billing: "", jobs: "" }), systems: new Map() };
    life.state = remap(life.state, shop().map, life.map, life.now).state;
    life.revision = 2;
    life.run(120);
    const kept = { status: "resolved", end: "cleared", cause, impacted, systems, severity, mapRevision: 1 };
    expect(life.of("db")).toMatchObject(kept);
    life.run(600, { orders: DOWN }).run(60);
    expect(life.incidents.find(({ id }) => id === 1)).toMatchObject(kept);
    expect(life.of("db")).toMatchObject({ id: 2, mapRevision: 2 });
    expect(life.of("db").cause?.why[0]).toMatch(/^1 of 1 dependent reports it down/);
  });

  it("keeps what it was at its worst while its cause mends slowly, over a restart too, and shows meanwhile what it is", () => {
    const map = shopOf({ web: "orders!", orders: "core!", billing: "core!", core: "" }, { web: "hard", billing: "soft" });
    const core: Said = { down: ["core"] };
    const outage = { core: { word: "unhealthy" }, orders: core, billing: core, web: { down: ["orders"] } } as const;
    const mending = { core: { word: "degraded" }, billing: { degraded: ["core"] } } as const;
    const life = new Life(map).run(60).run(120, outage);
    const worst = life.of("core");
    expect(worst).toMatchObject({ severity: "page", cause: { severity: "unhealthy" }, systems: [{ id: "shop", effect: "unhealthy" }] });
    expect(sorted(worst.impacted)).toEqual(["billing", "orders", "web"]);
    expect(worst).not.toHaveProperty("peak");
    life.run(150, mending);
    expect(life.of("core")).toMatchObject({ status: "open", severity: "ticket", cause: { severity: "degraded" }, mapRevision: 1 });
    expect(sorted(life.of("core").impacted)).toEqual(["billing"]);
    const after = new Life(life.map);
    const kept = JSON.parse(JSON.stringify(life.incidents)) as Incident[];
    Object.assign(after, { now: life.now, state: life.state, incidents: kept, nextId: life.nextId, revision: 2 });
    after.run(30, mending).run(40, { billing: { degraded: ["core"] } });
    const { cause, severity, systems, mapRevision } = worst;
    expect(after.of("core")).toMatchObject({ status: "recovering", severity: "ticket", cause });
    expect(sorted(after.of("core").impacted)).toEqual(["billing"]);
    after.run(60);
    expect(after.of("core")).toMatchObject({ status: "resolved", end: "cleared", cause, severity, systems, mapRevision });
    expect(after.of("core")).not.toHaveProperty("peak");
    const [sinces, before] = [after.of("core"), worst].map(({ impacted }) => new Map(impacted.map(({ node, since }) => [node, since])));
    expect(sinces).toEqual(before);
  });

  it("leaves out of its worst what turns out to suffer from another cause all along, with the evidence that counted it", () => {
    const slow = { interval: 60 };
    const map = mapOf({ web: "a! b!", a: "db-a!", a2: "db-a!", b: "db-b!", b2: "db-b!" }, { b: slow, b2: slow });
    const [ofA, ofB] = [{ down: ["db-a"] }, { down: ["db-b"] }];
    const life = new Life(map, (service) => (service.startsWith("b") ? 50_000 : 0));
    life.run(60).run(40, { a: ofA, a2: ofA, web: { word: "unhealthy", omits: ["a", "b"] } });
    expect(sorted(life.of("db-a").impacted)).toEqual(["a", "a2", "web"]);
    life.run(60, { a: ofA, a2: ofA, b: ofB, b2: ofB, web: { down: ["b"], omits: ["a"] } });
    expect(sorted(life.of("db-a").impacted)).toEqual(["a", "a2"]);
    life.run(60);
    expect(life.of("db-a")).toMatchObject({
      status: "resolved",
      cause: { why: [expect.any(String), "explains 2 other nodes in trouble"] },
    });
    expect(sorted(life.of("db-a").impacted)).toEqual(["a", "a2"]);
  });

  it("keeps its worst, and a victim, when that has a second fault while the first one mends", () => {
    const [core, net] = [{ down: ["core"] }, { down: ["net"] }];
    const life = new Life(mapOf({ core: "", a: "core!", b: "core!", c: "core!", d: "core! net!", e: "net!", f: "net!" })).run(60);
    life.run(120, { core: { word: "unhealthy" }, a: core, b: core, c: core, d: core });
    const { cause } = life.of("core");
    expect(cause?.why).toContain("4 of 4 dependents report it down");
    life.run(60, { core: { word: "degraded" }, a: { degraded: ["core"] }, d: net, e: net, f: net });
    expect(sorted(life.of("net").impacted)).toEqual(["d", "e", "f"]);
    life.run(60);
    expect(life.of("core")).toMatchObject({ status: "resolved", cause });
    expect(sorted(life.of("core").impacted)).toEqual(["a", "b", "c", "d"]);
  });

  it("holds what explains more for worse, though it is less sure of it", () => {
    const of = (to: string): Said => ({ down: [to] });
    const victims = [..."cdefghij"];
    const map = mapOf({ a: "db!", b: "db!", m: "db!", n: "db!", ...Object.fromEntries(victims.map((id) => [id, "a!"])) });
    const silent: Said = { omits: ["db"] };
    const life = new Life(map).run(60).run(60, { a: of("db"), b: of("db"), m: silent, n: silent });
    expect(life.of("db").cause?.level).toBe("confirmed");
    life.run(60, { a: of("db"), b: of("db"), ...Object.fromEntries(victims.map((id) => [id, of("a")])) });
    const { cause } = life.of("db");
    expect(cause?.against).toEqual(["2 dependents report it up: m, n"]);
    life.run(60);
    expect(life.of("db")).toMatchObject({ status: "resolved", cause });
  });

  it("keeps what was heard of it, where later evidence of the same says less", () => {
    const full: Said = { down: ["db"], category: "pool_exhausted" };
    const map = mapOf({ e: "db!", f: "db!", g: "db!", h: "db!" });
    const life = new Life(map).run(60).run(60, { e: full });
    const told = life.of("e").cause;
    expect(told?.why[0]).toBe("e reports db down (pool exhausted); 3 others report it up");
    life.run(30, { e: { down: ["db"] } }).run(60);
    expect(life.of("e")).toMatchObject({ status: "resolved", cause: { why: told?.why, confidence: told?.confidence } });
  });

  it("dates a victim that came round and suffers again from its first sign", () => {
    const down: Said = { down: ["db"] };
    const life = new Life(mapOf({ a: "db!", b: "db!", c: "db!" })).run(60).run(60, { a: down, b: down, c: down });
    const first = life.of("db").impacted;
    expect(sorted(life.run(30, { a: { omits: ["db"] }, b: down, c: down }).of("db").impacted)).toEqual(["b", "c"]);
    expect(life.run(30, { a: down, b: down, c: down }).of("db")).toMatchObject({ id: 1, status: "open" });
    expect(new Map(life.of("db").impacted.map((one) => [one.node, one.since]))).toEqual(new Map(first.map((one) => [one.node, one.since])));
  });

  it("keeps the link that could not be used, where its one end is doubted for a moment as it mends and a victim comes round", () => {
    const needs = { e: "db!", f: "db!", g: "db!", h: "db!", c: "e!", d: "e!" };
    const twice = Object.fromEntries(Object.keys(needs).map((id) => [id, { flipAfter: 2 }]));
    const life = new Life(mapOf(needs, twice), (id) => ({ c: 3_000, d: 6_000 })[id] ?? 0).run(60);
    const blamed: Said = { down: ["e"] };
    life.run(60, { e: { down: ["db"], category: "pool_exhausted" }, c: blamed, d: blamed });
    const told = life.of("e").cause;
    expect(told).toMatchObject({ kind: "link", level: "likely" });
    life.run(12, { d: blamed });
    expect(life.of("e").cause).toMatchObject({ kind: "node", level: "suspected" });
    life.run(60);
    expect(life.of("e")).toMatchObject({ status: "resolved", cause: told });
    expect(sorted(life.of("e").impacted)).toEqual(["c", "d"]);
  });

  it("keeps what was heard of its cause at its worst, word for word, over a restart too", () => {
    const full: Said = { down: ["db"], error: "pool exhausted: 6 of 6" };
    const outage = { orders: full, billing: full, jobs: full, web: { down: ["orders"] } };
    const life = shop().run(60).run(60, outage);
    const stood = { status: "unhealthy", reason: "3 of 3 dependents report it down: pool exhausted: 6 of 6", every: null };
    expect(life.of("db").cause?.stood).toEqual(stood);
    life.run(20, { ...outage, orders: { down: ["db"], error: "pool exhausted: 6 of 6, 41 waiting" } });
    expect(life.of("db").cause?.stood).toEqual(stood);
    const after = new Life(life.map);
    const kept = JSON.parse(JSON.stringify(life.incidents)) as Incident[];
    Object.assign(after, { now: life.now, state: life.state, incidents: kept, nextId: life.nextId });
    after.run(40, { billing: { degraded: ["db"], error: "slow" } }).run(120);
    expect(after.of("db")).toMatchObject({ status: "resolved", end: "cleared", cause: { stood } });
  });

  it("keeps with a link that cannot be used what its one end says of it", () => {
    const map = mapOf({ e: "db!", f: "db!", g: "db!", h: "db!" });
    const life = new Life(map)
      .run(60)
      .run(60, { e: { down: ["db"], error: "pool exhausted: 6 of 6" } })
      .run(60);
    const stood = { status: "unhealthy", reason: "db: pool exhausted: 6 of 6", every: 10_000 };
    expect(life.of("e")).toMatchObject({ status: "resolved", cause: { kind: "link", stood } });
  });

  it("counts those who report its cause as the cause's own reason does, while it mends too, and its worst once it is over", () => {
    const life = twelve();
    const counts: (string | undefined)[] = [];
    let unnamed = 0;
    for (let second = 0; second < 120; second++) {
      life.run(1, Object.fromEntries(TWELVE.filter((_, n) => n * 8 > second).map((id) => [id, DOWN])));
      const { status, cause, unnamedSince } = life.of("db");
      if (status !== "open") continue;
      if (unnamedSince !== undefined) unnamed++;
      const counted = cause?.why[0]?.match(/^\d+ of \d+ dependents report it down/)?.[0];
      expect(counted).toBe(life.state.nodes.get("db")?.reason);
      counts.push(counted);
    }
    expect(new Set(counts).size).toBeGreaterThan(6);
    expect(unnamed).toBeGreaterThan(0);
    const { status, cause, peak } = life.of("db");
    expect({ status, peak }).toEqual({ status: "resolved", peak: undefined });
    for (const said of [cause?.why[0], cause?.stood?.reason]) expect(said).toMatch(/^12 of 12 dependents report it down/);
  });

  it("counts in both who blames most of what it needs, though its word is left out of the cause's state", () => {
    const map = mapOf({ x: "db! d2! d3!", a: "db!", b: "db!", c: "db!", d: "db!", e: "db!", f: "db!", g: "db!" });
    const life = new Life(map).run(60).run(60, { x: { down: ["db", "d2", "d3"] }, a: DOWN, b: DOWN, c: DOWN });
    expect(life.state.nodes.get("db")).toMatchObject({ status: "degraded", reason: "4 of 8 dependents report it down" });
    expect(life.of("db").cause?.why[0]).toMatch(/^4 of 8 dependents report it down/);
  });

  it("tells in the timeline that it is surer of the same cause, which is no other cause", () => {
    const told = twelve()
      .events.filter(({ kind }) => kind !== "impact")
      .map(({ kind, text }) => `${kind}: ${text}`);
    expect(told).toEqual([
      expect.stringMatching(/^opened: db \(likely, 0\.\d\d\)$/),
      expect.stringMatching(/^level: the cause is now confirmed \(0\.\d\d\)$/),
    ]);
  });

  it("ends when only one is left that cannot use it, which is then a fault of its own", () => {
    const y = { down: ["y"] };
    const life = new Life(mapOf({ e: "y!", g: "y!" })).run(60).run(60, { e: y, g: y });
    expect(life.open()).toEqual(["cause y open"]);
    life.run(400, { e: y });
    expect(life.of("y").status).toBe("resolved");
    expect(life.open()).toEqual(["cause e open"]);
    expect(life.of("e").cause).toMatchObject({ kind: "link", link: { from: "e", to: "y" } });
  });

  it("gives who finds its first cause up again, and blames another one since, to the other", () => {
    const map = mapOf({ a: "db!", b: "db!", c: "db! net!", d: "net!", e: "net!" });
    const [db, net] = [{ down: ["db"] }, { down: ["net"] }];
    const life = new Life(map).run(60).run(40, { a: db, b: db, c: db });
    expect(sorted(life.of("db").impacted)).toEqual(["a", "b", "c"]);
    life.run(60, { a: db, b: db, c: net, d: net, e: net });
    expect(sorted(life.of("db").impacted)).toEqual(["a", "b"]);
    expect(sorted(life.of("net").impacted)).toEqual(["c", "d", "e"]);
  });

  it("says all candidates for trouble without a cause that there were when it is over", () => {
    const of = (to: string): Said => ({ down: [to], word: "healthy" });
    const map = mapOf({ a: "x!", c: "y!", d: "x! y!", e: "x! y!", f: "x! y!" });
    const life = new Life(map, (service) => (service === "c" ? 5_000 : 0)).run(30).run(16, { a: of("x"), c: of("y") });
    const { candidates } = life.of("a");
    expect(candidates.map(({ node }) => node)).toEqual(["x", "a", "y", "c"]);
    life.run(7);
    expect(life.of("a")).toMatchObject({ kind: "undetermined", status: "open" });
    expect(life.of("a").candidates.map(({ node }) => node)).toEqual(["y", "c"]);
    life.run(20);
    expect(life.of("a")).toMatchObject({ kind: "undetermined", status: "resolved", candidates });
  });

  it("takes the revision by which it was judged anew while it lasts", () => {
    const life = shop().run(60).run(60, OUTAGE);
    life.revision = 2;
    life.run(10, OUTAGE);
    expect(life.of("db")).toMatchObject({ status: "open", mapRevision: 2 });
  });

  it("says the new name of a renamed node wherever it is named, after its end too", () => {
    const life = shop().run(60).run(60, OUTAGE).run(60);
    expect(life.of("db").status).toBe("resolved");
    const renamed = mapOf({ web: "orders!", orders: "db!", charges: "db!", jobs: "db~" });
    const heir = renamed.nodes.get("charges");
    if (heir) life.map = { ...renamed, nodes: new Map([...renamed.nodes, ["charges", { ...heir, renamedFrom: "billing" }]]) };
    life.step();
    const impacted = life.of("db").impacted.map(({ node }) => node);
    expect(impacted).toContain("charges");
    expect(impacted).not.toContain("billing");
  });

  it.each([
    ["visibility", { web: "", api: "" }, 200, { web: { silent: "timeout" } }],
    ["undetermined", { web: "x!", b: "x!", c: "x!", d: "x!" }, 11, { web: { down: ["x"], word: "healthy" } }],
    ["cause", { web: "db!", api: "db!" }, 60, { web: { down: ["db"] }, api: { down: ["db"] } }],
  ] as const)("lets the acknowledgement of a %s incident run out", (kind, needs, seconds, said) => {
    const life = new Life(shopOf(needs, { web: "hard" })).run(30).run(seconds, said);
    expect(life.open()).toEqual([expect.stringMatching(`^${kind} `)]);
    const acked = { by: "ana", at: life.now, until: life.now + 5_000, note: null };
    life.incidents = life.incidents.map((one) => ({ ...one, acked }));
    life.run(5, said);
    expect(life.incidents[0]?.acked).toEqual(acked);
    life.run(2, said);
    expect(life.incidents[0]?.acked).toBeNull();
    expect(life.events.filter(({ kind }) => kind === "unack")).toHaveLength(1);
  });

  it("says since when trouble without a cause is unverified while frozen", () => {
    const said = { a: { down: ["x"], word: "healthy" as const } };
    const life = new Life(mapOf({ a: "x!", b: "x!", c: "x!", d: "x!" })).run(30).run(11, said);
    life.frozen = true;
    life.run(20);
    expect(life.of("a")).toMatchObject({ status: "open", unverifiedSince: expect.any(Number) });
    life.frozen = false;
    life.run(1);
    expect(life.of("a")).toMatchObject({ status: "resolved", end: "cleared" });
  });
});

describe("kinds and severity", () => {
  const severityOf = (life: Life, anchor: string): Incident["severity"] => life.of(anchor).severity;

  it("pages where a system is unhealthy, makes a ticket where it is degraded, informs where none is touched", () => {
    const map = shopOf({ web: "db!", mail: "smtp!", lone: "disk!" }, { web: "hard", mail: "soft" });
    const life = new Life(map).run(30).run(60, { web: DOWN, mail: { down: ["smtp"] }, lone: { down: ["disk"] } });
    expect([severityOf(life, "db"), severityOf(life, "smtp"), severityOf(life, "disk")]).toEqual(["page", "ticket", "info"]);
  });

  it("alerts nobody during announced work, and becomes real when the work is over and the trouble is not", () => {
    const work = [{ nodes: ["db"], from: START, to: START + 120_000, reason: "upgrade" }];
    const map = { ...shopOf({ web: "db!", api: "db!" }, { web: "hard" }), maintenance: work };
    const life = new Life(map).run(30).run(60, { web: DOWN, api: DOWN });
    expect(life.of("db")).toMatchObject({ kind: "maintenance", severity: "info" });
    const { id, openedAt } = life.of("db");
    life.run(60, { web: DOWN, api: DOWN });
    expect(life.of("db")).toMatchObject({ id, openedAt, kind: "cause", severity: "page" });
  });

  it("tells of a hard member that has been unknown too long, and of nobody who is seen up or down by others", () => {
    const life = new Life(shopOf({ web: "", api: "" }, { web: "hard", api: "soft" })).run(30);
    life.run(100, { web: { silent: "timeout" }, api: { silent: "timeout" } });
    expect(life.open()).toEqual([]);
    life.run(60, { web: { silent: "timeout" }, api: { silent: "timeout" } });
    expect(life.open()).toEqual(["visibility web open"]);
    expect(life.of("web")).toMatchObject({ severity: "ticket", cause: null });
    life.run(20);
    expect(life.of("web").status).toBe("resolved");
  });

  it("tells trouble without a cause together, with candidates, and never as nothing", () => {
    const map = mapOf({ a: "x!", b: "x!", c: "x!", d: "x!" });
    const life = new Life(map).run(30).run(11, { a: { down: ["x"], word: "healthy" } });
    expect(life.verdict?.causes).toEqual([]);
    expect(life.open()).toEqual(["undetermined a open"]);
    expect(life.of("a").candidates.map(({ node }) => node)).toEqual(["x", "a"]);
    life.run(20);
    expect(life.of("a")).toMatchObject({ status: "resolved", end: "cleared" });
  });

  it("tells one cause from another: both named, each with its own victims", () => {
    const map = mapOf({ web: "a! b!", a: "db-a!", a2: "db-a!", b: "db-b!", b2: "db-b!" });
    const life = new Life(map)
      .run(30)
      .run(20, { a: { down: ["db-a"] }, a2: { down: ["db-a"] }, b: { down: ["db-b"] }, b2: { down: ["db-b"] } });
    expect(life.open().sort()).toEqual(["cause db-a open", "cause db-b open"]);
    expect(life.of("db-b").impacted.map(({ node }) => node)).toEqual(["b", "b2"]);
  });
});

describe("one cause, one incident", () => {
  const links = () =>
    new Life(
      mapOf(
        { app: "db! cache! queue! mail! files! search!", a: "db! cache!", b: "db! cache!", c: "queue! mail! files! search!" },
        { app: THREE, a: THREE, b: THREE, c: THREE },
      ),
    );

  it("tells two links of one service that broke apart as two, and each ends by itself", () => {
    const life = links()
      .run(60)
      .run(60, { app: { down: ["db"] } });
    expect(life.of("app").cause).toMatchObject({ kind: "link", link: { from: "app", to: "db" } });
    life.run(120, { app: { down: ["db", "cache"] } });
    const open = () => life.incidents.filter(({ status }) => status === "open").map(({ id, cause }) => [id, cause?.link?.to]);
    expect(open()).toEqual([
      [1, "db"],
      [2, "cache"],
    ]);
    expect(life.of("app").openedAt).toBeGreaterThanOrEqual(START + 119_000);
    life.run(60, { app: { down: ["cache"] } });
    expect(open()).toEqual([[2, "cache"]]);
    expect(life.incidents[0]).toMatchObject({ end: "cleared" });
    life.run(60);
    expect(life.incidents.map(({ end }) => end)).toEqual(["cleared", "cleared"]);
  });

  it("tells two links that broke together as one fault of the service's own side", () => {
    const life = links()
      .run(60)
      .run(90, { app: { down: ["db", "cache"] } });
    expect(life.open()).toEqual(["cause app open"]);
    expect(life.of("app").cause).toMatchObject({ node: "app", kind: "node" });
    life.run(60, { app: { down: ["cache"] } }).run(60);
    expect(life.incidents.map(({ id, end }) => [id, end])).toEqual([[1, "cleared"]]);
  });
});

describe("when an incident began", () => {
  it("is not before the one that its node suffered from until then", () => {
    const life = shop().run(60).run(120, OUTAGE);
    const over = life.now;
    life.run(300, { billing: { word: "unhealthy" } });
    expect(life.open()).toEqual(["cause billing open"]);
    expect(life.of("billing").openedAt).toBeGreaterThanOrEqual(over);
  });

  it("is not when one caller's own link to it broke long before", () => {
    const map = mapOf({ a: "db! a-db!", b: "db!", c: "db!", d: "db~" }, { a: THREE, b: THREE, c: THREE, d: THREE });
    const down = { down: ["db"] };
    const life = new Life(map).run(60).run(600, { a: down });
    expect(life.of("a").cause).toMatchObject({ link: { from: "a", to: "db" } });
    const began = life.now;
    life.run(120, { a: down, b: down, c: down, d: down });
    expect(life.of("db").openedAt).toBeGreaterThanOrEqual(began - 1_000);
    expect(life.of("a")).toMatchObject({ end: null });
  });
});
