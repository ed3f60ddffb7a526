import { cpSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../server/src/domain/turns.ts";
import {
  DAY,
  edgeState,
  everything,
  failure,
  folder,
  HOUR,
  incident,
  instanceState,
  MINUTE,
  nodeState,
  observation,
  open,
  openRaw,
  SECOND,
  systemState,
  T0,
  transition,
} from "./store-support.ts";

describe("a new history", () => {
  it("begins empty, creating its folder", () => {
    const { writer, reader } = open(`${folder()}/deep/data`);
    expect(writer.restore(T0)).toEqual({
      state: null,
      incidents: [],
      nextIncidentId: 1,
      revision: null,
      works: [],
      changes: [],
      lastDurableAt: null,
      lastAnswerAt: null,
    });
    expect(writer.health()).toMatchObject({ lastWriteAt: T0, queued: 0, dropped: 0, error: null });
    expect(reader.gaps(T0 - DAY, T0)).toEqual([]);
    expect(atOnce(reader.statesAt(T0 - 1))).toBeNull();
  });

  it("shows time before it as no data", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    writer.commit({ at: T0 + 10 * SECOND, transitions: [transition("checkout", T0 + 10 * SECOND, "healthy")], incidents: [], events: [] });
    for (let at = T0 + 20 * SECOND; at <= T0 + MINUTE; at += 10 * SECOND) writer.flush(at);
    expect(atOnce(reader.nodeHistory("checkout", T0 - HOUR, T0 + MINUTE, 100)).spans).toEqual([
      { status: "no_data", from: T0 - HOUR, to: T0 + 10 * SECOND, reason: null, role: null },
      { status: "healthy", from: T0 + 10 * SECOND, to: T0 + MINUTE, reason: null, role: null },
    ]);
  });
});

