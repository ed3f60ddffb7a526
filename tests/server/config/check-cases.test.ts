import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { environmentReferences, loadConfig } from "../../../server/src/config/source.ts";
import { type Expected, judge } from "./judge.ts";

const CASES = path.join(import.meta.dirname, "../../fixtures/map-cases/check");

describe("each case of a small map brings the findings that stand beside it", () => {
  test.each(readdirSync(CASES).sort())(
    "%s",
    async (name) => {
      const expected = JSON.parse(readFileSync(path.join(CASES, name, "expected.json"), "utf8")) as Expected;
      const dir = path.join(CASES, name, "config");
      const loaded = await loadConfig(dir, environmentReferences(expected.env ?? {}, dir), "2026-11-29");
      expect(judge(expected, loaded.errors, loaded.warnings)).toEqual([]);
      expect(loaded.map === null).toBe(loaded.errors.length > 0);
      expect(loaded.config === null).toBe(loaded.errors.length > 0);
    },
    60_000,
  );
});
