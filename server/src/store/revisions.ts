import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { MapFile, Revision, RevisionHead } from "../domain/history.ts";
import type { Connection } from "./database.ts";
import { ensure } from "./ensure.ts";

interface Row {
  revision: number;
  accepted_at: number;
  hash: string;
  commit_id: string | null;
  summary: string;
}

/** Writes a revision; texts are kept once, however many revisions hold them. Inside a transaction. */
export function writeRevision({ sql }: Connection, revision: Revision): void {
  sql("INSERT OR REPLACE INTO revision(revision, accepted_at, hash, commit_id, summary) VALUES(?, ?, ?, ?, ?)").run(
    revision.revision,
    revision.acceptedAt,
    revision.hash,
    revision.commit,
    revision.summary,
  );
  const known = sql("SELECT 1 FROM map_text WHERE hash = ?");
  for (const [n, file] of revision.files.entries()) {
    const hash = createHash("sha256").update(file.text).digest();
    if (!known.get(hash)) sql("INSERT INTO map_text(hash, data) VALUES(?, ?)").run(hash, deflateRawSync(file.text));
    sql("INSERT OR REPLACE INTO revision_file(revision, n, path, text) VALUES(?, ?, ?, ?)").run(revision.revision, n, file.path, hash);
  }
}

/** Newest first, below `cursor`, without their texts. */
export function readRevisionHeads({ sql }: Connection, limit: number, cursor = Number.MAX_SAFE_INTEGER): RevisionHead[] {
  const rows = sql("SELECT * FROM revision WHERE revision < ? ORDER BY revision DESC LIMIT ?").all(cursor, limit) as Row[];
  return rows.map((row) => ({
    revision: row.revision,
    acceptedAt: row.accepted_at,
    hash: row.hash,
    commit: row.commit_id,
    summary: row.summary,
  }));
}

/** The same with their texts; one that several of them share is read once. */
export function readRevisions(connection: Connection, limit: number, cursor?: number): Revision[] {
  const texts = new Map<string, string>();
  return readRevisionHeads(connection, limit, cursor).map((head) => ({ ...head, files: filesOf(connection, head.revision, texts) }));
}

function filesOf({ sql }: Connection, revision: number, texts: Map<string, string>): MapFile[] {
  const rows = sql("SELECT path, text FROM revision_file WHERE revision = ? ORDER BY n").all(revision) as { path: string; text: Buffer }[];
  return rows.map(({ path, text: hash }) => {
    const text = ensure(texts, hash.toString("hex"), () => {
      const row = sql("SELECT data FROM map_text WHERE hash = ?").get(hash) as { data: Buffer } | undefined;
      return row ? inflateRawSync(row.data).toString("utf8") : "";
    });
    return { path, text };
  });
}
