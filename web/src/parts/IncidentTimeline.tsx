import type { IncidentDetail } from "headwater/contract";
import { Link } from "wouter";
import { useClock } from "../effects/settings.ts";
import { eventWords, noteWords } from "../model/eventWords.ts";
import type { Names } from "../model/headline.ts";
import { causeStatus } from "../model/onset.ts";
import { causeMark, victimMark } from "../model/status.ts";
import { duration } from "../model/time.ts";
import { type Burst, type Event, foldBursts, isBurst } from "../model/timeline.ts";
import type { NodeView } from "../model/types.ts";
import { Mark } from "./Mark.tsx";
import { Section } from "./Section.tsx";
import styles from "./timeline.module.css";

/** Victims of a burst that are named before one asks. */
const FIRST = 3;
const PEOPLE = new Set(["note", "ack", "unack"]);

interface Props {
  detail: IncidentDetail;
  nodes: readonly NodeView[];
  names: Names;
}

/** What happened and what people did, newest first: failures, notes, marked changes, announced work; `nodes` as they were in the incident. */
export function IncidentTimeline({ detail, nodes, names }: Props) {
  const clock = useClock();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lines = foldBursts(detail.events);
  const first = Date.parse(detail.opened_at);
  return (
    <Section title="Timeline" aside={`newest first, ${clock.zone(first)}`}>
      {lines.length === 0 && <p className="quiet">Nothing is recorded yet.</p>}
      <ol className={styles.time}>
        {lines.map((line) =>
          isBurst(line) ? (
            <li key={`burst ${line.from}`}>
              <time dateTime={line.to}>{clock.time(Date.parse(line.to), first)}</time>
              <Mark symbol="degraded-o" tone="grey" />
              <BurstWords burst={line} names={names} />
            </li>
          ) : (
            <li key={`${line.at}${line.kind}${line.node}${line.text}`}>
              <time dateTime={line.at}>{clock.time(Date.parse(line.at), first)}</time>
              <EventMark event={line} detail={detail} node={line.node === null ? undefined : byId.get(line.node)} />
              <EventWords event={line} isCause={opensCause(line, detail)} names={names} />
            </li>
          ),
        )}
      </ol>
    </Section>
  );
}

function opensCause(event: Event, detail: IncidentDetail): boolean {
  return event.node !== null && event.node === detail.cause?.node && (event.kind === "opened" || event.kind === "cause");
}

function EventMark({ event, detail, node }: { event: Event; detail: IncidentDetail; node: NodeView | undefined }) {
  if (PEOPLE.has(event.kind)) return <span className="quiet">¶</span>;
  if (event.kind === "maintenance") return <Mark symbol="maintenance" tone="grey" />;
  if (event.kind === "resolved" || event.kind === "recovering") return <Mark symbol="healthy" tone="healthy" />;
  if (opensCause(event, detail)) return <Mark {...causeMark(causeStatus(detail, node), detail.severity)} />;
  if (event.kind === "impact") return <Mark {...victimMark(node?.status, detail.kind === "undetermined")} />;
  return <span className="quiet">·</span>;
}

/** Victims that came together: a count and the first of them, each with its moment where one asks. */
function BurstWords({ burst, names }: { burst: Burst; names: Names }) {
  const clock = useClock();
  const inOrder = burst.events.toReversed();
  const some = inOrder.slice(0, FIRST).map((event) => names(event.node ?? ""));
  return (
    <details className={styles.burst}>
      <summary>
        <b>{burst.events.length} nodes became impacted</b> within {duration(Date.parse(burst.to) - Date.parse(burst.from))}:{" "}
        {some.join(", ")} and {burst.events.length - FIRST} more
      </summary>
      <ol>
        {inOrder.map((event) => (
          <li key={`${event.at}${event.node}`}>
            <time dateTime={event.at}>{clock.time(Date.parse(event.at))}</time>{" "}
            <Link className="link" href={`/nodes/${encodeURIComponent(event.node ?? "")}`}>
              {names(event.node ?? "")}
            </Link>
          </li>
        ))}
      </ol>
    </details>
  );
}

interface WordsProps {
  event: Event;
  isCause: boolean;
  names: Names;
}

function EventWords({ event, isCause, names }: WordsProps) {
  if (PEOPLE.has(event.kind)) {
    return (
      <span>
        {event.by && <b>{event.by} </b>}
        {event.kind === "ack" && "acknowledged"}
        {event.kind === "unack" && event.by !== null && "gave it up"}
        <span className={styles.words}>{noteWords(event)}</span>
      </span>
    );
  }
  if (event.kind === "change") {
    return (
      <span>
        change{event.node === null ? "" : ` on ${names(event.node)}`}: {event.text}
        {event.by && <span className="quiet"> by {event.by}</span>}
        {event.link && (
          <>
            {" "}
            <a className="link" href={event.link} rel="noreferrer" aria-label="what was marked">
              ↗
            </a>
          </>
        )}
      </span>
    );
  }
  if (event.kind === "maintenance") {
    return (
      <span>
        {event.node === null ? "" : `${names(event.node)}: `}
        {event.text}
        {event.by && <span className="quiet"> by {event.by}</span>}
      </span>
    );
  }
  const { lead, words } = eventWords(event, names);
  return (
    <span>
      {lead}
      {isCause ? <b>{words}</b> : words}
    </span>
  );
}
