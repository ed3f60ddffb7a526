import type { MapNode, SystemMap } from "../domain/map.ts";

/** The older map under the ids of the newer, and which ids changed: a node that says whom it was, where that one is gone. */
export function withNewIds(base: SystemMap, head: SystemMap): { map: SystemMap; renames: ReadonlyMap<string, string> } {
  const renames = new Map<string, string>();
  for (const { id, renamedFrom } of head.nodes.values()) {
    if (renamedFrom !== null && base.nodes.has(renamedFrom) && !head.nodes.has(renamedFrom) && !base.nodes.has(id))
      renames.set(renamedFrom, id);
  }
  if (renames.size === 0) return { map: base, renames };
  const now = (id: string) => renames.get(id) ?? id;
  const nodes = new Map([...base.nodes.values()].map((node) => [now(node.id), renamed(node, now)]));
  const systems = new Map(
    [...base.systems].map(([id, system]) => [
      id,
      { ...system, members: system.members.map((member) => ({ ...member, node: now(member.node) })) },
    ]),
  );
  return { map: { ...base, nodes, systems }, renames };
}

function renamed(node: MapNode, now: (id: string) => string): MapNode {
  const common = { id: now(node.id), name: node.name === node.id ? now(node.id) : node.name };
  if (node.kind === "resource") return { ...node, ...common };
  return {
    ...node,
    ...common,
    edges: node.edges.map((edge) => ({
      ...edge,
      from: now(edge.from),
      to: now(edge.to),
      components: edge.components.length === 1 && edge.components[0] === edge.to ? [now(edge.to)] : edge.components,
    })),
    groups: node.groups.map((group) => ({ ...group, members: group.members.map(now) })),
  };
}
