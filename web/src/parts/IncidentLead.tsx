import { useContext, useState } from "react";
import { Link } from "wouter";
import { useNode } from "../api/nodeQueries.ts";
import { useMayWrite } from "../api/sessionQueries.ts";
import { useActs } from "../effects/acts.tsx";
import { useClock } from "../effects/settings.ts";
import {
  headlineOf,
  joinEvidence,
  LEVEL_WORDS,
  longestHeadline,
  type Names,
  nodeToLook,
  onsetOrder,
  SEVERITY_WORDS,
  whereToLook,
  whoHas,
} from "../model/headline.ts";
import { heardOf } from "../model/note.ts";
import { offset } from "../model/time.ts";
import { inNames } from "../model/timeline.ts";
import type { Incident, NodeView } from "../model/types.ts";
import { Lasting, MomentContext } from "./Ago.tsx";
import { Lead, leadStyles, Sentences } from "./Lead.tsx";
import { Fact, Proof, proofStyles as styles } from "./Proof.tsx";

/** Victims named in the order line; the rest is a count that unfolds. */
const NAMED = 3;
/** More than these belong on the incident's own page. */
const UNFOLDED = 100;
/** Reasons that fit above the fold. */
const REASONS = 3;

interface Props {
  incident: Incident;
  /** Whether somebody has all that alerts. */
  taken: boolean;
  nodes: readonly NodeView[];
  names: Names;
  below?: React.ReactNode;
  /** Work under way. */
  work?: React.ReactNode;
}

/** The incident to read first, with its proof: for how long, why, in what order, what it says, who has it. */
export function IncidentLead({ incident, taken, nodes, names, below, work }: Props) {
  const clock = useClock();
  const node = nodeToLook(incident, nodes);
  const start = incident.cause?.first_seen ?? incident.opened_at;
  return (
    <Lead
      headline={headlineOf(incident, nodes, names)}
      label={`Incident ${incident.id}`}
      room={longestHeadline(incident, names)}
      acked={taken}
      below={below}
      under={work}
    >
      <Proof>
        <Fact label="for" className={styles.for}>
          <b>
            <Lasting since={start} />
          </b>
          <span>
            first sign {clock.zoned(Date.parse(start), Date.now())},{" "}
            <Link className="link" href={`/incidents/${incident.id}`}>
              incident {incident.id}
            </Link>
            , {SEVERITY_WORDS[incident.severity]}
            {node?.team && incident.severity !== "info" && (
              <>
                {incident.severity === "ticket" && " for"}{" "}
                <Link className="link" href={`/?team=${encodeURIComponent(node.team)}`}>
                  {node.team}
                </Link>
              </>
            )}
          </span>
        </Fact>
        <Fact label="why" className={styles.why}>
          <Why incident={incident} names={names} />
        </Fact>
        <Order key={incident.id} incident={incident} names={names} start={Date.parse(start)} />
        <Says incident={incident} node={node} names={names} />
        <Fact label="who" className={styles.who}>
          <Holder by={incident.acked?.by ?? ""} words={whoHas(incident, clock.until)} />
          <IncidentActs incident={incident} />
        </Fact>
      </Proof>
    </Lead>
  );
}

function IncidentActs({ incident }: { incident: Incident }) {
  const acts = useActs();
  // A board of the past is looked at, not acted upon.
  const past = useContext(MomentContext) !== null;
  // Who may not act does not see them, and their room is kept: nothing moves when that is known.
  const room = useMayWrite() ? "" : styles.later;
  const links = useNode(whereToLook(incident), 60_000).data?.links;
  const runbook = links?.runbook ?? links?.runbooks;
  return (
    <span className={`${styles.acts} ${leadStyles.thumb}`}>
      {!past && (
        <>
          <button
            type="button"
            className={`${styles.first} ${incident.acked ? "" : `solid ${styles.main}`} ${room}`}
            onClick={() => acts.acknowledge(incident)}
            aria-label={incident.acked ? "Change the acknowledgement" : undefined}
          >
            {incident.acked ? "Change" : "Acknowledge"}
            <kbd>a</kbd>
          </button>
          <button type="button" className={room} onClick={() => acts.note(incident)}>
            Note<kbd>n</kbd>
          </button>
        </>
      )}
      <button type="button" onClick={() => acts.copy(incident)}>
        {acts.copied?.id === incident.id ? (acts.copied.done ? "Copied" : "Not allowed") : "Copy"}
        <kbd>c</kbd>
      </button>
      {/* It may come: what stands beside it does not move then. */}
      <a className={runbook ? undefined : styles.later} href={runbook} rel="noreferrer" title={links?.runbook ? undefined : "of the team"}>
        Runbook ↗
      </a>
    </span>
  );
}

