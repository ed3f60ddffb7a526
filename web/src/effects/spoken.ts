import { useEffect, useRef, useState } from "react";
import { type Names, spokenState } from "../model/headline.ts";
import type { Board } from "../model/types.ts";

/** Between two announcements at least this long: what is heard must be heard whole. */
const PAUSE = 10_000;

/** The board's state in a sentence, changed at most every ten seconds and never for the first board. */
export function useSpoken(board: Board | undefined, names: Names): string {
  const state = board ? spokenState(board, names) : null;
  const [said, setSaid] = useState("");
  const first = useRef<string | null>(null);
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (state === null) return;
    first.current ??= state;
    if (state === said || (said === "" && state === first.current)) return;
    const wait = Math.max(0, last.current + PAUSE - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      setSaid(state);
    }, wait);
    return () => clearTimeout(timer);
  }, [state, said]);
  return said;
}
