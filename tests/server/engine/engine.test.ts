import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { initialState, observe } from "../../../server/src/state/reduce.ts";
import { bench, incident, mapOf, report, START } from "./make.ts";

const SHOP = "services:\n  shop: { url: 'http://127.0.0.1:1/' }\n  cart: { url: 'http://127.0.0.1:2/' }\n";
const RENAMED = "services:\n  store: { url: 'http://127.0.0.1:1/', renamed_from: shop }\n  cart: { url: 'http://127.0.0.1:2/' }\n";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets timers run for as long as both clocks of the engine move. */
function run(on: ReturnType<typeof bench>, ms: number): void {
  on.pass(ms);
  vi.advanceTimersByTime(ms);
}

describe("what throws", () => {
  test("a listener that throws neither stops the others nor the engine", () => {
    const on = bench(mapOf(SHOP));
    on.engine.subscribe(() => {
      throw new Error("broken viewer");
    });
    let heard = 0;
    on.engine.subscribe(() => void heard++);
    on.engine.start();
    run(on, 1_000);
    run(on, 1_000);
    expect(heard).toBe(3);
    expect(on.errors).toHaveLength(1);
    expect(on.errors[0]).toContain("broken viewer");
  });

  test("a poll that cannot be counted takes no other of its batch with it", () => {
    const on = bench(mapOf(SHOP));
    on.engine.start();
    const poison = report("shop", START);
    Object.defineProperty(poison, "report", { get: () => ({ status: "healthy", components: null }) });
    on.receive(poison);
    on.receive(report("cart", START));
    run(on, 100);
    expect(on.engine.snapshot().state.nodes.get("cart")?.status).toBe("healthy");
    expect(on.engine.snapshot().state.nodes.get("shop")?.status).toBe("unknown");
    expect(on.errors).toHaveLength(1);
  });

  test("while the analysis throws, nothing is published, the signal turns frozen, and all heals when it ends", () => {
    const map = mapOf(SHOP);
    const on = bench(map);
    on.engine.start();
    let broken = true;
    Object.defineProperty(map, "maintenance", {
      get() {
        if (broken) throw new Error("no verdict");
        return [];
      },
    });
    const before = on.engine.snapshot().revision;
    on.receive(report("shop", START));
    for (let second = 0; second < 16; second++) run(on, 1_000);
    expect(on.engine.snapshot().revision).toBe(before);
    expect(on.engine.signal().because).toContain("frozen");
    expect(on.errors.filter((line) => line.includes("no verdict"))).toHaveLength(1);
    broken = false;
    run(on, 1_000);
    expect(on.engine.snapshot().revision).toBe(before + 1);
    expect(on.engine.snapshot().state.nodes.get("shop")?.status).toBe("healthy");
    run(on, 1_000);
    expect(on.engine.signal().because).not.toContain("frozen");
  });
});

