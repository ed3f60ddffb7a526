import { type Edge, edgeKey, type Maintenance, type MapNode, type ServiceNode, type SystemMap } from "../domain/map.ts";
import { atOnce, NODES_A_TURN, type Turns } from "../domain/turns.ts";
import { type Keys, keysOf } from "./table.ts";

/** A service with the positions of its parts in the tables of the state. */
export interface ServiceIndex {
  node: ServiceNode;
  /** Position of the service itself among the nodes. */
  at: number;
  /** Positions of its instances; they are neighbours, in declaration order. */
  instances: readonly number[];
  /** Its edges, and the position of the first; the others follow it. */
  edges: readonly Edge[];
  firstEdge: number;
  /** Component name of a report → index into `edges`. */
  component: ReadonlyMap<string, number>;
  /** Positions among the nodes of what the edges point to, aligned with `edges`. */
  targets: readonly number[];
}

/** One statement's way in: which service makes it, and where its edge stands. */
interface Witness {
  service: ServiceIndex;
  edge: number;
}

/** A map made ready for the reducer: positions instead of names. Built once per map. */
export interface MapIndex {
  map: SystemMap;
  nodes: Keys;
  edges: Keys;
  instances: Keys;
  /** By position among the nodes. */
  node: readonly MapNode[];
  service: readonly (ServiceIndex | null)[];
  witnesses: readonly (readonly Witness[])[];
  /** By position among the instances: the service that it belongs to, and the host that its address names. */
  owner: readonly ServiceIndex[];
  host: readonly string[];
  /** By position among the edges: the service that makes the statement, and the position of the node it speaks of. */
  reporter: readonly ServiceIndex[];
  target: readonly number[];
  /** Announced work by node. */
  maintenance: ReadonlyMap<string, readonly Maintenance[]>;
}

const built = new WeakMap<SystemMap, MapIndex>();

/** The index of a map; a map is a value that never changes, so it is built once. */
export function indexOf(map: SystemMap): MapIndex {
  return built.get(map) ?? atOnce(indexing(map));
}

/** The same in turns; keys that are those of the map `before` are the very same, so that tables over them fit as they are. */
export function* indexing(map: SystemMap, before?: SystemMap): Turns<MapIndex> {
  let index = built.get(map);
  if (!index) {
    index = yield* build(map, before && built.get(before));
    built.set(map, index);
  }
  return index;
}

function* build(map: SystemMap, before: MapIndex | undefined): Turns<MapIndex> {
  const node = [...map.nodes.values()];
  const nodes = keysOf(
    node.map(({ id }) => id),
    before?.nodes,
  );
  yield;
  const edgeNames: string[] = [];
  const instanceNames: string[] = [];
  const owner: ServiceIndex[] = [];
  const host: string[] = [];
  const reporter: ServiceIndex[] = [];
  const target: number[] = [];
  const witnesses: Witness[][] = node.map(() => []);
  const indexed = (it: MapNode, at: number): ServiceIndex | null => {
    if (it.kind !== "service") return null;
    // An edge to a node that the map does not hold cannot be: parsing refuses it. Skipping it keeps positions whole.
    const edges = it.edges.filter(({ to }) => nodes.position.has(to));
    const component = new Map<string, number>();
    for (const [position, edge] of edges.entries()) for (const name of edge.components) component.set(name, position);
    const index: ServiceIndex = {
      node: it,
      at,
      instances: it.instances.map((_, offset) => instanceNames.length + offset),
      edges,
      firstEdge: edgeNames.length,
      component,
      targets: edges.map(({ to }) => nodes.position.get(to) as number),
    };
    for (const instance of it.instances) {
      instanceNames.push(instance.id);
      owner.push(index);
      host.push(hostOf(instance.url));
    }
    for (const [position, edge] of edges.entries()) {
      edgeNames.push(edgeKey(edge.from, edge.to));
      reporter.push(index);
      const to = index.targets[position] as number;
      target.push(to);
      witnesses[to]?.push({ service: index, edge: index.firstEdge + position });
    }
    return index;
  };
  const service: (ServiceIndex | null)[] = [];
  for (const [at, it] of node.entries()) {
    service.push(indexed(it, at));
    if (at % NODES_A_TURN === 0) yield;
  }
  const edges = keysOf(edgeNames, before?.edges);
  yield;
  const instances = keysOf(instanceNames, before?.instances);
  const maintenance = new Map<string, Maintenance[]>();
  for (const work of map.maintenance) for (const id of work.nodes) maintenance.set(id, [...(maintenance.get(id) ?? []), work]);
  return {
    map,
    nodes,
    edges,
    instances,
    node,
    service,
    witnesses,
    owner,
    host,
    reporter,
    target,
    maintenance,
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}
