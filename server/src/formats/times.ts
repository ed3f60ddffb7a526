/** Before this, a time is a zero value that means "never": 0001-01-01, 1970-01-01, small epochs. */
const EARLIEST = Date.UTC(2000, 0, 1);
/** The commonest form, which the platform reads fastest. */
const PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?|UTC|GMT)$/i;
const HTTP_DATE = /^[A-Z][a-z]{2},? \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})$/;

/** `never` for zero values; null for what is no time, or has no zone, so that its age cannot be told. */
export type Time = number | "never" | null;

/**
 * Epoch milliseconds of a stated time: RFC 3339 with up to 12 decimals, a space for the T, offsets with or without colon;
 * HTTP dates; epoch numbers in s, ms, µs or ns by their size.
 */
export function parseTime(value: unknown): Time {
  if (typeof value === "number") return fromEpoch(value);
  if (typeof value !== "string" || value.length > 64) return null;
  if (value === last.text) return last.time;
  last = { text: value, time: parseText(value) };
  return last.time;
}

/** The checks of one report often state one and the same time. */
let last: { text: string; time: Time } = { text: "", time: null };

function parseText(value: string): Time {
  if (PLAIN.test(value)) return zeroOr(Date.parse(value));
  const text = value.trim();
  if (/^\d{9,19}(?:\.\d{1,9})?$/.test(text)) return fromEpoch(Number(text));
  const match = RFC3339.exec(text);
  const at = match ? fromParts(match) : HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return zeroOr(at);
}

function zeroOr(at: number): Time {
  if (Number.isNaN(at)) return null;
  return at < EARLIEST ? "never" : at;
}

function fromEpoch(value: number): Time {
  if (!Number.isFinite(value) || value < 0) return null;
  const ms = value < 1e11 ? value * 1e3 : value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6;
  return ms < EARLIEST ? "never" : Math.round(ms);
}

function fromParts(match: RegExpExecArray): number {
  const [, year, month, day, hour, minute, second = "0", fraction = "0", zone = "Z"] = match;
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  // Date.UTC reads years 0 to 99 as 1900 to 1999; either way they are zero values.
  if (Number(month) > 12 || Number(day) > 31 || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return Number.NaN;
  return utc + Math.floor(Number(`0.${fraction}`) * 1e3) - offset(zone);
}

function offset(zone: string): number {
  const parts = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (!parts) return 0;
  return (parts[1] === "-" ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3] ?? 0)) * 60_000;
}
