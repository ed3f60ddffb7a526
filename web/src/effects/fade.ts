import { type RefObject, useEffect, useRef } from "react";

/** Fades the background of an element once when `value` changes; nothing moves, and not at all with reduced motion. */
export function useFade(ref: RefObject<HTMLElement | null>, value: string): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const ground = getComputedStyle(document.documentElement).getPropertyValue("--hair");
    ref.current?.animate([{ backgroundColor: ground }, { backgroundColor: "transparent" }], { duration: 1_000, easing: "ease-out" });
  });
}
