import { afterEach, describe, expect, it, vi } from "vitest";
import { judge } from "../../server/src/analysis/verdict.ts";
import { parseConfig } from "../../server/src/config/parse.ts";
import {
  Availability,
  Board,
  ChangeList,
  IncidentDetail,
  IncidentList,
  NodeDetail,
  NodeHistory,
  RevisionList,
  Strips,
} from "../../server/src/contract/index.ts";
import type { HistoryReader, HistoryWriter } from "../../server/src/domain/history.ts";
import type { Incident } from "../../server/src/domain/incident.ts";
import type { SystemMap } from "../../server/src/domain/map.ts";
import { initialState, observe } from "../../server/src/state/reduce.ts";
import { appOn, closeApps } from "../support/app.ts";
import { incident, NOW, TestLive } from "../support/live.ts";
import { failure, folder, HOUR, MINUTE, observation, open, SECOND, transition } from "./store-support.ts";

afterEach(async () => {
  vi.useRealTimers();
  await closeApps();
});

const MAP = `
teams:
  payments: { contact: "#payments-oncall" }
resources:
  orders-db: { kind: database, team: payments }
services:
  checkout:
    team: payments
    url: http://checkout.internal:8080/health/deep?token=hunter3
    headers: { authorization: "Bearer hunter2" }
    dependencies: [{ on: orders-db, component: postgres, criticality: hard }]
  cart:
    url: http://cart.internal:8080/health/deep
    dependencies: [{ on: orders-db, criticality: hard }, { on: checkout, criticality: soft }]
systems:
  storefront: { public: true, members: [{ node: checkout, criticality: hard }] }
`;

function accepted(): SystemMap {
  const { map, errors } = parseConfig([{ path: "map/shop.yaml", text: MAP }], "keep", "2026-10-24");
  if (!map) throw new Error(JSON.stringify(errors));
  return map;
}

/** An aggregator on a real map and a real history, without the clockwork: a test says what was polled. */
class StoredLive extends TestLive {
  readonly writer: HistoryWriter;
  readonly reader: HistoryReader;

  constructor(map: SystemMap) {
    super({ map, state: initialState(map), incidents: [] });
    ({ writer: this.writer, reader: this.reader } = open(folder()));
    this.writer.restore(NOW - HOUR);
    this.writer.follow(map);
  }

  override history(): HistoryReader {
    return this.reader;
  }

  /** Time in which Headwater runs and nothing moves. */
  idle(from: number, to: number): void {
    for (let at = from; at <= to; at += 5 * SECOND) this.writer.flush(at);
    this.clock = to;
  }

  /** Takes in polls, judges, commits what changed, and publishes. */
  poll(observations: Parameters<typeof observe>[2], at: number): void {
    this.clock = at;
    const { map } = this.current;
    const { state, transitions, changed } = observe(this.current.state, map, observations, at);
    const verdict = judge({ now: at, map, state });
    this.writer.append(observations);
    this.writer.commit({ at, transitions, incidents: [], events: [] });
    this.writer.flush(at);
    this.publish({ state, verdict, now: at }, { nodes: [...changed.nodes] });
  }

  open(one: Incident): void {
    this.writer.commit({
      at: one.detectedAt,
      transitions: [transition("orders-db", one.openedAt, "unhealthy", { incident: one.id })],
      incidents: [one],
      events: [{ incident: one.id, at: one.detectedAt, kind: "opened", node: one.anchor, text: `${one.anchor} is down`, by: null }],
    });
    this.publish({ incidents: [one, ...this.current.incidents.filter(({ id }) => id !== one.id)] }, { incidents: [one] });
  }

  override note(id: number, text: string, actor: { name: string }): Incident | null {
    const found = this.reader.incident(id);
    if (found) this.writer.addEvent({ incident: id, at: this.clock, kind: "note", node: null, text, by: actor.name });
    return found;
  }

  override markChange(change: Parameters<TestLive["markChange"]>[0], actor: { name: string }): void {
    this.writer.addChange({ ...change, by: actor.name });
  }
}

