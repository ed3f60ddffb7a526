import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { AGGREGATOR_FILE, parseConfig, type References } from "../../../server/src/config/parse.ts";

const FOLDER = path.join(import.meta.dirname, "../../fixtures/config");
const NONE: References = { env: (name) => (name === "SET" ? "value" : undefined), file: () => undefined };

/**
 * A fixture says at its top what is found in it, a line each: `# 5:7 error bad-need: need is 3`; the text is how the
 * message begins. One whose name begins with `headwater` is a `headwater.yaml`.
 */
function check(name: string) {
  const text = readFileSync(path.join(FOLDER, name), "utf8");
  const expected = [...text.matchAll(/^# (\d+:\d+ (?:error|warning) .*)$/gm)].map((match) => match[1] ?? "");
  const file = name.startsWith("headwater") ? AGGREGATOR_FILE : `map/${name}`;
  const { errors, warnings } = parseConfig([{ path: file, text }], NONE, "2026-11-29");
  const found = [
    ...errors.map((problem) => ({ ...problem, level: "error" })),
    ...warnings.filter(({ code }) => code !== "empty-map").map((problem) => ({ ...problem, level: "warning" })),
  ]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, level, code, message }) => `${line}:${column} ${level} ${code}: ${message}`);
  return { expected, found, errors };
}

const names = readdirSync(FOLDER).sort();

describe("a bad file brings the errors that it announces, each at its line and column", () => {
  test.each(names.filter((name) => name.endsWith(".bad.yaml")))("%s", (name) => {
    const { expected, found, errors } = check(name);
    expect(errors.length).toBeGreaterThan(0);
    expect(found.map((line, index) => line.slice(0, expected[index]?.length))).toEqual(expected);
  });
});

describe("a good file brings no error, and the warnings that it announces", () => {
  test.each(names.filter((name) => name.endsWith(".good.yaml")))("%s", (name) => {
    const { expected, found, errors } = check(name);
    expect(errors).toEqual([]);
    expect(found.map((line, index) => line.slice(0, expected[index]?.length))).toEqual(expected);
  });
});
