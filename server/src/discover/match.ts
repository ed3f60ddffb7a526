import type { MapNode, SystemMap } from "../domain/map.ts";
import type { FoundEdge, FoundGraph, FoundNode } from "./graph.ts";
import { clientStem, fold, hostNames, isIp, stem } from "./names.ts";

/** By what a node of the sources was recognised as one of the map. */
export type MatchedBy = "id" | "told" | "name" | "former id" | "address" | "component" | "suffix";

export interface Match {
  /** Id in the graph. */
  seen: string;
  /** Id in the map. */
  node: string;
  by: MatchedBy;
  /** The name in which both agree. */
  name: string;
}

export interface Matching {
  matches: Map<string, Match>;
  /** Where edges end that a report names by a component of the map: two services may mean two things by one name. */
  ends: ReadonlyMap<FoundEdge, Match>;
  /** Names that fit several nodes of the map, and so none. */
  ambiguous: { seen: string; could_be: string[] }[];
}

/** The ways to recognise a node, best first; each gives the keys under which a node of the map is known. */
const WAYS: readonly { by: MatchedBy; keys: (node: MapNode) => string[]; of: (name: string) => string[] }[] = [
  { by: "id", keys: ({ id }) => [id], of: (name) => [name.toLowerCase()] },
  { by: "id", keys: ({ id }) => [fold(id)], of: (name) => [fold(name)] },
  { by: "name", keys: ({ name }) => [fold(name)], of: (name) => [fold(name)] },
  { by: "former id", keys: ({ renamedFrom }) => (renamedFrom === null ? [] : [fold(renamedFrom)]), of: (name) => [fold(name)] },
  { by: "address", keys: addressesOf, of: hostKeys },
  { by: "suffix", keys: ({ id, name }) => [stem(id), stem(name)], of: (name) => [...new Set([stem(name), clientStem(name)])] },
];

/** Hosts of a service's instances, with and without the port. */
function addressesOf(node: MapNode): string[] {
  if (node.kind !== "service") return [];
  return node.instances.flatMap(({ url }) => {
    if (!URL.canParse(url)) return [];
    const { host, hostname, port } = new URL(url);
    const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
    return loopback ? [`localhost:${port || "80"}`] : [host, ...hostNames(hostname), within(hostname)];
  });
}

/** Name and namespace of a host inside a cluster; of a bare host, that it says no more. */
function within(host: string): string {
  const [first = host, second] = isIp(host) ? [] : host.split(".");
  return second === undefined ? `${first} alone` : `${first}.${second}`;
}

/** What may lead to a name among the hosts of the map. Its first label does so only where one of the two says no more: `redis.billing` is not `redis.shop`. */
function hostKeys(name: string): string[] {
  const bare = name.toLowerCase().replace(/\.$/, "");
  return isIp(bare) || !bare.includes(".") ? [bare] : [bare, within(bare), within(bare.split(".")[0] ?? bare)];
}

/** Which node of the map each node of the graph is. `told` are pairs that people gave: name in the sources → id. Pure. */
export function matchNodes(graph: FoundGraph, map: SystemMap, told: ReadonlyMap<string, string>): Matching {
  const index = WAYS.map(({ keys }) => {
    const found = new Map<string, Set<string>>();
    for (const node of map.nodes.values())
      for (const key of keys(node)) if (key !== "") found.set(key, (found.get(key) ?? new Set()).add(node.id));
    return found;
  });
  const matches = new Map<string, Match>();
  const ambiguous: Matching["ambiguous"] = [];
  for (const node of graph.nodes) {
    const match = matchOne(node, index, told);
    if (Array.isArray(match)) ambiguous.push({ seen: node.id, could_be: match.slice(0, 10) });
    else if (match) matches.set(node.id, match);
  }
  const ends = matchComponents(graph, map, matches);
  return { matches, ends, ambiguous: ambiguous.filter(({ seen }) => !matches.has(seen)) };
}

/** A match, the nodes among which none can be chosen, or null. */
function matchOne(node: FoundNode, index: readonly Map<string, Set<string>>[], told: ReadonlyMap<string, string>): Match | string[] | null {
  const names = [node.id, ...node.names];
  for (const name of names) {
    const id = told.get(name);
    if (id !== undefined) return { seen: node.id, node: id, by: "told", name };
  }
  for (const [at, { by, of }] of WAYS.entries()) {
    for (const name of names) {
      for (const key of of(name)) {
        const found = index[at]?.get(key);
        if (!found) continue;
        const [only, ...more] = [...found];
        if (only !== undefined && more.length === 0) return { seen: node.id, node: only, by, name };
        // Two nodes behind one host or stem: a weaker way cannot tell them apart either.
        return [...found];
      }
    }
  }
  return null;
}

/** What a service reports under a component's name is what the map says that name is. */
function matchComponents(graph: FoundGraph, map: SystemMap, matches: Map<string, Match>): ReadonlyMap<FoundEdge, Match> {
  const ends = new Map<FoundEdge, Match>();
  for (const edge of graph.edges) {
    const service = map.nodes.get(matches.get(edge.from)?.node ?? "");
    if (edge.components.length === 0 || service?.kind !== "service") continue;
    const declared = service.edges.find(({ components }) =>
      components.some((name) => edge.components.some((seen) => fold(seen) === fold(name))),
    );
    if (!declared) continue;
    const match: Match = { seen: edge.to, node: declared.to, by: "component", name: edge.components[0] ?? edge.to };
    ends.set(edge, match);
    if (!matches.has(edge.to)) matches.set(edge.to, match);
  }
  return ends;
}

/** All matches, each once, for people and machines to see. */
export function listMatches({ matches, ends }: Matching): Match[] {
  const all = [...matches.values(), ...ends.values()].filter(({ seen, node, by }) => by !== "component" || seen !== node);
  return [...new Map(all.map((match) => [`${match.seen}>${match.node}`, match])).values()];
}
