import type { EdgeState, InstanceState, NodeState } from "../domain/state.ts";
import { newEdge } from "./edges.ts";
import { newInstance } from "./instances.ts";
import type { MapIndex, ServiceIndex } from "./mapindex.ts";
import { newNode } from "./nodes.ts";
import { Table } from "./table.ts";

/** Values by key: a state's own, or some in place of it. */
interface Held<V> {
  get(key: string): V | undefined;
}

/** Makes a state's tables fit the map: foreign maps (a restart's, a test's) are copied over the initial values once. */
function fit<V>(held: Held<V>, keyed: MapIndex["nodes"], initial: (name: string, at: number) => V): Table<V> {
  if (held instanceof Table && held.keyed === keyed) return held as Table<V>;
  return Table.of(keyed, (name, at) => held.get(name) ?? initial(name, at));
}

export function fitInstances(index: MapIndex, held: Held<InstanceState>): Table<InstanceState> {
  return fit(held, index.instances, (id, at) => newInstance(id, (index.owner[at] as ServiceIndex).node.id));
}

export function fitEdges(index: MapIndex, held: Held<EdgeState>): Table<EdgeState> {
  return fit(held, index.edges, (_, at) => {
    const service = index.reporter[at] as ServiceIndex;
    const edge = service.edges[at - service.firstEdge];
    return newEdge(service.node.id, edge?.to ?? "");
  });
}

export function fitNodes(index: MapIndex, held: Held<NodeState>): Table<NodeState> {
  return fit(held, index.nodes, (_, at) => newNode(index.node[at] as MapIndex["node"][number]));
}
