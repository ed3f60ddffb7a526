import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** docs/security.md lists attacks and faults, each with its test: `[name](../tests/….test.ts): title or case of it`. */

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/security.md"), "utf8");
const rows = [...page.matchAll(/^\| *(\d+) *\| (.*?) +\| (.*?) +\| \[.*?\]\(\.\.\/(.*?)\): (.*?) *\|$/gm)].map(
  ([, number, what, holds, file, title]) => ({
    number: Number(number),
    what,
    holds,
    file: file ?? "",
    title: (title ?? "").replaceAll("\\|", "|"),
  }),
);

/** A test file's text with that of its helpers, in which a table of cases may stand. */
function textOf(file: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  const helpers = [...text.matchAll(/from "(\.\.?\/[^"]*)"/g)].map(([, path]) => join(dirname(file), path ?? ""));
  const own = helpers.filter((path) => path.startsWith("tests/") && existsSync(join(ROOT, path)));
  return [text, ...own.map((path) => readFileSync(join(ROOT, path), "utf8"))].join("\n");
}

test("the list has no row but such that are read here, numbered through, and at least sixty", () => {
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, i) => i + 1));
  expect(page.match(/^\| *\d/gm)).toHaveLength(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(60);
});

test.each(rows.map(({ number, what, file, title }) => [number, what, file, title] as const))("%i: %s", (_number, _what, file, title) => {
  expect(file).toMatch(/^tests\/.*\.test\.ts$/);
  const text = textOf(file);
  expect(title.length).toBeGreaterThan(2);
  // The title, or the case's name, as it stands in quotes.
  const quoted = [`"${title}`, `'${title}`, `\`${title}`];
  expect(
    quoted.some((start) => text.includes(start)),
    `${file} has no test or case "${title}"`,
  ).toBe(true);
});
