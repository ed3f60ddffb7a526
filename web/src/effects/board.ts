import { useEffect, useMemo, useRef } from "react";
import { useBoard, useBoardPart } from "../api/boardQueries.ts";
import { useIncidents } from "../api/incidentQueries.ts";
import { refreshBoard, useCut } from "../api/live.ts";
import { useRevisions } from "../api/mapQueries.ts";
import { now } from "../api/now.ts";
import { useWorks } from "../api/workQueries.ts";
import { sameOnMap } from "../model/board.ts";
import { loudOf, type Names, namesOf, openIncidents, pageTitle } from "../model/headline.ts";
import { explainedTimes, type Interval } from "../model/strip.ts";
import type { Board, Incident, NodeView } from "../model/types.ts";
import { workTexts } from "../model/works.ts";
import { useClock } from "./settings.ts";
import { useNow } from "./ticker.ts";
import { type Favicon, useTab } from "./title.ts";

const NO_NODES: readonly NodeView[] = [];

/**
 * Nodes for what the map alone says of them: names, teams, tags. The list stays the very same while these do, however
 * states move, so that what follows from them is worked out once. Each caller has its own: another may look at the past.
 */
export function useMapped(nodes: readonly NodeView[] = NO_NODES): readonly NodeView[] {
  const last = useRef({ nodes, mapped: nodes });
  const before = last.current;
  if (before.nodes !== nodes) last.current = { nodes, mapped: sameOnMap(nodes, before.nodes) ? before.mapped : nodes };
  return last.current.mapped;
}

/** Names by id; the function changes only when the map does. */
export function useNames(nodes: readonly NodeView[] | undefined): Names {
  const mapped = useMapped(nodes);
  return useMemo(() => namesOf(mapped), [mapped]);
}

/** Incidents that go on, the first to read at the front. */
export function useOpen(board: Board | undefined): Incident[] {
  const incidents = board?.incidents;
  return useMemo(() => openIncidents(incidents ?? []), [incidents]);
}

/** Times of the last day, or of the day before a moment, in which nodes were explained by others: grey in their strips. */
export function useExplained(moment: number | null): ReadonlyMap<string, Interval[]> {
  const day = Math.floor((moment ?? now()) / 3_600_000) * 3_600_000 - 86_400_000;
  const recent = useIncidents({ from: day, limit: 500 }, 120_000).data?.incidents;
  return useMemo(() => explainedTimes(recent ?? [], moment ?? now()), [recent, moment]);
}

/** What is announced for the nodes now, in words, by node. */
export function useWorkTexts(): ReadonlyMap<string, string> {
  const works = useWorks().data?.maintenance;
  const clock = useClock();
  const minute = useNow(60_000);
  return useMemo(() => workTexts(works ?? [], minute, clock.until), [works, clock, minute]);
}

/** What the tab says, on every page. */
export function useBoardTab(page: string | null): void {
  const board = useBoard();
  const names = useNames(board?.nodes);
  const lost = useCut();
  const favicon: Favicon = lost ? "offline" : board ? faviconOf(board) : "unknown";
  useTab(board ? pageTitle(board, names, !lost, page) : "Headwater", favicon);
}

function faviconOf(board: Board): Favicon {
  if (board.freshness.blind || board.freshness.stale) return "unknown";
  const first = loudOf(openIncidents(board.incidents))[0];
  if (!first) return "healthy";
  if (!first.cause) return "unknown";
  return first.severity === "page" ? "unhealthy" : "degraded";
}

/** The stream does not tell of map reloads: a small question now and then does, and the board follows. */
export function useMapWatch(): void {
  const map = useBoardPart((board) => board.map);
  const latest = useRevisions(1, 20_000).data;
  const asked = useRef("");
  useEffect(() => {
    if (!map || !latest) return;
    const theirs = `${latest.revisions[0]?.revision ?? map.revision} ${latest.refused?.at ?? ""}`;
    const ours = `${map.revision} ${map.refused?.at ?? ""}`;
    if (theirs === ours || asked.current === theirs) return;
    asked.current = theirs;
    void refreshBoard();
  }, [map, latest]);
}
