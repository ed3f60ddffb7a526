import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Alerting, startAlerts } from "../../server/src/alerts/index.ts";
import type { Incident } from "../../server/src/domain/incident.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { incident, mapOf, NOW, resource, TestLive } from "../support/live.ts";
import { startService, type TestService } from "../support/service.ts";

/** A receiver that writes down what it takes, and answers as it is told. */
interface Receiver extends Pick<TestService, "close" | "listen" | "refuse" | "port"> {
  letters: { at: number; path: string; headers: IncomingHttpHeaders; body: string }[];
  attempts: number;
  answer: number | "hang";
}

const closing: (() => unknown)[] = [];

async function startReceiver(): Promise<Receiver> {
  const service = await startService();
  const receiver: Receiver = Object.assign(service, { letters: [], attempts: 0, answer: 200 as const });
  service.dial = async (req, res) => {
    const body = await text(req);
    receiver.attempts += 1;
    if (receiver.answer === "hang") return;
    if (receiver.answer === 200) receiver.letters.push({ at: Date.now(), path: req.url ?? "", headers: req.headers, body });
    res.writeHead(receiver.answer).end();
  };
  closing.push(() => service.close());
  return receiver;
}

interface Posted {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt: string;
}

interface Hooked {
  id: string;
  event: string;
  summary: string;
  starts_at: string;
  ends_at: string | null;
  incident: { id: number; node: string; end: string | null; absorbed_by: number | null; cause: { node: string } | null };
}

const posted = ({ letters }: Receiver) =>
  letters.flatMap(({ at, body }) => (JSON.parse(body) as Posted[]).map((alert) => ({ ...alert, at })));
const hooked = ({ letters }: Receiver) => letters.map(({ body }) => JSON.parse(body) as Hooked);
const words = (receiver: Receiver) => hooked(receiver).map(({ event, incident: { id } }) => `${event} ${id}`);
const fires = ({ endsAt, at }: { endsAt: string; at: number }) => Date.parse(endsAt) > at;

let manager: Receiver;
let hook: Receiver;

