import type { AggregatorConfig } from "../domain/config.ts";
import type { Problem, SystemMap } from "../domain/map.ts";
import { buildAggregator, checkAggregator, reviewAfter } from "./aggregator.ts";
import { AggregatorFile } from "./aggregator-schema.ts";
import { buildMap } from "./build.ts";
import { collect } from "./collect.ts";
import type { Context } from "./context.ts";
import { checkLinks } from "./links.ts";
import { MapFile } from "./map-schema.ts";
import { Findings } from "./problems.ts";
import { readYaml, treeOfJson } from "./read.ts";
import type { ReferenceMode } from "./references.ts";
import type { ReadFile, Reuse } from "./reuse.ts";
import { Suggester } from "./suggest.ts";
import type { MapNodeTree, SourceFile, TreeNode } from "./tree.ts";
import { Validator } from "./validate.ts";

export type { References } from "./references.ts";
export type { SourceFile } from "./tree.ts";

/** The file of the aggregator itself; every other file is one of the map. */
export const AGGREGATOR_FILE = "headwater.yaml";

export interface Parsed {
  /** Sorted by file, then line. */
  errors: Problem[];
  warnings: Problem[];
  /** Both null when there is any error: a broken configuration is refused whole. */
  config: AggregatorConfig | null;
  map: SystemMap | null;
}

/**
 * Reads the files of a configuration into an accepted config and map, or into every mistake in them with its place.
 * `references` gives the values of `${…}`, or is `"keep"` to leave them as they are. `today` is `YYYY-MM-DD`. `reuse` saves
 * work where much of the same was parsed before. Never throws.
 */
export function parseConfig(files: readonly SourceFile[], references: ReferenceMode, today: string, reuse?: Reuse): Parsed {
  const findings = new Findings();
  const suggester = new Suggester();
  const read = [...files]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map((file) => {
      const before = findings.count;
      const read = () => ({ result: readFile(file, findings, suggester, references), faultless: findings.count === before });
      return reuse ? reuse.file(file, read) : read().result;
    });
  const aggregator = read.find(({ file }) => file.path === AGGREGATOR_FILE)?.root ?? null;
  if (aggregator) checkAggregator(aggregator, findings);
  const maps = read.filter(({ file }) => file.path !== AGGREGATOR_FILE);
  const suspects = maps.filter(({ suspect }) => suspect).map(({ file }) => file);
  const suspectWords = wordsOf(suspects);
  return finish(
    maps.flatMap(({ root }) => root ?? []),
    aggregator,
    {
      findings,
      suggester,
      start: { file: maps[0]?.file.path ?? read[0]?.file.path ?? "map", line: 1, column: 1 },
      today,
      mayDeclare: (id) => suspectWords?.has(id) ?? true,
      incomplete: suspects.length > 0,
      references: references === "keep" ? null : references,
    },
    reuse,
  );
}

/**
 * The map inside a recording: a JSON value in the shape of the YAML. It is refused for its errors only; references stay
 * as they are, and reviews are not judged, for want of a day.
 */
export function parseMapObject(value: unknown): { map: SystemMap | null; errors: Problem[]; warnings: Problem[] } {
  const findings = new Findings();
  const suggester = new Suggester();
  const root = treeOfJson(value, "map", findings);
  new Validator(findings, suggester).check(MapFile, root, "the map");
  if (root.kind !== "map") findings.error(root.origin.place(0), "wrong-type", "the map must be a JSON object");
  const roots = root.kind === "map" && !root.bad ? [root] : [];
  const start = root.origin.place(0);
  const { map, errors, warnings } = finish(roots, null, {
    findings,
    suggester,
    start,
    today: "",
    mayDeclare: () => false,
    incomplete: false,
    references: null,
  });
  return { map, errors, warnings };
}

function finish(
  roots: readonly MapNodeTree[],
  aggregator: MapNodeTree | null,
  rest: Omit<Context, "all" | "reviewAfterDays">,
  reuse?: Reuse,
): Parsed {
  const { findings } = rest;
  const all = collect(roots, findings);
  checkLinks({ ...rest, all, reviewAfterDays: reviewAfter(aggregator) / 86_400_000 });
  if (findings.failed) return { ...findings.finish(), config: null, map: null };
  return { ...findings.finish(), config: buildAggregator(aggregator), map: buildMap(all, rest.references, reuse) };
}

function readFile(file: SourceFile, findings: Findings, suggester: Suggester, references: ReferenceMode): ReadFile {
  const root = readYaml(file, findings, references);
  if (root === null) return { file, root: null, suspect: true };
  const aggregator = file.path === AGGREGATOR_FILE;
  if (isEmpty(root)) return { file, root: null, suspect: root.bad };
  new Validator(findings, suggester).check(aggregator ? AggregatorFile : MapFile, root, aggregator ? "the configuration" : "the map");
  if (root.kind !== "map") return { file, root: null, suspect: true };
  const unsure = (node: TreeNode): boolean => node.bad || (node.kind === "map" && node.partial === true);
  return { file, root, suspect: unsure(root) || [...root.entries].some(([key, { node }]) => !(key in MapFile.shape) || unsure(node)) };
}

const isEmpty = (root: TreeNode) => root.kind === "scalar" && root.value === null;

/** The words of files that may declare more than could be understood; null where one could not be read at all. */
function wordsOf(suspects: readonly SourceFile[]): ReadonlySet<string> | null {
  if (suspects.some(({ unreadable }) => unreadable !== undefined)) return null;
  return new Set(suspects.flatMap(({ text }) => text.split(/[^a-z0-9._-]+/)));
}
