import { formatDuration } from "../domain/duration.ts";
import type { Edge, MapNode, ServiceNode, SystemMap } from "../domain/map.ts";
import type { Criticality } from "../domain/status.ts";
import { consequences, type Reach, type Shift, type SinglePoints } from "./consequences.ts";
import { besideNodes, type OtherChange, settingsThatDiffer } from "./diff-settings.ts";
import { type RedundancyChange, redundancyChanges } from "./redundancy.ts";
import { withNewIds } from "./rename.ts";

/** One difference in effect between two maps. Ids are those of the newer map, but for what was removed. */
export type Change =
  | { kind: "node_added" | "node_removed" | "no_effect"; node: string }
  | { kind: "node_renamed"; from: string; to: string }
  | { kind: "edge_added"; from: string; to: string; after: Criticality }
  | { kind: "edge_removed"; from: string; to: string; before: Criticality }
  | { kind: "criticality"; from: string; to: string; before: Criticality; after: Criticality }
  | { kind: "owner"; from: string; to: string; before: string | null; after: string | null }
  | { kind: "url"; node: string; before: string | string[] | null; after: string | string[] | null }
  | { kind: "interval" | "team"; node: string; before: string | null; after: string | null }
  | RedundancyChange
  | { kind: "system_membership"; from: string; to: string; before: Criticality | null; after: Criticality | null };

export interface MapDiff {
  changes: Change[];
  other: OtherChange[];
  /** Ids of nodes and systems on both sides for which some single failure now ends otherwise, sorted. */
  affected: string[];
  /** Teams that a review needs, sorted. */
  teams: string[];
  /** At most 1,000. */
  shifts: Shift[];
  /** How far each failure that ends otherwise goes. */
  reaches: Reach[];
  single_points: SinglePoints;
  /** Polls a second of all instances. */
  calls_per_second: { before: number; after: number };
}

/** Compares two accepted maps by what they mean. Pure; the order of declarations and files plays no part. */
export function diffMaps(before: SystemMap, head: SystemMap): MapDiff {
  const { map: base, renames } = withNewIds(before, head);
  const changes: Change[] = [...renames].map(([from, to]) => ({ kind: "node_renamed", from, to }));
  const other: OtherChange[] = [];
  for (const id of base.nodes.keys()) if (!head.nodes.has(id)) changes.push({ kind: "node_removed", node: id });
  for (const id of head.nodes.keys()) if (!base.nodes.has(id)) changes.push({ kind: "node_added", node: id });
  for (const id of new Set([...base.nodes.keys(), ...head.nodes.keys()])) {
    const [old, now] = [base.nodes.get(id), head.nodes.get(id)];
    if (old === now) continue;
    changes.push(...edgeChanges(serviceOf(old), serviceOf(now)));
    if (!old || !now) continue;
    changes.push(...nodeChanges(old, now));
    other.push(...settingsThatDiffer(old, now));
  }
  changes.push(...membershipChanges(base, head), ...systemTexts(base, head));
  other.push(...besideNodes(base, head));
  const { shifts, reaches, points, affected, newlyAtRisk } = consequences(base, head);
  return {
    changes,
    other,
    affected: [...affected].sort(),
    teams: teamsFor(changes, newlyAtRisk, base, head),
    shifts,
    reaches,
    single_points: { appear: points.appear.sort(), vanish: points.vanish.sort() },
    calls_per_second: { before: callsPerSecond(base), after: callsPerSecond(head) },
  };
}

/** What polling every instance once per interval amounts to, to a thousandth. */
function callsPerSecond({ nodes }: SystemMap): number {
  let calls = 0;
  for (const node of nodes.values()) if (node.kind === "service") calls += (node.instances.length * 1_000) / node.interval;
  return Math.round(calls * 1_000) / 1_000;
}

const serviceOf = (node: MapNode | undefined): ServiceNode | null => (node?.kind === "service" ? node : null);

