import { AGGREGATOR_FILE, type Parsed, parseConfig, type References, type SourceFile } from "../config/parse.ts";
import type { Loaded } from "../config/source.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import type { Restored } from "../domain/history.ts";
import type { MapInfo } from "../domain/live.ts";
import { type Problem, polledServices, type SystemMap } from "../domain/map.ts";
import { count } from "../domain/phrases.ts";
import type { Store } from "../store/index.ts";
import { type StartOptions, withOptions } from "./options.ts";
import { today } from "./words.ts";

/** What is run with: the map on disk, or the last accepted one where that is broken. */
interface Settled {
  config: AggregatorConfig;
  map: SystemMap;
  info: MapInfo;
  /** The map that ran before, where it is another one. */
  before: SystemMap | null;
}

/** What to run with, or the mistakes for which there is nothing: the map on disk where it may replace the accepted one. */
export function settle(
  loaded: Loaded,
  restored: Restored,
  references: References,
  store: Store,
  options: StartOptions,
  now: number,
): Settled | { problems: readonly Problem[] } {
  const { revision } = restored;
  // Reading a large map takes a second: not where it is the one just read.
  const isSame = loaded.errors.length === 0 && revision?.hash === loaded.hash;
  const before = revision && !isSame ? parseConfig(revision.files, "keep", today()).map : null;
  const problems = refusals(loaded, before);
  if (problems.length === 0 && loaded.map && loaded.config) {
    const config = withOptions(loaded.config, options);
    if (revision && revision.hash === loaded.hash)
      return { config, map: loaded.map, info: infoOf(revision.revision, loaded, now), before: null };
    return { config, map: loaded.map, info: accept(loaded, loaded.map, before, store, now), before };
  }
  if (!revision || options.strict) return { problems };
  const last = parseConfig(revision.files, references, today());
  if (!last.map || !last.config) return { problems };
  return {
    config: withOptions(last.config, options),
    map: last.map,
    info: {
      revision: revision.revision,
      loadedAt: revision.acceptedAt,
      hash: revision.hash,
      commit: revision.commit,
      warnings: last.warnings,
      refused: { at: now, problems },
    },
    before: null,
  };
}

/** Why a configuration must not replace the accepted one: it has mistakes, or polls nothing where that one does. */
export function refusals(next: Loaded, accepted: SystemMap | null): readonly Problem[] {
  if (next.errors.length > 0) return next.errors;
  if (next.map && accepted && polledServices(next.map).length === 0 && polledServices(accepted).length > 0) {
    const message = "the new map polls nothing, and the accepted one does: it would blind the board, so it is refused";
    return [{ file: "map", line: 1, column: 1, code: "polls-nothing", message }];
  }
  return [];
}

/** Keeps a map as a new revision. */
export function accept(loaded: Loaded, map: SystemMap, before: SystemMap | null, store: Store, now: number): MapInfo {
  const { hash, commit, files } = loaded;
  const revision = store.writer.acceptRevision({ acceptedAt: now, hash, commit, summary: summarise(before, map), files });
  return infoOf(revision, loaded, now);
}

function infoOf(revision: number, loaded: Loaded, now: number): MapInfo {
  const { hash, commit, warnings } = loaded;
  return { revision, loadedAt: now, hash, commit, warnings, refused: null };
}

/** One line for the list of revisions. */
function summarise(before: SystemMap | null, after: SystemMap): string {
  if (!before) return `first map: ${count(after.nodes.size, "node")}, ${count(after.systems.size, "system")}`;
  const added = [...after.nodes.keys()].filter((id) => !before.nodes.has(id)).length;
  const removed = [...before.nodes.keys()].filter((id) => !after.nodes.has(id)).length;
  if (added + removed === 0) return `${count(after.nodes.size, "node")}, none added or removed`;
  return `${count(after.nodes.size, "node")}, ${added} added, ${removed} removed`;
}

/**
 * What the API's check says of one file as if it stood in the folder; nothing is applied. References stay as they are:
 * whoever may ask could else find out which variables and files this machine has.
 */
export function checkAlone(loaded: Loaded, file: string, text: string): Pick<Parsed, "errors" | "warnings"> {
  const files = [...loaded.files.filter(({ path: name }) => name !== file), { path: file, text }];
  const { errors, warnings } = parseConfig(files, "keep", today());
  return { errors, warnings };
}

/** What the aggregator's own file says, which is read in no time; null where that is broken. */
export function aggregatorAlone(files: readonly SourceFile[], references: References): AggregatorConfig | null {
  return parseConfig(
    files.filter(({ path: name }) => name === AGGREGATOR_FILE),
    references,
    today(),
  ).config;
}

/** What holds where the aggregator's own file says nothing. */
export function defaultConfig(): AggregatorConfig {
  const { config } = parseConfig([], "keep", today());
  if (!config) throw new Error("an empty configuration must have defaults");
  return config;
}
