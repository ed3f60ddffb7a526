import { Link, useLocation, useSearch } from "wouter";
import { useBoard, useBoardAt } from "../api/boardQueries.ts";
import { useIncident } from "../api/incidentQueries.ts";
import { useMap } from "../api/mapQueries.ts";
import { now } from "../api/now.ts";
import { useActKeys } from "../effects/acts.tsx";
import { useBoardTab, useNames, useOpen } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { alsoSentence, areTaken, headlineOf, moreIncidents, type Names, quietHeadline, whereToLook } from "../model/headline.ts";
import { parseMapQuery } from "../model/mapQuery.ts";
import { pastMoment } from "../model/time.ts";
import type { Board, Incident, NodeView } from "../model/types.ts";
import { Lasting } from "../parts/Ago.tsx";
import { Lead, leadStyles } from "../parts/Lead.tsx";
import { MapBar } from "../parts/MapBar.tsx";
import { MapShown } from "../parts/MapShown.tsx";
import { Replay } from "../parts/Replay.tsx";
import { Failure, isNotFound, sectionStyles as styles } from "../parts/Section.tsx";
import { ThisIsNow } from "../parts/ThisIsNow.tsx";

/** The dependency map: the way of a failure, everything, or the surroundings of one node; as a picture or a list. */
export function MapPage() {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const map = useMap();
  const live = useBoard();
  const asked = search.get("at");
  const at = pastMoment(asked, now());
  const replayed = useBoardAt(at);
  // While the first moment is on its way what is there stays, and with it the keys that move on.
  const board = at === null ? live : (replayed.data ?? (replayed.isPending ? live : undefined));
  useBoardTab("Map");
  const names = useNames(live?.nodes);
  const open = useOpen(board);
  useActKeys(at === null ? open[0] : undefined);
  const go = (changes: Record<string, string | null>): void => {
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) search.delete(key);
      else search.set(key, value);
    }
    navigate(`/map${search.size > 0 ? `?${search}` : ""}`, { replace: true });
  };
  if (map.error) return <Failure error={map.error} />;
  if (!map.data || !board) return <p className="quiet">{replayed.error ? replayed.error.message : "Loading the map."}</p>;
  const trouble = open.some((one) => one.cause);
  const narrow = matchMedia("(max-width: 640px)").matches;
  const query = parseMapQuery(search, {
    trouble,
    nodes: map.data.nodes.length,
    teams: new Set(map.data.nodes.map((node) => node.team)).size,
    systems: map.data.systems.length,
    narrow,
  });
  return (
    <>
      <ThisIsNow asked={asked} />
      <MapLead board={board} names={names} at={replayed.data ? at : null} />
      {query.incident !== null && (
        <IncidentReplay
          id={query.incident}
          at={at}
          onMove={(moment) => go({ at: moment === null ? null : String(moment) })}
          names={names}
        />
      )}
      <MapBar
        query={query}
        nodes={map.data.nodes}
        trouble={trouble}
        start={open[0] ? whereToLook(open[0]) : (map.data.nodes[0]?.id ?? null)}
        onGo={go}
      />
      <MapShown board={board} names={names} map={map.data} query={query} at={at} />
    </>
  );
}

/** What is shown, in words; of a moment of the past it says so, and is said again as one moves on. */
function MapLead({ board, names, at }: { board: Board; names: Names; at: number | null }) {
  const open = useOpen(board);
  const clock = useClock();
  const first = open[0];
  const headline = first ? headlineOf(first, board.nodes, names) : quietHeadline(board);
  const start = first && Date.parse(first.cause?.first_seen ?? first.opened_at);
  const then = at === null ? null : `As it was at ${clock.zoned(at, Date.now())}`;
  const label = first ? `Incident ${first.id}` : "State";
  return (
    <>
      <Lead headline={headline} label={then ? `${label}. ${then}` : label} then={then} size="small" aged acked={areTaken(open)}>
        {(first || then) && (
          <p className={leadStyles.age}>
            <span>
              {then && <strong>{then}</strong>}
              {!then && start && (
                <>
                  <Lasting since={start} />, first sign {clock.zoned(start, Date.now())}
                </>
              )}
              {first && (
                <>
                  ,{" "}
                  <Link className="link" href={`/incidents/${first.id}`}>
                    incident {first.id}
                  </Link>
                </>
              )}
            </span>
            {first && open.length > 1 && <Others open={open} nodes={board.nodes} names={names} at={at} />}
          </p>
        )}
      </Lead>
      <p className="vh" role="status">
        {then && `${then}: ${headline.first} ${headline.second ?? ""}`}
      </p>
    </>
  );
}

interface OthersProps {
  open: readonly Incident[];
  nodes: readonly NodeView[];
  names: Names;
  at: number | null;
}

/** What goes on besides: one is named, more are a count; of the past there is no list to lead to. */
function Others({ open: [first, ...others], nodes, names, at }: OthersProps) {
  const [second] = others;
  if (second && others.length === 1) {
    return (
      <i>
        {alsoSentence(second, nodes, names, first).replace(/\.$/, ", ")}
        <Link className="link" href={`/incidents/${second.id}`}>
          incident {second.id}
        </Link>
      </i>
    );
  }
  const words = moreIncidents(others.length);
  return (
    <i>
      and{" "}
      {at === null ? (
        <Link className="link" href="/incidents?show=open">
          {words}
        </Link>
      ) : (
        words
      )}
    </i>
  );
}

function IncidentReplay({ id, ...props }: { id: number; at: number | null; onMove: (at: number | null) => void; names: Names }) {
  const { data: incident, error } = useIncident(id);
  if (incident) return <Replay incident={incident} {...props} />;
  if (!error) return null;
  return isNotFound(error) ? <p className={styles.sub}>There is no incident {id} to replay.</p> : <Failure error={error} />;
}
