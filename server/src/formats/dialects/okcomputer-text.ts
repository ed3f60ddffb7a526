import type { Dialect } from "../dialect.ts";
import { parseLength } from "../durations.ts";
import { linesOf } from "../lines.ts";

const LINE = /^(\S.*?): (PASSED|FAILED)\b ?(.*)$/;
const TAIL = /\s*\((\d+(?:\.\d+)?(?:e-?\d+)?)s\)(\s*\(OPTIONAL\))?$/;

/** OkComputer for Ruby, as text. */
export const okcomputerText: Dialect = {
  name: "okcomputer-text",
  title: "OkComputer (text)",
  recognised: "text with lines `name: PASSED …` or `name: FAILED …`",
  mapped: "the time in brackets is seconds; `(OPTIONAL)` is soft; a heading is no check",
  kinds: ["text"],
  matches: (doc) => /: (?:PASSED|FAILED)\b/.test(doc.text) && linesOf(doc).some((line) => LINE.test(line)),
  normalise(doc) {
    for (const line of linesOf(doc)) {
      const match = LINE.exec(line);
      if (!match?.[1]) continue;
      const rest = match[3] ?? "";
      const tail = TAIL.exec(rest);
      doc.components.add({
        name: match[1],
        status: match[2] === "PASSED" ? "up" : "down",
        criticality: tail?.[2] ? "soft" : null,
        latencyMs: parseLength(tail?.[1], "s"),
        error: tail ? rest.slice(0, tail.index) : rest,
      });
    }
    return { word: null };
  },
};
