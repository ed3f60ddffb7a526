import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Component } from "../../../server/src/domain/observation.ts";
import { dialectNames, normalise } from "../../../server/src/formats/index.ts";

/** Answers in the states that the judged samples leave out; `components` as `name · status · what else is known`. */
interface Case {
  title: string;
  status: number;
  media?: string;
  body: unknown;
  format: string | null;
  service: string | null;
  components: string[];
}

const CASES: Case[] = JSON.parse(readFileSync(join(import.meta.dirname, "cases.json"), "utf8"));
const NOW = Date.parse("2031-03-04T10:16:00Z");

function ask({ status, media, body }: Pick<Case, "status" | "media" | "body">, dialect = "auto") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return normalise({ httpStatus: status, contentType: media ?? "application/json", text, receivedAt: NOW }, dialect);
}

function line({ name, status, criticality, latencyMs, lastChecked, error }: Component): string {
  const rest = [criticality, latencyMs !== undefined && `${latencyMs} ms`, lastChecked !== undefined && "dated", error];
  return [name, status, ...rest.filter((part) => part)].join(" · ");
}

describe("dialects by their shape", () => {
  test.each(CASES.map((one) => [one.title, one] as const))("%s", (_title, one) => {
    const { format, report } = ask(one);
    expect({ format, service: report?.status ?? null, components: (report?.components ?? []).map(line) }).toEqual({
      format: one.format,
      service: one.service,
      components: one.components,
    });
  });

  test("a dialect that was recognised reads the same when it is pinned", () => {
    for (const one of CASES) {
      const { format, report } = ask(one);
      if (format !== null) expect(ask(one, format).report, one.title).toEqual(report);
    }
  });

  test("the media type decides nothing", () => {
    for (const one of CASES.filter(({ media }) => media === undefined)) {
      expect(ask({ ...one, media: "text/html" }).report, one.title).toEqual(ask(one).report);
    }
  });
});

describe("a pinned dialect", () => {
  test("reads nothing else", () => {
    expect(ask({ status: 200, body: { status: "UP" } }, "hootsuite")).toMatchObject({
      outcome: "not_a_report",
      report: null,
      error: "not an answer of the dialect hootsuite",
    });
  });

  test("http-status takes any 2xx for healthy, without reading the body", () => {
    expect(ask({ status: 200, body: "<html>hello</html>" }, "http-status")).toMatchObject({
      outcome: "report",
      format: "http-status",
      report: { status: "healthy", components: [] },
    });
    expect(ask({ status: 503, body: { status: "UP" } }, "http-status")).toMatchObject({
      outcome: "http_error",
      report: { status: "unhealthy", maybeGateway: true },
    });
  });

  test.each(dialectNames())("%s leaves what HTTP settles", (dialect) => {
    expect(ask({ status: 401, body: { status: "UP" } }, dialect)).toMatchObject({ outcome: "http_error", report: null });
    expect(ask({ status: 302, body: "" }, dialect)).toMatchObject({ outcome: "redirect", report: null });
    expect(ask({ status: 204, body: "" }, dialect)).toMatchObject({ outcome: "report", report: { status: "healthy", components: [] } });
    expect(ask({ status: 502, body: "" }, dialect)).toMatchObject({
      outcome: "http_error",
      report: { status: "unhealthy", components: [] },
    });
  });
});

