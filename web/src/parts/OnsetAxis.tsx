import { now } from "../api/now.ts";
import { useClock } from "../effects/settings.ts";
import { useNow } from "../effects/ticker.ts";
import { useWidth } from "../effects/width.ts";
import { type Names, onsetOrder } from "../model/headline.ts";
import { causeStatus, layoutAxis, type Moment } from "../model/onset.ts";
import { causeMark, type Shape, type Tone, victimMark } from "../model/status.ts";
import { offset } from "../model/time.ts";
import type { Incident, NodeView } from "../model/types.ts";
import markStyles from "./mark.module.css";
import styles from "./onset.module.css";

/** From one mark to the one above it. */
const STACK = 12;
/** Who was unwell longer before the cause, in milliseconds, is left to the list: the rest would have no room beside it. */
const BEFORE = 60_000;
/** Where a cut axis says that it goes on. */
const ENDS = 72;

interface Onset extends Moment {
  symbol: Shape | null;
  tone: Tone;
}

/** The order of failure on a time axis: marks at the first bad result, `nodes` as they were in the incident. The timeline lists the same. */
export function OnsetAxis({ incident, names, nodes }: { incident: Incident; names: Names; nodes: readonly NodeView[] }) {
  useNow(10_000);
  const clock = useClock();
  const [ref, width] = useWidth<HTMLDivElement>(1_376);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const { cause } = incident;
  const start = Date.parse(cause?.first_seen ?? incident.opened_at);
  const resolved = incident.resolved_at === null ? null : Date.parse(incident.resolved_at);
  const end = resolved ?? now();
  const moments: Onset[] = [
    {
      at: start,
      text: names(incident.anchor),
      strong: true,
      ...(cause
        ? causeMark(causeStatus(incident, byId.get(cause.node)), incident.severity)
        : ({ symbol: "unknown", tone: "unknown" } as const)),
    },
    ...onsetOrder(incident)
      .filter((one) => one.after >= -BEFORE)
      .map((one): Onset => {
        const look = victimMark(byId.get(one.node)?.status, incident.kind === "undetermined");
        return { at: start + one.after, text: `${names(one.node)} ${offset(one.after)}`, strong: false, ...look };
      }),
    ...(incident.acked
      ? [{ at: Date.parse(incident.acked.at), text: `${incident.acked.by} has it`, strong: true, symbol: null, tone: "grey" } as const]
      : []),
    { at: end, text: resolved === null ? "now" : "over", strong: true, last: true, symbol: null, tone: "grey" },
  ];
  const axis = layoutAxis(moments, end, width - 4, resolved === null);
  return (
    <div ref={ref} className={styles.onsets}>
      <svg
        width={width}
        height={56}
        viewBox={`0 0 ${width} 56`}
        role="img"
        aria-label="Order of failure on a time axis; the timeline lists the same"
      >
        <path className={styles.line} d={`M0 36H${Math.min(width, axis.come + 2)}`} />
        {axis.ticks.map((tick) => (
          <g key={tick.at}>
            <path className={styles.line} d={`M${tick.x} 36v5`} />
            {(axis.whole || tick.x < width - ENDS) && (
              <text
                x={Math.max(0, Math.min(width, tick.x))}
                y={54}
                textAnchor={tick.x < 24 ? "start" : tick.x > width - 24 ? "end" : "middle"}
              >
                {axis.ticks.length > 1 && (axis.ticks[1]?.at ?? 0) - (axis.ticks[0]?.at ?? 0) < 60_000
                  ? clock.time(tick.at)
                  : clock.minute(tick.at)}
              </text>
            )}
          </g>
        ))}
        {axis.placed.map(({ moment, x, label, level }) => (
          <g key={`${moment.text}${moment.at}`}>
            {label && moment.symbol && !moment.strong && <path className={styles.line} d={`M${x} 16V${29 - (level ?? 0) * STACK}`} />}
            {moment.symbol && level !== null && (
              <svg
                className={markStyles[moment.tone]}
                x={x - (moment.strong ? 9 : 6)}
                y={moment.strong ? 27 : 30 - level * STACK}
                width={moment.strong ? 18 : 12}
                height={moment.strong ? 18 : 12}
                aria-hidden="true"
              >
                <circle cx="50%" cy="50%" r="50%" fill="var(--paper)" />
                <use href={`#m-${moment.symbol}`} />
              </svg>
            )}
            {!moment.symbol && <path className={styles.ink} d={`M${x} 16V41`} />}
            {label && (
              <text className={moment.strong ? styles.strong : undefined} x={label === "start" ? x - 2 : x + 2} y={11} textAnchor={label}>
                {moment.text}
              </text>
            )}
          </g>
        ))}
        {!axis.whole && (
          <text x={width - 2} y={52} textAnchor="end">
            {resolved === null ? "goes on" : "…"}
          </text>
        )}
      </svg>
    </div>
  );
}
