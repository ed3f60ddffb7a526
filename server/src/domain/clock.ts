/** There was no Headwater before: a clock that says less has not been set yet, as where a machine starts in 1970. Epoch milliseconds. */
export const EARLIEST = Date.UTC(2026, 0, 1);

/** Time that was dated by a clock that turned out wrong, and the moment at which it did: whatever has such a date gets this. */
export interface Misdated {
  from: number;
  to: number;
  at: number;
}

/** The given moment, or the one that stands for it where a wrong clock gave it. */
export function redated(at: number, misdated: Misdated | null): number {
  return misdated && at >= misdated.from && at <= misdated.to ? misdated.at : at;
}

/**
 * A moment of the past as the present clock has it. One in the future was dated by a clock that has been set back, one
 * before `EARLIEST` by one that was not set: it was so by now at the latest. A clock that is not set corrects nothing.
 */
export function datedBy(now: number, at: number): number {
  return now >= EARLIEST && at > 0 && (at > now || at < EARLIEST) ? now : at;
}
