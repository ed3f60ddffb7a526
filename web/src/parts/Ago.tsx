import { createContext, memo, useContext, useLayoutEffect, useRef } from "react";
import { now } from "../api/now.ts";
import { seenAt } from "../api/seen.ts";
import { onTick } from "../effects/ticker.ts";
import { age, duration } from "../model/time.ts";

/** The moment that is shown, epoch milliseconds, where it is not the present: ages stand still at it. */
export const MomentContext = createContext<number | null>(null);

interface TickingProps {
  text: (now: number) => string;
  /** Whether the words are a warning now; the style sheet shows `data-late`. */
  isLate?: (now: number) => boolean;
  className?: string | undefined;
}

/** Writes `text(now)` into a span every second, without rendering; nothing is written when the text is the same. */
function Ticking({ text, isLate, className }: TickingProps) {
  const ref = useRef<HTMLSpanElement>(null);
  const moment = useContext(MomentContext);
  useLayoutEffect(() => {
    let written = "";
    const write = (at: number): void => {
      const words = text(at);
      const span = ref.current;
      if (!span || written === words) return;
      // Words as wide as the last cost half where these stand; longer ones in their place would be seen to move.
      if (span.firstChild && words.length === written.length) span.firstChild.nodeValue = words;
      else span.textContent = words;
      written = words;
      if (isLate) span.toggleAttribute("data-late", isLate(at));
    };
    write(moment ?? now());
    return moment === null ? onTick(write) : undefined;
  });
  return <span ref={ref} className={className} />;
}

/** How long ago something began: `4 m 12 s`. Stands still with `until`. */
export function Lasting({ since, until, className }: { since: string | number; until?: string | null; className?: string }) {
  const start = typeof since === "number" ? since : Date.parse(since);
  const end = until ? Date.parse(until) : null;
  return <Ticking className={className} text={(at) => duration((end ?? at) - start)} />;
}

/** The age of a moment in one unit: `5 s`. */
export function Ago({ at, className }: { at: string | number; className?: string }) {
  const time = typeof at === "number" ? at : Date.parse(at);
  return <Ticking className={className} text={(now) => age(now - time)} />;
}

/** The time that is left: `27 m 39 s`, then `0 s`. */
export function Left({ until }: { until: string | number }) {
  const end = typeof until === "number" ? until : Date.parse(until);
  return <Ticking text={(now) => duration(end - now)} />;
}

/** What is announced once a second may be so much older than it seems. */
const TOLD_EVERY = 1_000;

/** Age of the last result of a node, from the stream, or a dash; a warning once a result is overdue: older than two of `every`. */
export const Seen = memo(function Seen({
  id,
  every,
  className,
}: {
  id: string;
  every: number | undefined;
  className?: string | undefined;
}) {
  if (useContext(MomentContext) !== null) return <span className={className}>–</span>;
  const ageOf = (now: number): number | null => {
    const seen = seenAt(id);
    return seen === null ? null : now - seen;
  };
  return (
    <Ticking
      className={className}
      text={(now) => {
        const passed = ageOf(now);
        return passed === null ? "–" : age(passed);
      }}
      isLate={(now) => every !== undefined && (ageOf(now) ?? 0) > 2 * every + TOLD_EVERY}
    />
  );
});

/** The time of day. */
export function ClockText({ format, className }: { format: (now: number) => string; className?: string | undefined }) {
  return <Ticking className={className} text={format} />;
}
