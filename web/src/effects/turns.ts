import { startTransition, useEffect, useState } from "react";

/** What is drawn in each later turn: a task that nobody notices. */
const STEP = 160;
/** Places by which the beginning of a column may be off. */
const NEAR = 12;

/**
 * Draws a long list in turns, at first the `screen` of it that is seen: tells of a place in the list whether its turn has
 * come. A list in columns begins in all of them at once.
 */
export function useTurns(total: number, screen: () => number, columns: number): (place: number) => boolean {
  const [drawn, setDrawn] = useState(screen);
  useEffect(() => {
    if (drawn < total) startTransition(() => setDrawn((before) => before + STEP));
  }, [drawn, total]);
  const high = Math.ceil(total / columns);
  const share = drawn / columns;
  // Where a column begins is known but for the heads of groups: some places before it count as its first.
  return (place) => drawn >= total || place % high < share || (columns > 1 && place % high >= high - NEAR);
}

/** Becomes true when what the component drew first has been painted. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let task: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  }, []);
  return painted;
}

/**
 * A value that may come a moment later where drawing it takes long: what one presses goes first. Unlike a deferred value
 * it is drawn after five seconds at the latest, however often the page is updated.
 */
export function useLater<T>(value: T): T {
  const [held, setHeld] = useState(value);
  useEffect(() => startTransition(() => setHeld(() => value)), [value]);
  return held;
}
