import { afterEach, describe, expect, it } from "vitest";
import { DeepReport, Staleness } from "../../../server/src/contract/index.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { NOW, TestLive } from "../../support/live.ts";

afterEach(closeApps);

const PROBES = ["/livez", "/readyz", "/startupz", "/staleness"];

describe("the probes", () => {
  it.each(PROBES)("%s is 200 while all is well, never stored", async (url) => {
    const app = await appOn(new TestLive());
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
  });

  it.each(PROBES)("%s is 405 with Allow: GET for every other method", async (url) => {
    const app = await appOn(new TestLive());
    for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const answer = await app.inject({ method, url, headers: { "content-type": "text/xml" }, payload: method === "HEAD" ? "" : "<a/>" });
      expect([method, answer.statusCode, answer.headers.allow, answer.headers["cache-control"]]).toEqual([method, 405, "GET", "no-store"]);
    }
  });

  it.each(PROBES)("%s answers under a foreign Host, without a login and beyond every limit", async (url) => {
    const app = await appOn(new TestLive(undefined, { auth: { kind: "tokens", tokens: [{ name: "a", role: "viewer", secret: "s" }] } }));
    const answers = await Promise.all(Array.from({ length: 450 }, () => app.inject({ url, headers: { host: "10.0.0.7:8080" } })));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });

  it.each([
    ["no map", { map: false }],
    ["a closed store", { store: false }],
    ["no scheduler", { scheduler: false }],
    ["no port", { port: false }],
  ])("is not ready and not started with %s, and lives", async (_name, missing) => {
    const live = new TestLive();
    live.life = "starting";
    live.readiness = { ...live.readiness, ...missing };
    const app = await appOn(live);
    const codes = async () => Promise.all(["/livez", "/readyz", "/startupz"].map(async (url) => (await app.inject(url)).statusCode));
    expect(await codes()).toEqual([200, 503, 503]);
    live.readiness = { map: true, store: true, scheduler: true, port: true };
    expect(await codes()).toEqual([200, 200, 200]);
    live.readiness = { ...live.readiness, ...missing };
    expect(await codes()).toEqual([200, 503, 200]);
  });

  it("is alive and started while draining, but not ready", async () => {
    const live = new TestLive();
    live.life = "draining";
    const app = await appOn(live);
    const codes = await Promise.all(["/livez", "/readyz", "/startupz"].map(async (url) => (await app.inject(url)).statusCode));
    expect(codes).toEqual([200, 503, 200]);
  });

  it("tells staleness by its status code, with reasons and without names", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const fresh = await app.inject("/staleness");
    expect(Staleness.strict().parse(fresh.json())).toEqual({
      stale: false,
      because: [],
      last_answer_at: "2026-10-24T09:14:59.000Z",
      age_ms: 1_000,
      limit_ms: 15_000,
      reporting: 2,
      instances: 2,
      overdue: 0,
      last_write_at: "2026-10-24T09:14:58.000Z",
      write_age_ms: 2_000,
    });
    live.signalNow = { ...live.signalNow, stale: true, because: ["no_answers", "history"], lastAnswerAt: null, ageMs: null };
    const stale = await app.inject("/staleness");
    expect(stale.statusCode).toBe(503);
    expect(stale.json()).toMatchObject({ stale: true, because: ["no_answers", "history"], last_answer_at: null, age_ms: null });
    expect(stale.body).not.toContain("checkout");
  });
});

describe("the deep endpoint", () => {
  it.each([
    ["all well", () => {}, 200, "healthy", ["up", "up", "up"]],
    [
      "overdue polls",
      (live: TestLive) => Object.assign(live, { signalNow: { ...live.signalNow, stale: true, because: ["overdue"] } }),
      503,
      "unhealthy",
      ["down", "up", "up"],
    ],
    ["a full disk", (live: TestLive) => Object.assign(live.storeNow, { error: "disk is full" }), 200, "degraded", ["up", "down", "up"]],
    [
      "a refused map",
      (live: TestLive) => Object.assign(live.info, { refused: { at: NOW, problems: [] } }),
      200,
      "degraded",
      ["up", "up", "down"],
    ],
    [
      "blindness",
      (live: TestLive) => Object.assign(live, { signalNow: { ...live.signalNow, stale: true, because: ["blind"] } }),
      200,
      "degraded",
      ["up", "up", "up"],
    ],
    ["draining", (live: TestLive) => Object.assign(live, { life: "draining" }), 503, "draining", ["up", "up", "up"]],
    ["starting", (live: TestLive) => Object.assign(live, { life: "starting" }), 503, "starting", ["up", "up", "up"]],
  ] as const)("reports in our own contract: %s", async (_name, change, code, status, components) => {
    const live = new TestLive();
    change(live);
    const answer = await (await appOn(live)).inject("/health/deep");
    const report = DeepReport.strict().parse(answer.json());
    expect([answer.statusCode, report.status, report.components.map((component) => component.status)]).toEqual([code, status, components]);
    expect(report.components.map(({ name, criticality }) => `${name} ${criticality}`)).toEqual([
      "scheduler hard",
      "history soft",
      "map soft",
    ]);
  });
});
