export type Unit = "ns" | "us" | "ms" | "s";

const PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6,
  nanosecond: 1e-6,
  nanoseconds: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  microsecond: 1e-3,
  microseconds: 1e-3,
  ms: 1,
  msec: 1,
  millis: 1,
  millisecond: 1,
  milliseconds: 1,
  s: 1e3,
  sec: 1e3,
  secs: 1e3,
  second: 1e3,
  seconds: 1e3,
  m: 6e4,
  min: 6e4,
  minute: 6e4,
  minutes: 6e4,
  h: 36e5,
  hour: 36e5,
  hours: 36e5,
};

const TIME_SPAN = /^(?:(\d{1,6})\.)?(\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/;
const ISO = /^PT(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?$/i;
const WITH_UNITS = /^(?:\d+(?:\.\d+)?\s?[a-zµμ]+\s?){1,4}$/i;
const BARE = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Milliseconds to six decimals, so that 0.0012 s is 1.2 and not 1.2000000000000002. */
function tidy(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}

/** Milliseconds of one unit word such as `ms`, `s`, `µs` or `seconds`; null for any other word. */
export function unitFactor(word: unknown): number | null {
  return typeof word === "string" && word.length <= 20 ? (PER_UNIT[word.trim().toLowerCase()] ?? null) : null;
}

/**
 * A stated length of time in milliseconds. A bare number counts in `unit`; texts may carry units (`45ms`, `1m3.5s`), be a
 * .NET TimeSpan (`00:00:01.5`) or ISO 8601 (`PT0.5S`). Null for anything else, for negative values and for NaN.
 */
export function parseLength(value: unknown, unit: Unit | null): number | null {
  if (typeof value === "number") return unit && Number.isFinite(value) && value >= 0 ? tidy(value * (PER_UNIT[unit] ?? 1)) : null;
  if (typeof value !== "string" || value.length > 40) return null;
  const text = value.trim();
  if (BARE.test(text)) return parseLength(Number(text), unit);
  const span = TIME_SPAN.exec(text);
  if (span) {
    const [, days = "0", hours, minutes, seconds, fraction = "0"] = span;
    return tidy(((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 6e4 + (Number(seconds) + Number(`0.${fraction}`)) * 1e3);
  }
  const iso = text.length > 2 ? ISO.exec(text) : null;
  if (iso) return tidy(Number(iso[1] ?? 0) * 36e5 + Number(iso[2] ?? 0) * 6e4 + Number(iso[3] ?? 0) * 1e3);
  if (!WITH_UNITS.test(text)) return null;
  let total = 0;
  for (const [, number, word] of text.matchAll(/(\d+(?:\.\d+)?)\s?([a-zµμ]+)/gi)) {
    const factor = unitFactor(word);
    if (factor === null) return null;
    total += Number(number) * factor;
  }
  return tidy(total);
}
