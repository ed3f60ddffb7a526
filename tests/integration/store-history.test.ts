import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SystemMap } from "../../server/src/domain/map.ts";
import { openReader } from "../../server/src/store/index.ts";
import {
  DAY,
  failure,
  folder,
  HOUR,
  incident,
  live,
  MINUTE,
  nodeState,
  observation,
  open,
  openRaw,
  random,
  SECOND,
  systemState,
  T0,
  transition,
} from "./store-support.ts";

const service = (id: string, to: string, component: string) => ({
  kind: "service",
  id,
  edges: [{ from: id, to, components: [component] }],
});
const mapOf = (...nodes: { id: string }[]): SystemMap =>
  ({ nodes: new Map(nodes.map((node) => [node.id, node])), systems: new Map(), teams: new Map(), maintenance: [] }) as unknown as SystemMap;

describe("what was shown", () => {
  it("comes back as it stood at any moment: states, roles, incidents, revision", () => {
    const store = open(folder());
    const { writer, reader } = store;
    writer.restore(T0);
    writer.acceptRevision({ acceptedAt: T0, hash: "a", commit: null, summary: "first", files: [] });
    writer.commit({
      at: T0,
      transitions: [
        transition("checkout", T0, "healthy"),
        transition("orders-db", T0, "healthy"),
        transition("shop", T0, "healthy", { subject: "system" }),
      ],
      incidents: [],
      events: [],
    });
    const broke = T0 + MINUTE;
    const role = { subject: "role" as const, incident: 4 };
    live(store, T0, broke);
    writer.commit({
      at: broke,
      transitions: [
        transition("orders-db", broke, "unhealthy", { reason: "3 of 3 dependents report it down" }),
        transition("checkout", broke, "unhealthy", { reason: "orders-db: connection refused" }),
        transition("orders-db", broke, "root_cause", role),
        transition("checkout", broke, "impacted", role),
        transition("shop", broke, "unhealthy", { subject: "system" }),
      ],
      incidents: [incident(4, broke)],
      events: [],
    });
    const surer = incident(4, broke, {
      severity: "page",
      impacted: [
        { node: "checkout", since: broke },
        { node: "cart", since: broke + 1 },
      ],
    });
    live(store, broke, broke + MINUTE);
    writer.commit({ at: broke + MINUTE, transitions: [], incidents: [surer], events: [] });
    const done = { ...surer, status: "resolved" as const, resolvedAt: broke + HOUR, end: "cleared" as const };
    for (let at = broke + MINUTE; at <= broke + HOUR; at += 10 * SECOND) writer.flush(at);
    writer.commit({ at: broke + HOUR, transitions: [transition("checkout", broke + HOUR, "none", role)], incidents: [done], events: [] });

    expect(reader.statesAt(T0 + SECOND)).toMatchObject({ incidents: [], mapRevision: 1 });
    const then = reader.statesAt(broke + SECOND);
    expect(then?.nodes.get("checkout")).toEqual({
      status: "unhealthy",
      since: broke,
      reason: "orders-db: connection refused",
      role: "impacted",
      incident: 4,
    });
    expect(then?.nodes.get("orders-db")?.role).toBe("root_cause");
    expect(then?.systems.get("shop")).toEqual({ status: "unhealthy", since: broke });
    expect(then?.incidents).toEqual([incident(4, broke)]);
    expect(reader.statesAt(broke + 2 * MINUTE)?.incidents).toEqual([surer]);
    expect(reader.statesAt(broke + HOUR + SECOND)?.incidents).toEqual([done]);
    expect(reader.statesAt(broke + HOUR + SECOND)?.nodes.get("checkout")?.role).toBeNull();
    const [first, second] = reader.nodeHistory("checkout", T0, broke + HOUR, 100).spans;
    expect([first?.role, second?.role, second?.reason]).toEqual([null, "impacted", "orders-db: connection refused"]);
  });

  it("ends for a node that left the map, and begins again when it is back", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    writer.follow(mapOf({ id: "checkout" }, { id: "cart" }));
    writer.commit({
      at: T0,
      transitions: [transition("checkout", T0, "healthy"), transition("cart", T0, "healthy")],
      incidents: [],
      events: [],
    });
    writer.flush(T0 + 10 * SECOND);
    writer.follow(mapOf({ id: "checkout" }));
    writer.flush(T0 + 20 * SECOND);
    expect([...(reader.statesAt(T0 + 15 * SECOND)?.nodes.keys() ?? [])]).toEqual(["checkout"]);
    expect(reader.nodeHistory("cart", T0, T0 + 20 * SECOND, 10).spans.map((span) => [span.status, span.to - span.from])).toEqual([
      ["healthy", 10 * SECOND],
      ["no_data", 10 * SECOND],
    ]);
    writer.commit({ at: T0 + 20 * SECOND, transitions: [transition("cart", T0 + 20 * SECOND, "degraded")], incidents: [], events: [] });
    expect(reader.statesAt(T0 + 21 * SECOND)?.nodes.get("cart")?.status).toBe("degraded");
  });

  it("follows a node to its new name", () => {
    const path = folder();
    const { writer, reader, close } = open(path);
    writer.restore(T0);
    writer.append([observation("checkout", T0)]);
    writer.commit({
      at: T0,
      transitions: [transition("checkout", T0, "healthy")],
      incidents: [incident(1, T0, { anchor: "checkout" })],
      events: [{ incident: 1, at: T0, kind: "opened", node: "checkout", text: "it failed", by: null }],
    });
    writer.addChange({ at: T0, node: "checkout", text: "v2", link: null, by: null });
    writer.renameNode("checkout", "purchase");
    writer.flush(T0 + 10 * SECOND);
    expect(reader.incidentEvents(1, 5)).toMatchObject([{ node: "purchase" }]);
    expect(reader.changes(T0, T0 + SECOND, 5)).toMatchObject([{ node: "purchase", text: "v2" }]);
    expect(reader.nodeHistory("purchase", T0, T0 + 10 * SECOND, 10)).toMatchObject({
      spans: [{ status: "healthy" }],
      latency: [{ count: 1 }],
    });
    expect(reader.nodeHistory("checkout", T0, T0 + 10 * SECOND, 10).spans).toMatchObject([{ status: "no_data" }]);
    expect(reader.incidents({ node: "purchase", limit: 5 }).incidents).toMatchObject([
      { id: 1, anchor: "purchase", impacted: [{ node: "purchase" }] },
    ]);
    expect(reader.incidents({ node: "checkout", limit: 5 }).incidents).toEqual([]);
    close();
    const again = open(path);
    again.writer.restore(T0 + MINUTE);
    expect(again.reader.availability("node", "purchase", T0, T0 + 10 * SECOND).up).toBe(10 * SECOND);
  });

  it("of an incident that changes without end keeps the first, the last and ever fewer between", () => {
    const store = open(folder());
    store.writer.restore(T0);
    const anchors = Array.from({ length: 700 }, (_, i) => `node-${i}`);
    anchors.forEach((node, i) => {
      const at = T0 + i * SECOND;
      store.writer.commit({ at, transitions: [], incidents: [incident(1, T0, { impacted: [{ node, since: at }] })], events: [] });
    });
    const shown = (second: number) => store.reader.statesAt(T0 + second * SECOND)?.incidents[0]?.impacted[0]?.node;
    expect([shown(0), shown(699)]).toEqual(["node-0", "node-699"]);
    for (let second = 0; second < 700; second += 7) {
      const told = Number(shown(second)?.slice("node-".length));
      expect(told).toBeLessThanOrEqual(second);
      expect(told).toBeGreaterThan(second - 130);
    }
    expect(store.reader.incident(1)?.impacted[0]?.node).toBe("node-699");
  });
});

