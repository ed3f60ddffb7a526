import { describe, expect, it } from "vitest";
import { judge } from "../../../server/src/analysis/verdict.ts";
import { wayToCause } from "../../../server/src/domain/incident.ts";
import { mapOf, NOW, type Said, sceneOf } from "../../support/scene.ts";

const FLEET = mapOf({
  web: "orders! search~",
  orders: "orders-db! cache~",
  billing: "orders-db!",
  reports: "orders-db!",
  search: "index!",
  audit: "orders?",
});

function verdictOf(said: Record<string, Said>, map = FLEET) {
  const verdict = judge(sceneOf(map, said));
  const roles = (role: string) => [...verdict.roles].filter(([, held]) => held.role === role).map(([id]) => id);
  return { verdict, causes: verdict.causes.map(({ node }) => node), impacted: roles("impacted").sort(), atRisk: roles("at_risk").sort() };
}

describe("one cause", () => {
  it("names nothing while all is well", () => {
    const { verdict } = verdictOf({});
    expect(verdict).toEqual({ causes: [], roles: new Map(), steps: new Map(), unexplained: [], blind: false });
  });

  it("names a database that all its callers report down, and mutes its victims up to the edge of the trouble", () => {
    const down = { down: ["orders-db"] };
    const { verdict, causes, impacted, atRisk } = verdictOf({ orders: down, billing: down, reports: down });
    expect(causes).toEqual(["orders-db"]);
    expect(impacted).toEqual(["billing", "orders", "reports"]);
    expect(atRisk).toEqual(["web"]);
    expect(verdict.causes[0]).toMatchObject({ kind: "node", level: "confirmed", severity: "unhealthy" });
    expect(verdict.causes[0]?.why[0]).toMatch(/^3 of 3 dependents report it down \(timeout\)/);
    expect(wayToCause(verdict, "billing")).toEqual({ ids: ["billing", "orders-db"], cut: 0 });
  });

  it("names the deepest observed failure of a chain", () => {
    const { causes, verdict } = verdictOf({
      web: { down: ["orders"] },
      orders: { down: ["orders-db"] },
      billing: { down: ["orders-db"] },
      reports: { down: ["orders-db"] },
    });
    expect(causes).toEqual(["orders-db"]);
    expect(wayToCause(verdict, "web")).toEqual({ ids: ["web", "orders", "orders-db"], cut: 0 });
  });

  it.each([
    ["chain", (n: number) => n + 1],
    ["ring", (n: number) => (n + 1) % 400],
  ])("tells of a long way through a %s its beginning, its end, and how much lies between", (_name, next) => {
    const needs = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`s${n}`, `s${next(n)}!${n === 399 ? " end!" : ""}`]));
    const said = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`s${n}`, { down: [n === 399 ? "end" : `s${n + 1}`] }]));
    const { verdict, causes } = verdictOf(said, mapOf(needs));
    expect(causes).toEqual(["end"]);
    expect(verdict.steps.get("s0")).toEqual({ to: "s1", left: 400 });
    const { ids, cut } = wayToCause(verdict, "s0");
    expect([ids.slice(0, 2), ids.slice(-1), ids.length + cut]).toEqual([["s0", "s1"], ["end"], 401]);
    expect(ids).toHaveLength(24);
  });
});

const callers = (count: number, of: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, `${of}!`]));
const all = (count: number, said: Said): Record<string, Said> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, said]));

