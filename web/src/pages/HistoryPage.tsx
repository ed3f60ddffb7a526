import { Link, useLocation, useSearch } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useIncidents } from "../api/incidentQueries.ts";
import { now } from "../api/now.ts";
import { useStats } from "../api/pastQueries.ts";
import { useBoardTab, useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { type Names, SEVERITY_WORDS, whatFailed } from "../model/headline.ts";
import { countedIncidents, figuresOf, parsePick, RANGES } from "../model/history.ts";
import { round } from "../model/stats.ts";
import type { Incident } from "../model/types.ts";
import filterStyles from "../parts/filter.module.css";
import { IncidentBars } from "../parts/IncidentBars.tsx";
import { IncidentFilter } from "../parts/IncidentFilter.tsx";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";
import { SystemTimes } from "../parts/SystemTimes.tsx";
import tables from "../parts/table.module.css";

/** Rows of the list; the page of incidents holds all. */
const LISTED = 60;

/** What was: incidents over time, availability of the systems, what failed most, how long it took. */
export function HistoryPage() {
  useBoardTab("History");
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const pick = parsePick(search);
  const days = RANGES.find((one) => String(one) === search.get("days")) ?? 30;
  const to = (Math.floor(now() / 3_600_000) + 1) * 3_600_000;
  const from = to - days * 86_400_000;
  const list = useIncidents({
    from,
    limit: 500,
    ...(pick.team ? { team: pick.team } : {}),
    ...(pick.system ? { system: pick.system } : {}),
  });
  const names = useNames(useBoard()?.nodes);
  const incidents = countedIncidents(list.data?.incidents ?? [], pick.severity).filter((one) => Date.parse(one.opened_at) >= from);
  const narrowed = pick.team !== null || pick.system !== null || pick.severity !== null;
  const go = (key: string, value: string | null): void => {
    if (value) search.set(key, value);
    else search.delete(key);
    navigate(`/history${search.size > 0 ? `?${search}` : ""}`, { replace: true });
  };
  return (
    <>
      <Heading incidents={list.data && incidents} more={list.data?.next != null} days={days} from={from} narrowed={narrowed} />
      <search className={filterStyles.filter}>
        {RANGES.map((one) => (
          <button type="button" key={one} aria-pressed={days === one} onClick={() => go("days", one === 30 ? null : String(one))}>
            {one === 1 ? "24 h" : `${one} d`}
          </button>
        ))}
        <span className={filterStyles.end}>
          <IncidentFilter pick={pick} onPick={go} />
        </span>
      </search>
      <Failure error={list.error} />
      <IncidentBars incidents={incidents} days={days} to={to} />
      <div className={styles.cols}>
        <div>
          <SystemTimes days={days} />
          <IncidentList incidents={incidents} names={names} />
        </div>
        <div>{!list.isPending && <FailedMost from={from} names={names} />}</div>
      </div>
    </>
  );
}

interface HeadingProps {
  incidents: readonly Incident[] | undefined;
  /** The list ends before the range does. */
  more: boolean;
  days: number;
  from: number;
  narrowed: boolean;
}

/** How many, and how long it took to notice and to mend. */
function Heading({ incidents, more, days, from, narrowed }: HeadingProps) {
  const { data: stats, isPending } = useStats(from);
  const range = days === 1 ? "24 hours" : `${days} days`;
  // What is not known yet is not called nothing.
  if (!incidents || (isPending && !narrowed)) {
    return (
      <>
        <h1 key="counting" className={styles.title}>
          Incidents in {range}.
        </h1>
        <p className={`${styles.sub} ${styles.counted}`}>Counting.</p>
      </>
    );
  }
  const { total, page, ticket, info, recover, cut } = figuresOf(incidents, more, narrowed ? undefined : stats);
  const detect = narrowed ? null : (stats?.mttd_ms ?? null);
  return (
    <>
      <h1 className={styles.title}>
        {total === 0 ? "No incident" : total === 1 ? "1 incident" : `${total} incidents`} in {range}.
      </h1>
      <p className={`${styles.sub} ${styles.counted}`}>
        {total === 0
          ? "Nothing to count."
          : `${detect === null ? "" : `Mean time to detection ${round(detect)}. `}Mean time to recovery ${recover === null ? "unknown" : round(recover)}. ${page} paged, ${ticket} ${ticket === 1 ? "was a ticket" : "were tickets"}, ${info} alerted nobody.`}
        {cut ? " There were more: only the newest are counted." : ""}
      </p>
    </>
  );
}

function IncidentList({ incidents, names }: { incidents: readonly Incident[]; names: Names }) {
  const clock = useClock();
  if (incidents.length === 0) return null;
  return (
    <Section title="Incidents" aside={`${incidents.length}`}>
      <table className={tables.table}>
        <tbody>
          {incidents.slice(0, LISTED).map((incident) => (
            <tr key={incident.id}>
              <td className={tables.when}>{clock.day(Date.parse(incident.opened_at))}</td>
              <th scope="row">
                <Link className="link" href={`/incidents/${incident.id}`} data-cursor="">
                  {whatFailed(incident, names)}
                  {incident.kind === "cause" ? "" : `, ${incident.kind}`}
                </Link>
              </th>
              <td>{SEVERITY_WORDS[incident.severity]}</td>
              <td className={tables.opt}>{incident.impacted.length === 0 ? "–" : `${incident.impacted.length} impacted`}</td>
              <td className={tables.num}>
                {incident.resolved_at ? round(Date.parse(incident.resolved_at) - Date.parse(incident.opened_at)) : incident.status}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {incidents.length > LISTED && (
        <p>
          <Link className="link" href="/incidents">
            and {incidents.length - LISTED} more
          </Link>
        </p>
      )}
    </Section>
  );
}

function FailedMost({ from, names }: { from: number; names: Names }) {
  const causes = useStats(from).data?.causes;
  return (
    <Section title="What failed most" aside="as the cause">
      {causes && causes.length > 0 && (
        <table className={tables.table}>
          <thead>
            <tr>
              <th>node</th>
              <th className={tables.opt}>team</th>
              <th className={tables.num}>times</th>
              <th className={tables.num}>in all</th>
              <th className={tables.num}>to mend</th>
            </tr>
          </thead>
          <tbody>
            {causes.slice(0, 20).map((one) => (
              <tr key={one.node}>
                <th scope="row">
                  <Link href={`/nodes/${encodeURIComponent(one.node)}`} data-cursor="">
                    {names(one.node)}
                  </Link>
                </th>
                <td className={tables.opt}>{one.team ?? "–"}</td>
                <td className={tables.num}>{one.incidents}</td>
                <td className={tables.num}>{round(one.open_ms)}</td>
                <td className={tables.num}>{one.mttr_ms === null ? "–" : round(one.mttr_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {causes?.length === 0 && <p className="quiet">Nothing failed.</p>}
    </Section>
  );
}