describe("a restart", () => {
  it("brings back states, incidents, ids, the revision, and records the time away as a gap", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    const files = [{ path: "map/shop.yaml", text: "services: {}\n" }];
    expect(first.writer.acceptRevision({ acceptedAt: T0, hash: "a", commit: "c0ffee", summary: "first", files })).toBe(1);
    const state = systemState(
      [nodeState("checkout", "healthy", T0), nodeState("orders-db", "unhealthy", T0 + MINUTE)],
      [instanceState("checkout", "healthy", T0)],
      [edgeState("checkout", "orders-db", "down", T0)],
    );
    first.writer.saveState(state, everything(state));
    first.writer.append([observation("checkout", T0 + MINUTE)]);
    for (let at = T0; at < T0 + MINUTE; at += 10 * SECOND) first.writer.flush(at);
    expect(
      first.writer.commit({
        at: T0 + MINUTE,
        transitions: [transition("orders-db", T0 + MINUTE, "unhealthy", { incident: 7 })],
        incidents: [incident(7, T0 + MINUTE)],
        events: [{ incident: 7, at: T0 + MINUTE, kind: "opened", node: "orders-db", text: "orders-db is down", by: null }],
      }),
    ).toBe(true);
    first.writer.flush(T0 + MINUTE);
    first.close();

    const { writer, reader } = open(path);
    const back = writer.restore(T0 + HOUR);
    expect(back.state?.nodes).toEqual(state.nodes);
    expect(back.state?.edges).toEqual(state.edges);
    expect(back.state?.instances.get("checkout")).toEqual({
      ...instanceState("checkout", "healthy", T0),
      lastPollAt: T0 + MINUTE,
      lastReportAt: T0 + MINUTE,
    });
    expect(back).toMatchObject({
      incidents: [incident(7, T0 + MINUTE)],
      nextIncidentId: 8,
      lastDurableAt: T0 + MINUTE,
      lastAnswerAt: T0 + MINUTE,
    });
    expect(back.revision).toEqual({ revision: 1, acceptedAt: T0, hash: "a", commit: "c0ffee", summary: "first", files });
    expect(writer.acceptRevision({ acceptedAt: T0 + HOUR, hash: "a", commit: null, summary: "same", files })).toBe(1);
    expect(writer.acceptRevision({ acceptedAt: T0 + HOUR, hash: "b", commit: null, summary: "next", files })).toBe(2);
    expect(reader.gaps(T0, T0 + DAY)).toEqual([{ from: T0 + MINUTE, to: T0 + HOUR }]);
    expect(atOnce(reader.statesAt(T0 + 2 * MINUTE))).toBeNull();
    expect(reader.incidentEvents(7, 10)).toEqual([
      { incident: 7, at: T0 + MINUTE, kind: "opened", node: "orders-db", text: "orders-db is down", by: null },
    ]);
  });

  it("takes a committed transition over a state that was saved before it", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    const state = systemState([nodeState("checkout", "healthy", T0)], [instanceState("checkout", "healthy", T0)]);
    first.writer.saveState(state, everything(state));
    first.writer.flush(T0);
    const at = T0 + 30 * SECOND;
    first.writer.commit({
      at,
      transitions: [transition("checkout", at, "unhealthy"), transition("checkout", at, "unhealthy", { subject: "instance" })],
      incidents: [],
      events: [],
    });
    first.close();
    const back = open(path).writer.restore(T0 + MINUTE);
    expect(back.state?.nodes.get("checkout")).toMatchObject({ status: "unhealthy", since: at });
    expect(back.state?.instances.get("checkout")?.damped).toMatchObject({ status: "unhealthy", since: at, run: [], pending: null });
  });

  it("writes the states of a great change in portions, and loses none of it to a kill in between", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    const ids = Array.from({ length: 500 }, (_, i) => `s${i}`);
    const saved = (status: "healthy" | "unhealthy", at: number) => {
      const state = systemState(ids.map((id) => nodeState(id, status, at)));
      first.writer.saveState(state, everything(state));
      first.writer.flush(at);
    };
    const raw = openRaw(`${path}/headwater.db`);
    const rows = () => (raw.prepare("SELECT data FROM state").all() as { data: string }[]).map(({ data }) => data);
    saved("healthy", T0);
    for (let i = 1; i <= 2; i++) first.writer.flush(T0 + i * SECOND);
    expect(rows()).toHaveLength(500);
    const before = new Set(rows());

    const at = T0 + MINUTE;
    first.writer.commit({ at, transitions: ids.map((id) => transition(id, at, "unhealthy")), incidents: [], events: [] });
    saved("unhealthy", at);
    expect(rows().filter((data) => before.has(data)).length).toBeGreaterThan(250);

    const killed = folder();
    cpSync(path, killed, { recursive: true });
    const back = open(killed).writer.restore(T0 + 2 * MINUTE);
    expect(ids.filter((id) => back.state?.nodes.get(id)?.status !== "unhealthy")).toEqual([]);

    for (let i = 1; i <= 2; i++) first.writer.flush(at + i * SECOND);
    expect(rows().filter((data) => before.has(data))).toEqual([]);
    raw.close();
    first.close();
  });

  it("keeps an announced blindness", () => {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    const state = systemState([nodeState("checkout", "unknown", T0)]);
    first.writer.saveState(state, everything(state));
    first.writer.commit({ at: T0, transitions: [transition("*", T0, "blind", { subject: "blind" })], incidents: [], events: [] });
    first.close();
    expect(open(path).writer.restore(T0 + MINUTE).state?.blind).toEqual({ since: T0 });
  });

  it("keeps that we could not tell ourselves from a silent fleet", () => {
    const path = folder();
    for (const cannotTell of [true, false]) {
      const store = open(path);
      store.writer.restore(T0);
      const state = { ...systemState([nodeState("checkout", "unknown", T0)]), ...(cannotTell ? { cannotTell } : {}) };
      store.writer.saveState(state, everything(state));
      store.writer.flush(T0);
      store.close();
      const again = open(path);
      expect(again.writer.restore(T0 + MINUTE).state?.cannotTell).toBe(cannotTell ? true : undefined);
      again.close();
    }
  });
});

