import { edgeKey, type Instance, type ServiceNode, type SystemMap } from "../domain/map.ts";
import type { InstanceState, SystemState } from "../domain/state.ts";
import { fitEdges, fitInstances, fitNodes } from "./fit.ts";
import { relabelled } from "./instances.ts";
import { indexOf } from "./mapindex.ts";
import { type Step, Work } from "./work.ts";

/**
 * Carries a state over to another map: what is unchanged keeps its state, a renamed node takes that of its old id, new
 * ones begin unknown, removed ones are dropped. Labels that changed apply to the last report at once. Every transition
 * has the reason `map`; those of removed things end in unknown.
 */
export function remap(state: SystemState, before: SystemMap, after: SystemMap, now: number): Step {
  const index = indexOf(after);
  const oldId = oldIds(before, after);
  const isRenamed = renames(before, after).size > 0;
  const carried = carry(state, before, after, oldId);
  const work = new Work(
    {
      ...state,
      instances: fitInstances(index, carried.instances),
      edges: fitEdges(index, carried.edges),
      nodes: fitNodes(index, carried.nodes),
    },
    index,
    now,
  );
  for (const [at, { node }] of index.owner.entries()) {
    const old = before.nodes.get(oldId(node.id));
    if (old?.kind === "service" && (old !== node || isRenamed) && labels(old, (id) => id) !== labels(node, oldId))
      work.relabel(at, (instance, service) => relabelled(instance, service, now));
  }
  work.touchAll();
  const step = work.done("map");
  const gone: Step["transitions"][number][] = [];
  const drop = (subject: "node" | "edge" | "instance", id: string, status: string): void => {
    if (status !== "unknown") gone.push({ subject, id, at: now, from: status, to: "unknown", reason: "map", incident: null });
  };
  for (const [id, { damped }] of state.instances) if (!carried.kept.has(`instance ${id}`)) drop("instance", id, damped.status);
  for (const [id, { damped }] of state.edges) if (!carried.kept.has(`edge ${id}`)) drop("edge", id, damped.status);
  for (const [id, { status }] of state.nodes) if (!carried.kept.has(`node ${id}`)) drop("node", id, status);
  const fresh = (names: readonly string[], held: ReadonlyMap<string, unknown>, moved: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...moved, ...names.filter((name) => !held.has(name))]);
  return {
    ...step,
    changed: {
      instances: fresh(index.instances.names, state.instances, step.changed.instances),
      edges: fresh(index.edges.names, state.edges, step.changed.edges),
      nodes: fresh(index.nodes.names, state.nodes, step.changed.nodes),
    },
    transitions: [...gone, ...step.transitions],
  };
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
function oldIds(before: SystemMap, after: SystemMap): (id: string) => string {
  const old = new Map([...renames(before, after)].map(([from, to]) => [to, from]));
  return (id) => old.get(id) ?? id;
}

interface Carried {
  instances: Map<string, InstanceState>;
  edges: Map<string, SystemState["edges"] extends ReadonlyMap<string, infer E> ? E : never>;
  nodes: Map<string, SystemState["nodes"] extends ReadonlyMap<string, infer N> ? N : never>;
  /** Old keys that live on, as `kind key`. */
  kept: Set<string>;
}

function carry(state: SystemState, before: SystemMap, after: SystemMap, oldId: (id: string) => string): Carried {
  const carried: Carried = { instances: new Map(), edges: new Map(), nodes: new Map(), kept: new Set() };
  for (const node of after.nodes.values()) {
    const id = oldId(node.id);
    const held = state.nodes.get(id);
    if (held) carried.nodes.set(node.id, id === node.id ? held : { ...held, id: node.id });
    carried.kept.add(`node ${id}`);
    if (node.kind !== "service") continue;
    for (const edge of node.edges) {
      const key = edgeKey(id, oldId(edge.to));
      const statement = state.edges.get(key);
      const same = id === node.id && oldId(edge.to) === edge.to;
      if (statement) carried.edges.set(edgeKey(edge.from, edge.to), same ? statement : { ...statement, from: edge.from, to: edge.to });
      carried.kept.add(`edge ${key}`);
    }
    const old = before.nodes.get(id);
    if (old?.kind !== "service") continue;
    for (const instance of node.instances) {
      const was = formerly(instance, node, old);
      const polled = was && state.instances.get(was.id);
      if (!was || !polled) continue;
      const moved = was.id !== instance.id || old.id !== node.id;
      carried.instances.set(instance.id, moved ? { ...polled, id: instance.id, service: node.id } : polled);
      carried.kept.add(`instance ${was.id}`);
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
