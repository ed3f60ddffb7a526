import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { assemble } from "../../../server/src/discover/assemble.ts";
import { compareGraph } from "../../../server/src/discover/compare.ts";
import { readFiles } from "../../../server/src/discover/recognise.ts";
import { mapYaml } from "../../../server/src/discover/yaml.ts";

const SYSTEMS = path.join(import.meta.dirname, "../../fixtures/discover/systems");
const read = (...names: string[]) => readFileSync(path.join(SYSTEMS, ...names), "utf8");

/** What is found in the sources of a system, and how its map differs from that, as lines of its `expected.txt`. */
function linesOf(name: string): string[] {
  const all = readdirSync(path.join(SYSTEMS, name, "sources")).map((file) => ({ path: file, text: read(name, "sources", file) }));
  const beside = all.filter(({ path: file }) => file.endsWith(".env"));
  const { drafts } = readFiles(
    all.filter((file) => !beside.includes(file)),
    beside,
  );
  const graph = assemble(drafts);
  expect(parseConfig([{ path: "map/m.yaml", text: mapYaml(graph, ["sources"]) }], "keep", "2026-11-29").errors).toEqual([]);
  const { map, errors } = parseConfig([{ path: "map/map.yaml", text: read(name, "map.yaml") }], "keep", "2026-11-29");
  if (!map) throw new Error(JSON.stringify(errors));
  const { findings } = compareGraph(graph, map, new Map());
  return [
    ...graph.nodes.map(({ id, kind, resourceKind }) => [kind, id, ...(resourceKind ? [resourceKind] : [])].join(" ")),
    ...graph.edges.map(({ from, to, criticality }) => `edge ${from} ${to} ${criticality}`),
    ...graph.leftOut.map((one) => `left ${one.name}`),
    ...findings.map(({ kind, node, to }) => `${kind} ${node}${to === null ? "" : ` ${to}`}`),
  ];
}

describe("of a system's files, what they show and where its map differs is found", () => {
  test.each(readdirSync(SYSTEMS))("%s", (name) => {
    expect(linesOf(name)).toEqual(read(name, "expected.txt").trim().split("\n"));
  });
});