beforeEach(async () => {
  manager = await startReceiver();
  hook = await startReceiver();
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe("alerts to real receivers", () => {
  const lines: string[] = [];
  const say = (fields: object, words: string) => void lines.push(`${JSON.stringify(fields)} ${words}`);
  const log = { info: say, warn: say, error: say };
  const map = mapOf([resource("a"), resource("b"), resource("c")]);

  function start(incidents: Incident[] = [], repeatMs?: number): { live: TestLive; alerting: Alerting } {
    const live = new TestLive(
      { map, incidents },
      {
        alerts: {
          alertmanager: { urls: [`http://ops:pa%3Ass@127.0.0.1:${manager.port}/am/`] },
          webhook: { url: `http://127.0.0.1:${hook.port}/hook?key=hidden-key`, secret: "s3cret" },
        },
      },
    );
    live.clock = Date.now();
    lines.length = 0;
    const alerting = startAlerts(live, { log, ...(repeatMs === undefined ? {} : { repeatMs }) });
    closing.push(() => alerting.stop(0));
    return { live, alerting };
  }

  const publish = (live: TestLive, ...incidents: Incident[]) => live.publish({ incidents }, { incidents });
  const over = (id: number, node: string, changes: Partial<Incident> = {}) =>
    incident(id, node, { status: "resolved", resolvedAt: Date.now(), end: "cleared", ...changes });
  const taken = (receiver: Receiver, count: number) =>
    eventually(
      `${count} letters`,
      async () => receiver.letters.length,
      (seen) => seen >= count,
    );

  it("signs the webhook over its time and body, and names each event alike each time", async () => {
    const { live } = start();
    publish(live, incident(1, "a"));
    publish(live, over(1, "a"));
    await taken(hook, 2);
    expect(words(hook)).toEqual(["opened 1", "resolved 1"]);
    for (const { headers, body } of hook.letters) {
      const timestamp = String(headers["headwater-timestamp"]);
      expect(headers["headwater-signature"]).toBe(`sha256=${createHmac("sha256", "s3cret").update(`${timestamp}.${body}`).digest("hex")}`);
      expect(Math.abs(Number(timestamp) * 1_000 - live.clock)).toBeLessThan(2_000);
    }
    expect(hooked(hook).map(({ id }) => id)).toEqual(["eu-1:1:opened", "eu-1:1:resolved"]);
  });

  it("posts to Alertmanager's v2 API with the login of the address, and nothing of it reaches the log", async () => {
    manager.answer = 503;
    const { live } = start();
    publish(live, incident(1, "a"));
    await eventually(
      "an attempt",
      async () => lines.length,
      (seen) => seen > 0,
    );
    manager.answer = 200;
    await taken(manager, 1);
    expect(manager.letters[0]?.path).toBe("/am/api/v2/alerts");
    expect(manager.letters[0]?.headers.authorization).toBe(`Basic ${Buffer.from("ops:pa:ss").toString("base64")}`);
    expect(posted(manager)[0]).toMatchObject({
      labels: { alertname: "HeadwaterIncident", node: "a" },
      startsAt: new Date(NOW - 60_000).toISOString(),
    });
    await eventually(
      "words of both",
      async () => lines.length,
      (seen) => seen >= 2,
    );
    expect(lines.join("\n")).toContain("status 503");
    expect(lines.join("\n")).not.toMatch(/pa:ss|pa%3Ass|hidden-key|s3cret|127\.0\.0\.1/);
  });

  it("tries again until it is taken, in order, also when the receiver was gone in between", async () => {
    const { live, alerting } = start();
    await hook.refuse();
    publish(live, incident(1, "a"));
    publish(live, incident(1, "a", { severity: "ticket" }), incident(2, "b"));
    await eventually(
      "a failure",
      async () => alerting.stats().get("webhook")?.failures ?? 0,
      (seen) => seen > 0,
    );
    await hook.listen();
    hook.answer = 500;
    publish(live, over(1, "a"), incident(2, "b"));
    await eventually(
      "a refusal",
      async () => hook.attempts,
      (seen) => seen > 0,
    );
    expect(words(hook)).toEqual([]);
    hook.answer = 200;
    await taken(hook, 4);
    expect(words(hook)).toEqual(["opened 1", "updated 1", "opened 2", "resolved 1"]);
    // The receiver has the letter before its answer is back.
    await eventually(
      "the answer to the last",
      async () => alerting.stats().get("webhook"),
      (seen) => seen?.sent === 4,
    );
    expect(alerting.stats().get("webhook")).toEqual({ sent: 4, dropped: 0, waiting: 0, failures: 0 });
  });

  it("fires the new cause and has it taken before it ends the old one", async () => {
    const { live } = start([incident(1, "a")]);
    await taken(manager, 1);
    manager.answer = 500;
    publish(live, incident(2, "b"), over(1, "a", { end: "absorbed", absorbedBy: 2 }));
    await eventually(
      "an attempt",
      async () => manager.attempts,
      (seen) => seen >= 2,
    );
    manager.answer = 200;
    await taken(manager, 3);
    expect(posted(manager).map((alert) => [alert.labels.node, fires(alert)])).toEqual([
      ["a", true],
      ["b", true],
      ["a", false],
    ]);
  });

  it("goes on with the next after one that is refused for good, and counts it", async () => {
    hook.answer = 400;
    const { live, alerting } = start();
    publish(live, incident(1, "a"));
    await eventually(
      "the refusal",
      async () => alerting.stats().get("webhook")?.dropped,
      (seen) => seen === 1,
    );
    hook.answer = 200;
    publish(live, incident(1, "a"), incident(2, "b"));
    await taken(hook, 1);
    expect(words(hook)).toEqual(["opened 2"]);
    expect(lines.join()).toContain("alerts were dropped");
  });

  it("keeps a bounded number for a receiver that takes none, and goes on with another", async () => {
    hook.answer = "hang";
    const { live, alerting } = start();
    publish(live, ...Array.from({ length: 1_500 }, (_, i) => incident(i, `n${i}`)));
    await eventually(
      "the other",
      async () => posted(manager).length,
      (seen) => seen === 1_000,
    );
    expect(alerting.stats().get("webhook")).toMatchObject({ waiting: 1_000, dropped: 500, sent: 0 });
  });

  it("repeats to Alertmanager what is open and what has ended, and to the webhook nothing", async () => {
    const { live } = start([incident(1, "a")], 100);
    await eventually(
      "repetitions",
      async () => posted(manager).length,
      (seen) => seen >= 3,
    );
    publish(live, over(1, "a"));
    await eventually(
      "ends",
      async () => posted(manager).filter((alert) => !fires(alert)).length,
      (seen) => seen >= 3,
    );
    const ends = posted(manager).map(fires).indexOf(false);
    expect(posted(manager).slice(ends).some(fires)).toBe(false);
    expect(words(hook)).toEqual(["opened 1", "resolved 1"]);
  });

  it("takes new receivers and leaves old ones without a restart, and tells a new one what is open", async () => {
    const { live, alerting } = start([incident(1, "a")]);
    await taken(hook, 1);
    const second = await startReceiver();
    alerting.configure({ alertmanager: null, webhook: { url: `http://127.0.0.1:${second.port}/`, secret: null } });
    publish(live, incident(1, "a"), incident(2, "b"));
    await taken(second, 2);
    expect(words(second)).toEqual(["opened 1", "opened 2"]);
    expect(second.letters[0]?.headers["headwater-signature"]).toBeUndefined();
    expect(words(hook)).toEqual(["opened 1"]);
  });

  it("brings what waits before it stops, and does not wait for one that hangs", async () => {
    manager.answer = "hang";
    const { live, alerting } = start();
    publish(live, incident(1, "a"));
    await eventually(
      "an attempt",
      async () => manager.attempts,
      (seen) => seen > 0,
    );
    await alerting.stop(300);
    expect(words(hook)).toEqual(["opened 1"]);
    expect(lines.at(-1)).toContain("not taken");
    expect(live.listeners).toBe(0);
  });
});

describe("alerts of the whole product", () => {
  const folder = scratchFolder();
  let running: Running;
  const down = new Set<string>();

  async function addService(id: string, dependencies: string[]): Promise<string> {
    const service = await startService({
      dial: (_req, res) => {
        const components = dependencies.map((name) => ({ name, status: down.has(name) ? "down" : "up", criticality: "hard" }));
        const bad = components.some(({ status }) => status === "down");
        res
          .writeHead(bad ? 503 : 200, { "content-type": "application/json" })
          .end(JSON.stringify({ status: bad ? "unhealthy" : "healthy", components }));
      },
    });
    closing.push(() => service.close());
    const edges = dependencies.map((on) => `{ on: ${on}, criticality: hard }`).join(", ");
    return `  ${id}: { url: '${service.url}', team: shop, dependencies: [ ${edges} ] }\n`;
  }

  it("one alert from the first sign to the fresh all-clear, through a restart, whoever else suffers", async () => {
    closing.push(() => folder.remove());
    const services = [
      await addService("cart", ["orders-db"]),
      await addService("web", ["orders-db"]),
      await addService("search", ["orders-db"]),
    ];
    folder.write(
      "config/headwater.yaml",
      `site: test-1\nalerts: { alertmanager: { urls: [ 'http://127.0.0.1:${manager.port}' ] }, webhook: { url: 'http://127.0.0.1:${hook.port}/', secret: '\${HOOK}' } }\n`,
    );
    folder.write(
      "config/map/shop.yaml",
      `defaults: { interval: 1s, timeout: 400ms, flip_after: 2 }\nteams: { shop: {}, data: {} }\nresources: { orders-db: { kind: database, team: data } }\nservices:\n${services.join("")}systems: { shop: { members: [ { node: web, criticality: hard } ] } }\n`,
    );
    running = await startServe(folder, [], { HOOK: "word" });
    closing.push(() => running.end("SIGKILL"));
    await eventually("healthy", running.board, (board) => board.nodes.every(({ status }) => status === "healthy"));

    const began = Date.now();
    down.add("orders-db");
    await eventually(
      "the alert",
      async () => hook.letters.length,
      (seen) => seen > 0,
    );
    const board = await eventually("all impacted", running.board, (seen) => seen.incidents[0]?.impacted.length === 3);
    const cause = board.incidents.find(({ status }) => status === "open");
    const alert = posted(manager).find(({ labels }) => labels.node === "orders-db");
    expect(alert?.labels).toEqual({ alertname: "HeadwaterIncident", site: "test-1", node: "orders-db", kind: "cause", team: "data" });
    expect(alert?.startsAt).toBe(cause?.opened_at);
    expect(Date.parse(alert?.startsAt ?? "")).toBeGreaterThan(began - 1_500);
    expect(new Set(posted(manager).map(({ labels }) => labels.node))).toEqual(new Set(["orders-db"]));
    expect(new Set(hooked(hook).map(({ incident: { node } }) => node))).toEqual(new Set(["orders-db"]));

    const metrics = await (await running.get("/metrics")).text();
    expect(metrics).toMatch(/^headwater_alerts_sent_total\{receiver="alertmanager"\} [1-9]/m);
    expect(metrics).toMatch(/^headwater_alerts_failing\{receiver="webhook"\} 0$/m);

    expect(await running.end()).toBe(0);
    expect(hooked(hook).some(({ event }) => event === "resolved")).toBe(false);
    expect(posted(manager).every(fires)).toBe(true);

    running = await startServe(folder, [], { HOOK: "word" });
    await eventually(
      "told again",
      async () => words(hook).filter((word) => word.startsWith("opened")).length,
      (seen) => seen === 2,
    );
    down.clear();
    await eventually(
      "the all-clear",
      async () => hooked(hook).at(-1),
      (seen) => seen?.event === "resolved",
    );
    expect(hooked(hook).at(-1)).toMatchObject({
      ends_at: expect.any(String),
      incident: { id: cause?.id, node: "orders-db", end: "cleared" },
    });
    await eventually(
      "its end",
      async () => posted(manager).at(-1),
      (seen) => seen !== undefined && !fires(seen),
    );
    expect(running.output()).not.toContain("word");
  });
});
