import { duration, setting } from "./time.ts";

/** A share as people write it, never rounded up to a perfect one: `99.95 %`. */
export function percent(share: number): string {
  if (share >= 1) return "100 %";
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}

/** A length as people sum it up: whole minutes from a minute on. */
export function round(ms: number): string {
  return ms < 60_000 ? duration(ms) : setting(Math.round(ms / 60_000) * 60_000);
}
