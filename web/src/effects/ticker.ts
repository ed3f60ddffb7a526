import { useEffect, useState } from "react";
import { now } from "../api/now.ts";

type Tick = (now: number) => void;

/** One timer for every age on the page: a thousand rows count without being rendered. */
const ticks = new Set<Tick>();
let timer: ReturnType<typeof setInterval> | undefined;

export function onTick(tick: Tick): () => void {
  ticks.add(tick);
  timer ??= setInterval(() => {
    const at = now();
    for (const each of ticks) each(at);
  }, 1_000);
  return () => {
    ticks.delete(tick);
    if (ticks.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The server's time, renewed about every `step` milliseconds (whole seconds). */
export function useNow(step = 1_000): number {
  const [value, setValue] = useState(now);
  useEffect(
    () =>
      onTick((at) => {
        // A component that is merely asked is drawn now and then although nothing is new.
        if (Math.abs(at - value) >= step - 100) setValue(at);
      }),
    [step, value],
  );
  return value;
}
