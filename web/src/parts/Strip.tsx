import { memo, useMemo } from "react";
import {
  bars,
  blocks,
  type Cell,
  DAY_STRIP,
  describeStrip,
  type Interval,
  outlines,
  type Present,
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
  width?: number;
  height?: number;
}

/** Time of one node or system, oldest first. Without cells yet, the place is kept. */
export const Strip = memo(function Strip(props: Props) {
  const { cells, from, to, explained = NOTHING, time = DAY_STRIP, now, low = false, width = 96, height = 12 } = props;
  // A state changes far more often than its past does.
  const label = useMemo(() => (cells ? describeStrip(cells, time) : `${time.words}: not loaded`), [cells, time]);
  const all = useMemo(() => (cells ? bars(cells, { from, to }, explained) : []), [cells, from, to, explained]);
  const present = now === undefined ? null : { kind: now, low };
  return (
    <svg
      className={`${styles.strip} ${height > 12 ? styles.long : ""}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {outlines(blocks(all, cells?.length ?? 0, present, { width, height }), height).map(([kind, outline]) => (
        <path key={kind} className={styles[kind]} d={outline} />
      ))}
    </svg>
  );
});

export { styles as stripStyles };
