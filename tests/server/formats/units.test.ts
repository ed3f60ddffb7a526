import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLength, type Unit } from "../../../server/src/formats/durations.ts";
import { parseJson } from "../../../server/src/formats/json.ts";
import { parseTime } from "../../../server/src/formats/times.ts";
import { fold, readLeading, readSentence, readWord } from "../../../server/src/formats/vocabulary.ts";

describe("lengths of time, in milliseconds", () => {
  test.each<[unknown, Unit | null, number | null]>([
    [12.5, "ms", 12.5],
    [0.0012, "s", 1.2],
    [1234, "us", 1.234],
    [1_500_000, "ns", 1.5],
    ["12.5", "ms", 12.5],
    ["1e3", "ms", 1_000],
    ["45ms", "s", 45],
    ["45 ms", null, 45],
    ["1.5s", null, 1_500],
    ["12.5µs", null, 0.0125],
    ["1m3.5s", null, 63_500],
    ["2 seconds", null, 2_000],
    ["00:00:01.4981000", null, 1_498.1],
    ["00:00:05", null, 5_000],
    ["1.02:03:04.5", null, 93_784_500],
    ["PT0.045S", null, 45],
    ["PT1M2S", null, 62_000],
    [12, null, null],
    [-3, "ms", null],
    ["-00:00:01", null, null],
    [Number.NaN, "ms", null],
    ["fast", "ms", null],
    ["5 parsecs", "ms", null],
    ["PT", null, null],
    ["", "ms", null],
    [true, "ms", null],
    [null, "ms", null],
  ])("%j in %s is %j", (value, unit, expected) => {
    expect(parseLength(value, unit)).toBe(expected);
  });
});

describe("stated times", () => {
  const noon = Date.UTC(2026, 9, 24, 12, 0, 0);
  test.each<[unknown, number | "never" | null]>([
    ["2026-10-24T12:00:00Z", noon],
    ["2026-10-24T12:00:00.250Z", noon + 250],
    ["2026-10-24T12:00:00.123456789Z", noon + 123],
    ["2026-10-24T14:00:00+02:00", noon],
    ["2026-10-24T14:00:00.000+0200", noon],
    ["2026-10-24 12:00:00+00:00", noon],
    ["2026-10-24 12:00:00 UTC", noon],
    ["2026-10-24T06:30-05:30", noon],
    ["Sat, 24 Oct 2026 12:00:00 GMT", noon],
    [noon, noon],
    [noon / 1_000, noon],
    [noon / 1_000 + 0.5, noon + 500],
    [noon * 1_000, noon],
    [noon * 1_000_000, noon],
    [String(noon / 1_000), noon],
    ["0001-01-01T00:00:00Z", "never"],
    ["1970-01-01T00:00:00Z", "never"],
    [0, "never"],
    ["2026-10-24T12:00:00", null],
    ["2026-13-24T12:00:00Z", null],
    ["yesterday", null],
    [-5, null],
    [Number.POSITIVE_INFINITY, null],
    [{}, null],
  ])("%j", (value, expected) => {
    expect(parseTime(value)).toBe(expected);
  });
});

