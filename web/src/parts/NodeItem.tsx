import { memo, type ReactNode, useRef } from "react";
import { Link } from "wouter";
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
import { Strip } from "./Strip.tsx";

export interface NodeItemProps {
  node: NodeView;
  /** Name of the cause that explains it, and that incident. */
  because: string | null;
  incident: number | null;
  cells: readonly Cell[] | undefined;
  from: number;
  to: number;
  explained: readonly Interval[] | undefined;
  p95: number | null;
}

function Because({ name, incident, also }: { name: string; incident: number; also: boolean }) {
  return (
    <>
      {also ? "own fault, and " : "because "}
      <Link className="link" href={`/incidents/${incident}`}>
        {name} ↗
      </Link>
    </>
  );
}

function Note({ node, because, incident }: NodeItemProps): ReactNode {
  const face = faceOf(node);
  if (because !== null && incident !== null && (face === "impacted" || face === "cause" || face === "own")) {
    return <Because name={because} incident={incident} also={face !== "impacted"} />;
  }
  const note = noteOf(node);
  return (
    <>
      {note.glyph && <Glyph name={note.glyph} title={note.title} leading />}
      {note.text}
    </>
  );
}

function NameSigns({ node, because }: { node: NodeView; because: string | null }) {
  const unsteady = node.role === "impacted" && node.marks.find((mark) => mark === "flapping" || mark === "intermittent");
  return (
    <>
      {node.role === "at_risk" && <Glyph name="at-risk" title={`at risk: reaches ${because ?? "a cause"} through hard edges`} />}
      {unsteady && <Glyph name="flapping" title={unsteady} />}
    </>
  );
}

/** The wash is for a cause alone: a victim with a fault of its own is bold on the ground. */
function loudness(face: Face, because: string | null): string {
  return (face === "cause" && because !== null ? styles.own : styles[face]) ?? "";
}

/** One line of the board: mark, name, word, why, day, p95, for how long, how old. */
export const NodeRow = memo(function NodeRow(props: NodeItemProps) {
  const { node, because, cells, from, to, explained, p95 } = props;
  const face = faceOf(node);
  const mark = markOf(node);
  const word = useRef<HTMLSpanElement>(null);
  useFade(word, node.status);
  return (
    <li
      className={`${styles.row} ${loudness(face, because)}`}
      data-node={node.id}
      data-face={face}
      data-incident={node.incident ?? undefined}
    >
      <Mark {...mark} />
      <Link className={styles.name} href={`/nodes/${encodeURIComponent(node.id)}`} title={node.name} data-cursor="">
        <span className={styles.text}>{node.name}</span>
        <NameSigns node={node} because={because} />
      </Link>
      <span ref={word} className={styles.word}>
        {lookOf(node.status).word}
      </span>
      <span className={styles.note} title={node.reason ?? undefined}>
        <Note {...props} />
      </span>
      <span className={styles.strip}>
        <Strip cells={cells} from={from} to={to} explained={explained} now={nowKind(node)} low={node.status === "degraded"} />
      </span>
      <span className={`${styles.p95} num`}>{p95 === null ? "–" : latency(p95)}</span>
      <span className={`${styles.for} num`}>{node.since === null ? "–" : <Lasting since={node.since} />}</span>
      <Seen id={node.id} className={`${styles.seen} num ${node.stale ? styles.late : ""}`} />
    </li>
  );
});

/** The same facts as three fixed lines. */
export const NodeTile = memo(function NodeTile(props: NodeItemProps) {
  const { node, because, cells, from, to, explained, p95 } = props;
  const face = faceOf(node);
  const mark = markOf(node);
  const word = useRef<HTMLSpanElement>(null);
  useFade(word, node.status);
  const quiet = face === "healthy" && noteOf(node).text === "";
  return (
    <li
      className={`${styles.tile} ${loudness(face, because)}`}
      data-node={node.id}
      data-face={face}
      data-incident={node.incident ?? undefined}
    >
      <Mark {...mark} />
      <Link className={styles.name} href={`/nodes/${encodeURIComponent(node.id)}`} title={node.name} data-cursor="">
        <span className={styles.text}>{node.name}</span>
        <NameSigns node={node} because={because} />
      </Link>
      <Seen id={node.id} className={`${styles.seen} ${node.stale ? styles.late : ""}`} />
      <span className={styles.fact}>
        <span ref={word} className={styles.word}>
          {lookOf(node.status).word}
        </span>
        <span className={styles.note} title={node.reason ?? undefined}>
          {quiet && p95 !== null ? `p95 ${latency(p95)}` : <Note {...props} />}
        </span>
      </span>
      <span className={styles.strip}>
        <Strip cells={cells} from={from} to={to} explained={explained} now={nowKind(node)} low={node.status === "degraded"} width={220} />
      </span>
      <span className={styles.for}>{node.since === null ? "–" : <Lasting since={node.since} />}</span>
    </li>
  );
});
