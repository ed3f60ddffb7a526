import type { MapView } from "headwater/contract";
import type { Criticality, Incident, NodeView } from "./types.ts";

export interface GraphEdge {
  from: string;
  to: string;
  criticality: Criticality;
}

export interface Graph {
  ids: string[];
  edges: GraphEdge[];
}

/** More nodes than this are not drawn: text lists beat pictures there. */
export const MOST_DRAWN = 160;

const around = (edges: readonly GraphEdge[], start: readonly string[], depth: number, forward: boolean): Set<string> => {
  const next = new Map<string, string[]>();
  for (const edge of edges) {
    const [from, to] = forward ? [edge.from, edge.to] : [edge.to, edge.from];
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const found = new Set(start);
  let edge = [...start];
  for (let step = 0; step < depth && edge.length > 0; step++) {
    edge = edge.flatMap((id) => next.get(id) ?? []).filter((id) => !found.has(id) && found.add(id));
  }
  return found;
};

export type Direction = "both" | "needs" | "needed";

/** The graph within `depth` steps of a node: what it needs, what needs it, or both. Map order is kept. */
export function focusGraph(graph: Graph, focus: string, depth: number, direction: Direction = "both"): Graph {
  const needs = direction === "needed" ? new Set([focus]) : around(graph.edges, [focus], depth, true);
  const needed = direction === "needs" ? new Set([focus]) : around(graph.edges, [focus], depth, false);
  return subgraph(graph, new Set([...needs, ...needed]));
}

export function subgraph(graph: Graph, keep: ReadonlySet<string>): Graph {
  return { ids: graph.ids.filter((id) => keep.has(id)), edges: graph.edges.filter((edge) => keep.has(edge.from) && keep.has(edge.to)) };
}

export function graphOf(map: Pick<MapView, "nodes" | "edges">): Graph {
  const ids = map.nodes.map((node) => node.id);
  const known = new Set(ids);
  return {
    ids,
    edges: map.edges
      .filter((edge) => known.has(edge.from) && known.has(edge.to))
      .map(({ from, to, criticality }) => ({ from, to, criticality })),
  };
}

/** One point for each group (`group:<key>`), with an edge where any member needs any other; the strongest one counts. */
export function collapse(graph: Graph, groupOf: (id: string) => string): Graph {
  const rank = { hard: 0, soft: 1, informational: 2 };
  const edges = new Map<string, GraphEdge>();
  for (const { from, to, criticality } of graph.edges) {
    const [a, b] = [groupOf(from), groupOf(to)];
    const known = edges.get(`${a}>${b}`);
    if (a !== b && (!known || rank[criticality] < rank[known.criticality])) edges.set(`${a}>${b}`, { from: a, to: b, criticality });
  }
  return { ids: [...new Set(graph.ids.map(groupOf))], edges: [...edges.values()] };
}

/** Who is on the way of a failure: causes, victims, and the edges on which it travels. */
export interface FailurePath {
  causes: ReadonlySet<string>;
  /** Those of the causes that page. */
  hot: ReadonlySet<string>;
  victims: ReadonlySet<string>;
  /** `from>to` for edges between those. */
  edges: ReadonlySet<string>;
}

export function failurePath(graph: Graph, incidents: readonly Incident[]): FailurePath {
  const causes = new Set<string>();
  const hot = new Set<string>();
  const victims = new Set<string>();
  for (const incident of incidents) {
    if (!incident.cause || incident.status === "resolved") continue;
    causes.add(incident.cause.node);
    if (incident.cause.link) causes.add(incident.cause.link.to);
    if (incident.severity === "page") hot.add(incident.cause.node);
    for (const one of incident.impacted) victims.add(one.node);
  }
  const on = (id: string): boolean => causes.has(id) || victims.has(id);
  const edges = graph.edges.filter((edge) => victims.has(edge.from) && on(edge.to) && edge.criticality !== "informational");
  return { causes, hot, victims, edges: new Set(edges.map((edge) => `${edge.from}>${edge.to}`)) };
}

/**
 * The same graph with the way of a failure first: causes, who may suffer from them, then the others. Who suffers already takes no part:
 * while the same fails, no node changes its place.
 */
export function pathFirst(graph: Graph, path: FailurePath): Graph {
  const there = new Set(graph.ids);
  const causes = [...path.causes].filter((id) => there.has(id));
  const ties = neighbours(graph);
  const reached = new Set(causes);
  for (const id of reached)
    for (const { from, criticality } of ties.get(id)?.neededBy ?? []) if (criticality !== "informational") reached.add(from);
  return { ...graph, ids: [...new Set([...causes, ...graph.ids.filter((id) => reached.has(id)), ...graph.ids])] };
}

/** The way of a failure among groups: a group with a cause is one, and an edge is on the way where one of its members is. */
export function collapsePath(path: FailurePath, groupOf: (id: string) => string): FailurePath {
  const groups = (ids: ReadonlySet<string>): Set<string> => new Set([...ids].map(groupOf));
  const causes = groups(path.causes);
  const edges = [...path.edges].map((edge) => edge.split(">").map(groupOf));
  return {
    causes,
    hot: groups(path.hot),
    victims: new Set([...groups(path.victims)].filter((id) => !causes.has(id))),
    edges: new Set(edges.filter(([from, to]) => from !== to).map((edge) => edge.join(">"))),
  };
}

/** The layers that have a name, from left to right; those in the middle have one only where there are three. */
export function layerNames(count: number): { rank: number; name: string }[] {
  if (count <= 1) return [{ rank: 0, name: "nodes" }];
  const middle = count === 5 ? ["edge services", "business", "core"] : [];
  return [{ rank: 0, name: "users" }, ...middle.map((name, index) => ({ rank: index + 1, name })), { rank: count - 1, name: "resources" }];
}

/** Nodes without an edge among those shown: listed beside the picture. */
export function loners(graph: Graph): string[] {
  const tied = new Set(graph.edges.flatMap((edge) => [edge.from, edge.to]));
  return graph.ids.filter((id) => !tied.has(id));
}

/** Where each node's trouble and name are found, for the list that equals the picture. */
export function neighbours(graph: Graph): Map<string, { needs: GraphEdge[]; neededBy: GraphEdge[] }> {
  const out = new Map<string, { needs: GraphEdge[]; neededBy: GraphEdge[] }>(graph.ids.map((id) => [id, { needs: [], neededBy: [] }]));
  for (const edge of graph.edges) {
    out.get(edge.from)?.needs.push(edge);
    out.get(edge.to)?.neededBy.push(edge);
  }
  return out;
}

/** Worst first, so that a group's point shows what hurts in it. */
export function worstOf(nodes: readonly NodeView[]): NodeView | undefined {
  const weight = (node: NodeView): number =>
    node.role === "root_cause"
      ? 9
      : node.status === "unhealthy"
        ? 7 - Number(node.role === "impacted")
        : node.status === "unknown"
          ? 5
          : node.status === "degraded"
            ? 4 - Number(node.role === "impacted")
            : 0;
  return [...nodes].sort((a, b) => weight(b) - weight(a))[0];
}