describe("availability", () => {
  it("counts blind time and time away as unseen, and announced work apart", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    const blind = (at: number, to: string) => transition("*", at, to, { subject: "blind" });
    first.writer.commit({ at: T0, transitions: [transition("checkout", T0, "healthy")], incidents: [], events: [] });
    live(first, T0, T0 + MINUTE);
    first.writer.commit({
      at: T0 + MINUTE,
      transitions: [blind(T0 + MINUTE, "blind"), transition("checkout", T0 + MINUTE, "unknown")],
      incidents: [],
      events: [],
    });
    live(first, T0 + MINUTE, T0 + 2 * MINUTE);
    const back = T0 + 2 * MINUTE;
    const work = incident(1, back, { kind: "maintenance", anchor: "checkout", cause: null, impacted: [] });
    first.writer.commit({
      at: back,
      transitions: [blind(back, "clear"), transition("checkout", back, "unhealthy")],
      incidents: [work],
      events: [],
    });
    live(first, back, back + MINUTE + SECOND);
    first.close();
    const second = open(path);
    second.writer.restore(T0 + HOUR);
    live(second, T0 + HOUR, T0 + HOUR + MINUTE);
    const { reader } = second;
    expect(reader.availability("node", "checkout", T0, T0 + HOUR)).toEqual({
      up: MINUTE,
      degraded: 0,
      down: MINUTE,
      unseen: MINUTE + (HOUR - 3 * MINUTE),
      maintenance: MINUTE,
    });
    expect(new Map(reader.strips(T0, T0 + 4 * MINUTE, 4)).get("checkout")).toEqual([
      { status: "healthy", share: 1 },
      null,
      { status: "unhealthy", share: 1 },
      null,
    ]);
  });

  /** By how many seconds; one back is no step to the store, but two clocks that were read one after the other. */
  const steps = (min: number, max: number) => fc.integer({ min, max }).filter((by) => by !== -1);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("live" as const), by: fc.integer({ min: 1, max: 120 }) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), by: fc.integer({ min: 0, max: 3 }) }) },
    fc.record({ kind: fc.constant("stop" as const), by: steps(-3_600, 7_200) }),
    fc.record({ kind: fc.constant("stall" as const), by: fc.integer({ min: 16, max: 3_600 }) }),
    fc.record({ kind: fc.constant("clock" as const), by: steps(-10_800, 10_800) }),
    fc.record({ kind: fc.constant("map" as const), by: fc.integer({ min: 0, max: 1 }) }),
  );

  it("and spans are those of a life told second by second, through stops, stalls, clock steps and changes of the map", () => {
    const words = ["healthy", "degraded", "unhealthy", "unknown"];
    /** What each second holds by what was last lived of it; without an entry nothing is known. */
    const told = new Map<number, string>();
    const second = (at: number): number => (at - T0) / SECOND;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (life) => {
        told.clear();
        const path = folder();
        let store = open(path);
        let now = T0;
        let status: string | null = null;
        store.writer.restore(now);
        /** Time goes on to `to`: lived, or as a gap. Set back, all that was said of the time to come is void. */
        const pass = (to: number, lived: boolean): void => {
          for (let at = now; at < to; at += SECOND) lived && status ? told.set(second(at), status) : told.delete(second(at));
          if (to < now) for (const at of told.keys()) if (at >= second(to)) told.delete(at);
          now = to;
        };
        for (const { kind, by } of life) {
          if (kind === "live")
            for (let i = 0; i < by; i += 5) {
              pass(now + 5 * SECOND, true);
              store.writer.append([observation("checkout", now, { words: { "orders-db": "up" } })]);
              store.writer.flush(now);
              store.writer.maintain(now);
            }
          else if (kind === "change") {
            status = words[by] ?? null;
            store.writer.commit({ at: now, transitions: [transition("checkout", now, status ?? "")], incidents: [], events: [] });
          } else if (kind === "map") {
            if (!by) status = null;
            store.writer.follow(by ? mapOf({ id: "checkout" }) : mapOf({ id: "cart" }));
          } else if (kind === "stop") {
            store.close();
            pass(now + by * SECOND, false);
            store = open(path);
            store.writer.restore(now);
          } else {
            pass(now + by * SECOND, by > 0 && by <= 15);
            // The first sign of life after it may be a change as well as a second's upkeep.
            if (by % 2) store.writer.flush(now);
            else store.writer.commit({ at: now, transitions: [transition("search", now, "healthy")], incidents: [], events: [] });
          }
        }
        store.writer.flush(now);
        const from = Math.min(T0, now, ...[...told.keys()].map((at) => T0 + at * SECOND)) - HOUR;
        fc.pre(now > from + SECOND);
        const { reader } = store;
        const { spans } = reader.nodeHistory("checkout", from, now, 300);
        expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([from, now]);
        const sums = { healthy: 0, degraded: 0, unhealthy: 0 };
        spans.forEach((span, i) => {
          expect(span.to).toBeGreaterThan(span.from);
          if (i > 0) expect(span.from).toBe(spans[i - 1]?.to);
          for (let at = span.from; at < span.to; at += SECOND) {
            const known = told.get(second(at)) ?? "no_data";
            if (known !== span.status) expect([second(at), span.status]).toEqual([second(at), known]);
            if (known in sums) sums[known as keyof typeof sums] += SECOND;
          }
        });
        for (const at of [...told.keys()].filter((_, i) => i % 97 === 0))
          expect([at, reader.statesAt(T0 + at * SECOND)?.nodes.get("checkout")?.status]).toEqual([at, told.get(at)]);
        const whole = reader.availability("node", "checkout", from, now);
        expect(whole).toMatchObject({ up: sums.healthy, degraded: sums.degraded, down: sums.unhealthy });
        expect(whole.up + whole.degraded + whole.down + whole.unseen).toBe(now - from);
        const middle = from + Math.round((now - from) / 2 / SECOND) * SECOND;
        const [left, right] = [reader.availability("node", "checkout", from, middle), reader.availability("node", "checkout", middle, now)];
        expect([left.up + right.up, left.down + right.down]).toEqual([whole.up, whole.down]);
        const daily = [...reader.days(now, 3)].find(({ id }) => id === "checkout")?.held ?? new Float64Array(12);
        const of = (word: number): number => daily.reduce((sum, ms, i) => (i % 4 === word ? sum + ms : sum), 0);
        expect([of(0), of(1), of(2)]).toEqual([sums.healthy, sums.degraded, sums.unhealthy]);
        store.close();
        const after = openReader(path);
        expect(after.reader.availability("node", "checkout", from, middle)).toEqual(left);
        after.close();
      }),
      { numRuns: 40 },
    );
  });

  it("that a commit ends is a gap too: after a machine was suspended the first sign of life may be a change", () => {
    const store = open(folder());
    store.writer.restore(T0);
    store.writer.flush(T0 + 5 * SECOND);
    store.writer.commit({ at: T0 + HOUR, transitions: [transition("checkout", T0 + HOUR, "healthy")], incidents: [], events: [] });
    store.writer.flush(T0 + HOUR);
    expect(store.reader.gaps(T0, T0 + DAY)).toEqual([{ from: T0 + 5 * SECOND, to: T0 + HOUR }]);
  });
});

