import { useClock } from "../effects/settings.ts";
import { useWidth } from "../effects/width.ts";
import { type Bin, incidentBins } from "../model/history.ts";
import type { Incident } from "../model/types.ts";
import styles from "./bars.module.css";
import { stripStyles } from "./Strip.tsx";
import tables from "./table.module.css";

const HEIGHT = 72;
/** So many incidents in one part of the range fill the height, or as many as there are at most. */
const FULL = 4;
const WIDEST = 14;
/** Parts of a range, fine enough that a bar stands where its incidents began, and what is new beside now. */
const PARTS: Readonly<Record<number, number>> = { 1: 96, 7: 84, 30: 90, 90: 90 };

/** Incidents over time: a bar for each part of the range, as high as many began in it. */
export function IncidentBars({ incidents, days, to }: { incidents: readonly Incident[]; days: number; to: number }) {
  const clock = useClock();
  const [ref, width] = useWidth<HTMLElement>(1_376);
  const from = to - days * 86_400_000;
  const count = PARTS[days] ?? days;
  const bins = incidentBins(incidents, { from, to }, count);
  const most = Math.max(FULL, ...bins.map((bin) => bin.page + bin.ticket + bin.info));
  const wide = width / count;
  const total = bins.reduce((sum, bin) => sum + bin.page + bin.ticket + bin.info, 0);
  const at = (share: number): string => (days === 1 ? clock.minute(from + (to - from) * share) : clock.date(from + (to - from) * share));
  return (
    <figure ref={ref} className={styles.bars}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`${total} incidents by when they began; the list holds each`}>
        <path className={styles.ground} d={`M0 ${HEIGHT - 0.5}H${width}`} />
        {bins.map((bin, index) => (
          <Stack key={bin.from} bin={bin} x={index * wide} width={Math.max(2, Math.min(WIDEST, wide - 2))} unit={(HEIGHT - 8) / most} />
        ))}
      </svg>
      <figcaption className={stripStyles.axis}>
        <span>{at(0)}</span>
        <span className={tables.opt}>{at(1 / 3)}</span>
        <span className={tables.opt}>{at(2 / 3)}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}

/** Pages at the bottom, then tickets, then what alerted nobody; a line of ground parts one incident from the next. */
function Stack({ bin, x, width, unit }: { bin: Bin; x: number; width: number; unit: number }) {
  const blocks = (["page", "ticket", "info"] as const).flatMap((severity) => Array.from({ length: bin[severity] }, () => severity));
  return blocks.map((severity, index) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: equal blocks of one stack
      key={index}
      className={styles[severity]}
      x={x}
      width={width}
      y={HEIGHT - 1 - (index + 1) * unit}
      height={Math.max(1, unit - 1)}
    />
  ));
}
