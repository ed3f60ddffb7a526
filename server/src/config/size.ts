const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1_000,
  MB: 1_000_000,
  GB: 1_000_000_000,
  TB: 1_000_000_000_000,
  KIB: 1_024,
  MIB: 1_048_576,
  GIB: 1_073_741_824,
  TIB: 1_099_511_627_776,
};

/** A positive number and `B`, `KB`, `KiB`, `MB` … `TiB`, in whole bytes; null for anything else. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,3})?) ?((?:[KMGT]i?)?B)$/i.exec(text);
  if (!match) return null;
  const bytes = Math.round(Number(match[1]) * (UNITS[(match[2] ?? "").toUpperCase()] ?? Number.NaN));
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null;
}