describe("the history", () => {
  test("is told which map is in use, at the start and after the changes of a reload are committed", async () => {
    const on = bench(mapOf(SHOP));
    on.engine.start();
    expect(on.asked.at(-1)).toBe("follow");
    on.receive(report("shop", START));
    run(on, 100);
    on.asked.length = 0;
    await on.engine.applyMap(mapOf("services:\n  cart: { url: 'http://127.0.0.1:2/' }\n"), on.engine.mapInfo(), on.engine.config);
    expect(on.asked).toEqual(["commit", "follow"]);
  });

  test("gets what the last polls before a stop changed", async () => {
    const on = bench(mapOf(SHOP));
    on.engine.start();
    on.receive(report("shop", START));
    await on.engine.stop(0);
    const rows = on.commits.flatMap(({ transitions }) => transitions).filter(({ subject, id }) => subject === "node" && id === "shop");
    expect(rows.map(({ to }) => to)).toEqual(["healthy"]);
  });

  test("follows a rename made while Headwater did not run, with the state and the incidents", () => {
    const before = mapOf(SHOP);
    const { state } = observe(initialState(before), before, [report("shop", START - 5_000)], START - 5_000);
    const open = incident({ id: 7, anchor: "cart", impacted: [{ node: "shop", since: START - 60_000 }] });
    const on = bench(mapOf(RENAMED), { mapBefore: before, state, incidents: [open], nextIncidentId: 8 });
    on.engine.start();
    expect(on.asked).toContain("rename shop store");
    expect(on.engine.snapshot().state.nodes.get("store")?.status).toBe("healthy");
    const nodes = on.commits.flatMap(({ incidents }) => incidents).flatMap(({ impacted }) => impacted.map(({ node }) => node));
    expect(nodes).toContain("store");
    expect(nodes).not.toContain("shop");
  });

  test("leaves a renamed node its role, over a stop and over a reload", async () => {
    const before = mapOf(SHOP);
    const down = { ...report("shop", START - 5_000), report: { status: "unhealthy" as const, components: [] } };
    const { state } = observe(initialState(before), before, [down], START - 5_000);
    const on = bench(mapOf(RENAMED), { mapBefore: before, state });
    on.engine.start();
    await on.engine.applyMap(mapOf(RENAMED.replaceAll("store", "market").replace("shop", "store")), on.engine.mapInfo(), on.engine.config);
    expect(on.engine.snapshot().verdict.roles.get("market")?.role).toBe("root_cause");
    const roles = on.commits.flatMap(({ transitions }) => transitions).filter(({ subject }) => subject === "role");
    expect(roles).toEqual([]);
  });

  test("does not follow a rename again that an earlier map made", async () => {
    const on = bench(mapOf(RENAMED));
    on.engine.start();
    await on.engine.applyMap(mapOf(RENAMED), on.engine.mapInfo(), on.engine.config);
    expect(on.asked.filter((what) => what.startsWith("rename"))).toEqual([]);
  });

  test("keeps what a map that changed while Headwater did not run changed", () => {
    const before = mapOf(SHOP);
    const { state } = observe(initialState(before), before, [report("shop", START - 5_000)], START - 5_000);
    const on = bench(mapOf("services:\n  cart: { url: 'http://127.0.0.1:2/' }\n"), { mapBefore: before, state });
    on.engine.start();
    const rows = on.commits.flatMap(({ transitions }) => transitions).filter(({ id }) => id === "shop");
    expect(rows).toContainEqual(expect.objectContaining({ subject: "node", from: "healthy", reason: "map" }));
  });
});

describe("the board", () => {
  test("drops an incident an hour after its end, also when nothing else happens", () => {
    const over = incident({ id: 1, anchor: "shop", status: "resolved", end: "cleared", resolvedAt: START - 3_590_000 });
    const on = bench(mapOf(SHOP), { incidents: [over], nextIncidentId: 2 });
    on.engine.start();
    for (const id of ["shop", "cart"]) on.receive(report(id, START));
    run(on, 1_000);
    expect(on.engine.snapshot().incidents).toHaveLength(1);
    run(on, 20_000);
    expect(on.engine.snapshot().incidents).toEqual([]);
  });

  test("tells viewers of a node whose declaration alone changed", async () => {
    const on = bench(mapOf(SHOP));
    on.engine.start();
    const named = SHOP.replace("shop: {", "shop: { name: The shop,");
    await on.engine.applyMap(mapOf(named), on.engine.mapInfo(), on.engine.config);
    expect(on.published.at(-1)?.nodes).toContain("shop");
    expect(on.published.at(-1)?.nodes).not.toContain("cart");
  });

  test("numbers its publications without a gap", () => {
    const on = bench(mapOf(SHOP));
    on.engine.start();
    on.receive(report("shop", START));
    run(on, 100);
    run(on, 3_000);
    on.engine.refuseMap(START, []);
    const revisions = on.published.map(({ snapshot }) => snapshot.revision);
    expect(revisions).toEqual(revisions.map((_, n) => (revisions[0] ?? 0) + n));
    expect(on.published.map(({ before }) => before?.revision)).toEqual(revisions.map((revision) => revision - 1));
  });
});