describe("what is not understood is never green", () => {
  test.each([
    ["a page", 200, "<html><body>All is healthy</body></html>", "an HTML page, not a health report"],
    ["XML", 200, "<?xml version='1.0'?><health><status>UP</status></health>", "an HTML page, not a health report"],
    ["a text", 200, "Welcome!", "no health report was recognised"],
    ["cut JSON", 200, '{"status":"UP","components":{"db":{"sta', "broken JSON"],
    ["what only looks like JSON", 200, "{'status': 'UP'}", "broken JSON"],
    ["JSON in a call", 200, 'callback({"status":"UP"})', "no health report was recognised"],
    ["NaN", 200, '{"status":"UP","load":NaN}', "broken JSON"],
    ["a number", 200, "1", "no health report was recognised"],
    ["an object without any health word", 200, { machine: "NODE-7", version: { major: 3 } }, "no health report was recognised"],
    [
      "an error page",
      200,
      { timestamp: "2031-03-04T10:15:00Z", status: 404, error: "Not Found", path: "/x" },
      "no health report was recognised",
    ],
    ["a list of numbers", 200, [1, 2], "no health report was recognised"],
  ])("%s", (_name, status, body, error) => {
    expect(ask({ status, body })).toMatchObject({ outcome: "not_a_report", report: null, format: null, error });
  });

  test.each([400, 405, 418, 422, 429, 501])("a good word with HTTP %i is none", (status) => {
    expect(ask({ status, body: { status: "ok" } })).toMatchObject({ outcome: "http_error", report: null });
    expect(ask({ status, body: { status: "ok", checks: { db: "ok" } } }).report?.status).toBe("unknown");
  });
});

describe("hostile shapes", () => {
  test("a long list is cut, but what was cut still counts", () => {
    const components = Array.from({ length: 900 }, (_unused, index) => ({
      name: `c${index}`,
      status: index === 899 ? "down" : "up",
      criticality: "hard",
    }));
    const { report, warnings } = ask({ status: 200, body: { status: "healthy", components } });
    expect(report?.components.length).toBe(500);
    expect(report?.components.at(-1)).toMatchObject({ name: "c899", status: "down" });
    expect(report?.status).toBe("unhealthy");
    expect(warnings.map(({ code }) => code)).toEqual(["too_many_components"]);
  });

  test("what lies deeper than eight levels is folded into the last, and still counts", () => {
    let body: Record<string, unknown> = { status: "DOWN" };
    for (let level = 0; level < 30; level += 1) body = { status: "UP", components: { [`l${level}`]: body } };
    const { report, warnings } = ask({ status: 200, body });
    expect(report).toMatchObject({ status: "degraded", components: [{ name: "l29/l28/l27/l26/l25/l24/l23/l22", status: "down" }] });
    expect(warnings.map(({ code }) => code)).toEqual(["too_deep"]);
  });

  test("children of a hard component are hard, unless they say otherwise", () => {
    const checks = [
      {
        name: "db",
        critical: true,
        checks: [
          { name: "primary", status: "down" },
          { name: "replica", status: "down", critical: false },
        ],
      },
    ];
    expect(ask({ status: 200, body: { status: "ok", checks } }).report).toMatchObject({
      status: "unhealthy",
      components: [
        { name: "db/primary", status: "down", criticality: "hard" },
        { name: "db/replica", status: "down", criticality: "soft" },
      ],
    });
  });

  test("a failing check inside a list of nameless ones is seen", () => {
    const body = { status: "UP", components: { pool: [{ status: "UP" }, { status: "UP", components: { shard: { status: "DOWN" } } }] } };
    expect(ask({ status: 200, body }).report).toMatchObject({
      status: "degraded",
      components: [
        { name: "pool/1", status: "up" },
        { name: "pool/2/shard", status: "down" },
      ],
    });
  });

  test("nesting without end is survived", () => {
    const deep = `${'{"status":"UP","components":{"a":'.repeat(5_000)}{"status":"UP"}${"}}".repeat(5_000)}`;
    expect(ask({ status: 200, body: deep }).report?.status).not.toBe("unhealthy");
    expect(ask({ status: 200, body: "[".repeat(100_000) + "]".repeat(100_000) }).report).toBeNull();
  });

  test("names and texts lose control characters, colours and bidi marks", () => {
    const { report } = ask({
      status: 503,
      body: {
        status: "DOWN",
        components: { "a\u202e\u0000b": { status: "DOWN", details: { error: "\u001b[31mred\u001b[0m\r\n\u200bend" } } },
      },
    });
    expect(report?.components).toEqual([{ name: "ab", status: "down", error: "red end", category: "error" }]);
  });
});
