import { createServer } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { createDirector, type Fleet, startControl, startFleet, withAddresses } from "../../server/src/demo/index.ts";
import { polledServices, type ServiceNode, type SystemMap } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import type { Criticality } from "../../server/src/domain/status.ts";
import { fetchOnce } from "../../server/src/poller/fetch.ts";
import { observe } from "../../server/src/poller/poll.ts";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const place = { file: "map.yaml", line: 1, column: 1 };
const common = { description: null, team: null, tags: {}, links: {}, renamedFrom: null, place };

function service(id: string, needs: Record<string, Criticality>, instances = 1): ServiceNode {
  const edges = Object.entries(needs).map(([to, criticality]) => {
    return { from: id, to, criticality, owner: null, reviewed: null, components: [to], group: null, place };
  });
  const ids = instances === 1 ? [id] : Array.from({ length: instances }, (_, i) => `${id}/${i}`);
  return {
    ...common,
    kind: "service",
    id,
    name: id,
    instances: ids.map((each) => ({ id: each, service: id, url: "http://127.0.0.1:0/health/deep" })),
    need: 1,
    interval: 5_000,
    timeout: 1_000,
    downAfter: 2,
    upAfter: 2,
    maxAge: 60_000,
    componentMaxAge: 60_000,
    format: "auto",
    maxBody: 262_144,
    headers: {},
    references: [],
    tls: null,
    edges,
    groups: [],
  };
}

const NODES = [
  { ...common, kind: "resource", id: "db", name: "db", resourceKind: "database" } as const,
  service("shop", { cart: "hard", search: "soft" }),
  service("cart", { db: "hard" }),
  service("stock", { db: "hard" }),
  service("search", {}, 2),
];
const MAP: SystemMap = { nodes: new Map(NODES.map((node) => [node.id, node])), systems: new Map(), teams: new Map(), maintenance: [] };

async function fleet(map = MAP): Promise<Fleet> {
  const started = await startFleet({ map, checkEvery: 200 });
  closing.push(started.stop);
  return started;
}

async function ask(started: Fleet, id: string, timeout = 300): Promise<Observation> {
  const { url = "" } = started.services.find((each) => each.id === id) ?? {};
  const options = { userAgent: "test/0", clock: { monotonic: () => performance.now(), wall: () => Date.now() } };
  const answer = await fetchOnce({ url, headers: {}, interval: 1_000, timeout, maxBody: 65_536, tls: null }, options);
  return observe(answer, { id, format: "headwater", maxBody: 65_536 }, { id });
}

/** What a service says of itself and its components, in one line; else why it says nothing. */
async function word(started: Fleet, id: string): Promise<string> {
  const { outcome, report } = await ask(started, id);
  if (!report) return outcome;
  return [report.phase ?? report.status, ...report.components.map(({ name, status }) => `${name}=${status}`)].join(" ");
}

async function expectWords(started: Fleet, words: Record<string, string>): Promise<void> {
  const now = async () => Object.fromEntries(await Promise.all(Object.keys(words).map(async (id) => [id, await word(started, id)])));
  await expect.poll(now, { timeout: 10_000, interval: 50 }).toEqual(words);
}

const FINE = {
  shop: "healthy cart=up search=up",
  cart: "healthy db=up",
  stock: "healthy db=up",
  "search/0": "healthy",
  "search/1": "healthy",
};