describe("rolling up", () => {
  it("gives the same counts as the samples, also with late ones and a clock that stepped back", () => {
    const path = folder();
    const store = open(path);
    store.writer.restore(T0);
    const next = random(3);
    let polls = 0;
    let failed = 0;
    const some = (at: number): void => {
      const bad = next(20) === 0;
      polls++;
      if (bad) failed++;
      store.writer.append([
        bad ? failure("checkout", at) : observation("checkout", at, { latencyMs: 5 + next(500), words: { postgres: "up" } }),
      ]);
    };
    live(store, T0, T0 + 90 * MINUTE, (at) => {
      some(at);
      if (next(50) === 0) some(at - 25 * MINUTE);
    });
    // The clock steps back by an hour, and goes on.
    live(store, T0 + 30 * MINUTE, T0 + 26 * HOUR, (at) => {
      if (at < T0 + 4 * HOUR) some(at);
    });
    const sums = (points: number): number[] =>
      store.reader
        .nodeHistory("checkout", T0 - HOUR, T0 + 5 * HOUR, points)
        .latency.reduce<number[]>((sum, point) => [(sum[0] ?? 0) + point.count, (sum[1] ?? 0) + point.failed], [0, 0]);
    const expected = [polls, failed];
    expect([sums(3_000), sums(400), sums(7)]).toEqual([expected, expected, expected]);
    const witnessed = store.reader
      .nodeHistory("postgres", T0 - HOUR, T0 + 5 * HOUR, 7)
      .latency.reduce((sum, point) => sum + point.count, 0);
    expect(witnessed).toBe(polls - failed);
    store.close();
    const db = openRaw(`${path}/headwater.db`);
    const count = (table: string): number => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    expect(count("tail")).toBe(0);
    expect(count("raw_pack")).toBeGreaterThan(0);
    expect(count("hour_pack")).toBeGreaterThan(0);
    db.close();
  });

  it("tells a component's name from the node that the map means by it", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    writer.follow(mapOf(service("checkout", "orders-db", "postgres"), { id: "orders-db" }));
    writer.append([observation("checkout", T0, { words: { postgres: "up" } })]);
    writer.flush(T0 + SECOND);
    expect(reader.nodeHistory("orders-db", T0, T0 + MINUTE, 10).latency).toEqual([{ at: T0, count: 1, failed: 0, p50: 5, p95: 5, p99: 5 }]);
  });
});

