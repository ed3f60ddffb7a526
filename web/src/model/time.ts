const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, "0");

/** How long something has been so, two units at most: `4 m 12 s`, `3 h 05 m`, `2 d 4 h`, `44 d`. */
export function duration(ms: number): string {
  const t = Math.max(0, ms);
  if (t < MINUTE) return `${Math.floor(t / SECOND)} s`;
  if (t < HOUR) return `${Math.floor(t / MINUTE)} m ${two(Math.floor((t % MINUTE) / SECOND))} s`;
  if (t < DAY) return `${Math.floor(t / HOUR)} h ${two(Math.floor((t % HOUR) / MINUTE))} m`;
  const days = Math.floor(t / DAY);
  const hours = Math.floor((t % DAY) / HOUR);
  return days < 4 && hours > 0 ? `${days} d ${hours} h` : `${days} d`;
}

/** An age in one unit: `5 s`, `3 m`, `11 h`, `6 d`. */
export function age(ms: number): string {
  const t = Math.max(0, ms);
  if (t < MINUTE) return `${Math.floor(t / SECOND)} s`;
  if (t < HOUR) return `${Math.floor(t / MINUTE)} m`;
  if (t < DAY) return `${Math.floor(t / HOUR)} h`;
  return `${Math.floor(t / DAY)} d`;
}

/** A latency: `3 ms`, `640 ms`, `1.20 s`, `12.4 s`. */
export function latency(ms: number): string {
  if (ms < 1_000) return `${ms < 10 && ms % 1 !== 0 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

/** Milliseconds as configured: `10 s`, `1 m 30 s`, `1 h`, `250 ms`. */
export function setting(ms: number): string {
  if (ms < SECOND) return `${ms} ms`;
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, name] of [
    [DAY, "d"],
    [HOUR, "h"],
    [MINUTE, "m"],
    [SECOND, "s"],
  ] as const) {
    const count = Math.floor(rest / unit);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * unit;
  }
  return parts.slice(0, 2).join(" ");
}

/** A moment as addresses give it, in ISO 8601 or epoch milliseconds; null where it is neither. */
export function parseMoment(text: string | null): number | null {
  const at = new Date(text !== null && /^\d{5,}$/.test(text) ? Number(text) : (text ?? "")).getTime();
  return Number.isNaN(at) ? null : at;
}

/** The same where it is past; what is yet to come cannot be shown. */
export function pastMoment(text: string | null, now: number): number | null {
  const at = parseMoment(text);
  return at !== null && at <= now ? at : null;
}

/** Time after the first sign of a cause: `+15 s`, `+2 m 02 s`; what was unwell already, with another one's trouble or its own, did not follow. */
export function offset(ms: number): string {
  return ms < 0 ? "unwell before" : `+${duration(ms)}`;
}

/** Formats moments for people, in the browser's zone or in UTC. Arguments are epoch milliseconds. */
export interface Clock {
  utc: boolean;
  /** The zone by its distance from UTC at a moment, summer or winter: `UTC+1`, `UTC−3:30`, `UTC`. */
  zone(at: number): string;
  /** `14:02:11`; with the day in front when it is not the day of `now`. */
  time(at: number, now?: number): string;
  /** The same with the zone: `14:02:11 UTC+1`. */
  zoned(at: number, now: number): string;
  /** `14:02`. */
  minute(at: number): string;
  /** The end of something that goes on: `14:02`; with the day in front when that is not today. */
  until(at: number): string;
  /** `29 Nov 14:02`. */
  day(at: number): string;
  /** `29 Nov`; with the year when it is not this one. */
  date(at: number): string;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

/**
 * A clock for UTC or for the browser's zone. Without `Intl`: the first format that a page opens takes longer than its
 * whole first picture, and what it calls a zone depends on the browser. `present` tells which year need not be said.
 */
export function makeClock(utc: boolean, present: () => number): Clock {
  /** Minutes that the clock is before UTC. */
  const ahead = (at: number): number => (utc ? 0 : -new Date(at).getTimezoneOffset());
  // Read as UTC it shows what the clock does; no zone of today is off by a part of a minute.
  const shown = (at: number): Date => new Date(at + ahead(at) * MINUTE);
  const minute = (at: number): string => `${two(shown(at).getUTCHours())}:${two(shown(at).getUTCMinutes())}`;
  const second = (at: number): string => `${minute(at)}:${two(shown(at).getUTCSeconds())}`;
  const date = (at: number): string => {
    const day = shown(at);
    const year = day.getUTCFullYear();
    return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}${year === shown(present()).getUTCFullYear() ? "" : ` ${year}`}`;
  };
  const day = (at: number): string => `${date(at)} ${minute(at)}`;
  const zone = (at: number): string => {
    const off = Math.abs(ahead(at));
    if (off === 0) return "UTC";
    return `UTC${ahead(at) < 0 ? "−" : "+"}${Math.floor(off / 60)}${off % 60 === 0 ? "" : `:${two(off % 60)}`}`;
  };
  const time: Clock["time"] = (at, now) => (now === undefined || date(at) === date(now) ? second(at) : `${date(at)} ${second(at)}`);
  return {
    utc,
    zone,
    time,
    zoned: (at, now) => `${time(at, now)} ${zone(at)}`,
    minute,
    until: (at) => (date(at) === date(present()) ? minute(at) : day(at)),
    day,
    date,
  };
}