describe("words", () => {
  test.each([
    ["UP", "up"],
    ["OUT_OF_SERVICE", "down"],
    ["Partially Available", "degraded"],
    ["check_result_skip", "unknown"],
    ["Unhealthy", "down"],
    ["unheard of", undefined],
    ["no", undefined],
    ["upstairs", undefined],
  ])("%s is %s", (text, status) => {
    expect(readWord(text)?.status).toBe(status);
  });

  test.each([
    ["SERVER_IS_READY", "up"],
    ["SERVER_IS_NOT_READY", "down"],
    ["SERVER_IS_NOT_SHUTTING_DOWN", "up"],
    ["SERVER_IS_SHUTTING_DOWN", "down"],
    ["Server not available", "down"],
    ["Prometheus Server is Healthy.", "up"],
    ["healthz check passed", "up"],
    ["Application not healthy", "down"],
    ["The service isn't available", "down"],
    ["not failed", "unknown"],
    ["Service is up and running", "up"],
    ["started, but failed", undefined],
    ["connected slow", "degraded"],
    ["failed checks: none", undefined],
    ["No server is available", undefined],
    ["Maintenance mode is enabled", undefined],
    ["All services are healthy and OK, or so we hope", undefined],
    ["", undefined],
  ])("the sentence %j is %s", (text, status) => {
    expect(readSentence(text)?.status).toBe(status);
  });

  test.each([
    ["WARN: inconsistent objects in schema", "degraded"],
    ["Not Healthy: Set(a, b)", "down"],
    ["failed (3 of 5)", "down"],
    ["ok (12 ms)", "up"],
    ["OK: all shards", "up"],
    ["OK: but one shard failed", undefined],
    ["ok, not really", undefined],
    ["note: down", undefined],
    ["Errors: 0", undefined],
    ["failed: none", undefined],
    ["Errors: 3", "down"],
  ])("%j leads with %s", (text, status) => {
    expect(readLeading(text)?.status).toBe(status);
  });

  test("folding keeps letters of all scripts", () => {
    expect(fold(" Блоб-Хранилище_1 ")).toBe("блобхранилище1");
  });
});

describe("JSON with keys that come twice", () => {
  test.each([
    ['{"a":"UP","a":"DOWN"}', { a: "DOWN" }],
    ['{"a":"DOWN","a":"UP"}', { a: "DOWN" }],
    ['{"a":false,"a":true}', { a: false }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"a":{"s":"UP","x":1},"a":{"s":"DOWN"}}', { a: { s: "DOWN", x: 1 } }],
    ['{"a":[1],"a":[2]}', { a: [1, 2] }],
    ['{"a":"ok","a":{"s":"DOWN"}}', { a: { s: "DOWN" } }],
    ['[{"k\\"":"\\\\","k\\"":"b:,"}]', [{ 'k"': "b:," }]],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toEqual({ value, duplicates: true });
  });

  test.each(['{"a":":","b":"\\":"}', '{"a":{"a":1},"b":[{"a":2}]}', "[]", '"a:b"', "{}", '{"__proto__":1}'])("%s has none", (text) => {
    expect(parseJson(text)).toEqual({ value: JSON.parse(text), duplicates: false });
  });

  test("a key named __proto__ stays a key", () => {
    const parsed = parseJson('{"__proto__":{"x":1},"__proto__":{"y":2}}');
    const value = parsed === "oversized" ? null : parsed?.value;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1,"y":2}}');
  });

  test.each(["{", "NaN", '{"a":NaN}', "{'a':1}", ""])("%j is no JSON", (text) => {
    expect(parseJson(text)).toBeNull();
  });

  test("keys are counted right, however quotes, backslashes and white space fall", () => {
    const text = fc.string({ unit: fc.constantFrom('"', "\\", ":", " ", "a", "{", "\n") });
    const value = fc.dictionary(text, fc.oneof(text, fc.array(fc.dictionary(text, text))));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (object, indent) => {
        expect(parseJson(JSON.stringify(object, null, indent))).toEqual({ value: expect.anything(), duplicates: false });
      }),
    );
  });

  test.each([
    [
      "members",
      JSON.stringify(
        Array.from({ length: 5 }, () => Object.fromEntries(Array.from({ length: 4_001 }, (_unused, index) => [`k${index}`, 1]))),
      ),
    ],
    ["items", JSON.stringify({ checks: Array.from({ length: 20_001 }, () => ({})) })],
  ])("more than 20,000 %s are not read", (_what, text) => {
    expect(parseJson(text)).toBe("oversized");
  });

  test("no more than 5,000 members of one object are read", () => {
    const text = (members: number) =>
      JSON.stringify({ checks: Object.fromEntries(Array.from({ length: members }, (_unused, index) => [`k${index}`, 1])) });
    expect(parseJson(text(5_000))).toMatchObject({ duplicates: false });
    expect(parseJson(text(5_001))).toBe("oversized");
  });
});
