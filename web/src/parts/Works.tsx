import type { MaintenanceView } from "headwater/contract";
import { useContext } from "react";
import { Link } from "wouter";
import { useWorks } from "../api/workQueries.ts";
import { useClock } from "../effects/settings.ts";
import { useNow } from "../effects/ticker.ts";
import { impactSentence, type Names } from "../model/headline.ts";
import type { Incident, NodeView } from "../model/types.ts";
import { incidentsOf, worksAt, worksOn } from "../model/works.ts";
import { MomentContext } from "./Ago.tsx";
import { leadStyles } from "./Lead.tsx";
import { Mark } from "./Mark.tsx";

/** Work under way now, as it was announced; none on a board of another time. */
export function useWorksUnderWay(): readonly MaintenanceView[] {
  const at = useNow(30_000);
  const works = useWorks().data?.maintenance;
  const past = useContext(MomentContext) !== null;
  return past || !works ? [] : worksAt(works, at);
}

interface WorkLineProps {
  under: readonly MaintenanceView[];
  open: readonly Incident[];
  nodes: readonly NodeView[];
  names: Names;
  /** No incident is told beside it. */
  quiet: boolean;
}

/**
 * Work under way, with the incidents of what it takes down: nothing else tells of these. One line that is always there,
 * within the headline's room, so that nothing moves when work begins; the page of the map has all. That there is none is
 * said on a quiet board alone.
 */
export function WorkLine({ under, open, nodes, names, quiet }: WorkLineProps) {
  const clock = useClock();
  const past = useContext(MomentContext) !== null;
  const asked = useWorks().isPending;
  const [work, ...more] = under;
  const [incident, ...others] = work ? incidentsOf(work, open) : [];
  if (!work)
    return (
      <p className={leadStyles.work}>
        {past || asked || !quiet ? "\u00a0" : <span className={leadStyles.none}>No work is under way.</span>}
      </p>
    );
  return (
    <p className={leadStyles.work} data-notice="work">
      <Mark symbol="maintenance" tone="grey" />
      <b title={worksOn(work, names)}>
        Work until {clock.until(Date.parse(work.to))} on {worksOn(work, names)}.
      </b>{" "}
      <span className={leadStyles.reason} title={work.reason}>
        {incident && incident.impacted.length > 0 && `${impactSentence(incident, nodes)} `}
        {work.reason}
        {work.by && `, announced by ${work.by}`}
      </span>{" "}
      {incident && (
        <Link className="link" href={others.length > 0 ? "/incidents?show=open" : `/incidents/${incident.id}`} data-cursor="">
          {others.length > 0 ? `${others.length + 1} incidents` : `incident ${incident.id}`}
        </Link>
      )}{" "}
      {more.length > 0 && (
        <Link className="link" href="/config">
          {more.length} more
        </Link>
      )}
    </p>
  );
}
