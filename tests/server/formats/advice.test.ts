import { describe, expect, test } from "vitest";
import { advise, type Probed } from "../../../server/src/formats/advice.ts";
import { normalise } from "../../../server/src/formats/index.ts";

const dated = { criticality: "hard", last_checked: "2031-03-04T10:15:59Z" };

/** The advice on an answer, by code. */
function codes(body: unknown, status: number, more: Partial<Probed> = {}): string[] {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { outcome, report, format } = normalise(
    { httpStatus: status, contentType: null, text, receivedAt: Date.parse("2031-03-04T10:16:00Z") },
    "auto",
  );
  return advise({ outcome, report, format, httpStatus: status, text, latencyMs: 12, timeout: 2_000, ...more }).map(({ code }) => code);
}

describe("what the author of an endpoint is told", () => {
  test.each<[string, unknown, number, string[]]>([
    ["a report as it should be", { status: "healthy", components: [{ name: "db", status: "up", ...dated }] }, 200, []],
    [
      "a failure under 200",
      { status: "unhealthy", components: [{ name: "db", status: "down", ...dated }] },
      200,
      ["status_code_disagrees"],
    ],
    ["a 503 over what works", { status: "healthy", components: [{ name: "db", status: "up", ...dated }] }, 503, ["status_code_disagrees"]],
    ["a 503 over what fails", { status: "unhealthy", components: [{ name: "db", status: "down", ...dated }] }, 503, []],
    [
      "a good word over a failure",
      { status: "healthy", components: [{ name: "db", status: "down", ...dated, criticality: "soft" }] },
      200,
      ["word_disagrees"],
    ],
    ["a status alone", { status: "UP" }, 200, ["no_components"]],
    ["failures alone, of which there are none", { status: "OK", timestamp: "2031-03-04T10:15:59Z", component: { name: "x" } }, 200, []],
    ["a service that is draining", { status: "draining", components: [] }, 503, []],
    ["neither ages nor criticality", { status: "ok", checks: { db: "ok" } }, 200, ["no_ages", "no_criticality"]],
    [
      "an age for one of two",
      {
        status: "healthy",
        components: [
          { name: "db", status: "up", ...dated },
          { name: "mq", status: "up", criticality: "soft" },
        ],
      },
      200,
      ["no_ages"],
    ],
    [
      "a password",
      { status: "healthy", components: [{ name: "db", status: "down", ...dated, criticality: "informational", error: "password=abc" }] },
      200,
      ["secrets_in_text"],
    ],
    ["a page with addresses", "<html><a href='/x?token=abcdef'></html>", 200, []],
    ["a redirect", "", 302, []],
  ])("%s", (_title, body, status, expected) => {
    expect(codes(body, status)).toEqual(expected);
  });

  test("an answer that took long, and one that never came", () => {
    expect(codes({ status: "healthy", components: [{ name: "db", status: "up", ...dated }] }, 200, { latencyMs: 1_001 })).toEqual(["slow"]);
    expect(codes("", 200, { outcome: "timeout", report: null, format: null, text: null, latencyMs: 2_000 })).toEqual([
      "slower_than_timeout",
    ]);
  });
});
