import type { Evidence, FoundEdge, FoundGraph, FoundNode } from "./graph.ts";

/** The graph for machines, in the words of the map; `sources` as the caller gathered them. */
export function graphJson(
  { nodes, edges, teams, systems, leftOut }: FoundGraph,
  sources: {
    read: readonly object[];
    silent: readonly object[];
    passed: readonly { file: string; line: number; column: number; reason: string; foreign: boolean }[];
  },
): object {
  return {
    nodes: nodes.map(nodeJson),
    edges: edges.map(edgeJson),
    teams,
    systems,
    left_out: leftOut,
    sources: sources.read,
    silent: sources.silent,
    passed: sources.passed.map(({ file, line, column, reason }) => ({ file, line, column, reason })),
  };
}

const evidenceJson = (evidence: readonly Evidence[]) => evidence.map(({ source, where, what }) => ({ source, where, what }));

function nodeJson({ id, name, kind, resourceKind, names, addresses, team, description, evidence, confidence, doubts }: FoundNode): object {
  return {
    id,
    name,
    kind,
    ...(resourceKind !== null && { resource_kind: resourceKind }),
    names,
    ...(addresses.length > 0 && { addresses: addresses.map(({ url, deep, from }) => ({ url, deep, from })) }),
    team,
    ...(description !== null && { description }),
    evidence: evidenceJson(evidence),
    confidence,
    ...(doubts.length > 0 && { review: doubts }),
  };
}

function edgeJson({ from, to, criticality, guessed, components, calls, message, evidence, confidence }: FoundEdge): object {
  return {
    from,
    to,
    kind: message ? "message" : "call",
    criticality,
    ...(guessed !== null && { guessed }),
    ...(components.length > 0 && { components }),
    calls,
    evidence: evidenceJson(evidence),
    confidence,
  };
}
