import { memo, type ReactNode, useRef } from "react";
import { useFade } from "../effects/fade.ts";
import { noteOf } from "../model/note.ts";
import { nowKind } from "../model/nowKind.ts";
import { type Face, faceOf, lookOf, markOf } from "../model/status.ts";
import type { Cell, Interval } from "../model/strip.ts";
import { latency } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import { Lasting, Seen } from "./Ago.tsx";
import { Glyph, Mark } from "./Mark.tsx";
import styles from "./nodes.module.css";
import { RowLink } from "./RowLink.tsx";
import { Strip } from "./Strip.tsx";

export interface NodeItemProps {
  node: NodeView;
  /** Name of the cause that explains it, and that incident. */
  because: string | null;
  incident: number | null;
  /** Who has the incident that it causes: `robin has it until 14:34`. */
  taken: string | null;
  /** What was announced for it. */
  work: string | null;
  cells: readonly Cell[] | undefined;
  from: number;
  to: number;
  explained: readonly Interval[] | undefined;
  p95: number | null;
}

/** The place of a node that is not drawn yet: of the size that it will have, so that nothing moves when it is. */
export function NodePlace({ shape }: { shape: "row" | "tile" }) {
  return <li className={styles[shape]} />;
}

/** One line of the board: mark, name, word, why, day, p95, for how long, how old. */
export const NodeRow = memo(function NodeRow(props: NodeItemProps) {
  const { node, p95 } = props;
  return (
    <Item {...props} shape="row">
      <Word status={node.status} />
      <Why {...props} />
      <Day {...props} />
      <span className={`${styles.p95} num`}>{p95 === null ? "–" : latency(p95)}</span>
      <For node={node} />
      <Age node={node} />
    </Item>
  );
});

/** The same facts as three fixed lines. */
export const NodeTile = memo(function NodeTile(props: NodeItemProps) {
  const { node, p95 } = props;
  const quiet = faceOf(node) === "healthy" && noteOf(node).text === "" && p95 !== null;
  return (
    <Item {...props} shape="tile">
      <Age node={node} />
      <span className={styles.fact}>
        <Word status={node.status} />
        {quiet ? <span className={styles.note}>p95 {latency(p95)}</span> : <Why {...props} />}
      </span>
      <Day {...props} width={220} />
      <For node={node} />
    </Item>
  );
});

/** The item itself with what both shapes begin with: the mark, and the name with its signs. */
function Item({ node, because, taken, shape, children }: NodeItemProps & { shape: "row" | "tile"; children: ReactNode }) {
  const face = faceOf(node);
  return (
    <li
      className={`${styles[shape]} ${loudness(face, because)}`}
      data-node={node.id}
      data-face={face}
      data-incident={node.incident ?? undefined}
    >
      <Mark {...markOf(node)} />
      <RowLink className={styles.name} to={`/nodes/${encodeURIComponent(node.id)}`} title={node.name} data-cursor="">
        <span className={styles.text}>{node.name}</span>
        <NameSigns node={node} because={because} taken={taken} />
      </RowLink>
      {children}
    </li>
  );
}

/** The wash is for a cause alone: a victim with a fault of its own is bold on the ground. */
function loudness(face: Face, because: string | null): string {
  return (face === "cause" && because !== null ? styles.own : styles[face]) ?? "";
}

function NameSigns({ node, because, taken }: Pick<NodeItemProps, "node" | "because" | "taken">) {
  const unsteady = node.role === "impacted" && node.marks.find((mark) => mark === "flapping" || mark === "intermittent");
  return (
    <>
      {taken !== null && <Glyph name="taken" title={taken} />}
      {node.role === "at_risk" && <Glyph name="at-risk" title={`at risk: reaches ${because ?? "a cause"} through hard edges`} />}
      {unsteady && <Glyph name="flapping" title={unsteady} />}
    </>
  );
}

function Word({ status }: { status: NodeView["status"] }) {
  const ref = useRef<HTMLSpanElement>(null);
  useFade(ref, status);
  return (
    <span ref={ref} className={styles.word}>
      {lookOf(status).word}
    </span>
  );
}

/** What explains it, or what is to be said of it. */
function Why({ node, because, incident, work }: NodeItemProps) {
  const face = faceOf(node);
  if (because !== null && incident !== null && (face === "impacted" || face === "cause" || face === "own")) {
    return (
      <span className={styles.note} title={node.reason ?? undefined}>
        {face === "impacted" ? "because " : "own fault, and "}
        <RowLink className="link" to={`/incidents/${incident}`}>
          {because} ↗
        </RowLink>
      </span>
    );
  }
  const note = noteOf(node, work);
  return (
    <span className={styles.note} title={note.title || node.reason || undefined}>
      {note.glyph && <Glyph name={note.glyph} title={note.title} leading />}
      {note.text}
    </span>
  );
}

function Day({ node, cells, from, to, explained, width }: NodeItemProps & { width?: number }) {
  return (
    <span className={styles.strip}>
      <Strip
        cells={cells}
        from={from}
        to={to}
        explained={explained}
        now={nowKind(node)}
        low={node.status === "degraded"}
        {...(width === undefined ? {} : { width })}
      />
    </span>
  );
}

function For({ node }: { node: NodeView }) {
  return <span className={`${styles.for} num`}>{node.since === null ? "–" : <Lasting since={node.since} />}</span>;
}

function Age({ node }: { node: NodeView }) {
  return <Seen id={node.id} every={node.every_ms} className={`${styles.seen} num ${node.stale ? styles.late : ""}`} />;
}
