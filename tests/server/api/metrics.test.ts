import { afterEach, describe, expect, it } from "vitest";
import { appOn, closeApps } from "../../support/app.ts";
import { incident, instanceState, mapOf, NOW, resource, shop, TestLive } from "../../support/live.ts";

afterEach(closeApps);

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
