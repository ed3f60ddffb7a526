import type * as wire from "../contract/index.ts";
import type { Incident } from "../domain/incident.ts";
import type { Live } from "../domain/live.ts";
import { time } from "./view.ts";
import { isAnnounced, worksWithin } from "./works.ts";

const MAX_EVENTS = 1_000;
const MAX_CHANGES = 500;
/** What was marked or announced this long before an incident stands in its timeline too. */
const BEFORE_MS = 3_600_000;

/** An incident's timeline, newest first: its own events, changes marked around it, and announced work on what it touches. */
export function timelineOf(live: Live, incident: Incident): wire.IncidentEvent[] {
  const history = live.history();
  const from = incident.openedAt - BEFORE_MS;
  const to = (incident.resolvedAt ?? live.now()) + 1;
  const { anchor, cause, impacted } = incident;
  const named = [anchor, cause?.node, cause?.link?.from, cause?.link?.to, ...impacted.map(({ node }) => node)];
  const touched = new Set(named.flatMap((id) => id ?? []));
  const own = history
    .incidentEvents(incident.id, MAX_EVENTS)
    .map(({ at, kind, node, text, by }) => ({ at, kind: kind as string, node, text, by }));
  const changes = history
    .changes(from, to, MAX_CHANGES, [...touched])
    .map(({ at, node, text, link, by }) => ({ at, kind: "change", node, text, by, ...(link === null ? {} : { link }) }));
  const works = worksWithin(live, from, to, [...touched]).flatMap((work) => {
    const node = work.nodes.find((id) => touched.has(id)) ?? null;
    const { by, endedBy } = isAnnounced(work) ? work : { by: null, endedBy: null };
    const begins = { at: work.from, kind: "maintenance", node, text: `announced work begins: ${work.reason}`, by };
    const ends = { at: work.to, kind: "maintenance", node, text: `announced work ends: ${work.reason}`, by: endedBy };
    return [begins, ends].filter(({ at }) => at >= from && at < to);
  });
  return [...own, ...changes, ...works]
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_EVENTS)
    .map((event) => ({ ...event, at: time(event.at) }));
}
