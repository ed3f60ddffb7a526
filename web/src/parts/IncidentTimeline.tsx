import type { IncidentDetail } from "headwater/contract";
import { useClock } from "../effects/settings.ts";
import type { Names } from "../model/headline.ts";
import { lookOf } from "../model/status.ts";
import type { NodeView } from "../model/types.ts";
import { Mark } from "./Mark.tsx";
import { Section } from "./Section.tsx";
import styles from "./timeline.module.css";

type Event = IncidentDetail["events"][number];

const PEOPLE = new Set(["note", "ack", "unack"]);

interface Props {
  detail: IncidentDetail;
  nodes: readonly NodeView[];
  names: Names;
}

/** What happened and what people did, newest first: failures, notes, marked changes, announced work. */
export function IncidentTimeline({ detail, nodes, names }: Props) {
  const clock = useClock();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const events = [...detail.events].sort((a, b) => b.at.localeCompare(a.at));
  const first = Date.parse(detail.opened_at);
  return (
    <Section title="Timeline" aside={`newest first, ${clock.zone}`}>
      {events.length === 0 && <p className="quiet">Nothing is recorded yet.</p>}
      <ol className={styles.time}>
        {events.map((event) => (
          <li key={`${event.at}${event.kind}${event.node}${event.text}`}>
            <time dateTime={event.at}>{clock.time(Date.parse(event.at), first)}</time>
            <EventMark event={event} detail={detail} node={event.node === null ? undefined : byId.get(event.node)} />
            <EventWords event={event} isCause={opensCause(event, detail)} names={names} />
          </li>
        ))}
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
  if (opensCause(event, detail)) {
    const tone = detail.severity === "page" ? "unhealthy" : "degraded";
    return <Mark symbol={tone} tone={tone} />;
  }
  if (event.kind === "impact" && node) {
    const look = lookOf(node.status);
    return <Mark symbol={look.rank > 0 ? look.hollow : "degraded-o"} tone="grey" />;
  }
  return <span className="quiet">·</span>;
}

function EventWords({ event, isCause, names }: { event: Event; isCause: boolean; names: Names }) {
  if (PEOPLE.has(event.kind)) {
    return (
      <span>
        {event.by && <b>{event.by} </b>}
        {event.kind === "ack" && "acknowledged"}
        {event.kind === "unack" && event.by !== null && "gave it up"}
        <span className={styles.words}>{event.text}</span>
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
  const text = event.text || (event.node ? names(event.node) : "");
  return <span>{isCause ? <b>{text}</b> : text}</span>;
}