describe("the simulated fleet", () => {
  test("is healthy once its checks have run, heals, and leaves nothing behind", async () => {
    const started = await fleet();
    await expectWords(started, FINE);
    await started.break("db", "down");
    await expectWords(started, { cart: "unhealthy db=down", stock: "unhealthy db=down", shop: "unhealthy cart=down search=up" });
    expect([...started.faults()]).toEqual([["db", "down"]]);
    await started.heal("db");
    await expectWords(started, FINE);
    await started.stop();
    expect(await word(started, "cart")).toBe("refused");
  });

  test("a slow database: its callers time out first", async () => {
    const started = await fleet();
    await expectWords(started, FINE);
    await started.break("db", "slow");
    await expectWords(started, { cart: "unhealthy db=down", stock: "unhealthy db=down" });
    const { report } = await ask(started, "stock");
    expect(report?.components[0]).toMatchObject({ category: "timeout" });
  });

  test("a pool that leaks is the fault of one service alone", async () => {
    const started = await fleet();
    await expectWords(started, FINE);
    await started.break("stock", "leak");
    await expectWords(started, { stock: "unhealthy db=down", cart: "healthy db=up" });
    expect((await ask(started, "stock")).report?.components[0]).toMatchObject({ category: "pool_exhausted" });
    await started.heal("stock");
    await expectWords(started, FINE);
  });

  test("cut off from Headwater alone, it still serves its callers", async () => {
    const started = await fleet();
    await expectWords(started, FINE);
    await started.break("cart", "cut-off");
    await expectWords(started, { cart: "timeout", shop: FINE.shop });
  });

  test.each([
    ["down", "refused", "unhealthy cart=down search=up"],
    ["hang", "timeout", "unhealthy cart=down search=up"],
    ["errors", "unhealthy db=up", "unhealthy cart=down search=up"],
    ["lying", "healthy db=up", "unhealthy cart=down search=up"],
    ["slow", "timeout", "unhealthy cart=down search=up"],
    ["login", "not_a_report", FINE.shop],
    ["draining", "draining db=up", FINE.shop],
  ] as const)("a service that is %s says: %s", async (fault, cart, shop) => {
    const started = await fleet();
    await expectWords(started, FINE);
    await started.break("cart", fault);
    await expectWords(started, { cart, shop });
    await started.heal("cart");
    await expectWords(started, FINE);
  });

  test("one of two instances fails alone, and callers use the other", async () => {
    const started = await fleet();
    await expectWords(started, FINE);
    await started.break("search/0", "down");
    await expectWords(started, { "search/0": "refused", "search/1": "healthy", shop: FINE.shop });
    await started.break("search", "down");
    await expectWords(started, { "search/1": "refused", shop: "degraded cart=up search=down" });
  });

  test("what does not exist or does not fit is refused", async () => {
    const started = await fleet();
    await expect(started.break("nothing", "down")).rejects.toThrow("nothing");
    await expect(started.break("db", "leak")).rejects.toThrow("leak");
    await expect(started.break("cart", "flaky")).rejects.toThrow("flaky");
  });

  test("takes the map's port, or a free one where that is taken, and says so in the map", async () => {
    const squatter = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => squatter.once("listening", resolve));
    closing.push(() => squatter.close());
    const { port } = squatter.address() as { port: number };
    const alone = { ...service("alone", {}), instances: [{ id: "alone", service: "alone", url: `http://127.0.0.1:${port}/deep` }] };
    const map = { ...MAP, nodes: new Map([["alone", alone]]) };
    const started = await fleet(map);
    expect(started.services[0]?.port).not.toBe(port);
    expect(polledServices(withAddresses(map, started))[0]?.instances[0]?.url).toBe(started.services[0]?.url);
    await expectWords(started, { alone: "healthy" });
  });
});

describe("the director and its page", () => {
  const script = [
    { title: "First", watch: "<b>watch</b>", faults: [{ id: "db", fault: "down" as const }], lastsMs: 10_000 },
    { title: "Second", watch: "", faults: [{ id: "search", fault: "hang" as const, instance: 1 }], lastsMs: 10_000 },
  ];

  async function stage() {
    let now = 0;
    const acts: (string | null)[] = [];
    const started = await fleet();
    const director = createDirector(started, { script, now: () => now, onAct: (act) => acts.push(act?.title ?? null) });
    const control = await startControl(director, 0);
    closing.push(director.stop, control.stop);
    const post = (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      fetch(new URL(path, control.url), { method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" });
    const move = (ms: number) => {
      now = ms;
    };
    return { director, acts, control, post, move, faults: () => Object.fromEntries(started.faults()) };
  }

  test("plays the script by the clock", async () => {
    const { acts, move, faults } = await stage();
    move(26_000);
    await expect.poll(faults).toEqual({ db: "down" });
    move(40_000);
    await expect.poll(faults).toEqual({});
    move(90_000);
    await expect.poll(faults).toEqual({ "search/1": "hang" });
    expect(acts).toEqual(["First", null, "Second"]);
  });

  test("a hand on the dial holds the script, until it is let go again", async () => {
    const { director, move, faults, post, control } = await stage();
    expect((await post("/break", { id: "cart", fault: "hang" })).status).toBe(303);
    expect(director.state()).toEqual({ auto: false, act: null });
    move(26_000);
    await post("/play", { act: "1" });
    expect(faults()).toEqual({ "search/1": "hang" });
    expect(director.state()).toEqual({ auto: false, act: 1 });
    await post("/heal");
    expect(faults()).toEqual({});
    await post("/auto", { on: "1" });
    expect(await (await fetch(new URL("/state", control.url))).json()).toMatchObject({ auto: true });
    move(26_000 + 26_000);
    await expect.poll(faults).toEqual({ db: "down" });
  });

  test("shows what is broken, with every text as text", async () => {
    const { post, control } = await stage();
    await post("/break", { id: "cart", fault: "hang" });
    const page = await fetch(control.url);
    const html = await page.text();
    expect(html).toContain("<strong>hang</strong>");
    expect(html).not.toContain("<b>watch</b>");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("takes orders from its own page alone", async () => {
    const { post, control, faults } = await stage();
    expect((await post("/break", { id: "cart", fault: "hang" }, { origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await post("/break", { id: "nothing", fault: "hang" })).status).toBe(400);
    expect((await post("/break", { id: "cart", fault: "no-such-fault" })).status).toBe(404);
    expect((await post("/break", { id: "x".repeat(10_000), fault: "hang" })).status).toBe(413);
    expect((await fetch(new URL("/elsewhere", control.url))).status).toBe(404);
    expect(faults()).toEqual({});
  });
});
