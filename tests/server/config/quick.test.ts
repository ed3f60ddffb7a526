// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in a map are written like this.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { readAnyYaml } from "../../../server/src/config/full.ts";
import { Findings } from "../../../server/src/config/problems.ts";
import { readPlainYaml } from "../../../server/src/config/quick.ts";
import type { Origin, TreeNode } from "../../../server/src/config/tree.ts";

// Many cases or real files: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

const FIXTURES = path.join(import.meta.dirname, "../../fixtures");

/** Offsets take the place of lines and columns, so that the two readers are compared to the character. */
const ORIGIN: Origin = { path: "a", place: (offset) => ({ file: "a", line: 1, column: offset }) };

/** A tree as plain values, in order, with the offset of each part. */
function plain(node: TreeNode): unknown {
  // Where nothing stands, the two need not agree on the space in which it does so.
  if (node.kind === "scalar")
    return [node.source === "" && node.value === null ? null : node.at, node.value, node.source, node.references, node.opaque, node.bad];
  if (node.kind === "list") return [node.at, node.bad, node.items.map(plain)];
  return [node.at, node.bad, [...node.entries].map(([key, entry]) => [key, entry.at, entry.merged, plain(entry.node)])];
}

const quick = (text: string) =>
  readPlainYaml(text, ORIGIN, (node) => ({
    ...node,
    references: [...String(node.value).matchAll(/\$\{([^}]*)\}?/g)].map((match) => match[0]),
    opaque: true,
  }));

/** What the full parser makes of a text, and whether it complains. */
function full(text: string) {
  const findings = new Findings();
  const tree = readAnyYaml(text, ORIGIN, findings, "keep");
  return { tree, errors: findings.finish().errors };
}

/** True where the quick reader read the text, after holding it against the full parser. */
function compare(text: string): boolean {
  const tree = quick(text);
  if (tree === null) return false;
  const other = full(text);
  expect(other.errors, text).toEqual([]);
  expect(other.tree && plain(other.tree), text).toEqual(plain(tree));
  return true;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) return filesIn(file);
    return name.endsWith(".yaml") && statSync(file).size < 100_000 ? [file] : [];
  });
}

test("every fixture that is read quickly is read as by the full parser, and most are", () => {
  const files = filesIn(FIXTURES);
  const read = files.filter((file) => compare(readFileSync(file, "utf8").replace(/^\uFEFF/, "")));
  expect(read.length).toBeGreaterThan(files.length * 0.7);
});

describe("what it reads", () => {
  test.each([
    "a: 1\nb: 007\nc: -3\nd: true\ne: Null\nf: ~\ng: 2026-10-01\nh: 10s\ni: no\nj: FALSE\nk: 22:30\n",
    "a:\nb:   # comment\nc: x # comment\nd: x#y\n# comment\n  # another\ne: 'q' # c\n",
    '---\na: {b: c, d: {e: [f, g, ], h: "i"}, }\n',
    "a:\n- b\n- c: d\n  e: f\n- g:\n  - h\n-\n- i:\nj: k\n",
    "a:\n  - on: x\n    criticality: hard\n\n  -   on: y\n      criticality: soft\n",
    'url: http://a.internal:8080/health/deep?x=[1]{2},3\nflow: { url: http://a.internal:8080/health, x: "http://${HOST}/" }\n',
    "a: b\r\nc:\r\n  - d\r\n  - { e: f }\r\n",
    "a: x y  z   \nb: \"\"\nc: ''\n",
    "a: Küche — größter\nb: メニュー\nc: \u00a0x\u00a0\n",
    "- a\n- b: c\n",
    "a: ${NAME}\nb: x${NAME}y\n",
    "a: b",
    "",
    "# nothing\n",
    "---\n# nothing\n",
  ])("%j", (text) => {
    expect(compare(text)).toBe(true);
  });
});

describe("what it leaves to the full parser", () => {
  test.each([
    "a: &x b\nc: *x\n",
    "a: |\n  b\n",
    "a: b\n  c\n",
    "a: b: c\n",
    "a: {b: c\n",
    "a: b\na: c\n",
    "a: !tag b\n",
    "<<: b\n",
    'a: "x\\n"\n',
    "a: 'it''s'\n",
    "a: 1.5\nb: 1e3\n",
    "a: 0x10\n",
    "a:\tb\n",
    "a: b\n---\nc: d\n",
    "a:\n    b: c\n  d: e\n",
    "%YAML 1.1\n---\na: no\n",
    "? a\n: b\n",
    "a b: c\n",
    'a: "x"y\n',
    "a: [b, , c]\n",
    "a: { b, c }\n",
    "text",
  ])("%j", (text) => {
    expect(quick(text)).toBeNull();
  });
});

test("whatever the text, it gives up or agrees with the full parser", () => {
  const pieces = [
    "a",
    "b",
    "on",
    "a:",
    "b:",
    "c: ",
    "a: b",
    "- ",
    "-",
    "-a",
    "{",
    "}",
    "[",
    "]",
    ", ",
    ",",
    ": ",
    ":",
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    "\n- ",
    "\n  - ",
    "  ",
    " ",
    " # x",
    "#",
    '"q"',
    "'q'",
    '"',
    "'",
    "1",
    "-2",
    "0.5",
    "1e3",
    "true",
    "null",
    "~",
    "http://a:80/x",
    "10s",
    "2026-10-01",
    "${X}",
    "&a ",
    "*a",
    "<<",
    "|",
    ">",
    "!",
    "%",
    "@",
    "?",
    "? ",
    "---",
    "...",
    "\r\n",
    "\t",
    "é",
    "\u00a0",
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(""));
  let read = 0;
  fc.assert(
    fc.property(text, (content) => {
      if (compare(content)) read++;
    }),
    { numRuns: 5_000 },
  );
  expect(read).toBeGreaterThan(50);
});

test("a generated map, laid out in every way, is read as by the full parser", () => {
  const word = fc.constantFrom(
    "a",
    "orders-db",
    "http://x.internal:8080/health/deep",
    "10s",
    "7",
    "-1",
    "true",
    "~",
    "2026-10-01",
    '"quoted: x"',
    "'single'",
    "x y",
    "#payments",
    "a#b",
  );
  const key = fc.constantFrom("on", "url", "team", "criticality", "x.y", "a_b", "no", "1e3", "null");
  const flow = fc.oneof(
    word.filter((value) => !value.startsWith("#")),
    fc
      .uniqueArray(fc.tuple(key, word), { selector: ([name]) => name, maxLength: 3 })
      .map((pairs) => `{ ${pairs.map(([name, value]) => `${name}: ${value}`).join(", ")} }`),
    fc.array(word, { maxLength: 3 }).map((values) => `[${values.join(", ")}]`),
  );
  const lines = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.boolean(), key, fc.option(flow)), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, (rows) => {
      compare(
        rows
          .map(([indent, item, name, value]) => `${"  ".repeat(indent)}${item ? "- " : ""}${name}:${value === null ? "" : ` ${value}`}\n`)
          .join(""),
      );
    }),
    { numRuns: 3_000 },
  );
});
