import type { ReactNode } from "react";
import { emphasise, type Headline } from "../model/headline.ts";
import head from "./headline.module.css";
import styles from "./lead.module.css";
import { Mark } from "./Mark.tsx";

interface Props {
  headline: Headline;
  label: string;
  /** The longest that the first sentence is likely to become here: its room is kept, so that nothing moves when it does. */
  room?: string | undefined;
  acked?: boolean;
  /** `calm` for the quiet board, `plain` for a node's page, `small` above a map. */
  size?: "calm" | "plain" | "small" | undefined;
  /** Proof lines, or the age, at the right. */
  children?: ReactNode;
  aged?: boolean;
  /** That it is the past which is told, where a line beside the headline shows it. */
  then?: string | null;
  /** A line in the headline's own room. */
  under?: ReactNode;
  /** Lines beneath: further causes and notices. */
  below?: ReactNode;
  /** In place of the headline's own second sentence, where it holds a link. */
  second?: ReactNode;
}

/** A page's headline: band, mark, the sentence of the fault, the sentence of what suffers from it. */
export function Lead({ headline, label, room, acked = false, size, children, aged = false, then, under, below, second }: Props) {
  const { tone, symbol, markTone, first } = headline;
  const rest = second || headline.second;
  const classes = [
    bandOf(tone, acked),
    styles.lead,
    size === "calm" ? styles.calm : "",
    size === "plain" ? styles.plain : "",
    size === "small" ? `${styles.small} ${styles.inline} ${tone === "quiet" ? styles.light : ""}` : "",
    sizeOf(((aged && room) || first).length),
    size === undefined || size === "plain" ? wordyOf(headline.second?.length ?? 0) : "",
  ];
  return (
    <section className={classes.filter(Boolean).join(" ")} aria-label={label} data-tone={tone}>
      <div className={`${styles.grid} ${aged ? styles.aged : ""}`}>
        <h1 className={head.say}>
          <b className={room && styles.kept} data-room={room}>
            <b>
              <Mark symbol={symbol} tone={markTone} className={head.mark} />
              {then && <i className="vh">{then}: </i>}
              <em>{first}</em>
            </b>
          </b>{" "}
          {(rest || room) && <span>{rest}</span>}
        </h1>
        {children}
        {under}
      </div>
      {below}
    </section>
  );
}

/** The longer the sentence the smaller, so that it keeps to its room beside the evidence. */
function sizeOf(length: number): string | undefined {
  if (length > 80) return styles.endless;
  if (length > 34) return styles.longest;
  return length > 24 ? styles.longer : undefined;
}

/** A second sentence that would take several lines of the first one's size takes as much room in smaller letters. */
function wordyOf(length: number): string | undefined {
  if (length > 64) return styles.wordiest;
  return length > 28 ? styles.wordy : undefined;
}

/** The classes of a headline's band: its tone, and whether somebody has it. */
export function bandOf(tone: Headline["tone"], acked: boolean): string {
  return [head.band, tone === "page" ? "" : head[tone], acked ? head.acked : ""].filter(Boolean).join(" ");
}

/** Sentences, their counts set bold. */
export function Sentences({ text }: { text: string }) {
  let place = 0;
  return emphasise(text).map((part) => {
    place += part.text.length;
    return part.strong ? (
      <b key={place} className={styles.count}>
        {part.text}
      </b>
    ) : (
      part.text
    );
  });
}

export { styles as leadStyles };
