import { type ChangeMark, renameInChange } from "../domain/history.ts";
import { type AnnouncedWork, renameInWork } from "../domain/map.ts";
import type { Connection } from "./database.ts";
import { DAY_MS } from "./samples.ts";
import { writeWork } from "./works.ts";

/** How many of each a start reads back, and memory holds. */
export const WORKS = 1_000;
export const CHANGES = 500;

/** The work and the changes that people told of and that still matter: a new file gets them when a damaged one is set aside. */
export class Notices {
  readonly #works = new Map<number, AnnouncedWork>();
  #changes: ChangeMark[];

  /** As a start reads them back; both bounded, the newest first. */
  constructor(works: readonly AnnouncedWork[], changes: readonly ChangeMark[]) {
    for (const work of [...works].reverse()) this.#works.set(work.id, work);
    this.#changes = [...changes].reverse();
  }

  /** Keeps announced work, or what has become of it. */
  work(work: AnnouncedWork): void {
    this.#works.set(work.id, work);
    for (const [id, { to }] of this.#works) if (to < work.announcedAt || this.#works.size > WORKS) this.#works.delete(id);
  }

  change(change: ChangeMark): void {
    this.#changes = [...this.#changes.slice(1 - CHANGES), change];
  }

  rename(from: string, to: string): void {
    for (const work of this.#works.values()) this.#works.set(work.id, renameInWork(work, from, to));
    this.#changes = this.#changes.map((change) => renameInChange(change, from, to));
  }

  /** Work that is not over at `now`, and changes of the day before it. */
  write(connection: Connection, now: number): void {
    for (const work of this.#works.values()) if (work.to > now) writeWork(connection, work);
    for (const change of this.#changes) if (change.at >= now - DAY_MS) writeChange(connection, change);
  }
}

/** Inside a transaction; a mark that is there already is not written again. */
export function writeChange({ sql }: Connection, { at, node, text, link, by }: ChangeMark): void {
  const there = sql("SELECT 1 FROM change WHERE at = ? AND node IS ? AND text = ?").get(at, node, text);
  if (!there) sql("INSERT INTO change(at, node, text, link, by) VALUES(?, ?, ?, ?, ?)").run(at, node, text, link, by);
}
