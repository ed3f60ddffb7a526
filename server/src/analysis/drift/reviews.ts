import { humanDuration } from "../../domain/duration.ts";
import type { LabelFacts, LabelFinding } from "../../domain/label.ts";
import type { Edge, ServiceNode, SystemMap } from "../../domain/map.ts";
import { NO_OUTAGES } from "./scene.ts";

/** Milliseconds since the day of a label's last review began (UTC); null where none is declared. */
export function reviewAge(reviewed: string | null, now: number): number | null {
  const at = reviewed === null ? Number.NaN : Date.parse(reviewed);
  return Number.isNaN(at) ? null : Math.max(0, now - at);
}

/** Labels for which nobody answers, and those that nobody has looked at for longer than `reviewAfter` (milliseconds). */
export function reviewFindings(map: SystemMap, facts: LabelFacts, now: number, reviewAfter: number): LabelFinding[] {
  const teams = teamsByFile(map);
  const findings: LabelFinding[] = [];
  for (const service of map.nodes.values()) {
    if (service.kind !== "service") continue;
    for (const edge of service.edges) {
      // The alternatives of a group are declared once, and so owned and reviewed.
      if (edge.group !== null && edge.to !== service.groups[edge.group]?.members[0]) continue;
      const age = reviewAge(edge.reviewed, now);
      if (edge.owner === null) findings.push(ownerless(service, edge, facts, teams.get(service.place.file) ?? null));
      if (age !== null && age > reviewAfter) findings.push(outdated(service, edge, facts, age, reviewAfter, now));
    }
  }
  return findings;
}

function ownerless(service: ServiceNode, edge: Edge, facts: LabelFacts, team: string | null): LabelFinding {
  const text = `nobody answers for what ${service.id} declares of ${edge.to}: neither the dependency nor the service names a team`;
  return {
    ...declared(edge, facts, "no_owner", text),
    team,
    edit: team === null ? null : { kind: "set", key: "owner", value: team },
  };
}

function outdated(service: ServiceNode, edge: Edge, facts: LabelFacts, age: number, reviewAfter: number, now: number): LabelFinding {
  const text = `${service.id} declares ${edge.to} ${edge.criticality}, looked at ${humanDuration(age)} ago; labels are to be looked at again after ${humanDuration(reviewAfter)}`;
  return {
    ...declared(edge, facts, "review_old", text),
    edit: { kind: "set", key: "reviewed", value: new Date(now).toISOString().slice(0, 10) },
  };
}

function declared(edge: Edge, { from, to }: LabelFacts, kind: LabelFinding["kind"], text: string): Omit<LabelFinding, "edit"> {
  return {
    kind,
    from: edge.from,
    to: edge.to,
    component: null,
    declared: edge.criticality,
    suggested: null,
    team: edge.owner,
    confidence: 1,
    level: "confirmed",
    text,
    evidence: { ...NO_OUTAGES, from, to },
  };
}

/** The team of all that a file declares, where it is one. */
function teamsByFile(map: SystemMap): ReadonlyMap<string, string> {
  const teams = new Map<string, Set<string>>();
  for (const { place, team } of map.nodes.values())
    if (team !== null) teams.set(place.file, (teams.get(place.file) ?? new Set()).add(team));
  return new Map([...teams].flatMap(([file, [only, ...more]]) => (only === undefined || more.length > 0 ? [] : [[file, only]])));
}
