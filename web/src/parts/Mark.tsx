import type { Shape, Tone } from "../model/status.ts";
import { lookOf } from "../model/status.ts";
import styles from "./mark.module.css";

/** A status shape. It stands beside its word, so it is silent itself. */
export function Mark({ symbol, tone, className = "" }: { symbol: Shape; tone: Tone; className?: string | undefined }) {
  return (
    <svg className={`${styles.mark} ${styles[tone]} ${className}`} aria-hidden="true" data-symbol={symbol}>
      <use href={`#m-${symbol}`} />
    </svg>
  );
}

export type GlyphName = "at-risk" | "flapping" | "pending" | "stale" | "disputed" | "taken" | "work";

/** A small sign with a meaning of its own, said in `title`. */
export function Glyph({ name, title, leading = false }: { name: GlyphName; title: string; leading?: boolean }) {
  return (
    <svg className={`${styles.glyph} ${leading ? styles.lead : ""}`} role="img" aria-label={title}>
      <title>{title}</title>
      <use href={`#g-${name}`} />
    </svg>
  );
}

/** Mark and word of a status. `explained` makes it hollow. */
export function StateWord({ status, explained = false, children }: { status: string; explained?: boolean; children?: React.ReactNode }) {
  const look = lookOf(status);
  const tone: Tone = explained && look.rank > 0 && look.word !== "unknown" ? "grey" : look.word;
  return (
    <span className={styles.state}>
      <Mark symbol={explained ? look.hollow : look.solid} tone={tone} />
      <span>{children ?? look.word}</span>
    </span>
  );
}
