import type { Connection } from "./database.ts";

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