describe("announced work", () => {
  const marks = (on: ReturnType<typeof bench>) => on.engine.snapshot().state.nodes.get("shop")?.marks;

  test("marks its nodes at once, survives a reload, and unmarks them when somebody ends it", async () => {
    const on = bench(mapOf(SHOP));
    on.engine.start();
    on.receive(report("shop", START));
    run(on, 100);
    const work = on.engine.announceWork({ nodes: ["shop"], from: START, to: START + 60_000, reason: "resize" }, { name: "robin" });
    expect(marks(on)).toEqual(["maintenance"]);
    expect(on.published.at(-1)?.nodes).toEqual(["shop"]);
    expect(on.engine.snapshot().state.nodes.get("shop")?.status).toBe("healthy");
    await on.engine.applyMap(mapOf(SHOP), on.engine.mapInfo(), on.engine.config);
    expect(marks(on)).toEqual(["maintenance"]);
    expect(on.engine.endWork(work?.id ?? 0, { name: "sam" })).toMatchObject({ to: START + 100, endedBy: "sam" });
    expect(marks(on)).toEqual([]);
    expect(on.engine.endWork(work?.id ?? 0, { name: "sam" })).toBeNull();
  });

  test("ends by itself, follows a renamed node, and is in force again after a restart", async () => {
    const work = {
      id: 4,
      nodes: ["shop"],
      from: START,
      to: START + 5_000,
      reason: "resize",
      by: "robin",
      announcedAt: START,
      endedBy: null,
    };
    const on = bench(mapOf(SHOP), { works: [work] });
    on.engine.start();
    expect(marks(on)).toEqual(["maintenance"]);
    await on.engine.applyMap(mapOf(RENAMED), on.engine.mapInfo(), on.engine.config);
    expect(on.engine.snapshot().state.nodes.get("store")?.marks).toEqual(["maintenance"]);
    for (let second = 0; second < 5; second++) run(on, 1_000);
    expect(on.engine.snapshot().state.nodes.get("store")?.marks).toEqual([]);
  });

  test("is bounded", () => {
    const on = bench(mapOf(SHOP));
    on.engine.start();
    const announce = () => on.engine.announceWork({ nodes: ["shop"], from: START, to: START + 60_000, reason: "x" }, { name: "robin" });
    for (let count = 0; count < 200; count++) expect(announce()).not.toBeNull();
    expect(announce()).toBeNull();
  });
});

describe("what a service says of itself while something it needs is down", () => {
  const NEEDY = (id: string, more = "") =>
    `resources: { db: {} }\nservices:\n  ${id}: { url: 'http://127.0.0.1:1/'${more}, dependencies: [{ on: db, criticality: hard }] }\n`;
  const down = [{ name: "db", status: "down" }] as const;
  const words = (on: ReturnType<typeof bench>) =>
    on.commits
      .flatMap(({ transitions }) => transitions)
      .filter(({ subject }) => subject === "word")
      .map(({ id, from, to }) => `${id} ${from} ${to}`);

  /** Polls a service whose database is in some state, ten seconds apart. */
  function poll(on: ReturnType<typeof bench>, service: string, components: Parameters<typeof report>[2], times: number): void {
    for (let n = 0; n < times; n++) {
      on.receive(report(service, on.engine.now(), components));
      for (let second = 0; second < 10; second++) run(on, 1_000);
    }
  }

  test("goes into the history, for labels to be judged by", () => {
    const on = bench(mapOf(NEEDY("shop")));
    on.engine.start();
    poll(on, "shop", [{ name: "db", status: "up" }], 2);
    expect(words(on)).toEqual([]);
    poll(on, "shop", down, 4);
    expect(words(on)).toEqual(["shop null healthy"]);
    poll(on, "shop", [{ name: "db", status: "up" }], 4);
    expect(words(on)).toEqual(["shop null healthy", "shop healthy none"]);
  });

  test("goes on under the new name of the service", async () => {
    const on = bench(mapOf(NEEDY("shop")));
    on.engine.start();
    poll(on, "shop", down, 4);
    const info = { revision: 2, loadedAt: START, hash: "", commit: null, warnings: [], refused: null };
    await on.engine.applyMap(mapOf(NEEDY("store", ", renamed_from: shop")), info, on.engine.config);
    poll(on, "store", [{ name: "db", status: "up" }], 4);
    expect(words(on)).toEqual(["shop null healthy", "store healthy none"]);
  });
});
