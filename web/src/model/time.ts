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

/** Time after a first moment: `+15 s`, `+2 m 02 s`. */
export function offset(ms: number): string {
  return ms < 0 ? `−${duration(-ms)}` : `+${duration(ms)}`;
}

/** Formats moments for people, in the browser's zone or in UTC. Arguments are epoch milliseconds. */
export interface Clock {
  utc: boolean;
  /** Name of the zone, such as `CET`. */
  zone: string;
  /** `14:02:11`; with the day in front when it is not the day of `now`. */
  time(at: number, now?: number): string;
  /** `14:02`. */
  minute(at: number): string;
  /** `29 Nov 14:02`. */
  day(at: number): string;
  /** `29 Nov`. */
  date(at: number): string;
}

/** A clock for UTC, a named zone, or the browser's (`undefined`), whose name is that of `at`: summer has another than winter. */
export function makeClock(utc: boolean, at: number, zone?: string): Clock {
  const timeZone = utc ? "UTC" : zone;
  const base = timeZone ? { timeZone } : {};
  const time = new Intl.DateTimeFormat("en-GB", { ...base, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  const minute = new Intl.DateTimeFormat("en-GB", { ...base, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const date = new Intl.DateTimeFormat("en-GB", { ...base, day: "numeric", month: "short" });
  const named = new Intl.DateTimeFormat("en-GB", { ...base, timeZoneName: "short" });
  const name = named.formatToParts(at).find((part) => part.type === "timeZoneName")?.value ?? "";
  return {
    utc,
    zone: utc ? "UTC" : name,
    time: (at, now) =>
      now === undefined || date.format(at) === date.format(now) ? time.format(at) : `${date.format(at)} ${time.format(at)}`,
    minute: (at) => minute.format(at),
    day: (at) => `${date.format(at)} ${minute.format(at)}`,
    date: (at) => date.format(at),
  };
}
