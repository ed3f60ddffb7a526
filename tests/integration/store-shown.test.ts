import { describe, expect, it } from "vitest";
import { atOnce } from "../../server/src/domain/turns.ts";
import { folder, HOUR, incident, live, MINUTE, mapOf, observation, open, SECOND, T0, transition } from "./store-support.ts";

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

    expect(atOnce(reader.statesAt(T0 + SECOND))).toMatchObject({ incidents: [], mapRevision: 1 });
    const then = atOnce(reader.statesAt(broke + SECOND));
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
    expect(atOnce(reader.statesAt(broke + 2 * MINUTE))?.incidents).toEqual([surer]);
    expect(atOnce(reader.statesAt(broke + HOUR + SECOND))?.incidents).toEqual([done]);
    expect(atOnce(reader.statesAt(broke + HOUR + SECOND))?.nodes.get("checkout")?.role).toBeNull();
    const [first, second] = atOnce(reader.nodeHistory("checkout", T0, broke + HOUR, 100)).spans;
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
    expect([...(atOnce(reader.statesAt(T0 + 15 * SECOND))?.nodes.keys() ?? [])]).toEqual(["checkout"]);
    expect(atOnce(reader.nodeHistory("cart", T0, T0 + 20 * SECOND, 10)).spans.map((span) => [span.status, span.to - span.from])).toEqual([
      ["healthy", 10 * SECOND],
      ["no_data", 10 * SECOND],
    ]);
    writer.commit({ at: T0 + 20 * SECOND, transitions: [transition("cart", T0 + 20 * SECOND, "degraded")], incidents: [], events: [] });
    expect(atOnce(reader.statesAt(T0 + 21 * SECOND))?.nodes.get("cart")?.status).toBe("degraded");
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
    expect(atOnce(reader.nodeHistory("purchase", T0, T0 + 10 * SECOND, 10))).toMatchObject({
      spans: [{ status: "healthy" }],
      latency: [{ count: 1 }],
    });
    expect(atOnce(reader.nodeHistory("checkout", T0, T0 + 10 * SECOND, 10)).spans).toMatchObject([{ status: "no_data" }]);
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
    const shown = (second: number) => atOnce(store.reader.statesAt(T0 + second * SECOND))?.incidents[0]?.impacted[0]?.node;
    expect([shown(0), shown(699)]).toEqual(["node-0", "node-699"]);
    for (let second = 0; second < 700; second += 7) {
      const told = Number(shown(second)?.slice("node-".length));
      expect(told).toBeLessThanOrEqual(second);
      expect(told).toBeGreaterThan(second - 130);
    }
    expect(store.reader.incident(1)?.impacted[0]?.node).toBe("node-699");
  });
});
