import type { MapNode, Place, SystemMap } from "../domain/map.ts";
import type { Confidence, Evidence, FoundEdge, FoundGraph, FoundNode, SourceKind } from "./graph.ts";
import type { Matching } from "./match.ts";

/** In what the sources and the map differ. */
export type DriftKind =
  | "undeclared_node"
  | "undeclared_edge"
  | "unseen_node"
  | "unseen_edge"
  | "kind_differs"
  | "criticality_differs"
  | "team_differs";

export interface DriftFinding {
  kind: DriftKind;
  /** Node, or the service at the beginning of an edge; the map's id, or the graph's where the map has none. */
  node: string;
  /** The other end of an edge. */
  to: string | null;
  /** What the map says, and what the sources say; null where they say nothing. */
  declared: string | null;
  seen: string | null;
  calls: number | null;
  confidence: Confidence | null;
  evidence: readonly Evidence[];
  /** The team that answers for it; null where the map names none. */
  team: string | null;
  /** Where the map speaks of it: its edge, or the node it belongs to. */
  place: Place | null;
  message: string;
}

/** What a comparison cannot tell, and why. */
export interface NotJudged {
  node: string;
  to: string | null;
  why: string;
}

export interface Drift {
  findings: DriftFinding[];
  notJudged: NotJudged[];
  matching: Matching;
}

/** A finding with nothing said yet. */
export const NOTHING = { to: null, declared: null, seen: null, calls: null, confidence: null, evidence: [], team: null, place: null };

const TRACES: ReadonlySet<SourceKind> = new Set(["service-graph", "jaeger"]);
export const isTrace = (source: SourceKind) => TRACES.has(source);

/** What both sides of a comparison are asked. */
export interface Context {
  graph: FoundGraph;
  map: SystemMap;
  /** Id of the map, or the graph's own. */
  idOf: (seen: string) => string;
  /** Where an edge ends. */
  endOf: (edge: FoundEdge) => string;
  declaredOf: (seen: string) => MapNode | null;
  /** Seen edges, by the ids of the map. */
  seenEdges: ReadonlySet<string>;
  /** Nodes of the map that were seen, with the sources that saw them. */
  seenBy: ReadonlyMap<string, ReadonlySet<SourceKind>>;
  kinds: ReadonlySet<SourceKind>;
  /** Services of which some source shows what they need. */
  speaking: ReadonlySet<string>;
  /** What services that were seen are declared to need. */
  needed: ReadonlySet<string>;
  /** Whether traces show anything but services. */
  tracesShowResources: boolean;
}

export function contextOf(graph: FoundGraph, map: SystemMap, { matches, ends }: Matching): Context {
  const idOf = (seen: string) => matches.get(seen)?.node ?? seen;
  const seenBy = new Map<string, Set<SourceKind>>();
  for (const node of graph.nodes) {
    const sources = seenBy.get(idOf(node.id)) ?? new Set();
    seenBy.set(idOf(node.id), sources);
    for (const { source } of node.evidence) sources.add(source);
  }
  for (const [{ evidence }, { node }] of ends)
    seenBy.set(node, new Set([...(seenBy.get(node) ?? []), ...evidence.map(({ source }) => source)]));
  const endOf = (edge: FoundEdge) => ends.get(edge)?.node ?? idOf(edge.to);
  const traced = (evidence: readonly Evidence[]) => evidence.some(({ source }) => isTrace(source));
  return {
    graph,
    map,
    idOf,
    endOf,
    declaredOf: (seen) => (matches.has(seen) ? (map.nodes.get(idOf(seen)) ?? null) : null),
    seenEdges: new Set(graph.edges.map((edge) => `${idOf(edge.from)}>${endOf(edge)}`)),
    seenBy,
    speaking: new Set([...graph.nodes.filter(speaks).map(({ id }) => idOf(id)), ...graph.edges.map(({ from }) => idOf(from))]),
    needed: new Set(
      [...seenBy.keys()].flatMap((id) => {
        const node = map.nodes.get(id);
        return node?.kind === "service" ? node.edges.map(({ to }) => to) : [];
      }),
    ),
    kinds: new Set([...seenBy.values()].flatMap((sources) => [...sources])),
    tracesShowResources: graph.nodes.some(({ kind, evidence }) => kind === "resource" && traced(evidence)),
  };
}

const speaks = ({ evidence }: FoundNode) => evidence.some(({ source, what }) => SPEAKS[source](what));

/** Whether evidence of a node means that its dependencies would be seen there too. */
const SPEAKS: Readonly<Record<SourceKind, (what: string) => boolean>> = {
  report: (what) => what === "reports",
  compose: (what) => what.startsWith("service"),
  kubernetes: (what) => !/^Service(?:,| without)/.test(what),
  backstage: () => true,
  "service-graph": () => true,
  jaeger: () => true,
};