describe("retention", () => {
  it("lets samples, minutes, hours and changes go at their age, but keeps what tells the state since then", () => {
    const path = folder();
    const store = open(path, { retention: { raw: HOUR, minutes: 3 * HOUR, hours: 2 * DAY, changes: DAY } });
    store.writer.restore(T0);
    const resolved = { status: "resolved" as const, resolvedAt: T0 + MINUTE, end: "cleared" as const };
    store.writer.commit({
      at: T0,
      transitions: [transition("checkout", T0, "unhealthy"), transition("cart", T0, "degraded")],
      incidents: [incident(1, T0, resolved), incident(2, T0)],
      events: [{ incident: 1, at: T0, kind: "opened", node: null, text: "opened", by: null }],
    });
    store.writer.commit({ at: T0 + MINUTE, transitions: [transition("checkout", T0 + MINUTE, "healthy")], incidents: [], events: [] });
    live(store, T0 + MINUTE, T0 + 6 * HOUR, (at) => store.writer.append([observation("checkout", at)]));
    const oldest = (points: number): number | undefined => store.reader.nodeHistory("checkout", T0, T0 + 6 * HOUR, points).latency[0]?.at;
    // The samples of the first hours are gone, their minutes too; hours remain and stand for them.
    expect(oldest(100_000)).toBe(T0);
    const db = openRaw(`${path}/headwater.db`);
    const first = (table: string): number =>
      Number((db.prepare(`SELECT min(key) / 16777216 AS slot FROM ${table}`).get() as { slot: number }).slot);
    expect(first("raw_pack")).toBeGreaterThanOrEqual((2 * (T0 + 4 * HOUR)) / HOUR);
    expect(first("minute_pack")).toBeGreaterThanOrEqual((T0 + 2 * HOUR) / HOUR);
    expect(first("hour")).toBe(T0 / HOUR);
    expect(first("dep")).toBe(0);
    db.close();
    live(store, T0 + 6 * HOUR, T0 + 30 * HOUR);
    expect(store.reader.transitions(T0 - DAY, T0 + 2 * DAY, 10).map((one) => [one.id, one.to])).toEqual([
      ["checkout", "healthy"],
      ["cart", "degraded"],
    ]);
    expect(store.reader.incident(1)).toBeNull();
    expect(store.reader.incidentEvents(1, 10)).toEqual([]);
    expect(store.reader.incident(2)?.id).toBe(2);
    expect(store.reader.availability("node", "cart", T0 + 29 * HOUR, T0 + 30 * HOUR - MINUTE).degraded).toBe(HOUR - MINUTE);
  });

  it("keeps the file below the size that is allowed, and says so", () => {
    const path = folder();
    const said: string[] = [];
    const maxSize = 700_000;
    const store = open(path, { maxSize, log: (_level, text) => said.push(text) });
    store.writer.restore(T0);
    const next = random(5);
    live(store, T0, T0 + 16 * HOUR, (at) => {
      for (let i = 0; i < 15; i++) store.writer.append([observation(`service-${i}`, at, { latencyMs: 1 + next(400) })]);
    });
    const db = openRaw(`${path}/headwater.db`);
    const pages = Number(db.pragma("page_count", { simple: true })) - Number(db.pragma("freelist_count", { simple: true }));
    db.close();
    expect(pages * 4_096).toBeLessThan(maxSize * 1.1);
    expect(said).toContainEqual(expect.stringContaining("storage.max_size"));
    expect(store.writer.health().error).toBeNull();
  });

  it("forgets the state of a node that left", () => {
    const path = folder();
    const store = open(path);
    store.writer.restore(T0);
    const both = systemState([nodeState("checkout", "healthy", T0), nodeState("cart", "healthy", T0)]);
    store.writer.saveState(both, { nodes: both.nodes.keys(), instances: [], edges: [] });
    store.writer.flush(T0);
    const one = systemState([nodeState("checkout", "healthy", T0)]);
    store.writer.saveState(one, { nodes: [], instances: [], edges: [] });
    live(store, T0, T0 + 3 * MINUTE);
    store.close();
    expect([
      ...(open(path)
        .writer.restore(T0 + HOUR)
        .state?.nodes.keys() ?? []),
    ]).toEqual(["checkout"]);
  });
});

