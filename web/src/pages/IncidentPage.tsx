import type { IncidentDetail } from "headwater/contract";
import { Link } from "wouter";
import { useBoard, useBoardAt } from "../api/boardQueries.ts";
import { useIncident } from "../api/incidentQueries.ts";
import { useActKeys } from "../effects/acts.tsx";
import { useBoardTab, useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { headlineOf, longestHeadline, type Names, nodeToLook, SEVERITY_WORDS } from "../model/headline.ts";
import { lastSign } from "../model/onset.ts";
import type { NodeView } from "../model/types.ts";
import { Lasting } from "../parts/Ago.tsx";
import { IncidentEvidence } from "../parts/IncidentEvidence.tsx";
import { IncidentImpact } from "../parts/IncidentImpact.tsx";
import { IncidentTimeline } from "../parts/IncidentTimeline.tsx";
import { IncidentWho } from "../parts/IncidentWho.tsx";
import { Lead, leadStyles } from "../parts/Lead.tsx";
import { OnsetAxis } from "../parts/OnsetAxis.tsx";
import { Missing, sectionStyles as styles } from "../parts/Section.tsx";

/** What an incident that is over did. */
const PAST_SEVERITY_WORDS = { page: "paged", ticket: "was a ticket", info: "alerted nobody" } as const;

export function IncidentPage({ id }: { id: number }) {
  const detail = useIncident(id);
  const board = useBoard();
  const names = useNames(board?.nodes);
  const data = detail.data;
  useBoardTab(data ? `${id} ${names(data.anchor)}` : `incident ${id}`);
  if (!data) return detail.error ? <Missing what="incident" error={detail.error} /> : <p className="quiet">Loading incident {id}.</p>;
  const live = board?.incidents.find((one) => one.id === id);
  return <Loaded detail={live ? { ...data, ...live } : data} nodes={board?.nodes ?? []} names={names} />;
}

interface Props {
  detail: IncidentDetail;
  nodes: readonly NodeView[];
  names: Names;
}

function Loaded({ detail, nodes, names }: Props) {
  const clock = useClock();
  useActKeys(detail);
  const node = nodeToLook(detail, nodes);
  const start = detail.cause?.first_seen ?? detail.opened_at;
  // What is over, or mends, is shown as it was then, not by states that are good again.
  const past = detail.status !== "open";
  const then = useBoardAt(past ? lastSign(detail) : null).data;
  const inIt = past ? (then?.nodes ?? []) : nodes;
  return (
    <>
      <Lead
        headline={headlineOf(detail, nodes, names)}
        label={`Incident ${detail.id}`}
        room={longestHeadline(detail, names)}
        acked={detail.acked !== null && detail.status !== "resolved"}
        aged
        below={<OnsetAxis incident={detail} names={names} nodes={inIt} />}
      >
        <p className={leadStyles.age}>
          <b>
            <Lasting since={start} until={detail.resolved_at} />
          </b>
          <i>first sign {clock.zoned(Date.parse(start), Date.now())}</i>
          <i>
            incident {detail.id}, {detail.status}, {(detail.status === "resolved" ? PAST_SEVERITY_WORDS : SEVERITY_WORDS)[detail.severity]}
          </i>
          {detail.absorbed_by !== undefined && (
            <i>
              absorbed by{" "}
              <Link className="link" href={`/incidents/${detail.absorbed_by}`}>
                incident {detail.absorbed_by}
              </Link>
            </i>
          )}
          {detail.unverified_since && <i>unverified since {clock.time(Date.parse(detail.unverified_since), Date.now())}</i>}
          {detail.end === "removed_from_map" && <i>its cause left the map</i>}
        </p>
      </Lead>
      <div className={styles.cols}>
        <div>
          <IncidentEvidence detail={detail} node={node} nodes={nodes} names={names} />
          <IncidentImpact detail={detail} nodes={nodes} names={names} />
        </div>
        <div>
          <IncidentWho detail={detail} />
          <IncidentTimeline detail={detail} nodes={inIt} names={names} />
        </div>
      </div>
    </>
  );
}
