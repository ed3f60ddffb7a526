import { memo } from "react";
import { type Bar, bars, type Cell, describeStrip, type Interval } from "../model/strip.ts";
import styles from "./strip.module.css";

const NOTHING: readonly Interval[] = [];
/** Width of the block that shows the present, parted from the day by one pixel. */
const NOW = 4;

interface Props {
  cells: readonly Cell[] | undefined;
  from: number;
  to: number;
  explained?: readonly Interval[] | undefined;
  /** How it stands now. */
  now: Bar["kind"];
  /** It is degraded, not worse: the last bar is lower. */
  low?: boolean;
  width?: number;
  height?: number;
}

/** The day of one node. Without cells yet, the place is kept. */
export const Strip = memo(function Strip({ cells, from, to, explained = NOTHING, now, low = false, width = 96, height = 12 }: Props) {
  const long = height > 12;
  const label = cells ? describeStrip(cells) : "last 24 hours: not loaded";
  const scale = (width - NOW - 1) / Math.max(1, cells?.length ?? 1);
  const all = cells ? bars(cells, { from, to }, explained) : [];
  const nowHeight = now === "ok" ? 2 : low ? height * 0.6 : height;
  return (
    <svg
      className={`${styles.strip} ${long ? styles.long : ""}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {all.map((bar) => {
        const tall = bar.kind === "ok" ? 2 : bar.height * height;
        const wide = Math.max(bar.width * scale, bar.kind === "ok" || bar.kind === "gap" ? 0 : 1.5);
        return <rect key={bar.x} className={styles[bar.kind]} x={bar.x * scale} y={height - tall} width={wide} height={tall} />;
      })}
      <rect className={styles[now]} x={width - NOW} y={height - nowHeight} width={NOW} height={nowHeight} />
    </svg>
  );
});

export { styles as stripStyles };
