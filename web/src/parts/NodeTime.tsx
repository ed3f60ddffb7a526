import { lazy, Suspense } from "react";
import type { useNodeHistory } from "../api/nodeQueries.ts";
import { useClock } from "../effects/settings.ts";
import { lookOf } from "../model/status.ts";
import { latency } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import { ChangeTable } from "./Changes.tsx";
import chartStyles from "./chart.module.css";
import { PastIncidents } from "./NodeRelations.tsx";
import { NodeDay, NodeNinetyDays } from "./NodeStrips.tsx";
import { Failure, Section, sectionStyles as styles } from "./Section.tsx";
import tables from "./table.module.css";

const LatencyChart = lazy(() => import("./LatencyChart.tsx"));

const RANGES = [
  [1, "1 h"],
  [24, "24 h"],
  [168, "7 d"],
  [720, "30 d"],
] as const;

interface TimeProps {
  id: string;
  node: NodeView;
  history: ReturnType<typeof useNodeHistory>;
  /** The chosen range, that of the history. */
  hours: number;
  onHours: (hours: number) => void;
}

/** Latency over a chosen range, the day and ninety days as strips: as high before they are there as after. */
export function NodeTime({ id, node, history, hours, onHours }: TimeProps) {
  return (
    <>
      <Latency node={node} history={history} hours={hours} onHours={onHours} />
      <NodeDay id={id} node={node} />
      <NodeNinetyDays id={id} />
    </>
  );
}

/** What happened to the node: changes that were marked within the chosen range, and its incidents. */
export function NodePast({ id, history, hours }: Pick<TimeProps, "id" | "history" | "hours">) {
  const changes = history.data?.changes ?? [];
  return (
    <>
      {changes.length > 0 && (
        <Section title="Marked changes" aside={RANGES.find(([value]) => value === hours)?.[1]}>
          <ChangeTable changes={changes} />
        </Section>
      )}
      <PastIncidents id={id} />
    </>
  );
}

function Latency({ node, history, hours, onHours }: Omit<TimeProps, "id">) {
  const clock = useClock();
  const since = node.since === null ? null : Date.parse(node.since);
  const trouble = node.status !== "healthy" && since !== null;
  const onset = trouble ? { at: since, words: `${clock.time(since)} ${lookOf(node.status).word}` } : null;
  const seen = history.data?.latency.some((point) => point.p50 !== null) ?? false;
  const ranges = (
    <span className={styles.ranges}>
      {RANGES.map(([value, words]) => (
        <button type="button" key={value} aria-pressed={hours === value} onClick={() => onHours(value)}>
          {words}
        </button>
      ))}
    </span>
  );
  return (
    <Section title={node.kind === "service" ? "Latency of our polls" : "Latency of its witnesses’ checks"} aside={ranges}>
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
        <div className={chartStyles.room}>
          <Failure error={history.error} />
          <p className="quiet">{history.data ? "No latency in this range." : !history.error && "Loading the history."}</p>
        </div>
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
    <div className="scroll" tabIndex={0}>
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
