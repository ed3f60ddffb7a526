import type { Place } from "../domain/map.ts";
import type { Findings } from "./problems.ts";
import { type Entry, keyPlace, type MapNodeTree, mapping, placeOf, type ScalarNode, scalar, type TreeNode, textOf } from "./tree.ts";

const SECTIONS = ["teams", "resources", "services", "systems"] as const;
export type Section = (typeof SECTIONS)[number];

/** A team, resource, service or system as declared, before its references to others are followed. */
export interface Declared {
  id: string;
  section: Section;
  /** Of its id. */
  place: Place;
  body: MapNodeTree;
  /** What stands there is no mapping: reported already, and nothing follows from it. */
  broken: boolean;
}

/** What all map files declare together. */
export interface Declarations {
  teams: Map<string, Declared>;
  /** Services and resources share one namespace; in the order of the files. */
  nodes: Map<string, Declared>;
  systems: Map<string, Declared>;
  /** The merged `defaults`. */
  defaults: MapNodeTree | null;
  maintenance: MapNodeTree[];
}

/** Merges the trees of the map files, in order; what is declared twice is reported at the later place and left out. */
export function collect(roots: readonly MapNodeTree[], findings: Findings): Declarations {
  const all: Declarations = { teams: new Map(), nodes: new Map(), systems: new Map(), defaults: null, maintenance: [] };
  const spaces = { teams: all.teams, resources: all.nodes, services: all.nodes, systems: all.systems };
  for (const root of roots) {
    for (const [key, entry] of root.entries) {
      if (key === "defaults") all.defaults = mergeDefaults(all.defaults, root, findings);
      const section = SECTIONS.find((name) => name === key);
      if (section && entry.node.kind === "map" && !entry.node.bad) declare(section, entry.node, spaces[section], findings);
      if (key === "maintenance" && entry.node.kind === "list" && !entry.node.bad) {
        for (const item of entry.node.items) if (item.kind === "map" && !item.bad) all.maintenance.push(item);
      }
    }
  }
  return all;
}

function declare(section: Section, map: MapNodeTree, space: Map<string, Declared>, findings: Findings): void {
  for (const [id, entry] of map.entries) {
    const body = bodyOf(entry);
    const place = entry.node.origin.place(entry.at);
    const first = space.get(id);
    if (first) {
      const where = `${first.place.file}:${first.place.line}`;
      const what = first.section === section ? singular(section) : `${singular(section)} and as a ${singular(first.section)}`;
      findings.error(place, "declared-twice", `${JSON.stringify(id)} is declared twice as a ${what}: it is already in ${where}`);
    } else space.set(id, { id, section, place, body, broken: body !== entry.node && entry.node.bad });
  }
}

/** The body of an entry; an empty one where nothing stands there, or something that was already refused. */
function bodyOf(entry: Entry): MapNodeTree {
  const { node } = entry;
  if (node.kind === "map") return node;
  return { kind: "map", origin: node.origin, at: entry.at, bad: false, entries: new Map() };
}

export const singular = (section: Section) => section.slice(0, -1);

function mergeDefaults(before: MapNodeTree | null, root: MapNodeTree, findings: Findings): MapNodeTree | null {
  const found = mapping(root, "defaults");
  if (!found || !before) return found ?? before;
  const entries = new Map(before.entries);
  for (const [key, entry] of found.entries) {
    const first = entries.get(key);
    if (!first) entries.set(key, entry);
    else {
      const there = keyPlace(before, key);
      findings.error(
        entry.node.origin.place(entry.at),
        "declared-twice",
        `the default ${key} is declared twice: it is already in ${there.file}:${there.line}`,
      );
    }
  }
  return { ...before, entries };
}

/** One entry under `dependencies`, read as far as it is right. */
export interface DraftEdge {
  from: Declared;
  item: MapNodeTree;
  targets: readonly ScalarNode[];
  /** `on` is a list of alternatives. */
  group: boolean;
  criticality: string | null;
  owner: ScalarNode | null;
  reviewed: ScalarNode | null;
  /** Declared names; empty where the node's id serves. */
  components: readonly ScalarNode[];
  need: ScalarNode | null;
  place: Place;
}

/** The dependencies of a service, without those that are wrong as a whole. */
export function edgesOf(service: Declared): DraftEdge[] {
  const list = service.body.entries.get("dependencies")?.node;
  if (list?.kind !== "list" || list.bad) return [];
  const edges: DraftEdge[] = [];
  for (const item of list.items) {
    if (item.bad || item.kind !== "map") continue;
    const criticality = scalar(item, "criticality");
    edges.push({
      from: service,
      item,
      targets: scalars(item, "on"),
      group: item.entries.get("on")?.node.kind === "list",
      criticality: criticality ? textOf(criticality) : null,
      owner: scalar(item, "owner"),
      reviewed: scalar(item, "reviewed"),
      components: scalars(item, "component"),
      need: scalar(item, "need"),
      place: placeOf(item),
    });
  }
  return edges;
}

/** A value that may be one scalar or a list of them; without those that are wrong. */
export function scalars(map: MapNodeTree, key: string): ScalarNode[] {
  const node: TreeNode | undefined = map.entries.get(key)?.node;
  if (!node || node.bad) return [];
  const all = node.kind === "list" ? node.items : [node];
  return all.filter((item): item is ScalarNode => item.kind === "scalar" && !item.bad && item.value !== null);
}
