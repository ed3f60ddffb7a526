import type { Range } from "../domain/history.ts";
import type { Connection } from "./database.ts";
import { ensure } from "./ensure.ts";
import type { HeldRow } from "./held.ts";
import type { PollSample } from "./polls.ts";

/** Times to which the clock was set back, and from which: that time was lived again. The newest are remembered. */
export const SET_BACKS = 32;

/** A poll may be asked this long before the next sign of life shows that the clock was set back. */
const UNSEEN_MS = 5_000;

/** The last beginning, at `at` or before it, of a time that was lived again and holds `at`; null where it was lived once. */
function livedAgainFrom(setBacks: readonly Range[], at: number): number | null {
  const from = setBacks.filter((one) => one.from - UNSEEN_MS <= at && at <= one.to).map((one) => one.from);
  return from.length === 0 ? null : Math.min(at, Math.max(...from));
}

/**
 * Polls of one service and slot, in the order in which they were written, without those of a time that was lived again:
 * of that the later counts. An instance is asked once at a time, so polls that go back in time are of another life.
 */
export function lastLived(polls: readonly PollSample[], setBacks: readonly Range[]): readonly PollSample[] {
  if (setBacks.length === 0) return polls;
  const lived = new Map<number | null, PollSample[]>();
  for (const poll of polls) {
    const own = ensure(lived, poll.instance, () => []);
    const again = (own.at(-1)?.at ?? 0) < poll.at ? null : livedAgainFrom(setBacks, poll.at);
    while (again !== null && (own.at(-1)?.at ?? 0) >= again) own.pop();
    own.push(poll);
  }
  return [...lived.values()].flat();
}

/** The part of a range that begins where it was last lived again; null where it was lived once. */
export function livedAgainIn(setBacks: readonly Range[], { from, to }: Range): Range | null {
  const last = setBacks.findLast((one) => one.from < to && one.to > from);
  return last ? { from: Math.max(from, last.from), to } : null;
}

/** Whether what a change says of its moment was replaced when that was lived again. */
export function isReplaced({ sql }: Connection, setBacks: readonly Range[], { series, id, at }: HeldRow): boolean {
  const again = livedAgainFrom(setBacks, at);
  if (again === null) return false;
  return (
    sql("SELECT 1 FROM transition WHERE series = ? AND id > ? AND at BETWEEN ? AND ? LIMIT 1").get(series, id, again, at) !== undefined
  );
}
