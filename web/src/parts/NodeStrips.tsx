import type { NodeHistory } from "headwater/contract";
import { useMemo } from "react";
import { useBoard } from "../api/boardQueries.ts";
import { useIncidents } from "../api/incidentQueries.ts";
import { useNodeHistory } from "../api/nodeQueries.ts";
import { now } from "../api/now.ts";
import { useAvailability, useDayStrips } from "../api/pastQueries.ts";
import { useStrips } from "../api/timeQueries.ts";
import { useExplained, useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { reasonWords } from "../model/note.ts";
import { nowKind } from "../model/nowKind.ts";
import { isYoung, spellWords } from "../model/spells.ts";
import { percent } from "../model/stats.ts";
import { explainedTimes, NINETY_DAYS } from "../model/strip.ts";
import { duration } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import chartStyles from "./chart.module.css";
import { Section } from "./Section.tsx";
import { Strip, stripStyles } from "./Strip.tsx";
import tables from "./table.module.css";

const DAY_MS = 86_400_000;
/** Times of trouble that are listed beneath a strip. */
const LISTED = 20;

/** A share of seen time; a degraded node still works. */
const upWords = (share: number | null): string => (share === null ? "no data" : `up or degraded ${percent(share)}`);

/** The last day as a strip, and its times of trouble one by one. */
export function NodeDay({ id, node }: { id: string; node: NodeView }) {
  const clock = useClock();
  const strips = useStrips().data;
  const explained = useExplained(null).get(id);
  const history = useNodeHistory(id, 24).data;
  const day = history?.availability;
  const seen = day ? day.up_ms + day.degraded_ms + day.down_ms : 0;
  const up = day && upWords(seen > 0 ? (day.up_ms + day.degraded_ms) / seen : null);
  const unseen = day && day.unseen_ms >= 1_000 ? `, unseen ${duration(day.unseen_ms)}` : "";
  const to = strips ? Date.parse(strips.to) : now();
  const from = strips ? Date.parse(strips.from) : to - DAY_MS;
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
      <Troubles history={history} every={node.every_ms} />
    </Section>
  );
}

/** Each time of trouble, and each that nobody saw, with its beginning and end: what a bar cannot tell. A line that is always there, so that nothing moves. */
function Troubles({ history, every }: { history: NodeHistory | undefined; every: number | undefined }) {
  const clock = useClock();
  const names = useNames(useBoard()?.nodes);
  const bad = history?.spans.filter((span) => span.status !== "healthy").reverse();
  if (!history || !bad?.length) {
    return <p className={`quiet ${chartStyles.table}`}>{(history && spellWords(history.spans)) || "\u00a0"}</p>;
  }
  const running = Date.parse(history.to) - 1_000;
  return (
    <details className={chartStyles.table}>
      <summary>{spellWords(history.spans)}</summary>
      <table className={tables.table}>
        <tbody>
          {bad.slice(0, LISTED).map((span) => (
            <tr key={span.from}>
              <th scope="row">{span.status === "no_data" ? "no data" : span.status}</th>
              <td className={tables.when}>
                {clock.day(Date.parse(span.from))} to{" "}
                {Date.parse(span.to) >= running ? "now" : clock.time(Date.parse(span.to), Date.parse(span.from))}
              </td>
              <td className={tables.num}>{duration(Date.parse(span.to) - Date.parse(span.from))}</td>
              <td>
                {reasonWords({ ...span, every_ms: every }, names)}
                {span.role === "impacted" ? <span className="quiet"> explained by another</span> : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {bad.length > LISTED && <p className="quiet">and {bad.length - LISTED} before those</p>}
    </details>
  );
}

/** Ninety days, a cell a UTC day: as high as the day's worst status is bad, and as much of the day as it lasted. */
export function NodeNinetyDays({ id }: { id: string }) {
  const clock = useClock();
  const strips = useDayStrips().data;
  const from = strips ? Date.parse(strips.from) : Math.floor(now() / DAY_MS) * DAY_MS - 89 * DAY_MS;
  const to = strips ? from + strips.days * DAY_MS : from + 90 * DAY_MS;
  const incidents = useIncidents({ node: id, from, limit: 200 }, 600_000).data?.incidents;
  const explained = useMemo(() => explainedTimes(incidents ?? [], now()).get(id), [incidents, id]);
  const cells = strips?.nodes[id];
  const young = cells !== undefined && isYoung(cells);
  // Days are asked for seldom; the same time as that of the last day is of the same moment.
  const day = useNodeHistory(id, 24).data;
  const lately = useAvailability("node", id, 2, young && day ? Date.parse(day.to) : null).data;
  const up = young ? lately?.availability : strips && (strips.uptime.nodes[id] ?? null);
  const at = (share: number): string => clock.date(from + (to - from) * share);
  return (
    <Section title="Last 90 days" aside={up === undefined ? undefined : upWords(up)}>
      <Strip cells={cells} from={from} to={to} explained={explained} time={NINETY_DAYS} width={736} height={32} />
      <p className={stripStyles.axis}>
        <span>{at(0)}</span>
        <span className={tables.opt}>{at(1 / 3)}</span>
        <span className={tables.opt}>{at(2 / 3)}</span>
        <span>today</span>
      </p>
    </Section>
  );
}