describe("the API over a real map, real states and a real history", () => {
  it("tells from polls what is wrong, node by node", async () => {
    const live = new StoredLive(accepted());
    const app = await appOn(live);
    for (let i = 3; i >= 0; i--) {
      const at = NOW - i * 10 * SECOND;
      live.poll(
        [
          observation("checkout", at, {
            httpStatus: 503,
            report: { status: "unhealthy", components: [{ name: "postgres", status: "down", error: "refused" }] },
          }),
          observation("cart", at, {
            httpStatus: 503,
            report: {
              status: "unhealthy",
              components: [
                { name: "orders-db", status: "down" },
                { name: "disk", status: "up" },
              ],
            },
          }),
        ],
        at,
      );
    }
    const board = Board.strict().parse((await app.inject("/api/v1/board")).json());
    expect(board.nodes.map(({ id, status, role }) => [id, status, role])).toEqual([
      ["orders-db", "unhealthy", "root_cause"],
      ["checkout", "unhealthy", "impacted"],
      ["cart", "unhealthy", "impacted"],
    ]);
    expect([board.status, board.freshness.oldest_age_ms, board.coverage]).toEqual(["unhealthy", 0, { known: 3, total: 3 }]);

    const checkout = NodeDetail.strict().parse((await app.inject("/api/v1/nodes/checkout")).json());
    expect(checkout).toMatchObject({ contact: "#payments-oncall", path: ["checkout", "orders-db"], own_word: "unhealthy" });
    expect(checkout.dependencies).toMatchObject([{ to: "orders-db", status: "down", error: "refused", others: { up: 0, down: 1 } }]);
    expect(checkout.place).toEqual({ file: "map/shop.yaml", line: 7 });
    expect(checkout.instances[0]?.url).toBe("http://checkout.internal:8080/health/deep?token=");
    const cart = NodeDetail.strict().parse((await app.inject("/api/v1/nodes/cart")).json());
    expect(cart.unmapped.map(({ name, status }) => [name, status])).toEqual([["disk", "up"]]);
    for (const url of ["/api/v1/board", "/api/v1/map", "/api/v1/nodes/checkout", "/metrics", "/api/v1/revisions"])
      expect((await app.inject(url)).body).not.toContain("hunter");
  });

  it("draws the past with its gaps, latencies and failures, and the board as it was", async () => {
    const live = new StoredLive(accepted());
    const app = await appOn(live);
    const began = NOW - 20 * MINUTE;
    live.idle(NOW - HOUR, began);
    for (let i = 0; i < 60; i++) live.poll([observation("cart", began + i * 10 * SECOND, { latencyMs: i + 1 })], began + i * 10 * SECOND);
    for (let i = 60; i < 63; i++) live.poll([failure("cart", began + i * 10 * SECOND)], began + i * 10 * SECOND);
    live.idle(live.clock, NOW);

    const from = new Date(NOW - 30 * MINUTE).toISOString();
    const history = NodeHistory.strict().parse((await app.inject(`/api/v1/nodes/cart/history?from=${from}`)).json());
    expect(history.spans.map(({ status }) => status)).toEqual(["no_data", "healthy", "unknown"]);
    expect(history.spans.at(-1)?.reason).toMatch(/timeout/i);
    expect(history.failures.map(({ outcome }) => outcome)).toEqual(["timeout", "timeout", "timeout"]);
    expect(history.latency.reduce((sum, { count }) => sum + count, 0)).toBe(63);
    const { availability } = Availability.strict().parse((await app.inject(`/api/v1/availability?node=cart&from=${from}`)).json());
    expect(availability).toBe(1);

    // Time stands still, so that the percentiles are read without a pause.
    vi.useFakeTimers({ toFake: ["performance"] });
    const strips = Strips.strict().parse((await app.inject("/api/v1/strips?hours=1&cells=6")).json());
    expect(strips.nodes.cart).toEqual([null, 3, ["healthy", expect.any(Number)], ["unknown", expect.any(Number)]]);
    expect(strips.p95.cart).toBeGreaterThanOrEqual(55);

    const then = Board.strict().parse((await app.inject(`/api/v1/board?at=${new Date(NOW - 15 * MINUTE).toISOString()}`)).json());
    expect(then.nodes.map(({ id, status, last_checked }) => [id, status, last_checked])).toContainEqual(["cart", "healthy", null]);
    expect((await app.inject(`/api/v1/board?at=${new Date(NOW - 2 * HOUR).toISOString()}`)).json().error.code).toBe("no_data");
  });

  it("pages through incidents, and keeps what people write to them", async () => {
    const live = new StoredLive(accepted());
    const app = await appOn(live);
    for (let id = 1; id <= 5; id++) {
      const at = NOW - (60 - id * 10) * MINUTE;
      const over = id < 5 ? ({ status: "resolved", resolvedAt: at + 5 * MINUTE, end: "cleared" } as const) : {};
      live.open(
        incident(id, "orders-db", { openedAt: at, detectedAt: at + 20 * SECOND, impacted: [{ node: "checkout", since: at }], ...over }),
      );
    }
    const list = async (query: string) => IncidentList.strict().parse((await app.inject(`/api/v1/incidents${query}`)).json());
    const ids = async (query: string) => (await list(query)).incidents.map(({ id }) => id);
    const first = await list("?limit=2");
    expect(first.incidents.map(({ id }) => id)).toEqual([5, 4]);
    const second = await list(`?limit=2&cursor=${first.next}`);
    expect(second.incidents.map(({ id }) => id)).toEqual([3, 2]);
    expect(await list(`?limit=2&cursor=${second.next}`)).toMatchObject({ incidents: [{ id: 1 }], next: null });
    expect(await ids("?open=true")).toEqual([5]);
    expect(await ids("?open=false")).toEqual([4, 3, 2, 1]);
    expect(await ids("?team=payments&limit=1")).toEqual([5]);
    expect(await ids("?team=nobody")).toEqual([]);
    expect(await ids("?node=cart")).toEqual([]);
    expect(await ids(`?to=${new Date(NOW - 45 * MINUTE).toISOString()}`)).toEqual([1]);

    const headers = { origin: "http://localhost", host: "localhost" };
    await app.inject({ method: "POST", url: "/api/v1/incidents/2/notes", headers, payload: { text: "=cmd|' /C calc'!A0", name: "Mia" } });
    const detail = IncidentDetail.strict().parse((await app.inject("/api/v1/incidents/2")).json());
    expect(detail.events.map(({ kind, text, by }) => [kind, text, by])).toEqual([
      ["note", "=cmd|' /C calc'!A0", "Mia"],
      ["opened", "orders-db is down", null],
    ]);
    expect(detail.paths).toEqual({ checkout: ["checkout", "orders-db"] });

    await app.inject({ method: "POST", url: "/api/v1/changes", headers, payload: { node: "cart", text: "v2" } });
    live.clock += SECOND;
    expect(ChangeList.strict().parse((await app.inject("/api/v1/changes")).json()).changes).toMatchObject([
      { node: "cart", text: "v2", by: "anonymous" },
    ]);
  });

  it("lists revisions with their summaries, not their texts", async () => {
    const live = new StoredLive(accepted());
    for (let i = 1; i <= 3; i++)
      live.writer.acceptRevision({
        acceptedAt: NOW + i,
        hash: `h${i}`,
        commit: null,
        summary: `change ${i}`,
        files: [{ path: "map/shop.yaml", text: MAP }],
      });
    const app = await appOn(live);
    const page = RevisionList.strict().parse((await app.inject("/api/v1/revisions?limit=2")).json());
    expect([page.revisions.map(({ summary }) => summary), page.next]).toEqual([["change 3", "change 2"], "2"]);
    expect(
      (await app.inject(`/api/v1/revisions?cursor=${page.next}`)).json().revisions.map(({ revision }: { revision: number }) => revision),
    ).toEqual([1]);
  });
});
