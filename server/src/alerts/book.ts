import type { Incident } from "../domain/incident.ts";
import type { SystemMap } from "../domain/map.ts";
import { announcementOf, headlineOf, type Labels, labelKey, labelsOf } from "./words.ts";

/** What one incident says to the outside at one moment. */
export interface Alert {
  /** The same for every attempt and every repetition of one thing that happened, also after a restart. */
  id: string;
  event: "opened" | "updated" | "resolved";
  /** The incident as it was then; of one that is over, with its end. */
  incident: Incident;
  labels: Labels;
  annotations: Readonly<Record<string, string>>;
  /** Epoch milliseconds of the incident's first sign. */
  startsAt: number;
  /** Epoch milliseconds; null while it goes on. */
  endsAt: number | null;
}

/** What the outside has been told. */
export interface Book {
  /** By incident. */
  firing: ReadonlyMap<number, Alert>;
  /** Ends that are still repeated, oldest first. */
  ended: readonly Alert[];
}

export interface Facts {
  site: string;
  map: SystemMap;
  /** Epoch milliseconds. */
  now: number;
}

export const EMPTY_BOOK: Book = { firing: new Map(), ended: [] };

/** An end is repeated this long, for a receiver that was restarted or out of reach when it came. */
const REPEAT_ENDS_MS = 900_000;
const ENDS_AT_MOST = 1_000;

/**
 * What the incidents of this moment say that the book does not: first what fires, then what ends, so that a cause that
 * moves is never silent in between. Info and announced work fire nothing. What has fired goes on until its incident is
 * resolved, which the analysis does on evidence only, or until work on it is announced.
 */
export function advanceBook(book: Book, incidents: readonly Incident[], facts: Facts): { book: Book; alerts: readonly Alert[] } {
  const firing = new Map(book.firing);
  const fires: Alert[] = [];
  const ends: Alert[] = [];
  for (const incident of incidents) {
    const known = firing.get(incident.id);
    if (incident.status === "resolved") {
      const told = known ?? (isFirstLook(book, incident) ? alertOf("opened", incident, facts) : null);
      if (told) ends.push(endOf(told, incident, facts));
      firing.delete(incident.id);
    } else if (incident.kind === "maintenance") {
      if (known) ends.push(endOf(known, incident, facts));
      firing.delete(incident.id);
    } else if (known || incident.severity !== "info") {
      const alert = alertOf(known ? "updated" : "opened", incident, facts);
      const moved = known !== undefined && labelKey(known.labels) !== labelKey(alert.labels);
      if (moved) ends.push(endOf(known, incident, facts));
      if (!known || moved || headlineOf(known.incident) !== headlineOf(incident)) fires.push(alert);
      firing.set(incident.id, alert);
    }
  }
  const kept = [...book.ended, ...ends].filter(({ endsAt }) => facts.now - (endsAt ?? facts.now) < REPEAT_ENDS_MS);
  return { book: { firing, ended: kept.slice(-ENDS_AT_MOST) }, alerts: [...fires, ...ends] };
}

/**
 * All that a receiver without a memory must hear again. An end is left out where the same labels fire anew: it would
 * end the new alert.
 */
export function repetitions(book: Book): readonly Alert[] {
  const firing = [...book.firing.values()];
  return [...firing, ...withoutRevived(book.ended, firing)];
}

/** The ends whose labels none of these alerts fires. */
export function withoutRevived(alerts: readonly Alert[], firing: Iterable<Alert>): readonly Alert[] {
  const alive = new Set([...firing].map(({ labels }) => labelKey(labels)));
  return alerts.filter(({ endsAt, labels }) => endsAt === null || !alive.has(labelKey(labels)));
}

/** After a restart: an end that may not have got out is told again. */
function isFirstLook(book: Book, incident: Incident): boolean {
  return book === EMPTY_BOOK && incident.severity !== "info" && incident.kind !== "maintenance";
}

function alertOf(event: "opened" | "updated", incident: Incident, { site, map }: Facts): Alert {
  const said = event === "opened" ? "opened" : `updated:${headlineOf(incident)}`;
  return {
    id: `${site}:${incident.id}:${said}`,
    event,
    incident,
    labels: labelsOf(incident, site, map),
    annotations: announcementOf(incident, map),
    startsAt: incident.openedAt,
    endsAt: null,
  };
}

/** The end of what was told, under the labels under which it was told. */
function endOf(told: Alert, incident: Incident, { site, map, now }: Facts): Alert {
  const why =
    incident.status === "resolved" ? "resolved" : incident.kind === "maintenance" ? "maintenance" : `moved:${labelKey(told.labels)}`;
  return {
    ...told,
    id: `${site}:${incident.id}:${why}`,
    event: "resolved",
    incident,
    annotations: announcementOf(incident, map),
    endsAt: Math.max(incident.resolvedAt ?? now, told.startsAt + 1),
  };
}
