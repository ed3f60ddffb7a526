import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps an element as high as it has been: what it loses moves nothing beneath it. Another `key`, or another width, begins anew.
 * @param key What the element is about.
 */
export function useRoom(key: unknown): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another content
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    let width = 0;
    const observer = new ResizeObserver(() => {
      if (element.offsetWidth !== width) element.style.minHeight = "";
      width = element.offsetWidth;
      element.style.minHeight = `${element.offsetHeight}px`;
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      element.style.minHeight = "";
    };
  }, [key]);
  return ref;
}
