import { type Declared, type DraftEdge, singular } from "./collect.ts";
import type { Context } from "./context.ts";
import { items, scalar, textOf } from "./tree.ts";

/** Warns of nodes of which no report can ever tell. */
export function checkWitnesses(context: Context, edges: ReadonlyMap<string, DraftEdge[]>): void {
  const { nodes, systems } = context.all;
  const needed = new Set<string>();
  const witnessed = new Set<string>();
  for (const [id, list] of edges) {
    const polled = isPolled(nodes.get(id));
    for (const edge of list) {
      for (const target of edge.targets) {
        needed.add(textOf(target));
        if (polled) witnessed.add(textOf(target));
      }
    }
  }
  const members = new Set<string>();
  for (const system of systems.values()) {
    for (const member of items(system.body, "members")) {
      const node = member.kind === "map" ? scalar(member, "node") : null;
      if (node) members.add(textOf(node));
    }
  }
  for (const node of nodes.values()) {
    if (node.broken || isPolled(node) || witnessed.has(node.id) || context.mayDeclare(node.id)) continue;
    const what = `${singular(node.section)} ${JSON.stringify(node.id)}`;
    if (node.section === "resources" && !needed.has(node.id) && !members.has(node.id)) {
      context.findings.warning(node.place, "unused-resource", `${what} is unused: no service depends on it`);
    } else {
      const lacks = node.section === "services" ? "it has no url, and " : "";
      context.findings.warning(node.place, "never-known", `${what} can never be known: ${lacks}no polled service depends on it`);
    }
  }
}

/** Has an address, be it a wrong one. */
function isPolled(node: Declared | undefined): boolean {
  return node?.section === "services" && (node.body.entries.has("url") || node.body.entries.has("instances"));
}
