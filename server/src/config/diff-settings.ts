import { formatDuration } from "../domain/duration.ts";
import type { Maintenance, MapNode, System, SystemMap, Team } from "../domain/map.ts";

/** A difference that reviewers want to see and that no change of the list above covers. */
export interface OtherChange {
  /** A node, a system, a team, or the nodes that are worked on. */
  node: string;
  what: string;
  before: string | null;
  after: string | null;
}

/** Settings of a node in effect, as far as they differ. */
export function settingsThatDiffer(old: MapNode, now: MapNode): OtherChange[] {
  return differing(now.id, settings(old), settings(now));
}

function differing(node: string, before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): OtherChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((what) =>
    before[what] === after[what] ? [] : [{ node, what, before: before[what] ?? null, after: after[what] ?? null }],
  );
}

/** What differs of systems besides their members, of teams, and of announced work. */
export function besideNodes(base: SystemMap, head: SystemMap): OtherChange[] {
  const of = <T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>, facts: (one: T) => Record<string, string>) =>
    [...after].flatMap(([id, now]) => {
      const old = before.get(id);
      return old ? differing(id, facts(old), facts(now)) : [];
    });
  return [...of(base.systems, head.systems, ofSystem), ...of(base.teams, head.teams, ofTeam), ...works(base.maintenance, head.maintenance)];
}

const ofSystem = ({ public: isPublic, team }: System) => ({ public: String(isPublic), ...(team !== null && { team }) });
const ofTeam = ({ contact }: Team): Record<string, string> => (contact === null ? {} : { contact });

/** Windows that come and go; one that is moved does both. */
function works(before: readonly Maintenance[], after: readonly Maintenance[]): OtherChange[] {
  const when = ({ from, to }: Maintenance) => `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  const keys = (all: readonly Maintenance[]) => new Map(all.map((one) => [`${[...one.nodes].sort().join(", ")}\0${when(one)}`, one]));
  const [was, is] = [keys(before), keys(after)];
  const told = (key: string) => ({ node: key.split("\0")[0] ?? "", what: "announced work" });
  return [
    ...[...was].flatMap(([key, one]) => (is.has(key) ? [] : [{ ...told(key), before: when(one), after: null }])),
    ...[...is].flatMap(([key, one]) => (was.has(key) ? [] : [{ ...told(key), before: null, after: when(one) }])),
  ];
}

/** Settings in effect besides those that are changes of their own. Values of headers stay out. */
function settings(node: MapNode): Record<string, string> {
  if (node.kind === "resource") return { kind: "resource" };
  const values: Record<string, string> = { kind: "service" };
  if (node.instances.length > 0) {
    for (const key of ["timeout", "maxAge", "componentMaxAge"] as const) values[LABEL[key]] = formatDuration(node[key]);
    for (const key of ["downAfter", "upAfter", "format", "maxBody", "need"] as const) values[LABEL[key]] = String(node[key]);
    values["names of headers"] = Object.keys(node.headers).sort().join(", ");
  }
  for (const edge of node.edges) {
    if (edge.components.length > 1 || edge.components[0] !== edge.to)
      values[`component of ${edge.to}`] = [...edge.components].sort().join(", ");
    if (edge.reviewed !== null) values[`review of ${edge.to}`] = edge.reviewed;
  }
  return values;
}

const LABEL = {
  timeout: "timeout",
  maxAge: "max_age",
  componentMaxAge: "component_max_age",
  downAfter: "down_after",
  upAfter: "up_after",
  format: "format",
  maxBody: "max_body",
  need: "need",
} as const;