describe("witnesses", () => {
  const gray = mapOf({ web: "s0!", vault: "vault-db!", ...callers(4, "vault") });

  it("outvote a healthy self-check", () => {
    const { verdict, causes, impacted } = verdictOf(all(4, { down: ["vault"] }), gray);
    expect([causes, impacted]).toEqual([["vault"], ["s0", "s1", "s2", "s3"]]);
    expect(verdict.causes[0]).toMatchObject({ level: "confirmed", against: ["its own report says healthy"] });
  });

  it("are told of the one they report, which is named behind what it cannot use itself; categories are words", () => {
    const map = mapOf({ app: "db!", a: "db!", b: "db!", x: "app!", y: "app!" });
    const down = { down: ["app"] };
    const { verdict } = verdictOf({ app: { down: ["db"], category: "pool_exhausted" }, x: down, y: down }, map);
    const why = verdict.causes[0]?.why ?? [];
    expect(why[0]).toBe("app reports db down (pool exhausted); 2 others report it up");
    expect(why[1]).toMatch(/^2 of 2 dependents report app down/);
  });

  it("that say degraded are counted apart from those that say down", () => {
    const down = { down: ["db"] };
    const { verdict } = verdictOf({ s0: down, s1: down, s2: { degraded: ["db"] } }, mapOf(callers(3, "db")));
    expect(verdict.causes[0]?.why[0]).toMatch(/^2 of 3 dependents report it down \(timeout\), and 1 degraded/);
  });

  it("exonerate a node that one of many blames: the dependent's link is the cause", () => {
    const { verdict, causes } = verdictOf({ s3: { down: ["db"] } }, mapOf(callers(12, "db")));
    expect(causes).toEqual(["s3"]);
    expect(verdict.causes[0]).toMatchObject({ kind: "link", link: { from: "s3", to: "db" }, level: "likely", runnerUp: { node: "db" } });
    expect(verdict.causes[0]?.why[0]).toBe("s3 reports db down (timeout); 11 others report it up");
    expect(verdict.roles.has("db")).toBe(false);
  });

  it("count against a blame only when they looked after it began", () => {
    const old = { ages: { db: 300_000 }, omits: [] };
    const said = { ...all(12, { ...old }), s0: { down: ["db"] }, s1: { down: ["db"] }, s2: { down: ["db"] } };
    expect(verdictOf(said, mapOf(callers(12, "db"))).causes).toEqual(["db"]);
  });

  it("that are on the point of failing too are no ups", () => {
    const said = { ...all(4, { pending: "unhealthy" as const }), s0: { down: ["db"] } };
    expect(verdictOf(said, mapOf(callers(4, "db"))).causes).toEqual(["db"]);
  });

  it("over informational edges speak of their target, and suffer nothing from it", () => {
    const { causes, impacted } = verdictOf({ audit: { down: ["db"] }, api: { down: ["db"] } }, mapOf({ audit: "db?", api: "db!" }));
    expect([causes, impacted]).toEqual([["db"], ["api"]]);
  });

  it("alone and in contradiction with themselves name no cause, but candidates", () => {
    const { verdict, causes } = verdictOf({ s0: { down: ["db"], word: "healthy" } }, mapOf(callers(3, "db")));
    expect(causes).toEqual([]);
    expect(verdict.unexplained).toMatchObject([{ node: "s0", candidates: [{ node: "db" }, { node: "s0" }] }]);
  });

  it("are believed once they repeat themselves", () => {
    const said = { s0: { down: ["db"], word: "healthy" as const, repeats: 3 } };
    expect(verdictOf(said, mapOf(callers(1, "db"))).causes).toEqual(["db"]);
  });

  describe("that have not confirmed yet what they say", () => {
    const map = mapOf({ web: "cart!", app: "cart!", cart: "catalogue!", catalogue: "db!", stock: "db!", bills: "db!" });
    const said = { web: { down: ["cart"] }, app: { down: ["cart"] }, stock: { down: ["db"] }, bills: { down: ["db"] } };
    const turning = { pending: "unhealthy" as const };

    it("explain a node that its callers blame by what they lead to", () => {
      const { causes, verdict } = verdictOf({ ...said, cart: turning, catalogue: turning }, map);
      expect(causes).toEqual(["db"]);
      expect(wayToCause(verdict, "web")).toEqual({ ids: ["web", "cart", "catalogue", "db"], cut: 0 });
      const turned = mapOf({ stock: "db!", bills: "db!", catalogue: "db!", cart: "catalogue!", app: "cart!", web: "cart!" });
      expect(verdictOf({ ...said, cart: turning, catalogue: turning }, turned).causes).toEqual(["db"]);
    });

    it.each([
      ["the blamed node says nothing against what it needs", { catalogue: turning }],
      ["what it finds bad says nothing against what lies below", { cart: turning }],
    ])("explain nothing where %s", (_, some) => {
      expect(verdictOf({ ...said, ...some }, map).causes.sort()).toEqual(["cart", "db"]);
    });

    it("open nothing by themselves", () => {
      expect(verdictOf({ cart: turning, catalogue: turning }, map).causes).toEqual([]);
    });
  });
});

