import { lazy, Suspense, useCallback, useMemo, useRef } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useBoard, useBoardAt, useIncident, useMap } from "../api/queries.ts";
import { useActKeys } from "../effects/acts.tsx";
import { useBoardTab, useNames, useOpen } from "../effects/board.ts";
import { moveCursor, useKey } from "../effects/keys.ts";
import { useClock } from "../effects/settings.ts";
import {
  collapse,
  type Direction,
  failurePath,
  focusGraph,
  type Graph,
  graphOf,
  loners,
  MOST_DRAWN,
  neighbours,
  subgraph,
  worstOf,
} from "../model/graph.ts";
import { headlineOf, type Names, quietHeadline } from "../model/headline.ts";
import { faceOf } from "../model/status.ts";
import type { Board, NodeView } from "../model/types.ts";
import { Lasting } from "../parts/Ago.tsx";
import filterStyles from "../parts/filter.module.css";
import { Lead, leadStyles } from "../parts/Lead.tsx";
import { StateWord } from "../parts/Mark.tsx";
import { Replay } from "../parts/Replay.tsx";
import { Failure, sectionStyles as styles } from "../parts/Section.tsx";
import tables from "../parts/table.module.css";

const GraphView = lazy(() => import("../parts/GraphView.tsx"));
const DEPTHS = ["1", "2", "3", "all"] as const;
const DIRECTIONS = [
  ["both", "both ways"],
  ["needs", "what it needs"],
  ["needed", "what needs it"],
] as const;

type View = "path" | "all" | "focus" | "team" | "system";

/** The dependency map: the way of a failure, everything, or the surroundings of one node; as a picture or a list. */
export function MapPage() {
  const clock = useClock();
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const map = useMap();
  const live = useBoard();
  const at = search.has("at") ? Number(search.get("at")) : null;
  const replayed = useBoardAt(at);
  const incidentId = Number(search.get("incident") ?? Number.NaN);
  const board = at === null ? live : replayed.data;
  useBoardTab("Map");
  useKey("j", () => moveCursor(1));
  useKey("k", () => moveCursor(-1));
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
  const input = useRef<HTMLInputElement>(null);
  useKey("/", () => input.current?.focus());

  if (map.error) return <Failure error={map.error} />;
  if (!map.data || !board) return <p className="quiet">{replayed.error ? replayed.error.message : "Loading the map."}</p>;
  const focus = search.get("focus");
  const trouble = open.some((one) => one.cause);
  const asked = search.get("view");
  const size = map.data.nodes.length;
  const fallback: View = focus ? "focus" : trouble ? "path" : size > MOST_DRAWN ? "team" : "all";
  const view: View = (["path", "all", "focus", "team", "system"] as const).find((one) => one === asked) ?? fallback;
  const depth = DEPTHS.find((one) => one === search.get("depth")) ?? "2";
  const direction: Direction = DIRECTIONS.find(([key]) => key === search.get("direction"))?.[0] ?? "both";
  const listed = search.has("list") ? search.get("list") !== "0" : matchMedia("(max-width: 640px)").matches;
  const viewWords: [View, string][] = [
    ["path", "Failure path"],
    ["all", "Everything"],
    ["team", "By team"],
    ["system", "By system"],
    ["focus", "Around a node"],
  ];
  return (
    <>
      <MapLead board={board} names={names} />
      {Number.isFinite(incidentId) && (
        <IncidentReplay id={incidentId} at={at} onMove={(moment) => go({ at: moment === null ? null : String(moment) })} />
      )}
      <div className={filterStyles.filter}>
        {viewWords
          .filter(([key]) => key !== "path" || trouble)
          .map(([key, word]) => (
            <button
              type="button"
              key={key}
              aria-pressed={view === key}
              onClick={() =>
                go({ view: key, ...(key === "focus" && !focus ? { focus: open[0]?.cause?.node ?? map.data.nodes[0]?.id ?? null } : {}) })
              }
            >
              {word}
            </button>
          ))}
        {view === "focus" && (
          <>
            <input
              ref={input}
              list="map-nodes"
              aria-label="Node in the middle"
              placeholder="/ a node"
              key={focus}
              defaultValue={focus ?? ""}
              onChange={(event) => {
                if (map.data.nodes.some((node) => node.id === event.target.value)) go({ focus: event.target.value });
              }}
            />
            <datalist id="map-nodes">
              {map.data.nodes.map((node) => (
                <option key={node.id} value={node.id} />
              ))}
            </datalist>
            <span>depth</span>
            {DEPTHS.map((one) => (
              <button type="button" key={one} aria-pressed={depth === one} onClick={() => go({ depth: one })}>
                {one}
              </button>
            ))}
            {DIRECTIONS.map(([key, word]) => (
              <button type="button" key={key} aria-pressed={direction === key} onClick={() => go({ direction: key })}>
                {word}
              </button>
            ))}
          </>
        )}
        <span className={filterStyles.end}>
          <span>A line: the left needs the right</span>
          <button type="button" onClick={() => go({ list: listed ? "0" : "1" })}>
            {listed ? "Picture" : "List view"}
          </button>
          {!listed && (
            <button type="button" onClick={exportSvg}>
              Export SVG
            </button>
          )}
        </span>
      </div>
      <Shown
        board={board}
        names={names}
        map={map.data}
        view={view}
        focus={focus}
        depth={depth === "all" ? 99 : Number(depth)}
        direction={direction}
        listed={listed}
        zone={clock.zone}
      />
    </>
  );
}

