import { useCallback, useEffect, useMemo } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useBoard, useBoardAt } from "../api/boardQueries.ts";
import { now } from "../api/now.ts";
import { askForStrips, useStrips } from "../api/timeQueries.ts";
import { useActKeys } from "../effects/acts.tsx";
import { useBoardTab, useExplained, useMapped, useNames, useOpen, useWorkTexts } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { useLater, usePainted } from "../effects/turns.ts";
import { arrange, defaultGrouping, folds, MOST_UNFOLDED, tagKeys } from "../model/arrange.ts";
import { countShows, type Filters, parseFilters, selectNodes, showOnly, writeFilters } from "../model/filter.ts";
import { areTaken, moreOpen, whoHas } from "../model/headline.ts";
import { pastMoment } from "../model/time.ts";
import type { Board, Incident } from "../model/types.ts";
import { incidentsOf } from "../model/works.ts";
import { MomentContext } from "../parts/Ago.tsx";
import { AlsoLine } from "../parts/AlsoLine.tsx";
import { FilterBar } from "../parts/FilterBar.tsx";
import { FoldLine } from "../parts/GroupHead.tsx";
import { IncidentLead } from "../parts/IncidentLead.tsx";
import { NodeGroups } from "../parts/NodeGroups.tsx";
import { Notices } from "../parts/Notices.tsx";
import { QuietLead } from "../parts/QuietLead.tsx";
import { Failure } from "../parts/Section.tsx";
import { Systems } from "../parts/Systems.tsx";
import { pastStyles as styles, ThisIsNow } from "../parts/ThisIsNow.tsx";
import { useWorksUnderWay, WorkLine } from "../parts/Works.tsx";

/** More causes than this are a count and a link. */
const ALSO = 6;

export function BoardPage() {
  const board = useBoard();
  const asked = new URLSearchParams(useSearch()).get("at");
  const at = pastMoment(asked, now());
  useBoardTab(null);
  if (!board) return <p className="quiet">Loading the board.</p>;
  if (at !== null) return <PastBoard at={at} />;
  return (
    <>
      <ThisIsNow asked={asked} />
      <LoadedBoard board={board} />
    </>
  );
}

/** The board as it was at a moment: ages stand still, and nothing can be done to it. */
function PastBoard({ at }: { at: number }) {
  const clock = useClock();
  const past = useBoardAt(at);
  return (
    <>
      <p className={styles.past}>
        <b>
          As it was on {clock.day(at)} {clock.zone(at)}.
        </b>{" "}
        <Link className="link" href="/">
          Back to now
        </Link>
      </p>
      {past.data ? (
        <MomentContext value={at}>
          <LoadedBoard board={past.data} at={at} />
        </MomentContext>
      ) : (
        (past.error && <Failure error={past.error} />) || <p className="quiet">Loading that board.</p>
      )}
    </>
  );
}

function LoadedBoard({ board, at = null }: { board: Board; at?: number | null }) {
  const names = useNames(board.nodes);
  const open = useOpen(board);
  useActKeys(at === null ? open[0] : undefined, at === null ? open : []);
  // What is broken and why is painted first; a screen of rows follows at once, the rest in turns.
  const rows = usePainted();
  // Their past is asked for before they are drawn, where it is sure to be shown.
  const all = board.nodes.length <= MOST_UNFOLDED;
  useEffect(() => {
    if (all) askForStrips(at);
  }, [all, at]);
  return (
    <>
      <Headlines board={board} />
      <Systems systems={board.systems} open={open} />
      {rows && <Nodes nodes={board.nodes} systems={board.systems} incidents={board.incidents} open={open} names={names} at={at} />}
    </>
  );
}

/** The headline by cause: the one to read first in full, the others a line each. */
function Headlines({ board }: { board: Board }) {
  const names = useNames(board.nodes);
  const open = useOpen(board);
  const quiet = board.freshness.blind || !open[0] || open[0].kind === "maintenance";
  const first = quiet ? undefined : open[0];
  const under = useWorksUnderWay();
  const told = new Set(under.slice(0, 1).flatMap((work) => incidentsOf(work, open)));
  const others = (first ? open.slice(1) : open).filter((one) => !told.has(one));
  const below = (
    <>
      {others.slice(0, ALSO).map((incident) => (
        <AlsoLine key={incident.id} incident={incident} nodes={board.nodes} names={names} first={first} />
      ))}
      {others.length > ALSO && <p className="quiet">{moreOpen(others.length - ALSO)}</p>}
      <Notices board={board} />
    </>
  );
  const work = <WorkLine under={under} open={open} nodes={board.nodes} names={names} quiet={!first} />;
  if (!first) return <QuietLead board={board} names={names} below={below} work={work} />;
  return <IncidentLead incident={first} taken={areTaken(open)} nodes={board.nodes} names={names} below={below} work={work} />;
}

interface NodesProps extends Pick<Board, "nodes" | "systems" | "incidents"> {
  open: Board["incidents"];
  names: ReturnType<typeof useNames>;
  /** The moment shown, epoch milliseconds; null is now. */
  at: number | null;
}

/** What is announced now says nothing of the past. */
const NO_WORKS: ReadonlyMap<string, string> = new Map();

function Nodes({ nodes, systems, incidents, open, names, at }: NodesProps) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const filters = useMemo(() => parseFilters(search), [search]);
  const change = useCallback(
    (next: Partial<Filters>) => navigate(`/${writeFilters({ ...filters, ...next }, search)}`, { replace: true }),
    [filters, navigate, search],
  );
  const explained = useLater(useExplained(at));
  const clock = useClock();
  const works = useWorkTexts();
  const has = useCallback((incident: Incident) => whoHas(incident, clock.until), [clock]);
  const mapped = useMapped(nodes);
  const usual = useMemo(() => defaultGrouping(mapped), [mapped]);
  const grouping = filters.group ?? usual;
  const selected = useMemo(() => selectNodes(nodes, filters, systems, incidents), [nodes, filters, systems, incidents]);
  const counts = useMemo(() => countShows(selected), [selected]);
  const groups = useMemo(() => arrange(showOnly(selected, filters.show), grouping, systems), [selected, filters.show, grouping, systems]);
  const folded = folds(groups);
  const unfolded = useMemo(() => new Set(filters.open), [filters.open]);
  // The past of a thousand nodes may come a moment later; it holds up no key and no change.
  const strips = useLater(useStrips(at, !folded || filters.open.length > 0).data);
  const teams = useMemo(() => [...new Set(mapped.flatMap((node) => (node.team === null ? [] : [node.team])))], [mapped]);
  const tags = useMemo(
    () => new Map(tagKeys(mapped).map((key) => [key, [...new Set(mapped.flatMap((node) => node.tags[key] ?? []))].sort()] as const)),
    [mapped],
  );
  const toggle = useCallback(
    (key: string) => change({ open: filters.open.includes(key) ? filters.open.filter((one) => one !== key) : [...filters.open, key] }),
    [change, filters.open],
  );
  return (
    <>
      <FilterBar filters={filters} onChange={change} counts={counts} teams={teams} systems={systems} tags={tags} grouping={grouping} />
      {folded && <FoldLine groups={groups} any={filters.open.length > 0} onOpen={(keys) => change({ open: keys })} />}
      <NodeGroups
        groups={groups}
        unfolded={folded ? unfolded : null}
        onFold={toggle}
        view={filters.view}
        open={open}
        names={names}
        strips={strips}
        explained={explained}
        works={at === null ? works : NO_WORKS}
        whoHas={has}
      />
    </>
  );
}
