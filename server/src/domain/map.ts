import type { Criticality } from "./status.ts";

/** Where in the map's files a thing stands; lines and columns count from 1, `file` is relative to the config folder. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** One mistake or doubt in the map's files. */
export interface Problem extends Place {
  code: string;
  message: string;
}

/** One declared edge: `from` needs `to` directly. Members of a redundancy group are edges too, with `group` set. */
export interface Edge {
  from: string;
  to: string;
  criticality: Criticality;
  /** The team that answers for the label; the service's own team where the edge names none. */
  owner: string | null;
  /** Date of the last review, `YYYY-MM-DD`. */
  reviewed: string | null;
  /** Names under which the service's report may list this dependency; never empty. */
  components: readonly string[];
  /** Index into the service's `groups`, or null for a plain dependency. */
  group: number | null;
  place: Place;
}

/** Redundant alternatives of which `need` suffice. */
export interface Redundancy {
  members: readonly string[];
  need: number;
  criticality: Criticality;
}

/** One address of a service's deep endpoint. `id` is the service's id where there is only one. */
export interface Instance {
  id: string;
  service: string;
  url: string;
  /** The address as people may read it, where part of its path comes from a reference: that stays one. */
  shown?: string;
}

export interface TlsSettings {
  /** PEM texts, already read. */
  ca: string | null;
  cert: string | null;
  key: string | null;
  servername: string | null;
}

interface NodeCommon {
  id: string;
  /** What people read; the id where none is declared. */
  name: string;
  description: string | null;
  team: string | null;
  tags: Readonly<Record<string, string>>;
  links: Readonly<Record<string, string>>;
  renamedFrom: string | null;
  place: Place;
}

export interface ServiceNode extends NodeCommon {
  kind: "service";
  /** Empty for a service that is not polled and known through its dependents only. */
  instances: readonly Instance[];
  /** How many instances must not be unhealthy; half of them, rounded up, where not declared. */
  need: number;
  /** Durations are milliseconds, everywhere. */
  interval: number;
  timeout: number;
  downAfter: number;
  upAfter: number;
  maxAge: number;
  componentMaxAge: number;
  /** A dialect's name, or `auto`. */
  format: string;
  /** Bytes after decompression. */
  maxBody: number;
  /** References already replaced; values never leave the poller. */
  headers: Readonly<Record<string, string>>;
  /** Names of the environment variables and files that the url or headers refer to: `${CHECKOUT_TOKEN}`. */
  references: readonly string[];
  tls: TlsSettings | null;
  edges: readonly Edge[];
  groups: readonly Redundancy[];
}

export interface ResourceNode extends NodeCommon {
  kind: "resource";
  /** database, cache, queue, external API … as declared. */
  resourceKind: string | null;
}

export type MapNode = ServiceNode | ResourceNode;

export interface Team {
  id: string;
  name: string;
  description: string | null;
  contact: string | null;
  links: Readonly<Record<string, string>>;
}

export interface Member {
  node: string;
  criticality: Criticality;
  place: Place;
}

/** What users of the product see. */
export interface System {
  id: string;
  name: string;
  description: string | null;
  public: boolean;
  team: string | null;
  members: readonly Member[];
  place: Place;
}

/** Announced work; times are epoch milliseconds. */
export interface Maintenance {
  nodes: readonly string[];
  from: number;
  to: number;
  reason: string;
}

/** Work that somebody announced while Headwater ran; it is kept in the history and laid over the map's own. */
export interface AnnouncedWork extends Maintenance {
  id: number;
  /** Who announced it, and when. */
  by: string | null;
  announcedAt: number;
  /** Who ended it before its time; null where nobody did. */
  endedBy: string | null;
}

/** The node's new name where the work is on it; the very work where it is not. */
export function renameInWork(work: AnnouncedWork, from: string, to: string): AnnouncedWork {
  return work.nodes.includes(from) ? { ...work, nodes: work.nodes.map((id) => (id === from ? to : id)) } : work;
}

/** The accepted map, in declaration order; a value, never changed after parsing. */
export interface SystemMap {
  nodes: ReadonlyMap<string, MapNode>;
  systems: ReadonlyMap<string, System>;
  teams: ReadonlyMap<string, Team>;
  maintenance: readonly Maintenance[];
}

/** Key of an edge in maps and history; ids hold no `>`. */
export function edgeKey(from: string, to: string): string {
  return `${from}>${to}`;
}

/** Whether a node is a service that has a deep endpoint. */
export function isPolled(node: MapNode | undefined): node is ServiceNode {
  return node?.kind === "service" && node.instances.length > 0;
}

/** Services that have a deep endpoint, in declaration order. */
export function polledServices(map: SystemMap): ServiceNode[] {
  return [...map.nodes.values()].filter(isPolled);
}
