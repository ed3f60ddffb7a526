import { edgeKey, type Instance, type ServiceNode, type SystemMap } from "../domain/map.ts";
import type { EdgeState, InstanceState, NodeState, SystemState } from "../domain/state.ts";
import { fitEdges, fitInstances, fitNodes } from "./fit.ts";
import { relabelled } from "./instances.ts";
import { indexOf } from "./mapindex.ts";
import { type Keys, Table } from "./table.ts";
import { type Step, Work } from "./work.ts";

/**
 * Carries a state over to another map: what is unchanged keeps its state, a renamed node takes that of its old id, new
 * ones begin unknown, removed ones are dropped. Labels that changed apply to the last report at once. Every transition
 * has the reason `map`; those of removed things end in unknown.
 */
export function remap(state: SystemState, before: SystemMap, after: SystemMap, now: number): Step {
  const index = indexOf(after);
  const renamed = renames(before, after);
  const oldId = oldIds(renamed);
  const carried = carry(state, before, after, renamed, oldId);
  const work = new Work(
    {
      ...state,
      instances: fitInstances(index, over(carried.instances, state.instances)).allDue(),
      edges: fitEdges(index, over(carried.edges, state.edges)).allDue(),
      nodes: fitNodes(index, over(carried.nodes, state.nodes)).allDue(),
    },
    index,
    now,
  );
  for (const [at, { node }] of index.owner.entries()) {
    const old = before.nodes.get(oldId(node.id));
    if (old?.kind === "service" && (old !== node || renamed.size > 0) && labels(old, (id) => id) !== labels(node, oldId))
      work.relabel(at, (instance, service) => relabelled(instance, service, now));
  }
  if (renamed.size > 0) work.touchAll();
  else for (const id of judgedOtherwise(before, after)) work.touch(id);
  const step = work.done("map");
  const gone: Step["transitions"][number][] = [];
  const drop = (subject: "node" | "edge" | "instance", id: string, status: string): void => {
    if (status !== "unknown") gone.push({ subject, id, at: now, from: status, to: "unknown", reason: "map", incident: null });
  };
  const { moved } = carried;
  const leave = <V>(
    subject: "node" | "edge" | "instance",
    held: ReadonlyMap<string, V>,
    keys: Keys,
    status: (value: V) => string,
  ): void => {
    const elsewhere: ReadonlySet<string> = moved[`${subject}s`];
    if (!hasKeys(held, keys))
      for (const [id, value] of held) if (!elsewhere.has(id) && !keys.position.has(id)) drop(subject, id, status(value));
  };
  leave("instance", state.instances, index.instances, ({ damped }) => damped.status);
  leave("edge", state.edges, index.edges, ({ damped }) => damped.status);
  leave("node", state.nodes, index.nodes, ({ status }) => status);
  const fresh = (keys: Keys, held: ReadonlyMap<string, unknown>, changed: ReadonlySet<string>): ReadonlySet<string> =>
    hasKeys(held, keys) ? changed : new Set([...changed, ...keys.names.filter((name) => !held.has(name))]);
  return {
    ...step,
    changed: {
      instances: fresh(index.instances, state.instances, step.changed.instances),
      edges: fresh(index.edges, state.edges, step.changed.edges),
      nodes: fresh(index.nodes, state.nodes, step.changed.nodes),
    },
    transitions: [...gone, ...step.transitions],
  };
}

const hasKeys = (held: ReadonlyMap<string, unknown>, keys: Keys): boolean => held instanceof Table && held.keyed === keys;

/**
 * Nodes of which another map may make something else: those that it declares otherwise, and all of which a service speaks, or
 * spoke, that it declares otherwise. Of all others everything that they are judged by is as it was.
 */
function* judgedOtherwise(before: SystemMap, after: SystemMap): Iterable<string> {
  for (const [maps, others] of [[before, after] as const, [after, before] as const]) {
    for (const [id, node] of maps.nodes) {
      if (others.nodes.get(id) === node) continue;
      yield id;
      if (node.kind === "service") for (const { to } of node.edges) yield to;
    }
    for (const { nodes } of maps.maintenance) yield* nodes;
  }
}

