import { useMemo } from "react";
import { Link } from "wouter";
import { now } from "../api/now.ts";
import { useWidth } from "../effects/width.ts";
import type { FailurePath, Graph } from "../model/graph.ts";
import { layerNames } from "../model/graph.ts";
import { layers } from "../model/layout.ts";
import { markOf } from "../model/status.ts";
import { age } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import styles from "./graph.module.css";
import { Glyph } from "./Mark.tsx";
import markStyles from "./mark.module.css";

const ROW = 44;
const TOP = 60;
const CHARACTER = 7;
/** Below this the picture scrolls instead of shrinking. */
const NARROWEST = 150;

export interface GraphViewProps {
  graph: Graph;
  path: FailurePath;
  /** The state of a point: a node's, or the worst of a group. */
  stateOf: (id: string) => NodeView | undefined;
  nameOf: (id: string) => string;
  hrefOf: (id: string) => string;
  focus: string | null;
  isResource: (id: string) => boolean;
  /** The way of the failure takes the upper rows. */
  pathFirst: boolean;
}

/** The graph in layers: no boxes, the way of the failure in ink, edges into the cause red. Every node is a link. */
export default function GraphView({ graph, path, stateOf, nameOf, hrefOf, focus, isResource, pathFirst }: GraphViewProps) {
  const [ref, outer] = useWidth<HTMLDivElement>(1_376);
  const places = useMemo(
    () => layers(graph, isResource, pathFirst ? new Set([...path.causes, ...path.victims]) : undefined),
    [graph, isResource, pathFirst, path],
  );
  const dim = path.causes.size > 0;
  const count = Math.max(1, ...places.map((place) => place.rank + 1));
  const gap = count === 1 ? 0 : Math.max(NARROWEST, (outer - 168) / (count - 1));
  const width = Math.max(outer, gap * (count - 1) + 168);
  const height = TOP + ROW * Math.max(1, ...places.map((place) => place.row + 1));
  const at = new Map(places.map((place) => [place.id, { x: place.rank * gap, y: TOP + place.row * ROW }]));
  const heat = (from: string, to: string): number => (path.edges.has(`${from}>${to}`) ? (path.hot.has(to) ? 2 : 1) : 0);
  const edges = [...graph.edges].sort((a, b) => heat(a.from, a.to) - heat(b.from, b.to));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={ref} className="scroll" tabIndex={0} aria-label="Map, may scroll sideways">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of links inside an SVG has no element of its own */}
      <svg
        className={styles.map}
        id="map-picture"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Dependency map; the list view holds the same facts"
      >
        {layerNames(count).map(({ name, rank }) => (
          <text key={rank} className={styles.rank} x={rank * gap} y={16}>
            {name}
          </text>
        ))}
        <path className={styles.rule} d={`M0 24H${width}`} />
        {edges.map((edge) => {
          const from = at.get(edge.from);
          const to = at.get(edge.to);
          if (!from || !to) return null;
          const dated = path.causes.has(edge.from) || path.victims.has(edge.from);
          const x1 = from.x + 30 + nameOf(edge.from).length * CHARACTER + (dated ? 36 : 0);
          const level = heat(edge.from, edge.to);
          const back = to.x <= from.x;
          const middle = (Math.max(x1, from.x + gap * 0.5) + to.x - 8) / 2;
          const d = back
            ? `M${from.x + 8} ${from.y - 12}C${from.x - 40} ${from.y - 40} ${to.x - 40} ${to.y + 40} ${to.x + 8} ${to.y + 12}`
            : `M${x1} ${from.y}H${Math.min(to.x - 24, Math.max(x1, from.x + gap * 0.5))}C${middle} ${from.y} ${middle} ${to.y} ${to.x - 8} ${to.y}`;
          return (
            <path
              key={`${edge.from}>${edge.to}`}
              className={[
                styles.edge,
                level === 2 ? styles.hot : level === 1 ? styles.on : "",
                edge.criticality === "hard" ? "" : styles.soft,
              ].join(" ")}
              d={d}
            />
          );
        })}
        {places.map(({ id }) => {
          const spot = at.get(id);
          const node = stateOf(id);
          if (!spot) return null;
          const cause = path.causes.has(id);
          const victim = path.victims.has(id);
          const mark = node ? markOf(node) : ({ symbol: "unknown", tone: "unknown" } as const);
          const name = nameOf(id);
          const words = node
            ? `${node.status}${cause ? ", cause" : node.role === "impacted" ? ", impacted" : node.role === "at_risk" ? ", at risk" : ""}`
            : "unknown";
          const lasting = (cause || victim) && node?.since ? age(now() - Date.parse(node.since)) : null;
          return (
            <Link key={id} href={hrefOf(id)} aria-label={`${name}${lasting ? ` ${lasting}` : ""}, ${words}`} data-cursor="">
              <rect
                className={styles.mask}
                x={spot.x - 4}
                y={spot.y - 12}
                width={28 + name.length * CHARACTER + (cause || victim ? 36 : 0)}
                height={24}
              />
              <svg
                className={`${markStyles[mark.tone]} ${dim && !cause && !victim ? styles.dim : ""}`}
                x={spot.x}
                y={spot.y - 8}
                width={16}
                height={16}
                aria-hidden="true"
              >
                <use href={`#m-${mark.symbol}`} />
              </svg>
              <text
                className={
                  path.hot.has(id) ? styles.cause : cause ? styles.focus : victim ? styles.path : id === focus ? styles.focus : undefined
                }
                x={spot.x + 24}
                y={spot.y + 4}
              >
                {name}
                {lasting && (
                  <>
                    {" "}
                    <tspan className={styles.ago} dx={4}>
                      {lasting}
                    </tspan>
                  </>
                )}
              </text>
              {node?.role === "at_risk" && (
                <svg x={spot.x + 28 + name.length * CHARACTER} y={spot.y - 6} width={12} height={12} aria-hidden="true">
                  <use href="#g-at-risk" />
                </svg>
              )}
            </Link>
          );
        })}
      </svg>
      <p className={styles.legend}>
        {dim && <Legend className={`${styles.edge} ${styles.hot}`} words="into the cause" />}
        {dim && <Legend className={`${styles.edge} ${styles.on}`} words="path of the failure" />}
        <Legend className={`${styles.edge} ${styles.on} ${styles.soft}`} words="soft" />
        <span>
          <Glyph name="at-risk" title="at risk" leading />
          at risk
        </span>
        {dim && <span>grey: not involved</span>}
      </p>
    </section>
  );
}

function Legend({ className, words }: { className: string; words: string }) {
  return (
    <span>
      <svg width={32} height={8} aria-hidden="true">
        <path className={className} d="M0 4H32" />
      </svg>
      {words}
    </span>
  );
}
