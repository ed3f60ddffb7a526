import { type RefObject, useLayoutEffect, useRef } from "react";

// React looks above each animation for who handles it, which costs as much as the change that began it; nobody does of these.
for (const type of ["animationstart", "animationend"])
  addEventListener(type, (event) => (event.target as Partial<HTMLElement>).dataset?.turn && event.stopPropagation(), true);

/**
 * Marks an element each time `value` changes: `data-turn` is 0 and 1 in turns, and the style sheet fades the ground once for
 * either. Two hundred animations that a script makes cost a frame; two hundred attributes do not.
 */
export function useFade<T extends HTMLElement>(value: string): RefObject<T | null> {
  const ref = useRef<T>(null);
  const before = useRef({ value, turn: 0 });
  useLayoutEffect(() => {
    const last = before.current;
    if (last.value === value) return;
    before.current = { value, turn: 1 - last.turn };
    ref.current?.setAttribute("data-turn", String(last.turn));
  }, [value]);
  return ref;
}
