import { type Edge, edgeKey, isPolled, type MapNode, type SystemMap } from "../domain/map.ts";
import { atOnce, NODES_A_TURN, type Turns } from "../domain/turns.ts";
import { circlesOf } from "./scc.ts";

/** A declared dependency, linked to both its ends. */
export interface Link {
  /** Its place among all links. */
  n: number;
  key: string;
  from: Vertex;
  to: Vertex;
  declared: Edge;
}

/** A node with its edges; `n` is its place in declaration order, so that renaming changes nothing but names. */
export interface Vertex {
  n: number;
  id: string;
  node: MapNode;
  /** Has a deep endpoint of its own. */
  polled: boolean;
  /** Nodes that need each other, at any distance, have the same number. */
  circle: number;
  /** What it needs. */
  out: Link[];
  /** The services that need it. */
  in: Link[];
}

export interface Graph {
  vertices: readonly Vertex[];
  links: readonly Link[];
  byId: ReadonlyMap<string, Vertex>;
  /** Keys of the state's tables, in the order of `vertices` and `links`. */
  nodeIds: readonly string[];
  linkKeys: readonly string[];
  /** A statement that counts is younger than the largest limit in the map, milliseconds. */
  longestAge: number;
  /** Polled services by the zone that their tags name. */
  zones: ReadonlyMap<string, readonly Vertex[]>;
  polled: number;
}

const memo = new WeakMap<SystemMap, Graph>();

/** The graph of a map, worked out once for each map value. */
export function graphOf(map: SystemMap): Graph {
  return memo.get(map) ?? atOnce(graphing(map));
}

/** The same in turns. */
export function* graphing(map: SystemMap): Turns<Graph> {
  let graph = memo.get(map);
  if (!graph) {
    graph = yield* build(map);
    memo.set(map, graph);
  }
  return graph;
}

function* build(map: SystemMap): Turns<Graph> {
  const vertices = [...map.nodes.values()].map(
    (node, n): Vertex => ({
      n,
      id: node.id,
      node,
      polled: isPolled(node),
      circle: n,
      out: [],
      in: [],
    }),
  );
  const byId = new Map(vertices.map((vertex) => [vertex.id, vertex]));
  const links: Link[] = [];
  for (const from of vertices) {
    if (from.n % NODES_A_TURN === 0) yield;
    if (from.node.kind !== "service") continue;
    for (const declared of from.node.edges) {
      const to = byId.get(declared.to);
      if (!to) continue;
      const link = { n: links.length, key: edgeKey(from.id, to.id), from, to, declared };
      links.push(link);
      from.out.push(link);
      to.in.push(link);
    }
  }
  yield;
  // What is needed for information leads nowhere, which is said by leading back.
  const circles = circlesOf(vertices, (vertex, number) => {
    const link = vertex.out[number];
    return link?.declared.criticality === "informational" ? vertex : link?.to;
  });
  circles.forEach((circle, number) => {
    for (const vertex of circle) vertex.circle = number;
  });
  yield;
  const zones = new Map<string, Vertex[]>();
  let polled = 0;
  for (const vertex of vertices) {
    if (!vertex.polled) continue;
    polled++;
    const { zone } = vertex.node.tags;
    if (zone === undefined) continue;
    const members = zones.get(zone);
    if (members) members.push(vertex);
    else zones.set(zone, [vertex]);
  }
  let longestAge = 0;
  for (const { node } of vertices) if (node.kind === "service") longestAge = Math.max(longestAge, node.componentMaxAge);
  const [nodeIds, linkKeys] = [vertices.map(({ id }) => id), links.map(({ key }) => key)];
  return { vertices, links, byId, nodeIds, linkKeys, longestAge, zones, polled };
}
