import { Link, useLocation, useSearch } from "wouter";
import { now } from "../api/now.ts";
import { useAvailability, useBoard, useIncidents, useStats } from "../api/queries.ts";
import { useBoardTab, useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { percent } from "../model/stats.ts";
import { duration, setting } from "../model/time.ts";
import type { SystemView } from "../model/types.ts";
import filterStyles from "../parts/filter.module.css";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";
import tables from "../parts/table.module.css";

const RANGES = [1, 7, 30, 90] as const;
const round = (ms: number): string => (ms < 60_000 ? duration(ms) : setting(Math.round(ms / 60_000) * 60_000));

/** What was: availability of the systems, what failed most, how long it took. */
export function HistoryPage() {
  useBoardTab("History");
  const clock = useClock();
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const days = RANGES.find((one) => String(one) === search.get("days")) ?? 30;
  const from = Math.floor(now() / 3_600_000) * 3_600_000 - days * 86_400_000;
  const list = useIncidents({ from, limit: 500 });
  const board = useBoard();
  const names = useNames(board?.nodes);
  const incidents = list.data?.incidents ?? [];
  const stats = useStats(days).data;
  const total = stats?.incidents ?? 0;
  const mean = (ms: number | null | undefined): string => (ms === null || ms === undefined ? "unknown" : round(ms));
  return (
    <>
      <h1 className={styles.title}>
        {total === 0 ? "No incident" : total === 1 ? "1 incident" : `${total} incidents`} in {days === 1 ? "24 hours" : `${days} days`}.
      </h1>
      <p className={styles.sub}>
        {stats && total > 0
          ? `Mean time to detection ${mean(stats.mttd_ms)}, to recovery ${mean(stats.mttr_ms)}. ${stats.by_severity.page} paged, ${stats.by_severity.ticket} were tickets, ${stats.by_severity.info} alerted nobody.`
          : "Nothing to count."}
        {stats?.truncated ? " There were more: only the newest are counted." : ""}
      </p>
      <div className={filterStyles.filter}>
        {RANGES.map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={days === one}
            onClick={() => navigate(`/history${one === 30 ? "" : `?days=${one}`}`, { replace: true })}
          >
            {one === 1 ? "24 h" : `${one} d`}
          </button>
        ))}
      </div>
      <Failure error={list.error} />
      <div className={styles.cols}>
        <div>
          <Section title="Availability of systems" aside="up and degraded time over seen time">
            <table className={tables.table}>
              <thead>
                <tr>
                  <th>system</th>
                  <th className={tables.num}>available</th>
                  <th className={tables.num}>down</th>
                  <th className={`${tables.num} ${tables.opt}`}>degraded</th>
                  <th className={tables.num}>unseen</th>
                  <th className={`${tables.num} ${tables.opt}`}>announced</th>
                </tr>
              </thead>
              <tbody>
                {board?.systems.map((system) => (
                  <SystemRow key={system.id} system={system} days={days} />
                ))}
              </tbody>
            </table>
            {board && board.systems.length === 0 && <p className="quiet">The map names no system.</p>}
          </Section>
          <Section title="Incidents" aside={`${incidents.length}`}>
            <table className={tables.table}>
              <tbody>
                {incidents.slice(0, 100).map((incident) => (
                  <tr key={incident.id}>
                    <th scope="row">
                      <Link className="link" href={`/incidents/${incident.id}`}>
                        {incident.id}
                      </Link>
                    </th>
                    <td>{clock.day(Date.parse(incident.opened_at))}</td>
                    <td>
                      {names(incident.cause?.node ?? incident.anchor)}
                      {incident.kind === "cause" ? "" : `, ${incident.kind}`}
                    </td>
                    <td className={tables.opt}>{incident.impacted.length} impacted</td>
                    <td className={tables.num}>
                      {incident.resolved_at ? round(Date.parse(incident.resolved_at) - Date.parse(incident.opened_at)) : incident.status}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
        </div>
        <div>
          <Section title="What failed most" aside="as the cause">
            <table className={tables.table}>
              <thead>
                <tr>
                  <th>node</th>
                  <th className={tables.num}>times</th>
                  <th className={tables.num}>in all</th>
                </tr>
              </thead>
              <tbody>
                {stats?.causes.slice(0, 20).map((one) => (
                  <tr key={one.node}>
                    <th scope="row">
                      <Link href={`/nodes/${encodeURIComponent(one.node)}`}>{names(one.node)}</Link>
                    </th>
                    <td className={tables.num}>{one.incidents}</td>
                    <td className={tables.num}>{round(one.open_ms)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {stats?.causes.length === 0 && <p className="quiet">Nothing failed.</p>}
          </Section>
        </div>
      </div>
    </>
  );
}

function SystemRow({ system, days }: { system: SystemView; days: number }) {
  const data = useAvailability("system", system.id, days).data;
  return (
    <tr>
      <th scope="row">
        <Link href={`/?system=${encodeURIComponent(system.id)}`}>{system.name}</Link>
      </th>
      <td className={tables.num}>{!data ? "…" : data.availability === null ? "not seen" : percent(data.availability)}</td>
      <td className={tables.num}>{data ? round(data.down_ms) : "…"}</td>
      <td className={`${tables.num} ${tables.opt}`}>{data ? round(data.degraded_ms) : "…"}</td>
      <td className={tables.num}>{data ? round(data.unseen_ms) : "…"}</td>
      <td className={`${tables.num} ${tables.opt}`}>{data ? round(data.maintenance_ms) : "…"}</td>
    </tr>
  );
}
