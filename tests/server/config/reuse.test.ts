import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Parsed, parseConfig, type SourceFile } from "../../../server/src/config/parse.ts";
import { Reuse } from "../../../server/src/config/reuse.ts";

const CASES = path.join(import.meta.dirname, "../../fixtures/map-cases/diff");
const parse = (files: readonly SourceFile[], reuse?: Reuse): Parsed => parseConfig(files, "keep", "2026-11-29", reuse);
const one = (text: string): SourceFile[] => [{ path: "map/a.yaml", text }];

function filesIn(folder: string): SourceFile[] {
  const map = path.join(folder, "map");
  return readdirSync(map).map((name) => ({ path: `map/${name}`, text: readFileSync(path.join(map, name), "utf8") }));
}

describe("a configuration read after another much like it is the same as one read alone", () => {
  test.each(readdirSync(CASES))("%s", (name) => {
    const [base, head] = [filesIn(path.join(CASES, name, "base")), filesIn(path.join(CASES, name, "head"))];
    const reuse = new Reuse();
    expect(parse(base, reuse)).toEqual(parse(base));
    expect(parse(head, reuse)).toEqual(parse(head));
  });
});

describe("nodes are the same objects", () => {
  const shared = one(`services: { a: { url: "http://a/x", dependencies: [{ on: b, criticality: soft }] }, b: { url: "http://b/x" } }`);

  test("where the file is the same", () => {
    const reuse = new Reuse();
    const [first, second] = [parse(shared, reuse), parse([...shared, { path: "map/b.yaml", text: "services: { c: {} }" }], reuse)];
    expect(second.map?.nodes.get("a")).toBe(first.map?.nodes.get("a"));
    expect(second.map?.nodes.has("c")).toBe(true);
  });

  test("and not where the defaults are others, or came in between", () => {
    const reuse = new Reuse();
    for (const interval of ["10s", "30s", "10s"]) {
      const files = [...shared, { path: "map/z.yaml", text: `defaults: { interval: ${interval} }` }];
      expect(parse(files, reuse)).toEqual(parse(files));
    }
    expect(parse(shared, reuse)).toEqual(parse(shared));
  });

  test("and not of two ids that share a body by an alias", () => {
    const files = one(`services: { a: &x { url: "http://a/x" }, b: *x }`);
    const reuse = new Reuse();
    expect(parse(files, reuse)).toEqual(parse(files));
    expect(parse(files, reuse)).toEqual(parse(files));
    expect([...(parse(files, reuse).map?.nodes.values() ?? [])].map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

test("the mistakes of a file are told each time it is read", () => {
  const reuse = new Reuse();
  const files = one("services: { a: { intervall: 3s } }");
  expect(parse(files, reuse).errors).toHaveLength(1);
  expect(parse(files, reuse)).toEqual(parse(files));
});