/** Old id → new id of the nodes that another map renames: `renamedFrom` where that was a node before and is none now. */
export function renames(before: SystemMap, after: SystemMap): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const { id, renamedFrom } of after.nodes.values())
    if (renamedFrom && !before.nodes.has(id) && before.nodes.has(renamedFrom) && !after.nodes.has(renamedFrom))
      renamed.set(renamedFrom, id);
  return renamed;
}

/** The id that a node of the new map had in the old one. */
function oldIds(renamed: ReadonlyMap<string, string>): (id: string) => string {
  const old = new Map([...renamed].map(([from, to]) => [to, from]));
  return (id) => old.get(id) ?? id;
}

/** What goes on under another key, or must not go on under its own: null. Everything else stays as it is. */
interface Carried {
  instances: Map<string, InstanceState | null>;
  edges: Map<string, EdgeState | null>;
  nodes: Map<string, NodeState>;
  /** Old keys that live on under another one. */
  moved: { instances: Set<string>; edges: Set<string>; nodes: Set<string> };
}

function over<V>(carried: ReadonlyMap<string, V | null>, state: ReadonlyMap<string, V>): { get(key: string): V | undefined } {
  if (carried.size === 0) return state;
  return { get: (key) => (carried.has(key) ? (carried.get(key) ?? undefined) : state.get(key)) };
}

function carry(
  state: SystemState,
  before: SystemMap,
  after: SystemMap,
  renamed: ReadonlyMap<string, string>,
  oldId: (id: string) => string,
): Carried {
  const carried: Carried = {
    instances: new Map(),
    edges: new Map(),
    nodes: new Map(),
    moved: { instances: new Set(), edges: new Set(), nodes: new Set() },
  };
  for (const node of after.nodes.values()) {
    const id = oldId(node.id);
    const old = before.nodes.get(id);
    if (renamed.size === 0 && old === node) continue;
    const held = state.nodes.get(id);
    if (id !== node.id) {
      if (held) carried.nodes.set(node.id, { ...held, id: node.id });
      carried.moved.nodes.add(id);
    }
    if (node.kind !== "service") continue;
    for (const edge of node.edges) {
      const key = edgeKey(id, oldId(edge.to));
      if (key === edgeKey(edge.from, edge.to)) continue;
      const statement = state.edges.get(key);
      if (statement) carried.edges.set(edgeKey(edge.from, edge.to), { ...statement, from: edge.from, to: edge.to });
      carried.moved.edges.add(key);
    }
    for (const instance of node.instances) {
      const was = old?.kind === "service" ? formerly(instance, node, old) : undefined;
      const polled = was && state.instances.get(was.id);
      const same = was?.id === instance.id && id === node.id;
      if (same) continue;
      carried.instances.set(instance.id, polled ? { ...polled, id: instance.id, service: node.id } : null);
      if (was && polled) carried.moved.instances.add(was.id);
    }
  }
  return carried;
}

/** The instance that this one was: the same id or address, or the only one of a service that has but one. */
function formerly(instance: Instance, node: ServiceNode, old: ServiceNode): Instance | undefined {
  return (
    old.instances.find(({ id }) => id === instance.id) ??
    old.instances.find(({ url }) => url === instance.url) ??
    (node.instances.length === 1 && old.instances.length === 1 ? old.instances[0] : undefined)
  );
}

/** All that a report is judged by, as a text to compare; targets by their old ids. */
function labels({ edges, groups, componentMaxAge, maxAge }: ServiceNode, oldId: (id: string) => string): string {
  const declared = edges.map(({ to, criticality, components, group }) => [oldId(to), criticality, components, group]);
  const alternatives = groups.map(({ need, criticality }) => [need, criticality]);
  return JSON.stringify([declared, alternatives, componentMaxAge, maxAge]);
}
