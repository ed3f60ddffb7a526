import type { NodeHistory } from "headwater/contract";
import { CartesianGrid, Line, LineChart, ReferenceArea, ReferenceDot, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { chartRange, chartRows, endLabels, latencyTicks, timeTicks } from "../model/chart.ts";
import { type Clock, setting } from "../model/time.ts";
import styles from "./chart.module.css";

const LINES = [
  { key: "p99", width: 1, color: "var(--ink-3)", dash: "3 2" },
  { key: "p95", width: 1.25, color: "var(--ink)", dash: undefined },
  { key: "p50", width: 2, color: "var(--ink)", dash: undefined },
] as const;

/** Recharts colours its labels by style: no style sheet is asked. */
const EMPHASIS = { fill: "var(--ink)", fontWeight: 650 } as const;
const TICK = { fill: "var(--ink-3)" } as const;

interface Props {
  history: NodeHistory;
  clock: Clock;
  /** When the present trouble began, epoch milliseconds, and its words. */
  onset: { at: number; words: string } | null;
}

/** Latency of our polls: p50, p95, p99 on a logarithmic scale. Gaps stay gaps, failures stand on the base line. */
export default function LatencyChart({ history, clock, onset }: Props) {
  const from = Date.parse(history.from);
  const to = Date.parse(history.to);
  const rows = chartRows(history);
  const last = rows.findLast((row) => row.p50 !== null);
  const [low, high] = chartRange(rows);
  const day = to - from > 30 * 3_600_000;
  return (
    <div className={styles.chart}>
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 720, height: 200 }}>
        <LineChart data={rows} margin={{ top: 12, right: 104, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} />
          <XAxis
            dataKey="at"
            type="number"
            domain={[from, to]}
            scale="time"
            ticks={timeTicks(from, to)}
            interval="equidistantPreserveStart"
            tickFormatter={(at: number) => (day ? clock.day(at) : clock.minute(at))}
            tick={TICK}
            axisLine={false}
            tickLine={false}
            minTickGap={48}
          />
          <YAxis
            scale="log"
            domain={[low, high]}
            ticks={latencyTicks(low, high)}
            tickFormatter={setting}
            tick={TICK}
            axisLine={false}
            tickLine={false}
            width={52}
            allowDataOverflow
          />
          {history.gaps.map((gap) => (
            <ReferenceArea
              key={gap.from}
              x1={Math.max(from, Date.parse(gap.from))}
              x2={Math.min(to, Date.parse(gap.to))}
              ifOverflow="hidden"
              shape={(area: { x?: number; y?: number; width?: number; height?: number }) => (
                <rect className={styles.gap} x={area.x} y={area.y} width={area.width} height={area.height} />
              )}
            />
          ))}
          {history.changes.map((change) => (
            <ReferenceLine key={`${change.at}${change.text}`} x={Date.parse(change.at)} stroke="var(--hair-2)" />
          ))}
          {onset && onset.at >= from && (
            <ReferenceLine
              x={onset.at}
              stroke="var(--ink)"
              label={{ value: onset.words, position: onset.at - from > (to - from) / 2 ? "insideTopRight" : "insideTopLeft", ...EMPHASIS }}
            />
          )}
          {LINES.map(({ key, width, color, dash }) => (
            <Line
              key={key}
              dataKey={key}
              type="linear"
              stroke={color}
              strokeWidth={width}
              {...(dash ? { strokeDasharray: dash } : {})}
              dot={false}
              activeDot={false}
              connectNulls={false}
              isAnimationActive={false}
            />
          ))}
          {history.failures.map((failure) => (
            <ReferenceDot
              key={failure.at}
              x={Date.parse(failure.at)}
              y={low}
              ifOverflow="visible"
              shape={(dot: { cx?: number; cy?: number }) => <Cross x={dot.cx ?? 0} y={dot.cy ?? 0} />}
            />
          ))}
          {last &&
            endLabels(last, [low, high], 0.09).map(({ value, text }) => (
              <ReferenceDot
                key={text}
                x={last.at}
                y={value}
                r={0}
                ifOverflow="visible"
                label={{ value: text, position: "right", offset: 12, ...EMPHASIS }}
              />
            ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

function Cross({ x, y }: { x: number; y: number }) {
  return <path className={styles.fail} d={`M${x - 3} ${y - 6}l6 6m0-6l-6 6`} />;
}