/** Who has it, and until when: of a long name less is shown, of the time never. */
function Holder({ by, words }: { by: string; words: string }) {
  return (
    <b key={words} className={styles.holder} title={words}>
      <span>{by}</span>
      <span>{words.slice(by.length)}</span>
    </b>
  );
}

/** What the failing one says itself, and beside it the note of whoever has it: a line that is always there, so that nothing moves. */
function Says({ incident: { acked }, node, names }: { incident: Incident; node: NodeView | undefined; names: Names }) {
  const { label, own, said } = node ? heardOf(node, names) : { label: "state", own: "–", said: null };
  return (
    <Fact label={label} className={styles.says}>
      <span title={own + (said ?? "")}>
        {own}
        {said !== null && <q>{said}</q>}
      </span>
      {acked?.note && (
        <span title={acked.note}>
          {" "}
          <b>{acked.by}</b>: <q>{acked.note}</q>
        </span>
      )}
    </Fact>
  );
}

/** Who failed when, the first few named; the others are folded under their count. Where nobody followed yet the line is there. */
function Order({ incident, names, start }: { incident: Incident; names: Names; start: number }) {
  const clock = useClock();
  const [open, setOpen] = useState(false);
  const order = onsetOrder(incident);
  const by = order.findLast((one) => one.after > 0)?.after;
  const folded = order.length - NAMED;
  const shown = order.slice(0, open ? UNFOLDED : NAMED);
  return (
    <Fact label="order" className={open ? undefined : styles.order}>
      <span title={[names(incident.anchor), ...shown.map((one) => `${names(one.node)} ${offset(one.after)}`)].join(", ")}>
        <b>{names(incident.anchor)}</b> {clock.time(start)}
        {shown.map((one) => (
          <span key={one.node}>
            ,{" "}
            <Link className={open ? "link" : undefined} href={`/nodes/${encodeURIComponent(one.node)}`}>
              {names(one.node)}
            </Link>{" "}
            <span className={styles.unit}>{offset(one.after)}</span>
          </span>
        ))}
        {folded > 0 && <span className="noprint">,</span>}
      </span>
      {folded > 0 && (
        <span className="noprint">
          {" "}
          <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "fewer" : `${folded} more`}
          </button>
          {!open && by && <span className={styles.unit}> by {offset(by)}</span>}
          {open && order.length > UNFOLDED && (
            <>
              {" "}
              or{" "}
              <Link className="link" href={`/incidents/${incident.id}`}>
                all {order.length}
              </Link>
            </>
          )}
        </span>
      )}
    </Fact>
  );
}

function Why({ incident, names }: { incident: Incident; names: Names }) {
  const named = inNames(names);
  if (incident.status === "recovering") return "The cause reports good again; it is over when its victims have a fresh good result too.";
  if (incident.unverified_since) return "No fresh answer tells whether it still is so.";
  if (incident.cause) {
    return (
      <>
        <b>{LEVEL_WORDS[incident.cause.level]}.</b> <Sentences text={named(joinEvidence(incident.cause.why.slice(0, REASONS)))} />
      </>
    );
  }
  if (incident.kind === "undetermined") {
    return incident.candidates.length === 0
      ? "Nothing that we see explains it."
      : incident.candidates.slice(0, REASONS).map((one) => (
          <span key={one.node}>
            <b>{names(one.node)}</b> {one.confidence.toFixed(2)}: {named(one.why)}{" "}
          </span>
        ));
  }
  if (incident.kind === "visibility") return "It belongs to a system and brings no report.";
  return "Announced work: it alerts nobody.";
}
