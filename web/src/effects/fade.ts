import { type RefObject, useEffect, useRef } from "react";

/**
 * Marks an element each time `value` changes: `data-turn` is 0 and 1 in turns, and the style sheet fades the ground once for
 * either. Two hundred animations that a script makes cost a frame; two hundred attributes do not.
 */
export function useFade(ref: RefObject<HTMLElement | null>, value: string): void {
  const before = useRef({ value, turn: 0 });
  useEffect(() => {
    const last = before.current;
    if (last.value === value) return;
    before.current = { value, turn: 1 - last.turn };
    ref.current?.setAttribute("data-turn", String(last.turn));
  });
}