function edgeChanges(old: ServiceNode | null, now: ServiceNode | null): Change[] {
  const from = now?.id ?? old?.id ?? "";
  const [before, after] = [edgesByTarget(old), edgesByTarget(now)];
  const groups = old && now ? redundancyChanges(old, now) : null;
  const covered = groups?.covered ?? new Set<string>();
  const changes: Change[] = [...(groups?.changes ?? [])];
  for (const [to, edge] of before)
    if (!after.has(to) && !covered.has(to)) changes.push({ kind: "edge_removed", from, to, before: edge.criticality });
  for (const [to, edge] of after) {
    const was = before.get(to);
    if (!was) {
      if (!covered.has(to)) changes.push({ kind: "edge_added", from, to, after: edge.criticality });
      continue;
    }
    if (was.criticality !== edge.criticality)
      changes.push({ kind: "criticality", from, to, before: was.criticality, after: edge.criticality });
    if (was.owner !== edge.owner) changes.push({ kind: "owner", from, to, before: was.owner, after: edge.owner });
  }
  return changes;
}

const edgesByTarget = (service: ServiceNode | null): Map<string, Edge> => new Map(service?.edges.map((edge) => [edge.to, edge]));

function nodeChanges(old: MapNode, now: MapNode): Change[] {
  const changes: Change[] = [];
  const node = now.id;
  if (old.team !== now.team) changes.push({ kind: "team", node, before: old.team, after: now.team });
  if (old.kind === "service" && now.kind === "service") {
    const [before, after] = [addresses(old), addresses(now)];
    if (addressKey(old) !== addressKey(now)) changes.push({ kind: "url", node, before, after });
    const polled = old.instances.length + now.instances.length > 0;
    if (polled && old.interval !== now.interval) {
      changes.push({ kind: "interval", node, before: formatDuration(old.interval), after: formatDuration(now.interval) });
    }
  }
  if (textOf(old) !== textOf(now)) changes.push({ kind: "no_effect", node });
  return changes;
}

function addresses(service: ServiceNode): string | string[] | null {
  const urls = service.instances.map(({ url }) => withoutQueryValues(url)).sort();
  return urls.length > 1 ? urls : (urls[0] ?? null);
}

const addressKey = (service: ServiceNode) =>
  JSON.stringify(service.instances.map(({ url }) => (URL.canParse(url) ? new URL(url).href : url)).sort());

/** Query values may be secrets. */
const withoutQueryValues = (url: string) => url.replace(/([?&][^=&#]*=)[^&#]*/g, "$1…");

const sorted = (record: Readonly<Record<string, string>>) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

/** What people read of a node, and nothing else. */
function textOf(node: MapNode): string {
  return JSON.stringify([
    node.name === node.id ? null : node.name,
    node.description,
    sorted(node.tags),
    sorted(node.links),
    node.kind === "resource" && node.resourceKind,
  ]);
}

function membershipChanges(base: SystemMap, head: SystemMap): Change[] {
  const changes: Change[] = [];
  for (const id of new Set([...base.systems.keys(), ...head.systems.keys()])) {
    const [before, after] = [base, head].map(
      (map) => new Map(map.systems.get(id)?.members.map(({ node, criticality }) => [node, criticality])),
    );
    for (const node of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      const [was, is] = [before?.get(node) ?? null, after?.get(node) ?? null];
      if (was !== is) changes.push({ kind: "system_membership", from: id, to: node, before: was, after: is });
    }
  }
  return changes;
}

function systemTexts(base: SystemMap, head: SystemMap): Change[] {
  return [...head.systems.values()].flatMap((now) => {
    const old = base.systems.get(now.id);
    return old && (old.name !== now.name || old.description !== now.description) ? [{ kind: "no_effect" as const, node: now.id }] : [];
  });
}

function teamsFor(changes: readonly Change[], newlyAtRisk: Iterable<string>, base: SystemMap, head: SystemMap): string[] {
  const teams = new Set<string>();
  const add = (team: string | null | undefined) => {
    if (team) teams.add(team);
  };
  const addNode = (id: string) => {
    for (const map of [base, head]) add(map.nodes.get(id)?.team);
  };
  const addEdges = (from: string, targets: readonly string[]) => {
    addNode(from);
    for (const map of [base, head]) {
      for (const edge of serviceOf(map.nodes.get(from))?.edges ?? []) if (targets.includes(edge.to)) add(edge.owner);
    }
  };
  for (const change of changes) {
    if (change.kind === "no_effect") continue;
    if (change.kind === "node_renamed" || change.kind === "system_membership") addNode(change.to);
    else if (change.kind === "redundancy") addEdges(change.from, [...change.before.on, ...change.after.on]);
    else if ("node" in change) addNode(change.node);
    else addEdges(change.from, [change.to]);
  }
  for (const node of newlyAtRisk) add(head.nodes.get(node)?.team);
  return [...teams].sort();
}
