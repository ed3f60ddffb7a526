import { Link, useLocation, useSearch } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useIncidents } from "../api/incidentQueries.ts";
import { useBoardTab, useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { headlineOf, impactSentence, type Names, whatFailed } from "../model/headline.ts";
import { parsePick } from "../model/history.ts";
import type { Incident, NodeView } from "../model/types.ts";
import { Lasting } from "../parts/Ago.tsx";
import filterStyles from "../parts/filter.module.css";
import forms from "../parts/form.module.css";
import { IncidentFilter } from "../parts/IncidentFilter.tsx";
import { Mark } from "../parts/Mark.tsx";
import { Failure, sectionStyles as styles } from "../parts/Section.tsx";
import tables from "../parts/table.module.css";

const SHOWS = [
  ["all", "All"],
  ["open", "Open"],
  ["resolved", "Resolved"],
] as const;

/** All incidents, newest first. */
export function IncidentsPage() {
  useBoardTab("Incidents");
  const clock = useClock();
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const show = SHOWS.find(([key]) => key === search.get("show"))?.[0] ?? "all";
  const cursor = search.get("cursor");
  const pick = parsePick(search);
  const list = useIncidents({
    limit: 100,
    ...(show === "all" ? {} : { open: show === "open" }),
    ...(pick.team ? { team: pick.team } : {}),
    ...(pick.system ? { system: pick.system } : {}),
    ...(cursor ? { cursor } : {}),
  });
  const board = useBoard();
  const nodes = board?.nodes ?? [];
  const names = useNames(board?.nodes);
  const incidents = (list.data?.incidents ?? []).filter((one) => pick.severity === null || one.severity === pick.severity);
  const open = (board?.incidents ?? []).filter((one) => one.status !== "resolved").length;
  const go = (key: string, value: string | null): void => {
    if (value) search.set(key, value);
    else search.delete(key);
    if (key !== "cursor") search.delete("cursor");
    navigate(`/incidents${search.size > 0 ? `?${search}` : ""}`, { replace: key !== "cursor" });
  };
  return (
    <>
      <h1 className={styles.title}>
        {!board ? "Incidents." : open === 0 ? "No incident is open." : open === 1 ? "1 incident is open." : `${open} incidents are open.`}
      </h1>
      <search className={filterStyles.filter}>
        {SHOWS.map(([key, word]) => (
          <button type="button" key={key} aria-pressed={show === key} onClick={() => go("show", key === "all" ? null : key)}>
            {word}
          </button>
        ))}
        <span className={filterStyles.end}>
          <IncidentFilter pick={pick} onPick={go} />
        </span>
      </search>
      <Failure error={list.error} />
      {list.data && incidents.length === 0 && (
        <p className={styles.sub}>
          {list.data.next ? "None of these answers to this filter; older ones may." : "No incident answers to this filter."}
        </p>
      )}
      {incidents.length > 0 && (
        <table className={`${tables.table} ${tables.incidents}`}>
          <thead>
            <tr>
              <th className={tables.num}>no.</th>
              <th>what</th>
              <th className={tables.opt}>impact</th>
              <th className={tables.opt}>systems</th>
              <th className={tables.opt}>who</th>
              <th>began</th>
              <th className={tables.num}>lasted</th>
            </tr>
          </thead>
          <tbody>
            {incidents.map((incident) => (
              <tr key={incident.id} data-incident={incident.id} className={incident.status === "resolved" ? tables.old : undefined}>
                <td className={tables.num}>{incident.id}</td>
                <th scope="row">
                  <IncidentName incident={incident} nodes={nodes} names={names} />
                </th>
                <td className={tables.opt}>{impactWords(incident, nodes)}</td>
                <td className={tables.opt}>
                  {incident.systems
                    .filter((one) => one.effect !== "healthy")
                    .map((one) => `${board?.systems.find((system) => system.id === one.id)?.name ?? one.id} ${one.effect}`)
                    .join(", ") || "–"}
                </td>
                <td className={tables.opt}>{incident.acked?.by ?? "–"}</td>
                <td className={tables.when}>{clock.day(Date.parse(incident.opened_at))}</td>
                <td className={tables.num}>
                  <Lasting since={incident.opened_at} until={incident.resolved_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.data?.next && (
        <p className={forms.acts}>
          <button type="button" onClick={() => go("cursor", list.data?.next ?? null)}>
            Older
          </button>
        </p>
      )}
    </>
  );
}

function IncidentName({ incident, nodes, names }: { incident: Incident; nodes: readonly NodeView[]; names: Names }) {
  const open = incident.status !== "resolved";
  const headline = headlineOf(incident, nodes, names);
  const kind =
    incident.end === "absorbed" ? `, absorbed by ${incident.absorbed_by}` : incident.kind === "cause" ? "" : `, ${incident.kind}`;
  return (
    <span className={styles.state}>
      <Mark symbol={headline.symbol} tone={headline.markTone} />
      <span>
        <Link href={`/incidents/${incident.id}`} data-cursor="">
          {open ? headline.first : whatFailed(incident, names) + kind}
        </Link>
        {!open && incident.impacted.length > 0 && <span className={tables.lead}>, {impactWords(incident, nodes)}</span>}
      </span>
    </span>
  );
}

/** How many suffer; of what is over, all that it impacted. */
function impactWords(incident: Incident, nodes: readonly NodeView[]): string {
  return impactSentence(incident, nodes).replace(/\.$/, "");
}
