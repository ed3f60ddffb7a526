import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { CHECK_FORMS } from "../../support/check-forms.ts";

interface Expected {
  line: number;
  level: "E" | "W";
  words: string[];
}

function unmarked(marked: string): { text: string; expected: Expected[] } {
  const expected: Expected[] = [];
  const lines = marked.split("\n").map((line, index) => {
    const [, text, marks = ""] = /^(.*?)\s*## (.+)$/.exec(line) ?? [];
    if (text === undefined) return line;
    for (const mark of marks.split(/\s(?=[EW]:)/))
      expected.push({ line: index + 1, level: mark.startsWith("E") ? "E" : "W", words: mark.slice(2).split("|") });
    return text;
  });
  return { text: lines.join("\n"), expected };
}

describe("check finds each mistake at its line, and no other error", () => {
  test.each(Object.entries(CHECK_FORMS))("%s", (_, marked) => {
    const { text, expected } = unmarked(marked);
    const references = { env: () => undefined, file: () => undefined };
    const { errors, warnings } = parseConfig([{ path: "map/a.yaml", text }], references, "2026-11-29");
    for (const { line, level, words } of expected) {
      const here = (level === "E" ? errors : warnings)
        .filter((found) => Math.abs(found.line - line) <= 1)
        .map(({ code, message }) => `${code} ${message}`.toLowerCase());
      expect(
        here.some((found) => words.some((word) => found.includes(word.toLowerCase()))),
        `${line}: ${words.join(" or ")} in ${JSON.stringify({ errors, warnings })}`,
      ).toBe(true);
    }
    expect(errors).toHaveLength(expected.filter(({ level }) => level === "E").length);
    expect(JSON.stringify({ errors, warnings })).not.toContain("dXNlcjpodW50ZXIy");
  });
});