describe("samples", () => {
  /** Three hours of one service and its database, polled every ten seconds, with maintenance in between. */
  function filled() {
    const store = open(folder());
    store.writer.restore(T0);
    store.writer.commit({
      at: T0,
      transitions: [transition("checkout", T0, "healthy"), transition("orders-db", T0, "healthy")],
      incidents: [],
      events: [],
    });
    for (let at = T0; at < T0 + 3 * HOUR; at += 10 * SECOND) {
      const minute = Math.floor((at - T0) / MINUTE);
      store.writer.append([
        minute % 30 === 7
          ? failure("checkout", at)
          : observation("checkout", at, { latencyMs: 10 + (minute % 10), words: { "orders-db": "up" } }),
      ]);
      store.writer.flush(at);
      while (store.writer.maintain(at));
    }
    return store;
  }

  it("make a chart of each tier with the same counts", () => {
    const { reader } = filled();
    const fine = atOnce(reader.nodeHistory("checkout", T0, T0 + 3 * HOUR, 1_080));
    const medium = atOnce(reader.nodeHistory("checkout", T0, T0 + 3 * HOUR, 180));
    const coarse = atOnce(reader.nodeHistory("checkout", T0, T0 + 3 * HOUR, 3));
    expect([fine.bucket, medium.bucket, coarse.bucket]).toEqual([10 * SECOND, MINUTE, HOUR]);
    for (const { latency } of [fine, medium, coarse]) {
      expect(latency.reduce((sum, point) => sum + point.count, 0)).toBe(1_080);
      expect(latency.reduce((sum, point) => sum + point.failed, 0)).toBe(36);
    }
    expect(fine.latency).toHaveLength(1_080);
    expect(fine.latency[0]).toEqual({ at: T0, count: 1, failed: 0, p50: 10, p95: 10, p99: 10 });
    expect(coarse.latency[1]?.p50).toBeGreaterThan(13);
    expect(coarse.latency[1]?.p99).toBeLessThan(20.5);
    expect(fine.failures).toHaveLength(36);
    expect(fine.failures[0]).toEqual({ at: T0 + 2 * HOUR + 37 * MINUTE + 50 * SECOND, outcome: "timeout" });
  });

  it("tell of each dependency how long its checks took, from single checks or from hours", () => {
    const { reader } = filled();
    const whole = atOnce(reader.dependencyLatency("checkout", "orders-db", T0, T0 + 3 * HOUR, 1_000));
    expect(whole.bucket).toBe(HOUR);
    expect(whole.latency.map(({ at, count }) => [at, count])).toEqual([
      [T0, 348],
      [T0 + HOUR, 348],
      [T0 + 2 * HOUR, 348],
    ]);
    expect(whole.whole).toMatchObject({ at: T0, count: 1_044, failed: 0 });
    expect(whole.whole.p95).toBeCloseTo(5, 0);
    const late = atOnce(reader.dependencyLatency("checkout", "orders-db", T0 + 2.5 * HOUR, T0 + 3 * HOUR, 1_000));
    expect([late.bucket, late.whole.count, late.latency.length]).toEqual([2 * SECOND, 174, 174]);
    expect(atOnce(reader.dependencyLatency("checkout", "search", T0, T0 + HOUR, 10)).latency).toEqual([]);
  });

  it("of the whole board make percentiles in one reading", () => {
    const { reader } = filled();
    const reading = reader.percentiles(T0 + 3 * HOUR);
    let step = reading.next();
    while (!step.done) step = reading.next();
    expect([...step.value.keys()].sort()).toEqual(["checkout", "orders-db"]);
    expect(step.value.get("checkout")).toBeCloseTo(19, -0.5);
    expect(step.value.get("orders-db")).toBeCloseTo(5, 0);
  });

  it("of witnesses make the latency of a resource", () => {
    const { reader } = filled();
    for (const points of [1_080, 180, 3]) {
      const { latency } = atOnce(reader.nodeHistory("orders-db", T0, T0 + 3 * HOUR, points));
      expect(latency.reduce((sum, point) => sum + point.count, 0)).toBe(1_080 - 36);
      for (const point of latency) expect(point.p50).toBeCloseTo(5, 0);
    }
  });
});