describe("local and hidden faults", () => {
  it("tell a service that blames most of what it needs as its own egress", () => {
    const map = mapOf({ x: "a! b! c! q!", y: "a! b!", z: "b! c!", w: "x!" });
    const { verdict, causes, impacted } = verdictOf({ x: { down: ["a", "b", "c", "q"] }, w: { down: ["x"] } }, map);
    expect([causes, impacted]).toEqual([["x"], ["w"]]);
    expect(verdict.causes[0]?.kind).toBe("node");
  });

  it("find what failing services share and nobody reports, behind healthy targets", () => {
    const map = mapOf({ a: "dns! x!", b: "dns! y!", c: "dns! z!", d: "x!", x: "", y: "", z: "" });
    const lost = (target: string): Said => ({ down: [target], omits: ["dns"], category: "dns" });
    const { verdict, causes, impacted } = verdictOf({ a: lost("x"), b: lost("y"), c: lost("z") }, map);
    expect([causes, impacted]).toEqual([["dns"], ["a", "b", "c"]]);
    expect(verdict.causes[0]?.why[0]).toMatch(/^3 services that need it fail towards targets that nobody else finds down/);
  });

  it("name no target beside the shared cause that only those who need it find down", () => {
    const map = mapOf({ a: "out! x! y!", b: "out! z!", c: "out! v!", d: "out! x!", e: "z! v!", f: "y!", g: "a! b~" });
    const lost = (...down: string[]): Said => ({ down, omits: ["out"] });
    const { causes, impacted } = verdictOf({ a: lost("x", "y"), b: lost("z"), c: lost("v"), d: lost("x") }, map);
    expect([causes, impacted]).toEqual([["out"], ["a", "b", "c", "d"]]);
  });

  it("suspect a shared dependency whose slowness makes deep endpoints late", () => {
    const late: Said = { silent: "timeout" };
    const map = mapOf({ ...callers(4, "db"), ...Object.fromEntries(["a", "b", "c", "d", "e"].map((id) => [id, "other!"])) });
    const { verdict, causes, impacted } = verdictOf({ s0: late, s1: late, s2: late }, map);
    expect([causes, impacted]).toEqual([["db"], ["s0", "s1", "s2"]]);
    expect(verdict.causes[0]?.level).toBe("suspected");
  });

  it("suspect a zone that is silent as a whole while others answer", () => {
    const zones = { a1: { zone: "a" }, a2: { zone: "a" }, b1: { zone: "b" }, b2: { zone: "b" }, b3: { zone: "b" } };
    const gone: Said = { silent: "connect_timeout" };
    const { verdict } = verdictOf({ a1: gone, a2: gone }, mapOf({ a1: "", a2: "", b1: "", b2: "", b3: "" }, zones));
    expect(verdict.causes).toMatchObject([{ kind: "zone", zone: "a", node: "a1", level: "suspected" }]);
    expect(verdict.roles.get("a2")?.role).toBe("impacted");
  });

  it("name the instance that fails while others of its service work", () => {
    const map = mapOf({ api: "", web: "api!" }, { api: { instances: 3 } });
    const scene = sceneOf(map, { api: { word: "degraded" } });
    const instances = new Map(scene.state.instances);
    for (const [id, instance] of instances) {
      const status = id === "api#1" ? "unhealthy" : "healthy";
      if (instance.service === "api") instances.set(id, { ...instance, damped: { ...instance.damped, status, raw: status } });
    }
    const verdict = judge({ ...scene, state: { ...scene.state, instances } });
    expect(verdict.causes).toMatchObject([{ node: "api", kind: "instance", instance: "api#1" }]);
  });
});

