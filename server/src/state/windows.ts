import type { Damped, FailureWindow } from "../domain/state.ts";
import type { ComponentStatus, Status } from "../domain/status.ts";

const isBad = (status: Status | ComponentStatus): boolean => status !== "unknown" && status !== "healthy" && status !== "up";

/**
 * The window of the present failure after a result: it opens at the first known bad result of the run that flipped, is
 * kept while the failure lasts, and is null while the thing is good or unknown. `at` is the time of the result.
 */
export function windowAfter<S extends Status | ComponentStatus>(
  window: FailureWindow | null,
  before: Damped<S>,
  after: Damped<S>,
  at: number,
  lastGood: number | null,
): FailureWindow | null {
  if (!isBad(after.status)) return null;
  if (window && isBad(before.status)) return window;
  return { lastGood, firstBad: firstBad(before, at) };
}

/** When the known bad results began that led to now: those of the run before this result, else this one. */
function firstBad<S extends Status | ComponentStatus>(before: Damped<S>, at: number): number {
  return before.run.find(({ status }) => isBad(status))?.at ?? at;
}
