import type { Edge, MapNode, ServiceNode } from "../domain/map.ts";
import { type Context, type DriftFinding, isTrace, NOTHING, type NotJudged } from "./findings.ts";
import type { SourceKind } from "./graph.ts";
import { fold } from "./names.ts";

/** Sources that are meant to show all services; an address shows the one that is asked. */
const isWhole = (source: SourceKind) => source !== "report";

/** What the map declares of a node and no source shows; where that means nothing, why. */
export function judgeUnseen(node: MapNode, context: Context): (DriftFinding | NotJudged)[] {
  const { seenBy, seenEdges } = context;
  if (seenBy.has(node.id)) {
    const edges = node.kind === "service" ? node.edges : [];
    return edges.filter(({ to }) => !seenEdges.has(`${node.id}>${to}`)).map((edge) => judgeEdge(node as ServiceNode, edge, context));
  }
  const why = unseenBecause(node, context);
  if (why !== null) return [{ node: node.id, to: null, why }];
  // It is told already, by the edge of a service that was seen.
  if (node.kind === "resource" && context.needed.has(node.id)) return [];
  const sources = [...context.kinds].filter(isWhole).join(", ");
  const declared = node.kind === "service" ? "service" : (node.resourceKind ?? "resource");
  const message = `${node.id} is in the map, and no source shows it (${sources})`;
  return [{ ...NOTHING, kind: "unseen_node", node: node.id, declared, team: node.team, place: node.place, message }];
}

/** Why it means nothing that a node was not seen; null where it means something. */
function unseenBecause(node: MapNode, { graph, kinds, tracesShowResources }: Context): string | null {
  const left = graph.leftOut.find(({ name }) => fold(name) === fold(node.id));
  if (left) return left.why;
  const whole = [...kinds].filter(isWhole);
  if (whole.length === 0) return "its address was not asked, and no other source would show it";
  if (node.kind === "resource" && whole.every(isTrace) && !tracesShowResources) return SERVICES_ALONE;
  return null;
}

const SERVICES_ALONE = "these traces show services alone";

function judgeEdge(service: ServiceNode, edge: Edge, context: Context): DriftFinding | NotJudged {
  const { to, criticality, place, owner } = edge;
  const why = edgeUnseenBecause(service, edge, context);
  if (why !== null) return { node: service.id, to, why };
  const sources = [...(context.seenBy.get(service.id) ?? [])].join(", ");
  const message = `${service.id} is declared to need ${to} (${criticality}), and no source shows it (${sources})`;
  return { ...NOTHING, kind: "unseen_edge", node: service.id, to, declared: criticality, team: owner ?? service.team, place, message };
}

/** Why it means nothing that an edge was not seen; null where it means something. */
function edgeUnseenBecause(
  service: ServiceNode,
  { to, group }: Edge,
  { map, seenEdges, seenBy, speaking, tracesShowResources }: Context,
): string | null {
  const others = group === null ? [] : (service.groups[group]?.members ?? []);
  const alternative = others.find((member) => seenEdges.has(`${service.id}>${member}`));
  if (alternative !== undefined) return `an alternative of ${alternative}, which was seen`;
  if (!speaking.has(service.id)) return `no source shows what ${service.id} needs`;
  const traced = [...(seenBy.get(service.id) ?? [])].every(isTrace);
  return traced && map.nodes.get(to)?.kind === "resource" && !tracesShowResources ? SERVICES_ALONE : null;
}