describe("silence", () => {
  const map = mapOf({ pay: "pay-db!", ...callers(3, "pay"), web: "s0!" });

  it("with callers that say down is a cause", () => {
    const { causes, impacted } = verdictOf({ pay: { silent: "refused" }, ...all(3, { down: ["pay"] }) }, map);
    expect([causes, impacted]).toEqual([["pay"], ["s0", "s1", "s2"]]);
  });

  it.each([
    ["well, is a confirmed cause", {}, "confirmed"],
    ["degraded, is suspected at most: what it last said of it is not known", { word: "degraded" }, "suspected"],
  ] as [string, Said, string][])("of one that needs something that is %s", (_name, search, level) => {
    const { verdict } = verdictOf(
      { api: { silent: "refused" }, ...all(3, { down: ["api"] }), search },
      mapOf({ ...callers(3, "api"), api: "search!", search: "", top: "search!" }),
    );
    expect(verdict.causes.find(({ node }) => node === "api")?.level).toBe(level);
  });

  it("with callers that say up is our own path, and has no role", () => {
    const { verdict } = verdictOf({ pay: { silent: "connect_timeout" } }, map);
    expect([verdict.causes, verdict.roles.size]).toEqual([[], 0]);
  });

  it("of all is blindness, and names nothing", () => {
    const scene = sceneOf(map, all(3, { down: ["pay"] }));
    expect(judge({ ...scene, state: { ...scene.state, blind: { since: scene.now } } })).toMatchObject({ blind: true, causes: [] });
  });
});

describe("how far trouble carries", () => {
  it("stops soft effects at degraded, so an unhealthy node behind them has a fault of its own", () => {
    const map = mapOf({ api: "cache~ index~", shop: "cache~", portal: "api!" });
    const { causes, impacted } = verdictOf(
      { api: { word: "unhealthy", down: ["cache"] }, shop: { down: ["cache"] }, portal: { down: ["api"] } },
      map,
    );
    expect([causes.sort(), impacted]).toEqual([
      ["api", "cache"],
      ["portal", "shop"],
    ]);
  });

  it("lets all soft dependencies together break a service", () => {
    const { causes, impacted } = verdictOf(
      { api: { word: "unhealthy", down: ["queue"] }, job: { down: ["queue"] } },
      mapOf({ api: "queue~", job: "queue!" }),
    );
    expect([causes, impacted]).toEqual([["queue"], ["api", "job"]]);
  });

  it("counts among the impacted who calls itself healthy without what it needs softly, once it has said so twice", () => {
    const map = mapOf({ api: "cache!", shop: "cache!", prices: "cache~", cart: "prices~" });
    const down = { down: ["cache"] };
    const coping = (repeats: number): Said => ({ ...down, word: "healthy", repeats });
    const twice = verdictOf({ api: down, shop: down, prices: coping(2) }, map);
    expect([twice.causes, twice.impacted]).toEqual([["cache"], ["api", "prices", "shop"]]);
    expect(wayToCause(twice.verdict, "prices")).toEqual({ ids: ["prices", "cache"], cut: 0 });
    const once = verdictOf({ api: down, shop: down, prices: coping(1) }, map);
    expect([once.causes, once.impacted]).toEqual([["cache"], ["api", "shop"]]);
  });

  it("leaves a redundancy group standing while enough of it is left", () => {
    const groups = [{ members: ["r1", "r2"], need: 1, criticality: "hard" as const }];
    const map = mapOf({ api: "r1! r2!", other: "r1!" }, { api: { groups } });
    const { causes, atRisk } = verdictOf({ api: { down: ["r1"], word: "healthy" }, other: { down: ["r1"] } }, map);
    expect([causes, atRisk]).toEqual([["r1"], []]);
  });

  it("names two faults that share nothing", () => {
    const { causes } = verdictOf({
      search: { down: ["index"] },
      billing: { down: ["orders-db"] },
      reports: { down: ["orders-db"] },
      orders: { down: ["orders-db"] },
    });
    expect(causes).toEqual(["orders-db", "index"]);
  });

  it("sees through a node that calls itself healthy between a failure and those that suffer from it", () => {
    const map = mapOf({ web: "bff!", app: "bff!", bff: "core!", core: "db!" });
    const { causes, impacted } = verdictOf({ web: { down: ["bff"] }, app: { down: ["bff"] }, core: { down: ["db"] } }, map);
    expect([causes, impacted]).toEqual([["db"], ["app", "bff", "core", "web"]]);
  });

  it("opens a circle at the first to fail, and prefers a cause outside", () => {
    const ring = mapOf({ a: "b!", b: "c!", c: "a! db!" });
    const red = (to: string, since: number): Said => ({ down: [to], since: NOW - since });
    expect(verdictOf({ a: red("b", 30_000), b: red("c", 90_000), c: red("a", 10_000) }, ring).causes).toEqual(["b"]);
    const outside = { ...red("a", 10_000), down: ["a", "db"] };
    expect(verdictOf({ a: red("b", 30_000), b: red("c", 90_000), c: outside }, ring).causes).toEqual(["db"]);
  });

  it("lays at risk beside all that reach a cause through hard edges alone, at any distance", () => {
    const map = mapOf({ top: "mid!", mid: "api!", side: "api~", api: "db!", job: "db!" });
    const { atRisk } = verdictOf({ api: { down: ["db"] }, job: { down: ["db"] } }, map);
    expect(atRisk).toEqual(["mid", "top"]);
  });
});

