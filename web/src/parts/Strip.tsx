import { memo, useMemo } from "react";
import {
  bars,
  type Cell,
  DAY_STRIP,
  describeStrip,
  type Interval,
  outline,
  outlines,
  type Present,
  pastBlocks,
  pastEnd,
  presentBlock,
  type StripTime,
} from "../model/strip.ts";
import styles from "./strip.module.css";

const NOTHING: readonly Interval[] = [];

interface Props {
  cells: readonly Cell[] | undefined;
  from: number;
  to: number;
  explained?: readonly Interval[] | undefined;
  /** What the cells are; a day in hours where nothing is said. */
  time?: StripTime;
  /** How it stands now. Without it the strip ends with its last cell. */
  now?: Present["kind"] | undefined;
  /** It is degraded, not worse: the last bar is lower. */
  low?: boolean;
  width?: number | undefined;
  height?: number;
  className?: string | undefined;
}

/** Time of one node or system, oldest first. Without cells yet, the place is kept. */
export const Strip = memo(function Strip(props: Props) {
  const { cells, from, to, explained = NOTHING, time = DAY_STRIP, now, low = false, width = 96, height = 12, className = "" } = props;
  // A state changes far more often than its past does.
  const label = useMemo(() => (cells ? describeStrip(cells, time) : `${time.words}: not loaded`), [cells, time]);
  const all = useMemo(() => (cells ? bars(cells, { from, to }, explained) : []), [cells, from, to, explained]);
  const end = pastEnd(all, now);
  const past = useMemo(
    () =>
      outlines(pastBlocks(all, cells?.length ?? 0, end, { width, height }), height).map(([kind, path]) => (
        <path key={kind} className={styles[kind]} d={path} />
      )),
    [all, cells, end, width, height],
  );
  return (
    <svg
      className={`${styles.strip} ${height > 12 ? styles.long : ""} ${className}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {past}
      {now !== undefined && end !== "on" && (
        <path className={styles[now]} d={outline(presentBlock({ kind: now, low }, { width, height }), height)} />
      )}
    </svg>
  );
});

export { styles as stripStyles };
