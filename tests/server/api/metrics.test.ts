import { afterEach, describe, expect, it } from "vitest";
import type { Board } from "../../../server/src/contract/index.ts";
import { SEVERITIES } from "../../../server/src/domain/incident.ts";
import { STATUSES } from "../../../server/src/domain/status.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { incident, instanceState, mapOf, NOW, resource, shop, stateOf, TestLive } from "../../support/live.ts";
import { randomOf } from "../../support/random.ts";

afterEach(closeApps);

const teamOf = (id: string) => ({ id, name: id, description: null, contact: null, links: {} });

/** A reader of the exposition's samples: `name{labels}` → value. */
async function scrape(live: TestLive): Promise<() => Promise<Map<string, number>>> {
  const app = await appOn(live);
  return async () => {
    const answer = await app.inject("/metrics");
    expect(answer.headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    const samples = answer.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
  };
}

describe("the metrics", () => {
  it("say what is true at the scrape", async () => {
    const samples = await (await scrape(new TestLive()))();
    expect(Object.fromEntries([...samples].filter(([name]) => /^headwater_(?!poll_duration|build|event_loop)/.test(name)))).toEqual({
      'headwater_stale{because="no_answers"}': 0,
      'headwater_stale{because="few_reporting"}': 0,
      'headwater_stale{because="overdue"}': 0,
      'headwater_stale{because="blind"}': 0,
      'headwater_stale{because="frozen"}': 0,
      'headwater_stale{because="history"}': 0,
      'headwater_stale{because="starting"}': 0,
      'headwater_stale{because="nothing_to_poll"}': 0,
      headwater_blind: 0,
      headwater_last_answer_timestamp_seconds: NOW / 1_000 - 1,
      headwater_instances: 2,
      headwater_reporting_instances: 2,
      headwater_overdue_instances: 0,
      'headwater_polls_total{outcome="report"}': 40,
      'headwater_polls_total{outcome="timeout"}': 2,
      headwater_polls_in_flight: 0,
      headwater_poller_lag_seconds: 0.003,
      headwater_ticks_skipped_total: 1,
      headwater_history_last_write_timestamp_seconds: NOW / 1_000 - 2,
      headwater_history_queued: 0,
      headwater_history_dropped_total: 0,
      headwater_history_size_bytes: 4_096,
      headwater_map_refused: 0,
      headwater_map_revision: 1,
      'headwater_node_status{node="orders-db",team="data",status="healthy"}': 0,
      'headwater_node_status{node="orders-db",team="data",status="degraded"}': 0,
      'headwater_node_status{node="orders-db",team="data",status="unhealthy"}': 1,
      'headwater_node_status{node="orders-db",team="data",status="unknown"}': 0,
      'headwater_node_status{node="checkout",team="pay",status="healthy"}': 0,
      'headwater_node_status{node="checkout",team="pay",status="degraded"}': 0,
      'headwater_node_status{node="checkout",team="pay",status="unhealthy"}': 1,
      'headwater_node_status{node="checkout",team="pay",status="unknown"}': 0,
      'headwater_node_status{node="web",team="pay",status="healthy"}': 0,
      'headwater_node_status{node="web",team="pay",status="degraded"}': 0,
      'headwater_node_status{node="web",team="pay",status="unhealthy"}': 1,
      'headwater_node_status{node="web",team="pay",status="unknown"}': 0,
      'headwater_node_status{node="search",team="",status="healthy"}': 1,
      'headwater_node_status{node="search",team="",status="degraded"}': 0,
      'headwater_node_status{node="search",team="",status="unhealthy"}': 0,
      'headwater_node_status{node="search",team="",status="unknown"}': 0,
      'headwater_node_role{node="orders-db",team="data",role="root_cause"}': 1,
      'headwater_node_role{node="checkout",team="pay",role="impacted"}': 1,
      'headwater_node_role{node="web",team="pay",role="impacted"}': 1,
      'headwater_system_status{system="storefront",status="healthy"}': 0,
      'headwater_system_status{system="storefront",status="degraded"}': 0,
      'headwater_system_status{system="storefront",status="unhealthy"}': 1,
      'headwater_system_status{system="storefront",status="unknown"}': 0,
      'headwater_system_status{system="back-office",status="healthy"}': 1,
      'headwater_system_status{system="back-office",status="degraded"}': 0,
      'headwater_system_status{system="back-office",status="unhealthy"}': 0,
      'headwater_system_status{system="back-office",status="unknown"}': 0,
      'headwater_incidents_open{team="",severity="page"}': 0,
      'headwater_incidents_open{team="",severity="ticket"}': 0,
      'headwater_incidents_open{team="",severity="info"}': 0,
      'headwater_incidents_open{team="data",severity="page"}': 1,
      'headwater_incidents_open{team="data",severity="ticket"}': 0,
      'headwater_incidents_open{team="data",severity="info"}': 0,
      'headwater_incidents_open{team="pay",severity="page"}': 0,
      'headwater_incidents_open{team="pay",severity="ticket"}': 0,
      'headwater_incidents_open{team="pay",severity="info"}': 0,
      headwater_stream_viewers: 0,
      headwater_stream_dropped_total: 0,
    });
    expect(samples.get(`headwater_build_info{version="1.2.3",commit="abc123",node="${process.versions.node}",site="eu-1"}`)).toBe(1);
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(samples.get("headwater_event_loop_delay_seconds")).toBeGreaterThanOrEqual(0);
  });

  it("let a node's series go with the node, and an incident's with its end", async () => {
    const live = new TestLive();
    const read = await scrape(live);
    await read();
    live.publish({
      map: mapOf([resource("orders-db")]),
      incidents: [incident(7, "orders-db", { status: "resolved", resolvedAt: NOW })],
      verdict: { ...shop().verdict, roles: new Map() },
    });
    const names = [...(await read())]
      .flatMap(([name, value]) => (value === 1 ? [name] : []))
      .filter((name) => /node_|incidents_open\{team="[^"]/.test(name));
    expect(names).toEqual(['headwater_node_status{node="orders-db",team="",status="unhealthy"}']);
  });

  it("agree with the board and the public status, whatever is published, for they are read from one snapshot", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const random = randomOf("one snapshot");
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const ids = [...live.current.map.nodes.keys()];
    for (let round = 0; round < 30; round++) {
      const statuses = Object.fromEntries(ids.map((id) => [id, pick(STATUSES)]));
      const open = Array.from({ length: Math.floor(random() * 4) }, (_, i) => incident(i + 1, pick(ids), { severity: pick(SEVERITIES) }));
      live.signalNow = { ...live.signalNow, stale: random() < 0.5, because: [] };
      live.publish({ state: stateOf(live.current.map, statuses), incidents: open });
      const [board, status, metrics] = await Promise.all([app.inject("/api/v1/board"), app.inject("/status"), app.inject("/metrics")]);
      const { nodes, systems, incidents, freshness } = board.json() as Board;
      const set = (metric: string, label: string) =>
        new Map(
          [...metrics.body.matchAll(new RegExp(`^${metric}\\{.*?${label}="(.*?)".*status="(.*?)"\\} 1$`, "gm"))].map(([, id, word]) => [
            id,
            word,
          ]),
        );
      expect(set("headwater_node_status", "node")).toEqual(new Map(nodes.map((node) => [node.id, node.status])));
      expect(set("headwater_system_status", "system")).toEqual(new Map(systems.map((system) => [system.id, system.status])));
      const counted = [...metrics.body.matchAll(/^headwater_incidents_open\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
      expect(counted).toBe(incidents.length);
      const word = { healthy: "up", degraded: "degraded", unhealthy: "down", unknown: "unknown" } as const;
      const shown = systems.find(({ id }) => id === "storefront")?.status ?? "unknown";
      expect((status.json() as { status: string }).status).toBe(freshness.stale ? "unknown" : word[shown]);
    }
  });

  it("have as many series as the map makes, and no more for what services say", async () => {
    const count = async (size: number) => {
      const all = Array.from({ length: size }, (_, i) => resource(`n${i}`, { team: `t${i % 5}` }));
      const live = new TestLive({
        map: mapOf(all, [], { teams: new Map(Array.from({ length: 5 }, (_, i) => [`t${i}`, teamOf(`t${i}`)])) }),
      });
      const nodes = new Map([...live.current.state.nodes].map(([id, node]) => [id, { ...node, reason: `said by a service: ${id}` }]));
      live.publish({ state: { ...live.current.state, nodes } });
      return (await (await scrape(live))()).size;
    };
    const [ten, hundred] = [await count(10), await count(100)];
    expect(hundred - ten).toBe(90 * 4);
    expect(ten).toBeLessThan(10 * 5 + 5 * 3 + 80);
  });

  it("turn with the staleness signal, and leave out a time that never was", async () => {
    const live = new TestLive();
    live.signalNow = { ...live.signalNow, stale: true, because: ["blind", "history"], lastAnswerAt: null, lastWriteAt: null };
    const samples = await (await scrape(live))();
    expect([
      samples.get('headwater_stale{because="history"}'),
      samples.get('headwater_stale{because="overdue"}'),
      samples.get("headwater_blind"),
    ]).toEqual([1, 0, 1]);
    expect(samples.has("headwater_last_answer_timestamp_seconds")).toBe(false);
    expect(samples.has("headwater_history_last_write_timestamp_seconds")).toBe(false);
  });

  it("count each poll's duration once", async () => {
    const live = new TestLive();
    const read = await scrape(live);
    const polled = (at: number, latencyMs: number) => {
      const instances = new Map(live.current.state.instances);
      instances.set("search", instanceState("search", "search", "healthy", { lastPollAt: at, latencyMs }));
      live.publish({ state: { ...live.current.state, instances } }, { seen: ["search", "orders-db"], nodes: ["web"] });
    };
    polled(NOW, 30);
    polled(NOW, 30);
    polled(NOW + 10_000, 700);
    const samples = await read();
    expect([samples.get("headwater_poll_duration_seconds_count"), samples.get("headwater_poll_duration_seconds_sum")]).toEqual([2, 0.73]);
    expect(samples.get('headwater_poll_duration_seconds_bucket{le="0.05"}')).toBe(1);
  });

  it("keep hostile labels within their line", async () => {
    const live = new TestLive({ map: mapOf([resource("a", { team: 'x"} 1\nevil 2' })]) });
    expect([...(await (await scrape(live))()).keys()].filter((name) => name.startsWith("evil"))).toEqual([]);
  });

  it("stop listening when the server closes", async () => {
    const live = new TestLive();
    await scrape(live);
    expect(live.listeners).toBe(2);
    await closeApps();
    expect(live.listeners).toBe(0);
  });
});