describe("time", () => {
  it("sets aside what a caller saw before the node recovered", () => {
    const map = mapOf({ ...callers(3, "api"), api: "" });
    const fresh: Said = { recovered: true, since: NOW - 1_000 };
    const { verdict } = verdictOf({ api: fresh, s0: { down: ["api"], ages: { api: 20_000 }, since: NOW - 60_000 } }, map);
    expect([verdict.causes, verdict.unexplained]).toEqual([[], []]);
  });

  it("holds what a node last said, though others see it up again, while a caller still finds it bad: no link explains both", () => {
    const again: Said = { recovered: true, since: NOW - 1_000 };
    const api: Said = { down: ["db"], ages: { db: 20_000 }, since: NOW - 60_000 };
    const map = mapOf({ ...callers(3, "api"), api: "db!" });
    const { causes, impacted } = verdictOf({ s0: again, s1: again, s2: { down: ["api"], since: NOW - 10_000 }, api }, map);
    expect([causes, impacted]).toEqual([["db"], ["api", "s2"]]);
    expect(verdictOf({ s0: again, s1: again, s2: {}, api }, map).causes).toEqual([]);
  });

  it("says who was first only where the windows do not overlap", () => {
    const down: Said = { down: ["db"] };
    const said = { s0: { ...down, since: NOW - 50_000 }, s1: { ...down, since: NOW - 20_000 }, s2: { ...down, since: NOW - 20_000 } };
    expect(verdictOf(said, mapOf(callers(3, "db"))).verdict.causes[0]?.why[0]).toContain("first s0 between 11:59:00 and 11:59:10 UTC");
    expect(verdictOf(all(3, down), mapOf(callers(3, "db"))).verdict.causes[0]?.why[0]).not.toContain("first");
  });

  it("expects announced work to explain what it touches", () => {
    const work = [{ nodes: ["db"], from: NOW - 60_000, to: NOW + 60_000, reason: "upgrade" }];
    const { causes } = verdictOf({ s0: { down: ["db"] }, s1: {} }, mapOf(callers(1, "db"), {}, work));
    expect(causes).toEqual(["db"]);
  });
});
