import { type RefObject, useEffect, useRef } from "react";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** The ground is named, not read: reading it would style the whole page again for every one of 200 changes. */
const FADE: Keyframe[] = [{ backgroundColor: "var(--hair)" }, { backgroundColor: "transparent" }];

/** Fades the background of an element once when `value` changes; nothing moves, and not at all with reduced motion. */
export function useFade(ref: RefObject<HTMLElement | null>, value: string): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (!calm.matches) ref.current?.animate(FADE, { duration: 1_000, easing: "ease-out" });
  });
}
