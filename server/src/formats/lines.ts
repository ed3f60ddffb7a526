import type { Document } from "./dialect.ts";

const MAX_LINES = 5_000;
const MAX_LINE = 2_000;

/** The lines of a text that are not blank, trimmed; a bounded number of bounded length, with a warning where that cuts. */
export function linesOf(doc: Document): string[] {
  const lines = doc.text.split(/\r?\n/, MAX_LINES + 1);
  if (lines.length > MAX_LINES) doc.warn("too_many_lines", `only the first ${MAX_LINES} lines were read`);
  return lines
    .slice(0, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trim())
    .filter((line) => line !== "");
}
