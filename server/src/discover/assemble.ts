import { CRITICALITIES, type Criticality } from "../domain/status.ts";
import {
  type Drafts,
  type EdgeDraft,
  type FoundEdge,
  type FoundGraph,
  type FoundNode,
  type FoundSystem,
  type FoundTeam,
  type NodeDraft,
  type SourceKind,
  type SystemDraft,
  surer,
} from "./graph.ts";
import { fold, hostNames, isInside, slug, stem } from "./names.ts";
import { type Gathered, MOST_EVIDENCE, Registry } from "./registry.ts";
import { isGeneric, isTelemetry } from "./technology.ts";

export { TooManyNodes } from "./registry.ts";

/** Configuration names things best; an address such as `localhost:8081` takes the name of what it leads to. */
const ORDER: readonly SourceKind[] = ["backstage", "kubernetes", "compose", "service-graph", "jaeger", "report"];

/** Edges by their two ends. */
type Edges = Map<string, Map<string, FoundEdge>>;

/** Puts what all sources tell into one graph: what has one name is one node, and edges end at nodes. Pure. Throws `TooManyNodes`. */
export function assemble(drafts: Drafts): FoundGraph {
  const registry = new Registry();
  const twins = twinStems(drafts.nodes);
  for (const source of ORDER) for (const draft of drafts.nodes) if (draft.evidence.source === source) takeNode(registry, draft, twins);
  const edges: Edges = new Map();
  for (const source of ORDER) {
    for (const draft of drafts.edges) {
      if (draft.evidence.source !== source) continue;
      const from = registry.find(draft.from);
      const to = from && resolve(registry, draft, from, edges);
      if (from && to && from !== to) takeEdge(edges, draft, from, to);
    }
  }
  const teams = teamsOf(drafts);
  const byNodeId = new Map(registry.nodes.map((node) => [node.id, node]));
  const labelled = [...edges.values()].flatMap((some) => [...some.values()]).map((edge) => withGuess(edge, byNodeId.get(edge.to)));
  return {
    nodes: registry.nodes.map((node) => nodeOf(node, teams)).sort(byId),
    edges: labelled.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to)),
    teams: [...teams.values()].sort(byId),
    systems: systemsOf(drafts, registry, teams),
    leftOut: drafts.leftOut,
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byId = (a: { id: string }, b: { id: string }) => compare(a.id, b.id);

const twinKey = (source: SourceKind, name: string) => `${source}>${stem(name)}`;

/** Stems that several names of one source share: there, `orders` and `orders-api` are two nodes. */
function twinStems(nodes: readonly NodeDraft[]): ReadonlySet<string> {
  const first = new Map<string, string>();
  const twins = new Set<string>();
  for (const { name, evidence } of nodes) {
    const key = twinKey(evidence.source, name);
    const before = first.get(key);
    if (before !== undefined && before !== fold(name)) twins.add(key);
    else first.set(key, fold(name));
  }
  return twins;
}

/** A name that differs from another source's by a word such as `-service` alone is the same node. */
function takeNode(registry: Registry, draft: NodeDraft, twins: ReadonlySet<string>): void {
  const known = [draft.name, ...draft.aliases].some((name) => registry.exact(name));
  const similar = known || twins.has(twinKey(draft.evidence.source, draft.name)) ? undefined : registry.find(draft.name);
  if (
    similar &&
    stem(similar.id) === stem(draft.name) &&
    !similar.drafts.some(({ evidence }) => evidence.source === draft.evidence.source)
  ) {
    similar.doubts.push(`taken for the same as ${draft.name}`);
    registry.name(similar, draft.name);
  }
  registry.take(draft);
}

/** The node at an edge's end: one that is known, a new one where there must be one, or null. */
function resolve(registry: Registry, draft: EdgeDraft, from: Gathered, edges: Edges): Gathered | null {
  const { to, component } = draft;
  if (component === null) {
    const known = registry.find(to.name);
    // `orders.eu-west-1.rds.amazonaws.com` is not the service that is called orders.
    if (known && (isInside(to.name) || registry.exact(to.name) === known)) return known;
    if (to.exists === "known") return null;
    const node = registry.add(to, shownName(to.name, to.kind, to.resourceKind));
    if (isInside(to.name)) node.doubts.push("known by its address alone");
    return node;
  }
  const declared = registry.exact(to.name);
  if (declared && declared.drafts.length > 0) return declared;
  const configured = isGeneric(to.name) ? sameKind(registry, draft, from, edges) : null;
  if (configured) return configured;
  const node = registry.find(to.name) ?? registry.add(to, to.name);
  node.reporters.add(from.id);
  return node;
}

/** Inside, the first label; outside too where something other than the web stands behind it, since its address says little. */
function shownName(host: string, kind: string, resourceKind: string | null): string {
  const first = hostNames(host).at(-1) ?? host;
  if (isInside(host)) return first;
  return kind === "resource" && resourceKind !== null && resourceKind !== "external-api" ? first : host;
}

/** `postgres` in a report is the one database that the service is configured to use, where there is one. */
function sameKind(registry: Registry, { to, component }: EdgeDraft, from: Gathered, edges: Edges): Gathered | null {
  const [only, more] = [...(edges.get(from.id)?.values() ?? [])].flatMap((edge) => {
    const node = registry.exact(edge.to);
    return node?.kind === "resource" && to.resourceKind !== null && node.resourceKind === to.resourceKind ? [{ edge, node }] : [];
  });
  if (!only || more || only.edge.components.length > 0) return null;
  only.node.doubts.push(`taken for the ${component} that ${from.id} reports`);
  return only.node;
}

