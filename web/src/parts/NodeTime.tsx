import { lazy, Suspense, useState } from "react";
import { now } from "../api/now.ts";
import { useNodeHistory, useStrips } from "../api/queries.ts";
import { useExplained } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { nowKind } from "../model/nowKind.ts";
import { lookOf } from "../model/status.ts";
import { duration, latency } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import chartStyles from "./chart.module.css";
import { Failure, Section, sectionStyles as styles } from "./Section.tsx";
import { Strip, stripStyles } from "./Strip.tsx";
import tables from "./table.module.css";

const LatencyChart = lazy(() => import("./LatencyChart.tsx"));

const RANGES = [
  [1, "1 h"],
  [24, "24 h"],
  [168, "7 d"],
  [720, "30 d"],
] as const;

/** Latency over a chosen range, and the day as a strip. */
export function NodeTime({ id, node }: { id: string; node: NodeView }) {
  return (
    <>
      <Latency id={id} node={node} />
      <Day id={id} node={node} />
    </>
  );
}

function Latency({ id, node }: { id: string; node: NodeView }) {
  const [hours, setHours] = useState<number>(1);
  const clock = useClock();
  const history = useNodeHistory(id, hours);
  const since = node.since === null ? null : Date.parse(node.since);
  const trouble = node.status !== "healthy" && since !== null;
  const onset = trouble ? { at: since, words: `${clock.time(since)} ${lookOf(node.status).word}` } : null;
  const seen = history.data?.latency.some((point) => point.p50 !== null) ?? false;
  const ranges = (
    <span className={styles.ranges}>
      {RANGES.map(([value, words]) => (
        <button type="button" key={value} aria-pressed={hours === value} onClick={() => setHours(value)}>
          {words}
        </button>
      ))}
    </span>
  );
  return (
    <Section title={node.kind === "service" ? "Latency of our polls" : "Latency of its witnesses’ checks"} aside={ranges}>
      <Failure error={history.error} />
      {history.data && (seen || history.data.failures.length > 0) ? (
        <>
          <Suspense fallback={<div className={chartStyles.chart} />}>
            <LatencyChart history={history.data} clock={clock} onset={onset} />
          </Suspense>
          <details className={chartStyles.table}>
            <summary>
              As a table
              {history.data.gaps.length > 0
                ? `, ${history.data.gaps.length} ${history.data.gaps.length === 1 ? "gap" : "gaps"} without data`
                : ""}
            </summary>
            <LatencyTable history={history.data} day={(at) => clock.day(at)} />
          </details>
        </>
      ) : (
        <p className="quiet">{history.data ? "No latency in this range." : "Loading the history."}</p>
      )}
    </Section>
  );
}

function LatencyTable({ history, day }: { history: NonNullable<ReturnType<typeof useNodeHistory>["data"]>; day: (at: number) => string }) {
  const ms = (value: number | null): string => (value === null ? "–" : latency(value));
  // A table of a thousand rows helps nobody: about sixty, evenly chosen.
  const step = Math.max(1, Math.ceil(history.latency.length / 60));
  const rows = history.latency.filter((_, index) => index % step === 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th>from</th>
            <th className={tables.num}>polls</th>
            <th className={tables.num}>failed</th>
            <th className={tables.num}>p50</th>
            <th className={tables.num}>p95</th>
            <th className={tables.num}>p99</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.at}>
              <th scope="row">{day(Date.parse(point.at))}</th>
              <td className={tables.num}>{point.count}</td>
              <td className={tables.num}>{point.failed}</td>
              <td className={tables.num}>{ms(point.p50)}</td>
              <td className={tables.num}>{ms(point.p95)}</td>
              <td className={tables.num}>{ms(point.p99)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Day({ id, node }: { id: string; node: NodeView }) {
  const clock = useClock();
  const strips = useStrips().data;
  const explained = useExplained().get(id);
  const day = useNodeHistory(id, 24).data?.availability;
  const seen = day ? day.up_ms + day.degraded_ms + day.down_ms : 0;
  const up = day && seen > 0 ? `up ${(((day.up_ms + day.degraded_ms) / seen) * 100).toFixed(2)} %` : "no data";
  const unseen = day && day.unseen_ms >= 1_000 ? `, unseen ${duration(day.unseen_ms)}` : "";
  const to = strips ? Date.parse(strips.to) : now();
  const from = strips ? Date.parse(strips.from) : to - 86_400_000;
  const at = (share: number): string => clock.minute(from + (to - from) * share);
  return (
    <Section title="Last 24 hours" aside={day ? `${up}${unseen}` : undefined}>
      <Strip
        cells={strips?.nodes[id]}
        from={from}
        to={to}
        explained={explained}
        now={nowKind(node)}
        low={node.status === "degraded"}
        width={736}
        height={32}
      />
      <p className={stripStyles.axis}>
        <span>{at(0)} yesterday</span>
        <span className={tables.opt}>{at(0.25)}</span>
        <span>{at(0.5)}, hatched: no data</span>
        <span className={tables.opt}>{at(0.75)}</span>
        <span>now</span>
      </p>
    </Section>
  );
}
