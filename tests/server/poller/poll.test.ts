import { describe, expect, test } from "vitest";
import type { RawAnswer } from "../../../server/src/poller/exchange.ts";
import { observe } from "../../../server/src/poller/poll.ts";

const AT = Date.UTC(2026, 9, 24, 9, 15);
const SERVICE = { id: "checkout", format: "auto", maxBody: 262_144 };
const INSTANCE = { id: "checkout-1" };

function answer(body: string, more: Partial<Extract<RawAnswer, { kind: "answer" }>> = {}): RawAnswer {
  const headers = { contentType: "application/json", contentEncoding: null, date: null, age: null };
  return { kind: "answer", at: AT, latencyMs: 12, httpStatus: 200, ...headers, body: Buffer.from(body), ...more };
}

const REPORT = JSON.stringify({ status: "degraded", components: [{ name: "cache", status: "down", criticality: "soft" }] });

describe("an observation", () => {
  test("carries the report, the time of asking and the way it was read", () => {
    expect(observe(answer(REPORT), SERVICE, INSTANCE)).toMatchObject({
      service: "checkout",
      instance: "checkout-1",
      at: AT,
      latencyMs: 12,
      outcome: "report",
      httpStatus: 200,
      format: "headwater",
      error: null,
      report: { status: "degraded", components: [{ name: "cache", status: "down" }] },
    });
  });

  test.each([
    [503, "http_error", "unhealthy"],
    [404, "http_error", null],
    [200, "not_a_report", null],
  ])("of an answer %i whose body cannot be inflated is judged by its status alone", (httpStatus, outcome, status) => {
    const broken = answer("not gzip at all", { contentEncoding: "gzip", httpStatus });
    const seen = observe(broken, SERVICE, INSTANCE);
    expect(seen.outcome).toBe(outcome);
    expect(seen.report?.status ?? null).toBe(status);
  });

  test("of a poll without an answer carries its outcome and reason", () => {
    const failure: RawAnswer = { kind: "failure", at: AT, latencyMs: 2_000, httpStatus: null, outcome: "timeout", error: "no answer" };
    expect(observe(failure, SERVICE, INSTANCE)).toEqual({
      service: "checkout",
      instance: "checkout-1",
      at: AT,
      latencyMs: 2_000,
      outcome: "timeout",
      httpStatus: null,
      report: null,
      format: null,
      error: "no answer",
      date: null,
      httpAge: null,
      warnings: [],
      body: null,
    });
  });

  test.each([
    [{ date: "Sat, 24 Oct 2026 09:15:02 GMT", age: "30" }, AT + 2_000, 30_000],
    [{ date: "yesterday", age: "-1" }, null, null],
    [{ date: null, age: "soon" }, null, null],
    [{ date: "", age: "" }, null, null],
  ])("reads %j", (headers, date, httpAge) => {
    expect(observe(answer(REPORT, headers), SERVICE, INSTANCE)).toMatchObject({ date, httpAge });
  });

  test("holds no secret that was sent with the question, wherever the service echoes it", () => {
    const headers = { authorization: "Bearer plain-words-here", "x-api-key": "another one", accept: "application/json", "x-token": "1" };
    const components = [
      { name: "db", status: "down", criticality: "hard", error: "refused for plain-words-here" },
      { name: "cache another one", status: "up", criticality: "soft" },
    ];
    const body = JSON.stringify({ status: "unhealthy", components, asked: headers });
    const observation = observe(answer(body, { httpStatus: 503 }), { ...SERVICE, headers }, INSTANCE);
    const text = JSON.stringify(observation);
    for (const secret of ["plain-words-here", "another one"]) expect(text).not.toContain(secret);
    expect(observation.report?.components.map(({ name, status }) => [name, status])).toEqual([
      ["db", "down"],
      ["cache ***", "up"],
    ]);
    expect(observation.body).toContain("application/json");
  });

  test("shows the body without its secrets, also when copied or written as JSON, and cut", () => {
    const observation = observe(answer('{"status":"ok","url":"postgres://app:hunter2@db/orders"}'), SERVICE, INSTANCE);
    for (const shown of [observation.body, { ...observation }.body, JSON.stringify(observation)]) {
      expect(shown).toContain("postgres://");
      expect(shown).not.toContain("hunter2");
    }
    expect(observe(answer(`{"a":"${"x".repeat(50_000)}"}`), SERVICE, INSTANCE).body?.length).toBeLessThanOrEqual(8_192);
    expect(observe(answer(""), SERVICE, INSTANCE).body).toBeNull();
  });

  test.each([
    "",
    "{",
    "[]",
    "null",
    "\u0000",
    '{"__proto__":{"status":"ok"}}',
    "\ufeff{}",
    "[".repeat(20_000),
    '{"status":'.repeat(5_000),
    `{"components":${"[{".repeat(3_000)}`,
  ])("is made of any body, whatever the status: %#", (body) => {
    for (const httpStatus of [200, 204, 302, 404, 500, 503, 599, 999]) {
      const observation = observe(answer(body, { httpStatus }), SERVICE, INSTANCE);
      expect(observation.httpStatus).toBe(httpStatus);
      expect(observation.outcome === "report").toBe(observation.report !== null && observation.error === null);
    }
  });
});
