import { Link } from "wouter";
import { useClock } from "../effects/settings.ts";
import { alsoSentence, headlineOf, joinEvidence, LEVEL_WORDS, type Names, whoHas } from "../model/headline.ts";
import { inNames } from "../model/timeline.ts";
import type { Incident, NodeView } from "../model/types.ts";
import { Lasting } from "./Ago.tsx";
import { leadStyles as styles } from "./Lead.tsx";
import { Mark } from "./Mark.tsx";

interface Props {
  incident: Incident;
  nodes: readonly NodeView[];
  names: Names;
  /** The one to read first, if there is. */
  first: Incident | undefined;
}

/** A further cause, or a victim with a fault of its own: one line, never a second headline. */
export function AlsoLine({ incident, nodes, names, first }: Props) {
  const clock = useClock();
  const headline = headlineOf(incident, nodes, names);
  const why = incident.cause?.why[0] ? inNames(names)(joinEvidence(incident.cause.why.slice(0, 1))) : (headline.second ?? "");
  const level = incident.cause && incident.kind !== "maintenance" ? `${LEVEL_WORDS[incident.cause.level]}, ` : "";
  return (
    <p className={styles.also} data-incident={incident.id}>
      <Mark symbol={headline.symbol} tone={headline.markTone} />
      <b>{alsoSentence(incident, nodes, names, first)}</b>
      <span>
        {why} {level}
        <Link className="link" href={`/incidents/${incident.id}`} data-cursor="">
          incident {incident.id}
        </Link>
        {incident.kind !== "maintenance" && `, ${whoHas(incident, clock.until).replace("Nobody", "nobody")}`}
      </span>
      <span className={styles.end}>
        <Lasting since={incident.cause?.first_seen ?? incident.opened_at} />
      </span>
    </p>
  );
}
