import { afterEach, describe, expect, test } from "vitest";
import type { ServiceNode } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import { phaseOf } from "../../server/src/poller/phase.ts";
import { createPoller, type Poller } from "../../server/src/poller/poller.ts";
import { startService, type TestService } from "../support/service.ts";

const clock = { monotonic: () => performance.now(), wall: () => Date.now() };
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function service(dial: "ok" | "hang" | "unhealthy" | "slow" = "ok"): Promise<TestService> {
  const started = await startService({ dial });
  closing.push(started.close);
  return started;
}

function node(id: string, url: string | string[], more: Partial<ServiceNode> = {}): ServiceNode {
  const urls = [url].flat();
  return {
    kind: "service",
    id,
    name: id,
    description: null,
    team: null,
    tags: {},
    links: {},
    renamedFrom: null,
    place: { file: "map.yaml", line: 1, column: 1 },
    instances: urls.map((each, i) => ({ id: urls.length === 1 ? id : `${id}-${i}`, service: id, url: each })),
    need: 1,
    interval: 300,
    timeout: 200,
    downAfter: 3,
    upAfter: 3,
    maxAge: 60_000,
    componentMaxAge: 60_000,
    format: "auto",
    maxBody: 262_144,
    headers: {},
    references: [],
    tls: null,
    edges: [],
    groups: [],
    ...more,
  };
}

function start(services: ServiceNode[], tickMs = 20) {
  const seen: Observation[] = [];
  const poller: Poller = createPoller({ onObservation: (observation) => seen.push(observation), userAgent: "test/0", clock, tickMs });
  poller.setTargets(services);
  poller.start();
  closing.push(() => poller.stop(0));
  const of = (instance: string) => seen.filter((observation) => observation.instance === instance);
  return { poller, seen, of };
}

/** In which of its intervals each poll was asked; two in the same one would break the first rule. */
function intervals(observations: Observation[], interval: number): number[] {
  return observations.map(({ at, instance }) => Math.floor((at - phaseOf(instance, interval)) / interval));
}

describe("the rhythm", () => {
  test("one call per instance per interval, over one connection each", async () => {
    // Long enough for a busy machine: a poll that is late by most of its interval would be counted with the next one.
    const services = await Promise.all(Array.from({ length: 6 }, () => service()));
    const nodes = services.map(({ url }, i) => node(`svc${i}`, url, { interval: 1_000, timeout: 900 }));
    const { poller, seen, of } = start(nodes);
    await expect.poll(() => nodes.every(({ id }) => of(id).length >= 6), { timeout: 20_000 }).toBe(true);
    await poller.stop(1_000);
    for (const [i, each] of services.entries()) {
      // The first poll of the sweep lies outside the phase; from then on each interval has its own poll.
      const asked = intervals(of(`svc${i}`).slice(1), 1_000);
      expect(new Set(asked).size).toBe(asked.length);
      expect(each.calls).toHaveLength(of(`svc${i}`).length);
      expect(each.accepted).toBe(1);
      expect(seen.filter((observation) => observation.service === `svc${i}`).every(({ outcome }) => outcome === "report")).toBe(true);
    }
    const stats = poller.stats();
    expect(stats.polls).toMatchObject({ report: seen.length, timeout: 0, aborted: 0 });
    expect(stats.inFlight).toBe(0);
  });

  test("services that hang hold up nobody, and each of their calls is cut at its deadline", async () => {
    const fine = await Promise.all(Array.from({ length: 4 }, () => service()));
    const hung = await Promise.all(Array.from({ length: 4 }, () => service("hang")));
    const { of } = start([...fine.map(({ url }, i) => node(`fine${i}`, url)), ...hung.map(({ url }, i) => node(`hung${i}`, url))]);
    await expect.poll(() => fine.every((_, i) => of(`fine${i}`).length >= 5), { timeout: 20_000 }).toBe(true);
    await expect.poll(() => hung.every((_, i) => of(`hung${i}`).length >= 2), { timeout: 20_000 }).toBe(true);
    for (const i of fine.keys()) expect(of(`fine${i}`).map(({ outcome }) => outcome)).not.toContain("timeout");
    for (const [i, each] of hung.entries()) {
      expect(of(`hung${i}`).map(({ outcome }) => outcome)).not.toContain("report");
      expect(each.open).toBeLessThanOrEqual(1);
    }
  });

  test("a due time that finds its predecessor running is skipped and counted, not queued", async () => {
    const slow = await service("hang");
    // A map would refuse a timeout above the interval; here it makes the overlap certain.
    const { poller, of } = start([node("slow", slow.url, { interval: 100, timeout: 700 })]);
    await expect.poll(() => of("slow").length, { timeout: 20_000 }).toBe(2);
    expect(slow.calls.length).toBeLessThanOrEqual(3);
    expect(poller.stats().skipped).toBeGreaterThanOrEqual(6);
  });

  test("several instances of a service are polled each on its own", async () => {
    const [a, b] = [await service(), await service("unhealthy")];
    const { of } = start([node("pair", [a.url, b.url])]);
    await expect.poll(() => of("pair-0").length > 1 && of("pair-1").length > 1, { timeout: 20_000 }).toBe(true);
    expect(of("pair-0")[0]?.report?.status).toBe("healthy");
    expect(of("pair-1")[0]?.report?.status).toBe("unhealthy");
  });
});