describe("lists", () => {
  it("of incidents are newest first, by page, and by node, nodes, system, time and state", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    const resolved = (at: number) => ({ status: "resolved" as const, resolvedAt: at, end: "cleared" as const });
    writer.commit({
      at: T0 + DAY,
      transitions: [],
      incidents: [
        incident(1, T0, resolved(T0 + HOUR)),
        incident(2, T0 + 2 * HOUR, { anchor: "cache", cause: null, impacted: [], systems: [] }),
        incident(3, T0 + 5 * HOUR),
      ],
      events: [],
    });
    const ids = (query: Parameters<typeof reader.incidents>[0]): number[] => reader.incidents(query).incidents.map((one) => one.id);
    expect(ids({ limit: 10 })).toEqual([3, 2, 1]);
    expect(reader.incidents({ limit: 2 })).toMatchObject({ incidents: [{ id: 3 }, { id: 2 }], next: 2 });
    expect(reader.incidents({ limit: 2, cursor: 2 })).toMatchObject({ incidents: [{ id: 1 }], next: null });
    expect(ids({ open: true, limit: 10 })).toEqual([3, 2]);
    expect(ids({ open: false, limit: 10 })).toEqual([1]);
    expect(ids({ node: "checkout", limit: 10 })).toEqual([3, 1]);
    expect(ids({ nodes: ["cache", "other"], limit: 10 })).toEqual([2]);
    expect(ids({ system: "storefront", limit: 10 })).toEqual([3, 1]);
    expect(ids({ from: T0 + 90 * MINUTE, to: T0 + 4 * HOUR, limit: 10 })).toEqual([2]);
  });

  it("of changes that people marked are those of the node and those of all", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    for (const [at, node] of [
      [1, "checkout"],
      [2, null],
      [3, "cart"],
    ] as const)
      expect(writer.addChange({ at: T0 + at, node, text: `deploy ${at}`, link: null, by: "ada" })).toBe(true);
    expect(reader.changes(T0, T0 + SECOND, 2).map((one) => one.text)).toEqual(["deploy 3", "deploy 2"]);
    expect(reader.nodeHistory("checkout", T0, T0 + SECOND, 10).changes.map((one) => one.text)).toEqual(["deploy 2", "deploy 1"]);
  });

  it("of revisions are newest first, with their texts", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    const common = { path: "map/common.yaml", text: "teams: {}\n" };
    for (let n = 1; n <= 3; n++)
      writer.acceptRevision({
        acceptedAt: T0 + n,
        hash: `hash-${n}`,
        commit: null,
        summary: `change ${n}`,
        files: [common, { path: "map/shop.yaml", text: `# ${n}\n` }],
      });
    const page = reader.revisions(2);
    expect(page.revisions.map((one) => [one.revision, one.files.map((file) => file.text)])).toEqual([
      [3, ["teams: {}\n", "# 3\n"]],
      [2, ["teams: {}\n", "# 2\n"]],
    ]);
    const heads = reader.revisionHeads(2);
    expect(heads).toEqual({ revisions: page.revisions.map(({ files: _files, ...head }) => head), next: 2 });
    expect(reader.revisions(2, page.next ?? 0)).toMatchObject({ revisions: [{ revision: 1, summary: "change 1" }], next: null });
  });
});
