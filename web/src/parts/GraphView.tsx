import { useLayoutEffect, useRef } from "react";
import { Link } from "wouter";
import { now } from "../api/now.ts";
import { measureText } from "../effects/measure.ts";
import { usePlaces } from "../effects/places.ts";
import { useWidth } from "../effects/width.ts";
import { edgeLines, type Label, picture, type Spot, shortName } from "../model/geometry.ts";
import type { FailurePath, Graph } from "../model/graph.ts";
import { layerNames } from "../model/graph.ts";
import type { Place } from "../model/layout.ts";
import type { Mark } from "../model/status.ts";
import { age } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import styles from "./graph.module.css";
import { Glyph } from "./Mark.tsx";
import markStyles from "./mark.module.css";

export interface GraphViewProps {
  graph: Graph;
  path: FailurePath;
  /** The state of a point: a node's, or the worst of a group. */
  stateOf: (id: string) => NodeView | undefined;
  markAt: (id: string) => Mark;
  nameOf: (id: string) => string;
  hrefOf: (id: string) => string;
  focus: string | null;
  resources: ReadonlySet<string>;
  /** The way of the failure takes the upper rows. */
  pathFirst: boolean;
  /** The moment shown, epoch milliseconds; null is now. */
  at: number | null;
}

/** Pixels that are left beside the cause when the picture is moved so that it is seen. */
const MARGIN = 24;
const NOBODY: ReadonlySet<string> = new Set();

/** The graph in layers: no boxes, the way of the failure in ink, edges into the cause red. Every node is a link. */
export default function GraphView(props: GraphViewProps) {
  const { graph, resources, path, pathFirst } = props;
  const placed = usePlaces(graph, resources, pathFirst ? [...path.causes, ...path.victims] : NOBODY);
  return placed ? <Picture {...props} {...placed} /> : <p className={`quiet ${styles.waiting}`}>Drawing.</p>;
}

function Picture({ graph, places, path, stateOf, markAt, nameOf, hrefOf, focus, at }: GraphViewProps & { places: readonly Place[] }) {
  const [ref, outer] = useWidth<HTMLDivElement>(1_376);
  const dim = path.causes.size > 0;
  const labelOf = (id: string): Label => {
    const involved = path.causes.has(id) || path.victims.has(id);
    const node = stateOf(id);
    return {
      text: shortName(nameOf(id)),
      cause: path.hot.has(id),
      bold: path.causes.has(id) || id === focus,
      aged: involved && node?.since != null,
      atRisk: node?.role === "at_risk",
    };
  };
  const drawn = picture(places, outer, labelOf, measureText);
  // A long way ends beyond the right edge, where its cause is: that is what one looks for.
  const cause = drawn.spots.get([...path.hot, ...path.causes].find((id) => drawn.spots.has(id)) ?? "");
  const right = cause ? cause.x + cause.width + MARGIN - outer : 0;
  const moved = useRef(false);
  useLayoutEffect(() => {
    if (right <= 0 || moved.current) return;
    moved.current = true;
    ref.current?.scrollTo({ left: right });
  }, [ref, right]);
  const heat = (from: string, to: string): number => (path.edges.has(`${from}>${to}`) ? (path.hot.has(to) ? 2 : 1) : 0);
  const edges = [...graph.edges].sort((a, b) => heat(b.from, b.to) - heat(a.from, a.to));
  const lines = edgeLines(edges, drawn);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={ref} className="scroll" tabIndex={0} aria-label="Map, may scroll sideways">
        {/* biome-ignore lint/a11y/useSemanticElements: a group of links inside an SVG has no element of its own */}
        <svg
          className={`${styles.map} ${dim ? "" : styles.calm}`}
          id="map-picture"
          width={drawn.width}
          height={drawn.height}
          viewBox={`0 0 ${drawn.width} ${drawn.height}`}
          role="group"
          aria-label="Dependency map; the list view holds the same facts"
        >
          {layerNames(drawn.layers).map(({ name, rank }) => (
            <text key={rank} className={styles.rank} x={rank * drawn.gap} y={16}>
              {name}
            </text>
          ))}
          <path className={styles.rule} d={`M0 24H${drawn.width}`} />
          {edges.toReversed().map((edge) => {
            const line = lines.get(`${edge.from}>${edge.to}`);
            if (line === undefined) return null;
            const level = heat(edge.from, edge.to);
            const ink = level === 2 ? styles.hot : level === 1 ? styles.on : "";
            return (
              <path
                key={`${edge.from}>${edge.to}`}
                className={`${styles.edge} ${ink} ${edge.criticality === "hard" ? "" : styles.soft}`}
                d={line}
              />
            );
          })}
          {places.map(({ id }) => {
            const spot = drawn.spots.get(id);
            if (!spot) return null;
            const involved = path.causes.has(id) || path.victims.has(id);
            return (
              <Link key={id} href={hrefOf(id)} aria-label={spoken(nameOf(id), stateOf(id), path.causes.has(id), at)} data-cursor="">
                <Point
                  spot={spot}
                  label={labelOf(id)}
                  name={nameOf(id)}
                  node={stateOf(id)}
                  mark={markAt(id)}
                  face={path.hot.has(id) ? "cause" : path.causes.has(id) || id === focus ? "focus" : involved ? "path" : "plain"}
                  dim={dim && !involved}
                  at={at}
                />
              </Link>
            );
          })}
        </svg>
      </section>
      <p className={styles.legend}>
        {path.hot.size > 0 && <Legend className={`${styles.edge} ${styles.hot}`} words="into the cause" />}
        {dim && <Legend className={`${styles.edge} ${styles.on}`} words="path of the failure" />}
        <Legend className={`${styles.edge} ${styles.on} ${styles.soft}`} words="soft" />
        <span>
          <Glyph name="at-risk" title="at risk" leading />
          at risk
        </span>
        {dim && <span>grey: not involved</span>}
      </p>
    </>
  );
}