function MapLead({ board, names }: { board: Board; names: Names }) {
  const open = useOpen(board);
  const clock = useClock();
  const first = open[0];
  if (!first) return <Lead headline={quietHeadline(board)} label="State" size="small" aged />;
  const node = board.nodes.find((one) => one.id === (first.cause?.node ?? first.anchor));
  const start = first.cause?.first_seen ?? first.opened_at;
  return (
    <Lead headline={headlineOf(first, node, names)} label={`Incident ${first.id}`} size="small" aged acked={first.acked !== null}>
      <p className={leadStyles.age}>
        <span>
          <Lasting since={start} />, since {clock.time(Date.parse(start), Date.now())} {clock.zone},{" "}
          <Link className="link" href={`/incidents/${first.id}`}>
            incident {first.id}
          </Link>
        </span>
      </p>
    </Lead>
  );
}

function IncidentReplay({ id, at, onMove }: { id: number; at: number | null; onMove: (at: number | null) => void }) {
  const incident = useIncident(id).data;
  if (!incident) return null;
  return <Replay incident={incident} at={at} onMove={onMove} />;
}

interface ShownProps {
  board: Board;
  names: Names;
  map: Parameters<typeof graphOf>[0] & { systems: readonly { id: string; name: string; members: readonly { node: string }[] }[] };
  view: View;
  focus: string | null;
  depth: number;
  direction: Direction;
  listed: boolean;
  zone: string;
}

