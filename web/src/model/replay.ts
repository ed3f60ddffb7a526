import type { Interval } from "./strip.ts";
import type { Incident } from "./types.ts";

/** Shown before an incident and after it, milliseconds. */
const AROUND = 30_000;

/** What a replay of an incident covers: a little more than it lasted, and nothing that is yet to come. */
export function replayRange({ opened_at, resolved_at }: Pick<Incident, "opened_at" | "resolved_at">, now: number): Interval {
  return {
    from: Date.parse(opened_at) - AROUND,
    to: resolved_at === null ? now : Math.min(now, Date.parse(resolved_at) + AROUND),
  };
}