function lasting(node: NodeView | undefined, at: number | null): string | null {
  return node?.since ? age((at ?? now()) - Date.parse(node.since)) : null;
}

function spoken(name: string, node: NodeView | undefined, cause: boolean, at: number | null): string {
  if (!node) return `${name}, unknown`;
  const role = cause ? ", cause" : node.role === "impacted" ? ", impacted" : node.role === "at_risk" ? ", at risk" : "";
  const time = cause || node.role === "impacted" ? lasting(node, at) : null;
  return `${name}${time ? ` ${time}` : ""}, ${node.status}${role}`;
}

interface PointProps {
  spot: Spot;
  label: Label;
  name: string;
  node: NodeView | undefined;
  mark: Mark;
  face: "cause" | "focus" | "path" | "plain";
  dim: boolean;
  at: number | null;
}

/** A node of the picture: its mark, its name on a piece of ground that parts it from the lines, and its time. */
function Point({ spot, label, name, node, mark, face, dim, at }: PointProps) {
  const time = label.aged ? lasting(node, at) : null;
  return (
    <>
      {label.text !== name && <title>{name}</title>}
      <rect className={styles.mask} x={spot.x - 4} y={spot.y - 12} width={spot.width + 4} height={24} />
      <svg
        className={`${markStyles[mark.tone]} ${dim ? styles.dim : ""}`}
        x={spot.x}
        y={spot.y - 8}
        width={16}
        height={16}
        aria-hidden="true"
      >
        <use href={`#m-${mark.symbol}`} />
      </svg>
      <text className={face === "plain" ? undefined : styles[face]} x={spot.x + 24} y={spot.y + 4}>
        {label.text}
        {time && (
          <>
            {" "}
            <tspan className={styles.ago} dx={4}>
              {time}
            </tspan>
          </>
        )}
      </text>
      {label.atRisk && (
        <svg x={spot.x + spot.width - 12} y={spot.y - 6} width={12} height={12} aria-hidden="true">
          <use href="#g-at-risk" />
        </svg>
      )}
    </>
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
