import type { Transition } from "../domain/history.ts";
import type { Connection } from "./database.ts";
import type { Names } from "./names.ts";
import { decodeWord } from "./words.ts";

export interface HeldRow {
  id: number;
  series: number;
  at: number;
  was: number | string | null;
  became: number | string;
  reason: string | null;
  incident: number | null;
}

/**
 * The change of a series that held at a moment, as it is known now. `relivedFrom`: from there on time may have been lived
 * twice, and of what was said of it the later counts.
 */
export function heldAt({ sql }: Connection, series: number, at: number, relivedFrom: number | null): HeldRow | null {
  const row =
    relivedFrom !== null && at >= relivedFrom
      ? sql("SELECT * FROM transition WHERE id = (SELECT max(id) FROM transition WHERE series = ? AND at <= ?)").get(series, at)
      : sql("SELECT * FROM transition WHERE series = ? AND at <= ? ORDER BY at DESC, id DESC LIMIT 1").get(series, at);
  return (row as HeldRow | undefined) ?? null;
}

/** The change that a row tells of; null where its subject has no name any more. */
export function transitionOf(names: Names, { series, at, was, became, reason, incident }: HeldRow): Transition | null {
  const subject = names.key(series);
  if (!subject) return null;
  return {
    subject: subject.kind,
    id: subject.key,
    at,
    from: was === null ? null : decodeWord(was),
    to: decodeWord(became),
    reason,
    incident,
  };
}
