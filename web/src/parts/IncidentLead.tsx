import { Link } from "wouter";
import { useMayWrite, useNode } from "../api/queries.ts";
import { useActs } from "../effects/acts.tsx";
import { useClock } from "../effects/settings.ts";
import { alsoSentence, headlineOf, joinEvidence, type Names, onsetOrder, whoHas } from "../model/headline.ts";
import { shortReason } from "../model/note.ts";
import { offset } from "../model/time.ts";
import type { Incident, NodeView } from "../model/types.ts";
import { Lasting } from "./Ago.tsx";
import { Lead, Sentences, leadStyles as styles } from "./Lead.tsx";
import { Mark } from "./Mark.tsx";

const LEVELS = { confirmed: "Confirmed.", likely: "Likely.", suspected: "Suspected." } as const;
const SEVERITIES = { page: "pages", ticket: "ticket", info: "alerts nobody" } as const;
/** Victims named in the order line; the rest is a count. */
const NAMED = 3;

interface Props {
  incident: Incident;
  node: NodeView | undefined;
  names: Names;
  below?: React.ReactNode;
}

/** The incident to read first, with its proof: for how long, why, in what order, what it says, who has it. */
export function IncidentLead({ incident, node, names, below }: Props) {
  const clock = useClock();
  const acts = useActs();
  const mayWrite = useMayWrite();
  const headline = headlineOf(incident, node, names);
  const { cause } = incident;
  const start = cause?.first_seen ?? incident.opened_at;
  const order = onsetOrder(incident);
  const last = order.at(-1);
  const more = order.length - NAMED;
  const runbook = useNode(cause?.node ?? incident.anchor, 60_000).data?.links.runbook;
  return (
    <Lead headline={headline} label={`Incident ${incident.id}`} acked={incident.acked !== null} below={below}>
      <dl className={styles.proof}>
        <div>
          <dt>for</dt>
          <dd className={styles.for}>
            <b>
              <Lasting since={start} />
            </b>
            <span>
              since {clock.time(Date.parse(start), Date.now())} {clock.zone},{" "}
              <Link className="link" href={`/incidents/${incident.id}`}>
                incident {incident.id}
              </Link>
              , {SEVERITIES[incident.severity]}
            </span>
          </dd>
        </div>
        <div>
          <dt>why</dt>
          <dd>
            <Why incident={incident} names={names} />
          </dd>
        </div>
        {order.length > 0 && (
          <div>
            <dt>order</dt>
            <dd>
              <b>{names(incident.anchor)}</b> {clock.time(Date.parse(start))}
              {order.slice(0, NAMED).map((one) => `, ${names(one.node)} ${offset(one.after)}`)}
              {more > 0 && last && (
                <>
                  ,{" "}
                  <Link className="link" href={`/incidents/${incident.id}`}>
                    {more} more
                  </Link>{" "}
                  by {offset(last.after)}
                </>
              )}
            </dd>
          </div>
        )}
        {node?.reason && (
          <div>
            <dt>{node.kind === "service" ? "says" : "heard"}</dt>
            <dd>
              <q>{shortReason(node)}</q>
            </dd>
          </div>
        )}
        <div>
          <dt>who</dt>
          <dd className={styles.who}>
            <b>{whoHas(incident, clock.minute)}</b>
            {incident.acked?.note && <span>{incident.acked.note}</span>}
            <span className={`${styles.acts} ${styles.thumb}`}>
              {mayWrite && (
                <>
                  <button
                    type="button"
                    className={incident.acked ? undefined : `solid ${styles.main}`}
                    onClick={() => acts.acknowledge(incident)}
                  >
                    {incident.acked ? "Extend or give up" : "Acknowledge"}
                    <kbd>a</kbd>
                  </button>
                  <button type="button" onClick={() => acts.note(incident)}>
                    Note<kbd>n</kbd>
                  </button>
                </>
              )}
              <button type="button" onClick={() => acts.copy(incident)}>
                {acts.copied?.id === incident.id ? (acts.copied.done ? "Copied" : "Not allowed") : "Copy"}
                <kbd>c</kbd>
              </button>
              {runbook && (
                <a href={runbook} rel="noreferrer">
                  Runbook ↗
                </a>
              )}
            </span>
          </dd>
        </div>
      </dl>
    </Lead>
  );
}

function Why({ incident, names }: { incident: Incident; names: Names }) {
  if (incident.status === "recovering") return "The cause reports good again; it is over when its victims have a fresh good result too.";
  if (incident.unverified_since) return "No fresh answer tells whether it still is so.";
  if (incident.cause) {
    return (
      <>
        <b>{LEVELS[incident.cause.level]}</b> <Sentences text={joinEvidence(incident.cause.why.slice(0, 3))} />
      </>
    );
  }
  if (incident.kind === "undetermined") {
    return incident.candidates.length === 0
      ? "Nothing that we see explains it."
      : incident.candidates.slice(0, 3).map((one) => (
          <span key={one.node}>
            <b>{names(one.node)}</b> {one.confidence.toFixed(2)}: {one.why}{" "}
          </span>
        ));
  }
  if (incident.kind === "visibility") return "It belongs to a system and brings no report.";
  return "Announced work: it alerts nobody.";
}

/** A further cause, or a victim with a fault of its own: one line, never a second headline. */
export function AlsoLine({
  incident,
  node,
  names,
  victims,
}: {
  incident: Incident;
  node: NodeView | undefined;
  names: Names;
  victims: ReadonlySet<string>;
}) {
  const clock = useClock();
  const headline = headlineOf(incident, node, names);
  const why = incident.cause?.why[0] ? joinEvidence(incident.cause.why.slice(0, 1)) : (headline.second ?? "");
  const level = incident.cause ? `${LEVELS[incident.cause.level].replace(".", ",")} ` : "";
  return (
    <p className={styles.also} data-incident={incident.id}>
      <Mark symbol={headline.symbol} tone={headline.markTone} />
      <b>{alsoSentence(incident, node, names, victims)}</b>
      <span>
        {why} {level}
        <Link className="link" href={`/incidents/${incident.id}`} data-cursor="">
          incident {incident.id}
        </Link>
        , {whoHas(incident, clock.minute).replace("Nobody", "nobody")}
      </span>
      <span className={styles.end}>
        <Lasting since={incident.cause?.first_seen ?? incident.opened_at} />
      </span>
    </p>
  );
}
