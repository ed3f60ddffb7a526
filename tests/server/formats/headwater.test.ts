import { describe, expect, test } from "vitest";
import { normalise } from "../../../server/src/formats/index.ts";

const NOW = Date.parse("2026-10-24T09:15:03Z");
const ask = (body: unknown, httpStatus = 200) =>
  normalise(
    { httpStatus, contentType: "application/json", text: typeof body === "string" ? body : JSON.stringify(body), receivedAt: NOW },
    "auto",
  );

describe("our own contract", () => {
  test("a full report is read word for word", () => {
    const result = ask({
      status: "degraded",
      components: [
        { name: "db", status: "up", criticality: "hard", latency_ms: 4.2, last_checked: "2026-10-24T09:15:02Z", age_ms: 900 },
        { name: "mail", status: "down", criticality: "soft", latency_ms: 2000, error: "connect ECONNREFUSED 192.0.2.1:25" },
      ],
    });
    expect(result).toEqual({
      outcome: "report",
      format: "headwater",
      error: null,
      warnings: [],
      report: {
        status: "degraded",
        word: "degraded",
        components: [
          { name: "db", status: "up", criticality: "hard", latencyMs: 4.2, lastChecked: NOW - 1_000, ageMs: 900 },
          {
            name: "mail",
            status: "down",
            criticality: "soft",
            latencyMs: 2_000,
            error: "connect ECONNREFUSED 192.0.2.1:25",
            category: "refused",
          },
        ],
      },
    });
  });

  test.each(["starting", "draining"] as const)("%s is a phase, and the status unknown", (status) => {
    expect(ask({ status, components: [] }, 503).report).toEqual({ status: "unknown", components: [], phase: status });
  });

  test("optional fields of a wrong type are absent with a warning", () => {
    const result = ask({
      status: "healthy",
      components: [{ name: "db", status: "up", criticality: "vital", latency_ms: "fast", age_ms: -1, last_checked: 12, error: {} }],
    });
    expect(result.report?.components).toEqual([{ name: "db", status: "up" }]);
    expect(result.warnings.map(({ code }) => code)).toEqual(["wrong_type", "wrong_type", "wrong_type", "wrong_type"]);
  });

  test.each([
    [
      "healthy over a hard component that is down",
      { status: "healthy", components: [{ name: "db", status: "down", criticality: "hard" }] },
      200,
      "unhealthy",
    ],
    [
      "healthy over a component of no stated criticality",
      { status: "healthy", components: [{ name: "db", status: "down" }] },
      200,
      "degraded",
    ],
    [
      "healthy over an informational component",
      { status: "healthy", components: [{ name: "db", status: "down", criticality: "informational" }] },
      200,
      "healthy",
    ],
    ["healthy with 503", { status: "healthy", components: [] }, 503, "unhealthy"],
    ["unhealthy with 200", { status: "unhealthy", components: [] }, 200, "unhealthy"],
  ])("the worse counts: %s", (_name, body, status, expected) => {
    expect(ask(body, status).report?.status).toBe(expected);
  });
});

describe("what HTTP alone says", () => {
  test.each([
    [204, "", "report", "healthy"],
    [200, "  \n", "report", "healthy"],
    [200, "<html></html>", "not_a_report", undefined],
    [302, "", "redirect", undefined],
    [401, '{"status":"healthy","components":[]}', "http_error", undefined],
    [404, "", "http_error", undefined],
    [429, "", "http_error", undefined],
    [502, "<html>502 Bad Gateway</html>", "http_error", "unhealthy"],
  ])("%i %j is %s", (status, body, outcome, expected) => {
    const result = ask(body, status);
    expect([result.outcome, result.report?.status]).toEqual([outcome, expected]);
  });

  test("a bare 5xx may be the gateway's word", () => {
    expect(ask("", 503)).toMatchObject({
      format: "http-status",
      error: "HTTP 503",
      report: { status: "unhealthy", components: [], maybeGateway: true },
    });
  });
});
