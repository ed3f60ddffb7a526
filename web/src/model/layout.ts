import { Graph as DagreGraph, layout } from "@dagrejs/dagre";
import type { Graph, Place } from "./graph.ts";

/**
 * Layers from left to right: whoever is needed stands to the right of who needs it. dagre finds layers and the order
 * within them; the rows are ours, so that everything stands on one grid. The same graph gives the same picture.
 */
export function layers(graph: Graph): Place[] {
  const dagre = new DagreGraph();
  dagre.setGraph({ rankdir: "LR", ranker: "longest-path", nodesep: 10, ranksep: 40 });
  dagre.setDefaultEdgeLabel(() => ({}));
  for (const id of graph.ids) dagre.setNode(id, { width: 100, height: 20 });
  for (const edge of graph.edges) dagre.setEdge(edge.from, edge.to);
  layout(dagre);
  const found = graph.ids.map((id) => ({ id, x: dagre.node(id).x ?? 0, y: dagre.node(id).y ?? 0 }));
  const columns = [...new Set(found.map((one) => Math.round(one.x)))].sort((a, b) => a - b);
  return columns.flatMap((x, rank) =>
    found
      .filter((one) => Math.round(one.x) === x)
      .sort((a, b) => a.y - b.y || (a.id < b.id ? -1 : 1))
      .map(({ id }, row) => ({ id, rank, row })),
  );
}
