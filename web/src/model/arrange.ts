import { faceOf } from "./status.ts";
import type { NodeView, SystemView } from "./types.ts";

export interface Group {
  key: string;
  title: string;
  nodes: NodeView[];
}

/** Tag keys that occur, the most used first, then by name. */
export function tagKeys(nodes: readonly NodeView[]): string[] {
  const counts = new Map<string, number>();
  for (const node of nodes) for (const key of Object.keys(node.tags)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([key]) => key);
}

/** Grouping when nobody has chosen one: by area where most nodes say theirs, else by team, else none. */
export function defaultGrouping(nodes: readonly NodeView[]): string {
  const areas = nodes.filter((node) => node.tags.area !== undefined).length;
  if (areas * 2 > nodes.length) return "tag:area";
  return nodes.some((node) => node.team !== null) ? "team" : "none";
}

function keyOf(node: NodeView, by: string, systemOf: ReadonlyMap<string, SystemView>): [string, string] | null {
  if (by === "team") return node.team === null ? null : [node.team, node.team];
  if (by === "system") {
    const system = systemOf.get(node.id);
    return system ? [system.id, system.name] : null;
  }
  const value = node.tags[by.slice("tag:".length)];
  return value === undefined ? null : [value, value];
}

/**
 * Nodes in groups. Groups stand in the order in which the map first names them and nodes keep map order, whatever
 * their status: nothing moves when something fails. Nodes without a group come last.
 */
export function arrange(nodes: readonly NodeView[], by: string, systems: readonly SystemView[]): Group[] {
  if (nodes.length === 0) return [];
  if (by === "none") return [{ key: "all", title: "All nodes", nodes: [...nodes] }];
  const systemOf = new Map<string, SystemView>();
  for (const system of systems) for (const member of system.members) if (!systemOf.has(member.node)) systemOf.set(member.node, system);
  const groups = new Map<string, Group>();
  const rest: NodeView[] = [];
  for (const node of nodes) {
    const found = keyOf(node, by, systemOf);
    if (!found) {
      rest.push(node);
      continue;
    }
    const [key, title] = found;
    const group = groups.get(key);
    if (group) group.nodes.push(node);
    else groups.set(key, { key, title, nodes: [node] });
  }
  const word = by === "team" ? "No team" : by === "system" ? "In no system" : `No ${by.slice("tag:".length)}`;
  return [...groups.values(), ...(rest.length > 0 ? [{ key: "", title: word, nodes: rest }] : [])];
}

/** More nodes than this are shown by group, each folded into its head until one asks for it. */
export const MOST_UNFOLDED = 1_500;

/** Whether groups are folded: when there is more than anybody can look at, and something to fold it into. */
export function folds(groups: readonly Group[]): boolean {
  return groups.length > 1 && groups.reduce((sum, group) => sum + group.nodes.length, 0) > MOST_UNFOLDED;
}

const isTroubled = (group: Group): boolean => group.nodes.some((node) => faceOf(node) !== "healthy");

/** Keys of the groups in which something is not healthy. */
export function troubled(groups: readonly Group[]): string[] {
  return groups.filter(isTroubled).map((group) => group.key);
}

/** Whether nothing is to be said of any group: then none says that all is well, as the headline does. */
export function isCalm(groups: readonly Group[]): boolean {
  return !groups.some((group) => isTroubled(group) || group.nodes.some((node) => node.role === "at_risk"));
}

/** What a group's head says of it: `1 cause, 3 impacted, 2 unknown`, or that all is well. */
export function groupSummary(nodes: readonly NodeView[]): string {
  const count = { cause: 0, own: 0, impacted: 0, unknown: 0, maintenance: 0, healthy: 0 };
  let atRisk = 0;
  for (const node of nodes) {
    count[faceOf(node)]++;
    if (node.role === "at_risk") atRisk++;
  }
  const parts = [
    [count.cause, count.cause === 1 ? "cause" : "causes"],
    [count.own, "own fault"],
    [count.impacted, "impacted"],
    [count.unknown, "unknown"],
    [count.maintenance, "in maintenance"],
    [atRisk, "at risk"],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return said.length > 0 ? said.join(", ") : "all healthy";
}
