import { memo, useMemo } from "react";
import { type Bar, bars, type Cell, DAY_STRIP, describeStrip, type Interval, type StripTime } from "../model/strip.ts";
import styles from "./strip.module.css";

const NOTHING: readonly Interval[] = [];
/** Width of the block that shows the present, parted from the day by one pixel. */
const NOW = 4;
/** Trouble of any length is seen. */
const LEAST = 4;

interface Props {
  cells: readonly Cell[] | undefined;
  from: number;
  to: number;
  explained?: readonly Interval[] | undefined;
  /** What the cells are; a day in hours where nothing is said. */
  time?: StripTime;
  /** How it stands now. Without it the strip ends with its last cell. */
  now?: Bar["kind"] | undefined;
  /** It is degraded, not worse: the last bar is lower. */
  low?: boolean;
  width?: number;
  height?: number;
}

/** Time of one node or system, oldest first. Without cells yet, the place is kept. */
export const Strip = memo(function Strip(props: Props) {
  const { cells, from, to, explained = NOTHING, time = DAY_STRIP, now, low = false, width = 96, height = 12 } = props;
  // A state changes far more often than its past does.
  const label = useMemo(() => (cells ? describeStrip(cells, time) : `${time.words}: not loaded`), [cells, time]);
  const all = useMemo(() => (cells ? bars(cells, { from, to }, explained) : []), [cells, from, to, explained]);
  const scale = (now === undefined ? width : width - NOW - 1) / Math.max(1, cells?.length ?? 1);
  const nowHeight = now === "ok" ? 2 : low ? height * 0.6 : height;
  return (
    <svg
      className={`${styles.strip} ${height > 12 ? styles.long : ""}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {all.map((bar) => {
        const tall = bar.kind === "ok" ? 2 : Math.max(LEAST, bar.height * height);
        const wide = Math.max(bar.width * scale, bar.kind === "ok" || bar.kind === "gap" ? 0 : 1.5);
        return <rect key={bar.x} className={styles[bar.kind]} x={bar.x * scale} y={height - tall} width={wide} height={tall} />;
      })}
      {now !== undefined && <rect className={styles[now]} x={width - NOW} y={height - nowHeight} width={NOW} height={nowHeight} />}
    </svg>
  );
});

export { styles as stripStyles };
