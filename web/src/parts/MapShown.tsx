import { lazy, Suspense, useMemo } from "react";
import { Link } from "wouter";
import {
  collapse,
  collapsePath,
  failurePath,
  focusGraph,
  type Graph,
  graphOf,
  loners,
  MOST_DRAWN,
  pathFirst,
  subgraph,
  worstOf,
} from "../model/graph.ts";
import { byCause, type Names, openIncidents, sinceItsOnset } from "../model/headline.ts";
import type { MapQuery } from "../model/mapQuery.ts";
import { type Mark, markOf } from "../model/status.ts";
import type { Board, NodeView } from "../model/types.ts";
import { MapList } from "./MapList.tsx";
import { sectionStyles as styles } from "./Section.tsx";

/** Nodes without an edge that are named beneath the picture. */
const ALONE = 60;

const GraphView = lazy(() => import("./GraphView.tsx"));

interface Props {
  board: Board;
  names: Names;
  map: Parameters<typeof graphOf>[0] & { systems: readonly { id: string; name: string; members: readonly { node: string }[] }[] };
  query: MapQuery;
  /** The moment shown, epoch milliseconds; null is now. */
  at: number | null;
}

/** The map as it was asked for: drawn where that can be read, else listed. */
export function MapShown({ board, names, map, query, at }: Props) {
  const { view, focus, direction, listed } = query;
  const depth = query.depth === "all" ? 99 : Number(query.depth);
  const { nodes } = board;
  const whole = useMemo(() => graphOf(map), [map]);
  const open = useMemo(() => openIncidents(board.incidents), [board.incidents]);
  const single = useMemo(() => failurePath(whole, open), [whole, open]);
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const groupOf = useMemo(() => {
    const systems = new Map<string, string>();
    for (const system of map.systems) for (const one of system.members) if (!systems.has(one.node)) systems.set(one.node, system.id);
    const teams = new Map(map.nodes.map((node) => [node.id, node.team]));
    return (id: string): string => (view === "system" ? (systems.get(id) ?? "in no system") : (teams.get(id) ?? "no team"));
  }, [map, view]);
  const grouped = view === "team" || view === "system";
  const graph: Graph = useMemo(() => {
    if (view === "path" && whole.ids.length > MOST_DRAWN) return subgraph(whole, new Set([...single.causes, ...single.victims]));
    if (view === "focus" && focus) return focusGraph(whole, focus, depth, direction);
    return grouped ? collapse(whole, groupOf) : whole;
  }, [view, whole, single, focus, depth, direction, grouped, groupOf]);
  const path = useMemo(() => (grouped ? collapsePath(single, groupOf) : single), [grouped, single, groupOf]);
  const members = useMemo(() => {
    const groups = new Map<string, NodeView[]>();
    for (const node of grouped ? nodes : []) {
      const key = groupOf(node.id);
      const group = groups.get(key);
      if (group) group.push(node);
      else groups.set(key, [node]);
    }
    return groups;
  }, [grouped, nodes, groupOf]);
  const resources = useMemo(() => new Set(map.nodes.filter((node) => node.kind === "resource").map((node) => node.id)), [map]);
  const alone = useMemo(() => loners(graph), [graph]);
  const drawn = useMemo(() => {
    const without = new Set(alone);
    return subgraph(graph, new Set(graph.ids.filter((id) => !without.has(id))));
  }, [graph, alone]);
  const causes = byCause(open);
  const stateOf = (id: string): NodeView | undefined => {
    const node = grouped ? worstOf(members.get(id) ?? []) : byId.get(id);
    return node && sinceItsOnset(node, causes.get(node.id));
  };
  const markAt = (id: string): Mark => {
    const node = stateOf(id);
    return node ? markOf(node, causes.get(node.id)?.severity) : { symbol: "unknown", tone: "unknown" };
  };
  const nameOf = (id: string): string => (grouped ? `${id} (${members.get(id)?.length ?? 0})` : names(id));
  const hrefOf = (id: string): string => (grouped ? `/?${view}=${encodeURIComponent(id)}` : `/nodes/${encodeURIComponent(id)}`);
  if (graph.ids.length === 0) {
    return (
      <p className={styles.sub}>
        {view === "focus" && focus ? `No node on the map is called ${focus}.` : "Nothing fails: there is no path to show."}
      </p>
    );
  }
  if (listed || drawn.ids.length > MOST_DRAWN) {
    return (
      <>
        {!listed && (
          <p className={styles.sub}>
            {drawn.ids.length} nodes are too many for a picture: here is the list. “By team” and “Around a node” are drawn.
          </p>
        )}
        <MapList
          graph={view === "path" ? pathFirst(graph, path) : graph}
          stateOf={stateOf}
          markAt={markAt}
          nameOf={nameOf}
          hrefOf={hrefOf}
          names={grouped ? (id) => id : names}
        />
      </>
    );
  }
  return (
    <>
      <Suspense fallback={<p className="quiet">Drawing.</p>}>
        <GraphView
          key={`${view} ${focus} ${depth} ${direction}`}
          graph={drawn}
          path={path}
          stateOf={stateOf}
          markAt={markAt}
          nameOf={nameOf}
          hrefOf={hrefOf}
          focus={focus}
          resources={resources}
          pathFirst={view === "path"}
          at={at}
        />
      </Suspense>
      {alone.length > 0 && (
        <p className={styles.meta}>
          <span>not connected:</span>
          {alone.slice(0, ALONE).map((id) => (
            <Link key={id} className="link" href={hrefOf(id)}>
              {nameOf(id)}
            </Link>
          ))}
          {alone.length > ALONE && <span>and {alone.length - ALONE} more; the list has them all</span>}
        </p>
      )}
    </>
  );
}
