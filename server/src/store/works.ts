import { type AnnouncedWork, renameInWork } from "../domain/map.ts";
import type { Connection } from "./database.ts";

interface Row {
  id: number;
  nodes: string;
  start: number;
  stop: number;
  reason: string;
  by: string | null;
  announced_at: number;
  ended_by: string | null;
}

/** Writes announced work, or replaces what is kept under its id; inside a transaction. */
export function writeWork({ sql }: Connection, work: AnnouncedWork): void {
  sql("INSERT OR REPLACE INTO work(id, nodes, start, stop, reason, by, announced_at, ended_by) VALUES(?, ?, ?, ?, ?, ?, ?, ?)").run(
    work.id,
    JSON.stringify(work.nodes),
    work.from,
    work.to,
    work.reason,
    work.by,
    work.announcedAt,
    work.endedBy,
  );
}

/** Work that overlaps [from, to), on any of `nodes` where some are given, the latest to begin first. */
export function readWorks({ sql }: Connection, from: number, to: number, limit: number, nodes?: readonly string[]): AnnouncedWork[] {
  const onNodes = "AND EXISTS (SELECT 1 FROM json_each(work.nodes) AS own JOIN json_each(?) AS asked ON own.value = asked.value)";
  const rows = sql(`SELECT * FROM work WHERE stop > ? AND start < ? ${nodes ? onNodes : ""} ORDER BY start DESC, id DESC LIMIT ?`).all(
    from,
    to,
    ...(nodes ? [JSON.stringify(nodes)] : []),
    limit,
  ) as Row[];
  return rows.map((row) => ({
    id: row.id,
    nodes: JSON.parse(row.nodes) as string[],
    from: row.start,
    to: row.stop,
    reason: row.reason,
    by: row.by,
    announcedAt: row.announced_at,
    endedBy: row.ended_by,
  }));
}

/** Work on a renamed node is work on its new name. */
export function renameInWorks(connection: Connection, from: string, to: string): void {
  for (const work of readWorks(connection, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, -1)) {
    const renamed = renameInWork(work, from, to);
    if (renamed !== work) writeWork(connection, renamed);
  }
}
