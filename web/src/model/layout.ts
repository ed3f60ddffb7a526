import { Graph as DagreGraph, layout } from "@dagrejs/dagre";
import type { Graph } from "./graph.ts";

export interface Place {
  id: string;
  /** Layer from the left, row from the top. */
  rank: number;
  row: number;
}

interface Spot {
  id: string;
  rank: number;
  y: number;
}

/**
 * Layers from left to right: whoever is needed stands to the right of who needs it, and resources stand in the last one.
 * dagre finds layers and the order within them; the rows are ours, so that everything stands on one grid. With `first`,
 * those nodes take the upper rows, each layer's in the middle of them. The same arguments give the same picture.
 */
export function layers(graph: Graph, isResource: (id: string) => boolean, first: ReadonlySet<string> = new Set()): Place[] {
  const spots = ranked(graph);
  moveResources(spots, graph, isResource);
  const columns = [...new Set(spots.map((spot) => spot.rank))].sort((a, b) => a - b);
  const inColumn = columns.map((rank) => spots.filter((spot) => spot.rank === rank).sort((a, b) => a.y - b.y || (a.id < b.id ? -1 : 1)));
  const most = Math.max(0, ...inColumn.map((column) => column.filter((spot) => first.has(spot.id)).length));
  return inColumn.flatMap((column, rank) => {
    const upper = column.filter((spot) => first.has(spot.id));
    const lower = column.filter((spot) => !first.has(spot.id));
    const start = Math.floor((most - upper.length) / 2);
    return [
      ...upper.map(({ id }, index) => ({ id, rank, row: start + index })),
      ...lower.map(({ id }, index) => ({ id, rank, row: most + index })),
    ];
  });
}

function ranked(graph: Graph): Spot[] {
  const dagre = new DagreGraph();
  dagre.setGraph({ rankdir: "LR", nodesep: 10, ranksep: 40 });
  dagre.setDefaultEdgeLabel(() => ({}));
  for (const id of graph.ids) dagre.setNode(id, { width: 100, height: 20 });
  for (const edge of graph.edges) dagre.setEdge(edge.from, edge.to);
  layout(dagre);
  const found = graph.ids.map((id) => ({ id, x: Math.round(dagre.node(id).x ?? 0), y: dagre.node(id).y ?? 0 }));
  const columns = [...new Set(found.map((one) => one.x))].sort((a, b) => a - b);
  return found.map(({ id, x, y }) => ({ id, y, rank: columns.indexOf(x) }));
}

/** Resources go to a last layer of their own, in the order of those that need them. */
function moveResources(spots: Spot[], graph: Graph, isResource: (id: string) => boolean): void {
  const byId = new Map(spots.map((spot) => [spot.id, spot]));
  const services = spots.filter((spot) => !isResource(spot.id));
  if (services.length === 0 || services.length === spots.length) return;
  const last = Math.max(...services.map((spot) => spot.rank)) + 1;
  const heights = new Map<string, number[]>();
  for (const edge of graph.edges) heights.set(edge.to, [...(heights.get(edge.to) ?? []), byId.get(edge.from)?.y ?? 0]);
  for (const spot of spots) {
    if (!isResource(spot.id)) continue;
    const above = heights.get(spot.id) ?? [];
    spot.rank = last;
    if (above.length > 0) spot.y = above.reduce((sum, y) => sum + y, 0) / above.length;
  }
}
