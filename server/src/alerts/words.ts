import type { Incident } from "../domain/incident.ts";
import type { MapNode, SystemMap } from "../domain/map.ts";
import { someOf } from "../domain/phrases.ts";

/** What tells one alert from another; all else is annotation, so that rising confidence or one more victim is no new page. */
export interface Labels {
  alertname: "HeadwaterIncident";
  site: string;
  node: string;
  kind: Incident["kind"];
  /** Absent where the node has no team. */
  team?: string;
}

const LISTED_AT_MOST = 20;
const TEXT_AT_MOST = 2_000;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function labelsOf(incident: Incident, site: string, map: SystemMap): Labels {
  const team = map.nodes.get(incident.anchor)?.team;
  return { alertname: "HeadwaterIncident", site, node: incident.anchor, kind: incident.kind, ...(team ? { team } : {}) };
}

/** A text that is equal for equal labels. */
export function labelKey({ site, node, kind, team }: Labels): string {
  return JSON.stringify([site, node, kind, team ?? null]);
}

/** What is worth a message when it changes: how bad, where to look, between whom. Confidence and victims are not. */
export function headlineOf({ severity, cause }: Incident): string {
  return JSON.stringify([severity, cause && [cause.node, cause.kind, cause.link?.to, cause.instance, cause.zone].filter(Boolean)]);
}

/** All else about an incident, as texts; each is one line of bounded length. */
export function announcementOf(incident: Incident, map: SystemMap): Record<string, string> {
  const { cause, kind, impacted, systems, candidates, acked, unverifiedSince } = incident;
  const node = map.nodes.get(incident.anchor);
  const team = map.teams.get(node?.team ?? "");
  const texts: Record<string, string | undefined> = {
    summary: summaryOf(incident, map),
    description: cause?.why.join(". "),
    incident: String(incident.id),
    severity: incident.severity,
    status: incident.status,
    ...(cause && {
      cause: cause.node,
      cause_kind: cause.kind,
      confidence: `${cause.level}, ${cause.confidence.toFixed(2)}`,
      against: cause.against.join(". "),
      runner_up: cause.runnerUp && `${cause.runnerUp.node}: ${cause.runnerUp.why}`,
      decided_by: cause.decidedBy,
    }),
    candidates: kind === "undetermined" ? listed(candidates.map((one) => one.node)) : undefined,
    impacted: listed(impacted.map((one) => one.node)),
    systems: listed(systems.map(({ id, effect }) => `${id} ${effect}`)),
    unverified_since: unverifiedSince === null ? undefined : new Date(unverifiedSince).toISOString(),
    acknowledged_by: acked?.by,
    ended: incident.end ?? undefined,
    contact: team?.contact ?? undefined,
    runbook_url: link(node, "runbook"),
    dashboard_url: link(node, "dashboard"),
  };
  return Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text ? [[name, oneLine(text)]] : [])));
}

/** One sentence: what is wrong, and what only suffers from it. */
function summaryOf({ kind, anchor, cause, impacted, end, absorbedBy }: Incident, map: SystemMap): string {
  const name = (id: string) => map.nodes.get(id)?.name ?? id;
  const others = impacted.length === 0 ? "" : `; ${impacted.length} ${impacted.length === 1 ? "suffers" : "suffer"} from it`;
  if (end === "absorbed") return oneLine(`${name(anchor)}: part of incident ${absorbedBy}`);
  if (end === "removed_from_map") return oneLine(`${name(anchor)} left the map`);
  if (end === "cleared") return oneLine(`${name(anchor)} is fine again`);
  if (kind === "maintenance") return oneLine(`${name(anchor)}: announced work`);
  if (kind === "visibility") return oneLine(`${name(anchor)} cannot be seen`);
  if (!cause) return oneLine(`${name(anchor)} is in trouble${others}; no cause identified`);
  if (cause.link) return oneLine(`${name(cause.link.from)} cannot use ${name(cause.link.to)}${others}`);
  if (cause.instance) return oneLine(`instance ${cause.instance} of ${name(cause.node)} is ${cause.severity}${others}`);
  return oneLine(`${cause.zone ? `zone ${cause.zone}` : name(cause.node)} is ${cause.severity}${others}`);
}

function listed(names: readonly string[]): string {
  return someOf(names, LISTED_AT_MOST);
}

function link(node: MapNode | undefined, name: string): string | undefined {
  return node && Object.hasOwn(node.links, name) ? node.links[name] : undefined;
}

/** Names and texts come from outside: without control, format and bidi characters, and not without end. */
function oneLine(text: string): string {
  return text.slice(0, TEXT_AT_MOST).replace(/\s+/g, " ").replace(UNSEEN, "");
}
