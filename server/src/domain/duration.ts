const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A positive whole number and `ms`, `s`, `m`, `h` or `d`, in milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^([1-9]\d{0,11})(ms|s|m|h|d)$/.exec(text);
  if (!match) return null;
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}

/** The shortest exact form that `parseDuration` reads back: 90000 is `90s`, 60000 is `1m`. */
export function formatDuration(ms: number): string {
  for (const unit of ["d", "h", "m", "s"] as const) if (ms >= UNITS[unit] && ms % UNITS[unit] === 0) return `${ms / UNITS[unit]}${unit}`;
  return `${ms}ms`;
}

/** A length of time as people say it, two units at most: `4 m 12 s`, `6 d`, `850 ms`. */
export function humanDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`;
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  return days < 3 && hours > 0 ? `${days} d ${hours} h` : `${days} d`;
}
