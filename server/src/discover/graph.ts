import type { Criticality } from "../domain/status.ts";

/** How far a finding may be trusted: its subject says so itself, an address in its configuration says so, or we guess. */
const CONFIDENCES = ["certain", "likely", "guess"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** The surer of two. */
export const surer = (a: Confidence, b: Confidence): Confidence => (CONFIDENCES.indexOf(a) <= CONFIDENCES.indexOf(b) ? a : b);

/** What kind of source something comes from; each sees other things of a system. */
export type SourceKind = "report" | "compose" | "kubernetes" | "backstage" | "service-graph" | "jaeger";

/** Why something is in the graph. `where` is `file:line` or an address without credentials; `what` names a key, never a value. */
export interface Evidence {
  source: SourceKind;
  where: string;
  what: string;
}

/** An address at which a service might report. `deep` is false for what only looks like a health check. */
export interface FoundAddress {
  url: string;
  deep: boolean;
  /** Where a probe or health check was found that asks it; null where people named it. */
  from: string | null;
  /** Names of request headers that were sent, for references in the map. */
  headers: readonly string[];
}

/** A node as one place of one source tells it. */
export interface NodeDraft {
  /** As the source writes it. */
  name: string;
  kind: "service" | "resource";
  /** database, cache, queue …; null for services and where nothing tells. */
  resourceKind: string | null;
  /** Other names and hosts under which others may speak of it. */
  aliases: readonly string[];
  address: FoundAddress | null;
  /** Name of the team, as the source writes it. */
  team: string | null;
  title: string | null;
  description: string | null;
  evidence: Evidence;
  confidence: Confidence;
}

/** Whom an edge means, by a name or a host. */
export interface Target {
  name: string;
  kind: "service" | "resource";
  resourceKind: string | null;
  /** `always`: there is such a node even if no source declares it; `known`: the edge counts only if some source does. */
  exists: "always" | "known";
}

/** An edge as one place of one source tells it. */
export interface EdgeDraft {
  /** Name of a node of the same source. */
  from: string;
  to: Target;
  /** As the service reports it. */
  criticality: Criticality | null;
  /** Name under which the service's report lists it. */
  component: string | null;
  /** Calls that were counted. */
  calls: number | null;
  /** A message passed on: whoever sends it does not wait. */
  message: boolean;
  evidence: Evidence;
  confidence: Confidence;
}

export interface TeamDraft {
  name: string;
  title: string | null;
  contact: string | null;
  evidence: Evidence;
}

export interface SystemDraft {
  name: string;
  title: string | null;
  description: string | null;
  team: string | null;
  evidence: Evidence;
}

/** What a source names, and why it is not in the graph. */
export interface LeftOut {
  name: string;
  where: string;
  why: string;
}

/** All that one source tells. */
export interface Drafts {
  nodes: NodeDraft[];
  edges: EdgeDraft[];
  teams: TeamDraft[];
  systems: SystemDraft[];
  /** System and node, by the names of the source. */
  members: { system: string; node: string; evidence: Evidence }[];
  leftOut: LeftOut[];
}

export const noDrafts = (): Drafts => ({ nodes: [], edges: [], teams: [], systems: [], members: [], leftOut: [] });

/** Drafts of several places put together, in order. One by one, as many arguments of `push` would not fit on the stack. */
export function joinDrafts(parts: readonly Drafts[]): Drafts {
  const all = noDrafts();
  for (const part of parts) {
    for (const node of part.nodes) all.nodes.push(node);
    for (const edge of part.edges) all.edges.push(edge);
    for (const team of part.teams) all.teams.push(team);
    for (const system of part.systems) all.systems.push(system);
    for (const member of part.members) all.members.push(member);
    for (const one of part.leftOut) all.leftOut.push(one);
  }
  return all;
}

/** A node with all that was found of it. */
export interface FoundNode {
  id: string;
  name: string;
  kind: "service" | "resource";
  resourceKind: string | null;
  /** All names and hosts under which it was met, itself included. */
  names: readonly string[];
  /** Several are instances of one service. */
  addresses: readonly FoundAddress[];
  /** Id of a team. */
  team: string | null;
  description: string | null;
  evidence: readonly Evidence[];
  confidence: Confidence;
  /** Some source shows the node itself, and not only others that speak of it. */
  shown: boolean;
  /** Doubts in words for whoever reviews the map. */
  doubts: readonly string[];
}

/** An edge with all that was found of it. */
export interface FoundEdge {
  from: string;
  to: string;
  criticality: Criticality;
  /** Why this criticality, where no report states one, or nothing where there is no reason; null where one does. */
  guessed: string | null;
  components: readonly string[];
  calls: number | null;
  message: boolean;
  evidence: readonly Evidence[];
  confidence: Confidence;
}

export interface FoundTeam {
  id: string;
  name: string;
  contact: string | null;
  evidence: Evidence;
}

export interface FoundSystem {
  id: string;
  name: string;
  description: string | null;
  team: string | null;
  /** Ids of nodes. */
  members: readonly string[];
  evidence: Evidence;
}

/** What all sources tell together; lists are sorted by id. */
export interface FoundGraph {
  nodes: readonly FoundNode[];
  edges: readonly FoundEdge[];
  teams: readonly FoundTeam[];
  systems: readonly FoundSystem[];
  leftOut: readonly LeftOut[];
}
