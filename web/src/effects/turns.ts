import { startTransition, useEffect, useState } from "react";

/** What is drawn before the first paint: more than a screen holds. */
const FIRST = 120;
/** What is drawn in each later turn: a task that nobody notices. */
const STEP = 160;

/**
 * Draws a long list in turns, what the screen shows first: tells of a place in the list whether its turn has come. A list
 * in columns begins in all of them at once.
 */
export function useTurns(total: number, columns: number): (place: number) => boolean {
  const [drawn, setDrawn] = useState(FIRST);
  useEffect(() => {
    if (drawn < total) startTransition(() => setDrawn((before) => before + STEP));
  }, [drawn, total]);
  const high = Math.ceil(total / columns);
  const share = drawn / columns;
  return (place) => drawn >= total || place % high < share;
}
