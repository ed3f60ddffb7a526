import { memo, type ReactNode } from "react";
import { useFade } from "../effects/fade.ts";
import type { Names } from "../model/headline.ts";
import { noteOf } from "../model/note.ts";
import { nowKind } from "../model/nowKind.ts";
import { type Face, faceOf, lookOf, markOf } from "../model/status.ts";
import type { Cell, Interval } from "../model/strip.ts";
import { latency } from "../model/time.ts";
import type { Incident, NodeView } from "../model/types.ts";
import { Lasting, Seen } from "./Ago.tsx";
import { Glyph, Mark } from "./Mark.tsx";
import styles from "./nodes.module.css";
import { RowLink } from "./RowLink.tsx";
import { Strip } from "./Strip.tsx";

interface NodeItemProps {
  node: NodeView;
  /** Name of the cause that explains it, and that incident. */
  because: string | null;
  incident: number | null;
  /** Who has the incident that it causes: `robin has it until 14:34`. */
  taken: string | null;
  /** Of that incident. */
  severity: Incident["severity"] | undefined;
  /** What was announced for it. */
  work: string | null;
  names: Names;
  cells: readonly Cell[] | undefined;
  from: number;
  to: number;
  explained: readonly Interval[] | undefined;
  p95: number | null;
}

/*
 * What an item is made of are functions that are called, but for those that keep something: as a component each they would
 * be two thirds of the work when hundreds of items change at once.
 */

/** One line of the board: mark, name, word, why, day, p95, for how long, how old. */
export const NodeRow = memo(function NodeRow(props: NodeItemProps) {
  const { node, p95 } = props;
  const word = useWord(node.status);
  return item(
    props,
    "row",
    <>
      {word}
      {why(props)}
      {day(props)}
      <span className={`${styles.p95} num`}>{p95 === null ? "–" : latency(p95)}</span>
      {lasting(node)}
      {seen(node)}
    </>,
  );
});

/** The same facts as three fixed lines. */
export const NodeTile = memo(function NodeTile(props: NodeItemProps) {
  const { node, names, p95 } = props;
  const word = useWord(node.status);
  const quiet = faceOf(node) === "healthy" && noteOf(node, names).text === "" && p95 !== null;
  return item(
    props,
    "tile",
    <>
      {seen(node)}
      <span className={styles.fact}>
        {word}
        {quiet ? <span className={styles.note}>{`p95 ${latency(p95)}`}</span> : why(props)}
      </span>
      {day(props, 220)}
      {lasting(node)}
    </>,
  );
});

/** The item itself with what both shapes begin with: the mark, and the name with its signs. */
function item({ node, because, taken, severity }: NodeItemProps, shape: "row" | "tile", facts: ReactNode) {
  const face = faceOf(node);
  return (
    <li
      className={`${styles[shape]} ${loudness(face, because, severity)}`}
      data-node={node.id}
      data-face={face}
      data-incident={node.incident ?? undefined}
    >
      {Mark(markOf(node, severity))}
      <Name
        id={node.id}
        name={node.name}
        taken={taken}
        risk={node.role === "at_risk" ? `at risk: reaches ${because ?? "a cause"} through hard edges` : null}
        unsteady={unsteadyOf(node)}
      />
      {facts}
    </li>
  );
}

/** The wash is for a cause alone that alerts somebody: a victim with a fault of its own is bold on the ground. */
function loudness(face: Face, because: string | null, severity: Incident["severity"] | undefined): string {
  return (face === "cause" && (because !== null || severity === "info") ? styles.own : styles[face]) ?? "";
}

/** For an impacted node, whose reason is its cause's, the mark that it is not steady. */
function unsteadyOf({ role, marks }: NodeView): string | null {
  return (role === "impacted" && marks.find((mark) => mark === "flapping" || mark === "intermittent")) || null;
}

/** Letters that the narrowest columns of names and reasons show in one line. */
const NAME_LINE = 14;
const NOTE_LINE = 27;

/** What is longer than a line takes two where the row is a cause's. */
function fitted(className: string | undefined, text: string, line: number): string | undefined {
  return text.length > line ? `${className} ${styles.twoLines}` : className;
}

interface NameProps {
  id: string;
  name: string;
  taken: string | null;
  risk: string | null;
  unsteady: string | null;
}

/** The name with its signs, which stays as it is while the state changes. */
const Name = memo(function Name({ id, name, taken, risk, unsteady }: NameProps) {
  return (
    <RowLink className={styles.name} to={`/nodes/${encodeURIComponent(id)}`} title={name} data-cursor="">
      <span className={fitted(styles.text, name, NAME_LINE)}>{name}</span>
      {taken !== null && <Glyph name="taken" title={taken} />}
      {risk !== null && <Glyph name="at-risk" title={risk} />}
      {unsteady !== null && <Glyph name="flapping" title={unsteady} />}
    </RowLink>
  );
});

function useWord(status: NodeView["status"]) {
  const ref = useFade<HTMLSpanElement>(status);
  return (
    <span ref={ref} className={styles.word}>
      {lookOf(status).word}
    </span>
  );
}

/** What explains it, or what is to be said of it. */
function why({ node, because, incident, work, names }: NodeItemProps) {
  const face = faceOf(node);
  if (because !== null && incident !== null && (face === "impacted" || face === "cause" || face === "own")) {
    return (
      <span className={styles.note} title={node.reason ?? undefined}>
        {face === "impacted" ? "because " : "own fault, and "}
        <RowLink className="link" to={`/incidents/${incident}`} title={because}>
          {because} ↗
        </RowLink>
      </span>
    );
  }
  const note = noteOf(node, names, work);
  return (
    <span className={fitted(styles.note, note.text, NOTE_LINE)} title={note.title || node.reason || undefined}>
      {note.glyph ? [<Glyph key="sign" name={note.glyph} title={note.title} leading />, note.text] : note.text}
    </span>
  );
}

function day({ node, cells, from, to, explained }: NodeItemProps, width?: number) {
  return (
    <Strip
      className={styles.strip}
      cells={cells}
      from={from}
      to={to}
      explained={explained}
      now={nowKind(node)}
      low={node.status === "degraded"}
      width={width}
    />
  );
}

function lasting({ since }: NodeView) {
  const className = `${styles.for} num`;
  return since === null ? <span className={className}>–</span> : Lasting({ since, className });
}

function seen({ id, every_ms, stale }: NodeView) {
  return <Seen id={id} every={every_ms} className={`${styles.seen} num ${stale ? styles.late : ""}`} />;
}
