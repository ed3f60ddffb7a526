import { useState } from "react";

/** A list that is shown in part until somebody asks for the whole. */
export interface Shortened<T> {
  shown: readonly T[];
  /** Shows the whole; null where all is shown. */
  more: (() => void) | null;
}

/**
 * The first of a long list, so that what stands beneath it stays within reach.
 * @param first How many; a list of up to a third more is shown whole, as a button would hide hardly anything.
 * @param leading The order in which the first are chosen, where it is another than that of the whole list.
 */
export function useShortened<T>(list: readonly T[], first: number, leading: readonly T[] = list): Shortened<T> {
  const [all, setAll] = useState(false);
  if (all || list.length <= (first * 4) / 3) return { shown: list, more: null };
  return { shown: leading.slice(0, first), more: () => setAll(true) };
}
