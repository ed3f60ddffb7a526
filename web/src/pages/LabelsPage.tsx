import { Link, useLocation, useSearch } from "wouter";
import { now } from "../api/now.ts";
import { useBoard, useMap, useRevisions, useSinglePoints } from "../api/queries.ts";
import { useBoardTab, useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { labelsByTeam, REVIEW_AFTER_DAYS } from "../model/labels.ts";
import filterStyles from "../parts/filter.module.css";
import { Problems } from "../parts/Problems.tsx";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";
import tables from "../parts/table.module.css";

/** What people declare about each dependency, by the team that answers for it; and the map's revisions. */
export function LabelsPage() {
  useBoardTab("Labels");
  const clock = useClock();
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const map = useMap();
  const revisions = useRevisions(50);
  const names = useNames(useBoard()?.nodes);
  if (!map.data) return map.error ? <Failure error={map.error} /> : <p className="quiet">Loading the labels.</p>;
  const onlyDoubts = search.get("show") === "doubts";
  const team = search.get("team");
  const groups = labelsByTeam(map.data.edges, now()).filter((group) => team === null || group.team === team);
  const doubts = groups.reduce((sum, group) => sum + group.doubts, 0);
  const count = groups.reduce((sum, group) => sum + group.labels.length, 0);
  const show = (key: string | null): void => {
    if (key) search.set("show", key);
    else search.delete("show");
    navigate(`/labels${search.size > 0 ? `?${search}` : ""}`, { replace: true });
  };
  return (
    <>
      <h1 className={styles.title}>
        {doubts === 0 ? "Every label has an owner and a recent review." : `${doubts} of ${count} labels need a look.`}
      </h1>
      <p className={styles.sub}>
        A label is a decision: how much a service needs what it depends on, who answers for that, and when it was last looked at. Reviews
        are old after {REVIEW_AFTER_DAYS} days.
      </p>
      <div className={filterStyles.filter}>
        <button type="button" aria-pressed={!onlyDoubts} onClick={() => show(null)}>
          All {count}
        </button>
        <button type="button" aria-pressed={onlyDoubts} onClick={() => show("doubts")}>
          Need a look {doubts}
        </button>
      </div>
      <div className={styles.cols}>
        <div>
          {groups.map((group) => {
            const labels = onlyDoubts ? group.labels.filter((label) => label.doubt !== null) : group.labels;
            if (labels.length === 0) return null;
            return (
              <Section
                key={group.team}
                title={group.team}
                aside={`${group.labels.length} ${group.labels.length === 1 ? "label" : "labels"}${group.doubts > 0 ? `, ${group.doubts} to look at` : ""}`}
              >
                <table className={tables.table}>
                  <thead>
                    <tr>
                      <th>service</th>
                      <th>needs</th>
                      <th>how much</th>
                      <th className={tables.num}>reviewed</th>
                      <th className={tables.opt}>place</th>
                    </tr>
                  </thead>
                  <tbody>
                    {labels.map((label) => (
                      <tr key={`${label.from}>${label.to}`}>
                        <th scope="row">
                          <Link href={`/nodes/${encodeURIComponent(label.from)}`}>{names(label.from)}</Link>
                        </th>
                        <td>{names(label.to)}</td>
                        <td>{label.criticality}</td>
                        <td className={tables.num}>
                          {label.doubt === "never reviewed" ? (
                            <b>never</b>
                          ) : label.days === null ? (
                            "–"
                          ) : label.doubt ? (
                            <b>{label.days} d ago</b>
                          ) : (
                            `${label.days} d ago`
                          )}
                        </td>
                        <td className={tables.opt}>
                          {label.file}:{label.line}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Section>
            );
          })}
        </div>
        <div>
          {revisions.data?.refused && (
            <Section title="Refused" aside={clock.time(Date.parse(revisions.data.refused.at), Date.now())}>
              <Problems problems={revisions.data.refused.problems} word="error" />
            </Section>
          )}
          <SinglePointsTable />
          <Section title="Revisions of the map" aside="newest first">
            <Failure error={revisions.error} />
            <table className={tables.table}>
              <tbody>
                {revisions.data?.revisions.map((one) => (
                  <tr key={one.revision}>
                    <th scope="row">{one.revision}</th>
                    <td>{clock.day(Date.parse(one.at))}</td>
                    <td>{one.summary}</td>
                    <td className={`${tables.num} ${tables.opt}`}>{one.commit?.slice(0, 7) ?? one.hash.slice(0, 8)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
        </div>
      </div>
    </>
  );
}

/** Nodes whose failure alone makes a system unhealthy: where a label weighs most. */
function SinglePointsTable() {
  const points = useSinglePoints().data?.points;
  const systems = new Map(useBoard()?.systems.map((system) => [system.id, system.name]));
  if (!points || points.length === 0) return null;
  return (
    <Section title="Single points of failure" aside={`${points.length}, those that break most first`}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th>node</th>
            <th>makes unhealthy</th>
            <th className={tables.num}>nodes</th>
          </tr>
        </thead>
        <tbody>
          {points.slice(0, 20).map((point) => (
            <tr key={point.node}>
              <th scope="row">
                <Link href={`/nodes/${encodeURIComponent(point.node)}`}>{point.name}</Link>
              </th>
              <td>{point.systems.map((id) => systems.get(id) ?? id).join(", ") || "–"}</td>
              <td className={tables.num}>
                {point.unhealthy}
                {point.degraded > 0 ? ` and ${point.degraded} degraded` : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