describe("new targets", () => {
  test("keep the connection and phase of what did not change, and start and end the rest", async () => {
    const [stays, leaves, comes] = [await service(), await service(), await service()];
    const { poller, of } = start([node("stays", stays.url), node("leaves", leaves.url)]);
    await expect.poll(() => of("stays").length >= 3 && of("leaves").length >= 2, { timeout: 20_000 }).toBe(true);
    poller.setTargets([node("stays", stays.url, { name: "Stays", format: "headwater" }), node("comes", comes.url)]);
    const left = leaves.calls.length;
    const before = of("stays").length;
    await expect.poll(() => of("stays").length >= before + 3 && of("comes").length >= 2, { timeout: 20_000 }).toBe(true);
    expect(stays.accepted).toBe(1);
    const asked = intervals(of("stays").slice(1), 300);
    expect(new Set(asked).size).toBe(asked.length);
    expect(leaves.calls).toHaveLength(left);
    await expect.poll(() => leaves.open).toBe(0);
  });

  test("another address or header takes effect with the next poll, and the old answer is dropped", async () => {
    const [old, now] = [await service("hang"), await service()];
    const { poller, of } = start([node("moved", old.url, { interval: 2_000, timeout: 1_900 })]);
    await expect.poll(() => old.calls.length, { timeout: 10_000 }).toBe(1);
    poller.setTargets([node("moved", now.url, { interval: 2_000, timeout: 1_900, headers: { "x-token": "1" } })]);
    await expect.poll(() => of("moved").length, { timeout: 10_000 }).toBe(1);
    expect(of("moved")[0]?.outcome).toBe("report");
    expect(now.lastHeaders["x-token"]).toBe("1");
    await expect.poll(() => old.open).toBe(0);
    expect(poller.stats().inFlight).toBe(0);
  });

  test("without targets nothing is overdue and nothing is polled", async () => {
    const { poller, seen } = start([]);
    expect(poller.stats().overdue).toBe(0);
    expect([...poller.progress()]).toEqual([]);
    expect(seen).toEqual([]);
    expect(poller.running()).toBe(true);
  });
});

describe("stopping", () => {
  test("lets polls under way finish within the grace, then aborts, and leaves no connection", async () => {
    const [slow, hung] = [await service("slow"), await service("hang")];
    const { poller, of } = start([
      node("slow", slow.url, { interval: 60_000, timeout: 5_000 }),
      node("hung", hung.url, { interval: 60_000, timeout: 5_000 }),
    ]);
    await expect.poll(() => slow.calls.length + hung.calls.length, { timeout: 10_000 }).toBe(2);
    await poller.stop(500);
    expect(of("slow").map(({ outcome }) => outcome)).toEqual(["report"]);
    expect(of("hung").map(({ outcome }) => outcome)).toEqual(["aborted"]);
    expect(poller.running()).toBe(false);
    await expect.poll(() => slow.open + hung.open).toBe(0);
  });
});

describe("what is overdue", () => {
  test("an instance whose polls do not complete, measured in its own intervals; an aborted poll does not complete", async () => {
    let shift = 0;
    const moved = { monotonic: () => performance.now() + shift, wall: () => Date.now() };
    const hung = await service("hang");
    const seen: Observation[] = [];
    const poller = createPoller({ onObservation: (observation) => seen.push(observation), userAgent: "test/0", clock: moved, tickMs: 20 });
    closing.push(() => poller.stop(0));
    poller.setTargets([node("hung", hung.url, { interval: 2_000, timeout: 1_000 })]);
    poller.start();
    expect(poller.stats().overdue).toBe(0);
    await expect.poll(() => hung.calls.length, { timeout: 10_000 }).toBe(1);
    shift = 13_000;
    expect(poller.stats().overdue).toBe(1);
    const [progress] = poller.progress();
    expect(progress?.owedMs).toBeGreaterThanOrEqual(12_000);
    expect(progress?.completedMs).toBeNull();
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(1);
    expect(seen[0]?.outcome).toBe("aborted");
    expect(poller.stats().overdue).toBe(1);
    hung.dial = "ok";
    await expect.poll(() => seen.some(({ outcome }) => outcome === "report"), { timeout: 10_000 }).toBe(true);
    expect(poller.stats().overdue).toBe(0);
  });
});

describe("a canary", () => {
  test("is a sign of life whatever it answers, a refusal included; a name that cannot be found is none", async () => {
    const { poller } = start([]);
    const [fine, sick, gone] = [await service(), await service("unhealthy"), await service()];
    await gone.refuse();
    expect(await poller.canary(fine.url, 1_000)).toBe(true);
    expect(await poller.canary(sick.url, 1_000)).toBe(true);
    expect(await poller.canary(gone.url, 1_000)).toBe(true);
    expect(await poller.canary("http://no-such-name.invalid/ping", 1_000)).toBe(false);
  });
});
