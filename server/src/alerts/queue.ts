import { type Alert, withoutRevived } from "./book.ts";
import { labelKey } from "./words.ts";

/** What waits for one receiver, oldest first. */
export type Waiting = readonly Alert[];

/** Puts more behind what waits, of which at most `limit` is kept: the oldest that is no end is dropped first. */
export function enqueue(waiting: Waiting, more: readonly Alert[], limit: number): { waiting: Waiting; dropped: number } {
  const all = [...waiting, ...more];
  const dropped = Math.max(0, all.length - limit);
  let over = dropped;
  const kept = all.filter(({ endsAt }) => endsAt !== null || over-- <= 0);
  return { waiting: kept.slice(-limit), dropped };
}

/** The repetitions that say anything but what already waits. */
export function worthRepeating(waiting: Waiting, repeated: readonly Alert[]): readonly Alert[] {
  const fact = ({ labels, endsAt }: Alert) => `${endsAt === null}${labelKey(labels)}`;
  const told = new Set(waiting.map(fact));
  const fires = waiting.filter(({ endsAt }) => endsAt === null);
  return withoutRevived(repeated, fires).filter((alert) => !told.has(fact(alert)));
}

/** Milliseconds until the next attempt after so many failures in a row, at least one. */
export function backoff(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** (failures - 1));
}

/** What an answer means: taken, refused for what the letter says (it never will be taken), or to be tried again. */
export function verdictOn(httpStatus: number): "taken" | "refused" | "again" {
  if (httpStatus >= 200 && httpStatus < 300) return "taken";
  return httpStatus === 400 || httpStatus === 413 || httpStatus === 422 ? "refused" : "again";
}