function Shown({ board, names, map, view, focus, depth, direction, listed }: ShownProps) {
  const { nodes } = board;
  const whole = useMemo(() => graphOf(map), [map]);
  const path = useMemo(() => failurePath(whole, board.incidents), [whole, board.incidents]);
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const groupOf = useMemo(() => {
    const systems = new Map<string, string>();
    for (const system of map.systems) for (const one of system.members) if (!systems.has(one.node)) systems.set(one.node, system.id);
    return (id: string): string =>
      view === "system" ? (systems.get(id) ?? "in no system") : (map.nodes.find((node) => node.id === id)?.team ?? "no team");
  }, [map, view]);
  const grouped = view === "team" || view === "system";
  const graph: Graph = useMemo(() => {
    if (view === "path" && whole.ids.length > MOST_DRAWN) return subgraph(whole, new Set([...path.causes, ...path.victims]));
    if (view === "focus" && focus) return focusGraph(whole, focus, depth, direction);
    return grouped ? collapse(whole, groupOf) : whole;
  }, [view, whole, path, focus, depth, direction, grouped, groupOf]);
  const members = useMemo(() => {
    const groups = new Map<string, NodeView[]>();
    if (grouped) for (const node of nodes) groups.set(groupOf(node.id), [...(groups.get(groupOf(node.id)) ?? []), node]);
    return groups;
  }, [grouped, nodes, groupOf]);
  const resources = useMemo(() => new Set(map.nodes.filter((node) => node.kind === "resource").map((node) => node.id)), [map]);
  const isResource = useCallback((id: string) => resources.has(id), [resources]);
  const alone = loners(graph);
  const drawn = useMemo(() => subgraph(graph, new Set(graph.ids.filter((id) => !loners(graph).includes(id)))), [graph]);
  const stateOf = (id: string): NodeView | undefined => (grouped ? worstOf(members.get(id) ?? []) : byId.get(id));
  const nameOf = (id: string): string => (grouped ? `${id} (${members.get(id)?.length ?? 0})` : names(id));
  const hrefOf = (id: string): string => (grouped ? `/?${view}=${encodeURIComponent(id)}` : `/nodes/${encodeURIComponent(id)}`);
  if (graph.ids.length === 0) return <p className={styles.sub}>Nothing fails: there is no path to show.</p>;
  if (listed || drawn.ids.length > MOST_DRAWN) {
    return (
      <>
        {!listed && (
          <p className={styles.sub}>
            {drawn.ids.length} nodes are too many for a picture: here is the list. “By team” and “Around a node” are drawn.
          </p>
        )}
        <MapList graph={graph} stateOf={stateOf} nameOf={nameOf} hrefOf={hrefOf} names={grouped ? (id) => id : names} />
      </>
    );
  }
  return (
    <>
      <Suspense fallback={<p className="quiet">Drawing.</p>}>
        <GraphView
          graph={drawn}
          path={path}
          stateOf={stateOf}
          nameOf={nameOf}
          hrefOf={hrefOf}
          focus={focus}
          isResource={isResource}
          pathFirst={view === "path"}
        />
      </Suspense>
      {alone.length > 0 && (
        <p className={styles.meta}>
          <span>not connected:</span>
          {alone.map((id) => (
            <Link key={id} className="link" href={hrefOf(id)}>
              {nameOf(id)}
            </Link>
          ))}
        </p>
      )}
    </>
  );
}

interface ListProps {
  graph: Graph;
  stateOf: (id: string) => NodeView | undefined;
  nameOf: (id: string) => string;
  hrefOf: (id: string) => string;
  names: Names;
}

/** The same facts as the picture, in words. */
function MapList({ graph, stateOf, nameOf, hrefOf, names }: ListProps) {
  const ties = neighbours(graph);
  return (
    <table className={tables.table}>
      <thead>
        <tr>
          <th>node</th>
          <th>state</th>
          <th>needs</th>
          <th className={tables.opt}>needed by</th>
        </tr>
      </thead>
      <tbody>
        {graph.ids.map((id) => {
          const node = stateOf(id);
          const tie = ties.get(id);
          return (
            <tr key={id}>
              <th scope="row">
                <Link href={hrefOf(id)} data-cursor="">
                  {nameOf(id)}
                </Link>
              </th>
              <td>
                <StateWord status={node?.status ?? "unknown"} explained={node !== undefined && faceOf(node) === "impacted"}>
                  {node?.status ?? "unknown"}
                  {node?.role === "root_cause"
                    ? ", cause"
                    : node?.role === "impacted"
                      ? ", impacted"
                      : node?.role === "at_risk"
                        ? ", at risk"
                        : ""}
                </StateWord>
              </td>
              <td>
                {tie?.needs.map((edge) => `${names(edge.to)}${edge.criticality === "hard" ? "" : ` (${edge.criticality})`}`).join(", ") ||
                  "–"}
              </td>
              <td className={tables.opt}>{tie?.neededBy.map((edge) => names(edge.from)).join(", ") || "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Saves the picture with its colours as they are seen now. */
function exportSvg(): void {
  const picture = document.getElementById("map-picture");
  if (!picture) return;
  const copy = picture.cloneNode(true) as SVGElement;
  const originals = picture.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const seen = getComputedStyle(original);
    for (const key of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font", "color", "opacity"])
      element.setAttribute(key, seen.getPropertyValue(key));
  });
  const sprite = document.querySelector("symbol")?.parentElement;
  if (sprite) copy.prepend(sprite.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([copy.outerHTML], { type: "image/svg+xml" }));
  link.download = "headwater-map.svg";
  link.click();
  URL.revokeObjectURL(link.href);
}