function takeEdge(edges: Edges, draft: EdgeDraft, from: Gathered, to: Gathered): void {
  to.confidence = surer(to.confidence, draft.confidence);
  if (to.evidence.length === 0) to.evidence.push(draft.evidence);
  const some = edges.get(from.id) ?? new Map<string, FoundEdge>();
  edges.set(from.id, some);
  const before = some.get(to.id);
  const components = draft.component === null ? [] : [draft.component];
  if (!before) {
    const { criticality, calls, message, evidence, confidence } = draft;
    const label = { criticality: criticality ?? ("soft" as const), guessed: criticality === null ? NOBODY_SAYS : null };
    some.set(to.id, { from: from.id, to: to.id, ...label, components, calls, message, evidence: [evidence], confidence });
    return;
  }
  const said = before.evidence.length >= MOST_EVIDENCE || before.evidence.some(({ where }) => where === draft.evidence.where);
  some.set(to.id, {
    ...before,
    ...(draft.criticality !== null && {
      criticality: before.guessed === null ? worse(draft.criticality, before.criticality) : draft.criticality,
      guessed: null,
    }),
    components: [...new Set([...before.components, ...components])].slice(0, 100),
    calls: draft.calls === null ? before.calls : Math.max(draft.calls, before.calls ?? 0),
    message: before.message && draft.message,
    evidence: said ? before.evidence : [...before.evidence, draft.evidence],
    confidence: surer(before.confidence, draft.confidence),
  });
}

/** Instances of one service may state different labels. */
const worse = (a: Criticality, b: Criticality) => (CRITICALITIES.indexOf(a) <= CRITICALITIES.indexOf(b) ? a : b);

/** Without a reason to guess better. */
const NOBODY_SAYS = "";

/** A criticality for what nobody stated: a place to begin a review, with the reason. */
function withGuess(edge: FoundEdge, to: Gathered | undefined): FoundEdge {
  if (edge.guessed === null) return edge;
  if (edge.message) return { ...edge, criticality: "informational", guessed: "a message is passed on, nobody waits" };
  if (isTelemetry(edge.to)) return { ...edge, criticality: "informational", guessed: "telemetry" };
  if (to?.kind === "resource" && to.resourceKind === "database") return { ...edge, criticality: "hard", guessed: "a database" };
  return edge;
}

/** The name as its source writes it, where the id has lost some of it. */
function spokenName({ id, names }: Gathered): string {
  const [first = id] = names;
  return fold(slug(first)) === fold(first) ? id : first.slice(0, 200);
}

function nodeOf(node: Gathered, teams: ReadonlyMap<string, FoundTeam>): FoundNode {
  const first = <T>(pick: (draft: NodeDraft) => T | null): T | null => node.drafts.map(pick).find((value) => value !== null) ?? null;
  const asked = node.addresses.filter(({ from }) => from === null);
  const team = first((draft) => draft.team);
  // `postgres` says what a thing is and not which one.
  const vague = node.drafts.length === 0 && node.reporters.size > 1 && isGeneric(node.id);
  const shared = vague ? [`${node.reporters.size} services report this name: is it one thing that they share?`] : [];
  const kind = node.kind;
  return {
    id: node.id,
    name: first((draft) => draft.title) ?? spokenName(node),
    kind,
    resourceKind: kind === "resource" ? node.resourceKind : null,
    names: [...node.names],
    addresses: kind === "resource" ? [] : asked.length > 0 ? asked : node.addresses.slice(0, 1),
    team: team === null ? null : (teams.get(fold(team))?.id ?? null),
    description: first((draft) => draft.description),
    evidence: node.evidence,
    confidence: node.confidence,
    shown: node.drafts.length > 0,
    doubts: [...new Set([...shared, ...node.doubts])].slice(0, 3),
  };
}

/** Teams that own something; those that a source only lists are left away. By folded name. */
function teamsOf(drafts: Drafts): Map<string, FoundTeam> {
  const teams = new Map<string, FoundTeam>();
  const ids = new Set<string>();
  const owners = [...drafts.nodes, ...drafts.systems].flatMap(({ team, evidence }) => (team === null ? [] : [{ team, evidence }]));
  for (const { team, evidence } of owners) {
    const key = fold(team);
    const id = slug(team);
    if (key === "" || id === "" || teams.has(key) || ids.has(id)) continue;
    ids.add(id);
    const described = drafts.teams.find(({ name }) => fold(name) === key);
    teams.set(key, { id, name: described?.title ?? id, contact: described?.contact ?? null, evidence: described?.evidence ?? evidence });
  }
  return teams;
}

function systemsOf(drafts: Drafts, registry: Registry, teams: ReadonlyMap<string, FoundTeam>): FoundSystem[] {
  const members = new Map<string, Set<string>>();
  const bare: SystemDraft[] = [];
  for (const { system, node, evidence } of drafts.members) {
    const ids = members.get(fold(system)) ?? new Set();
    members.set(fold(system), ids);
    const id = registry.exact(node)?.id;
    if (id !== undefined) ids.add(id);
    bare.push({ name: system, title: null, description: null, team: null, evidence });
  }
  const systems = new Map<string, FoundSystem>();
  for (const { name, title, description, team, evidence } of [...drafts.systems, ...bare]) {
    const id = slug(name);
    const own = members.get(fold(name));
    if (id === "" || systems.has(id) || !own || own.size === 0) continue;
    const owner = team === null ? null : (teams.get(fold(team))?.id ?? null);
    systems.set(id, { id, name: title ?? id, description, team: owner, members: [...own].sort(), evidence });
  }
  return [...systems.values()].sort(byId);
}
