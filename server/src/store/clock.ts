import { EARLIEST, type Misdated } from "../domain/clock.ts";
import type { Range } from "../domain/history.ts";
import type { Connection } from "./database.ts";
import { DAY_MS, MINUTE_MS } from "./samples.ts";

/** A clock that was set by more than this was far off before, or is now: which of them shows only later. */
export const LEAP_MS = DAY_MS;
/** So long we live by a clock after a leap until retention goes by it, and so long until it is taken for right otherwise. */
export const PROBATION_MS = DAY_MS;
const SETTLES_AFTER_MS = 30 * MINUTE_MS;

/** What had been written before something; ids from these on came later. */
export interface Marks {
  transition: number;
  gap: number;
  incident_version: number;
  incident_event: number;
  change: number;
  revision: number;
}

/** History that lies ahead of a clock that was set back far. It is kept aside until it shows which of both clocks was wrong. */
export interface Aside {
  /** History reaches up to here; the clock then said `from`. Epoch milliseconds. */
  reach: number;
  from: number;
  began: number | null;
  relived: number | null;
  /** Missing in a file of before times that were lived again were told one by one. */
  setBacks?: readonly Range[];
  /** What is kept aside lies before these; null until that is in the file. */
  marks: Marks | null;
}

/** How far the clock is believed; one object for the life of a history. */
export interface Clock {
  /** Milliseconds to live until it is; 0 in the ordinary case. */
  probation: number;
  aside: Aside | null;
  misdated: Misdated | null;
}

export function loadClock({ sql }: Connection): Clock {
  const rows = sql("SELECT key, value FROM meta WHERE key IN ('probation', 'aside')").all() as { key: string; value: number | string }[];
  const meta = new Map(rows.map(({ key, value }) => [key, value]));
  const aside = meta.get("aside");
  return {
    probation: Number(meta.get("probation") ?? 0),
    aside: typeof aside === "string" ? (JSON.parse(aside) as Aside) : null,
    misdated: null,
  };
}

/** Whether the clock that says `now` has run for so long since its last leap that the time before is not expected back. */
export function isSettled({ probation }: Clock, now: number): boolean {
  return probation <= PROBATION_MS - SETTLES_AFTER_MS && now >= EARLIEST;
}
