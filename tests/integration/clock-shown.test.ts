import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Publication } from "../../server/src/domain/live.ts";
import { ANSWERED } from "../support/answered.ts";
import { Aggregator } from "../support/history-engine.ts";

const T0 = Date.UTC(2026, 9, 24, 9);
/** What a machine says whose battery died in spring: wrong, and nothing shows it. */
const SPRING = Date.UTC(2026, 2, 3, 4);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const MAP = `
defaults: { interval: 10s, timeout: 2s }
resources: { db: { kind: database } }
services: { web: { url: "http://web.test/health", dependencies: [ { on: db, criticality: hard } ] } }
systems: { shop: { members: [ { node: web, criticality: hard } ] } }
`;

let folder: string;
let open: Aggregator[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "headwater-clock-"));
  vi.useFakeTimers({ now: T0, toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
});
afterEach(async () => {
  for (const one of open) await one.stop();
  open = [];
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function start(now: number): Aggregator {
  const headwater = new Aggregator(folder, [{ path: "map/map.yaml", text: MAP }], now);
  open.push(headwater);
  return headwater;
}

async function stop(headwater: Aggregator): Promise<void> {
  open = open.filter((one) => one !== headwater);
  await headwater.stop();
}

const poll = (at: number, status: "up" | "down") => ({
  ...ANSWERED,
  service: "web",
  instance: "web",
  at,
  latencyMs: 7,
  httpStatus: status === "up" ? 200 : 503,
  report: { status: status === "up" ? ("healthy" as const) : ("unhealthy" as const), components: [{ name: "db", status }] },
});

/** Lives for so many milliseconds, a poll every ten seconds. */
function live(headwater: Aggregator, ms: number, status: "up" | "down"): void {
  for (const end = headwater.now + ms; headwater.now < end; ) {
    headwater.receive(poll(headwater.now, status));
    headwater.passTo(headwater.now + 10_000);
  }
}

const shown = ({ engine }: Aggregator) => engine.snapshot().incidents.map(({ id, openedAt, detectedAt }) => ({ id, openedAt, detectedAt }));
const kept = ({ store }: Aggregator) =>
  store.reader.incidents({ limit: 10 }).incidents.map(({ id, openedAt, detectedAt }) => ({ id, openedAt, detectedAt }));

describe("an incident that opened under a clock which was wrong by months", () => {
  it("is dated by the moment at which the clock was right again, on the board, in its stream and in history", () => {
    const headwater = start(T0);
    live(headwater, 2 * MINUTE, "up");
    headwater.setClock(SPRING);
    live(headwater, 5 * MINUTE, "down");
    expect(shown(headwater)).toMatchObject([{ id: 1, openedAt: expect.toSatisfy((at: number) => at < SPRING + HOUR) }]);
    const published: Publication[] = [];
    headwater.engine.subscribe((publication) => published.push(publication));
    const asked = headwater.now;
    const right = T0 + HOUR;
    headwater.setClock(right);
    headwater.passTo(right + 2_000);
    // A poll that was asked before the clock was set is answered after it.
    headwater.receive(poll(asked, "down"));
    headwater.passTo(right + 4_000);
    for (const incident of shown(headwater)) {
      expect(incident.openedAt).toBeGreaterThanOrEqual(right);
      expect(incident.openedAt).toBeLessThan(right + 2_000);
    }
    expect(shown(headwater)).toEqual(kept(headwater));
    expect(published.flatMap(({ incidents }) => incidents).map(({ id }) => id)).toContain(1);
    const moments = [...headwater.engine.snapshot().state.nodes.values()].flatMap(({ since, lastChecked }) => [
      since,
      lastChecked ?? since,
    ]);
    for (const at of moments) expect(at).toBeGreaterThanOrEqual(T0);
    live(headwater, 5 * MINUTE, "up");
    expect([...headwater.engine.snapshot().state.nodes.values()].map(({ status }) => status)).toEqual(["healthy", "healthy"]);
  });

  it("is so too where the clock was put right between two runs", async () => {
    const first = start(T0);
    live(first, 2 * MINUTE, "up");
    await stop(first);
    const second = start(SPRING);
    live(second, 5 * MINUTE, "down");
    expect(shown(second)).toHaveLength(1);
    await stop(second);
    const right = T0 + HOUR;
    const third = start(right);
    expect(shown(third)).toMatchObject([{ id: 1, openedAt: right, detectedAt: right }]);
    live(third, MINUTE, "down");
    expect(shown(third)).toEqual(kept(third));
    expect(shown(third)).toMatchObject([{ id: 1, openedAt: right }]);
    for (const { since } of third.engine.snapshot().state.nodes.values()) expect(since).toBeGreaterThanOrEqual(T0);
  });
});
