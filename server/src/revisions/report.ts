import { diffMaps } from "../config/diff.ts";
import { changeLines } from "../config/diff-report.ts";
import { parseConfig } from "../config/parse.ts";
import type * as wire from "../contract/index.ts";
import type { SystemMap } from "../domain/map.ts";
import { openForReading } from "../store/database.ts";
import { readRevisions } from "../store/revisions.ts";

/** Lines and names that are told; counts are of all. */
const MOST = 60;
/** Nobody's day: reviews play no part in what changed. */
const SOME_DAY = "2000-01-01";

export interface DiffsQuestion {
  /** The history's file. */
  data: string;
  revisions: readonly number[];
}

/** What revisions changed in effect, each against the one before it; null for the first. */
export type Diffs = readonly (readonly [revision: number, diff: wire.RevisionDiff | null])[];

/** Reads the maps from the history and compares them. One that no longer reads is left out. Throws `StoreOpenError`. */
export function revisionDiffs({ data, revisions }: DiffsQuestion): Diffs {
  const { connection } = openForReading(data);
  try {
    const maps = new Map<number, SystemMap | null>();
    const mapOf = (revision: number, files: Parameters<typeof parseConfig>[0]): SystemMap | null => {
      const known = maps.get(revision);
      if (known !== undefined) return known;
      const { map } = parseConfig(files, "keep", SOME_DAY);
      maps.set(revision, map);
      return map;
    };
    return [...revisions]
      .sort((a, b) => b - a)
      .flatMap((wanted): Diffs => {
        const [after, before] = readRevisions(connection, 2, wanted + 1);
        if (after?.revision !== wanted) return [];
        if (!before) return [[wanted, null]];
        const [head, base] = [mapOf(after.revision, after.files), mapOf(before.revision, before.files)];
        // Newer ones are done with: of many large maps two at a time are in memory.
        for (const revision of maps.keys()) if (revision > before.revision) maps.delete(revision);
        return head && base ? [[wanted, diffOf(base, head)]] : [];
      });
  } finally {
    connection.db.close();
  }
}

function diffOf(base: SystemMap, head: SystemMap): wire.RevisionDiff {
  const diff = diffMaps(base, head);
  const lines = changeLines(diff);
  return {
    changes: lines.slice(0, MOST),
    changes_total: lines.length,
    affected: diff.affected.slice(0, MOST),
    affected_total: diff.affected.length,
    teams: diff.teams.slice(0, MOST),
  };
}
