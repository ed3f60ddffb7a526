import { expect, test } from "vitest";
import { createLog } from "../../server/src/log.ts";

test.each([
  ["a bidi override", "\u202eevil"],
  ["a control sequence of one character", "\u009b2Jgone"],
  ["an escape", "\u001b[2Jgone"],
  ["a line break", "one\ntwo"],
])("a terminal is shown %s as text, in a message and in a field", (_name, text) => {
  const lines: string[] = [];
  createLog({ level: "info", format: "pretty" }, false, (line) => void lines.push(line)).info({ reason: text }, text);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}.*reason=.*\n$/);
});
