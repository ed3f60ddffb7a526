import type { Evidence } from "../domain/snapshot.ts";
import type { EdgeState, FailureWindow, InstanceState, NodeState } from "../domain/state.ts";
import type { Criticality } from "../domain/status.ts";
import { type Graph, graphOf, type Link, type Vertex } from "./graph.ts";

/** 0 fine, 1 degraded, 2 unhealthy. */
export type Severity = 0 | 1 | 2;

/** What one service says about one node it depends on, as far as it counts. */
export interface Statement {
  link: Link;
  from: Fact;
  to: Fact;
  /** What the edge can carry now: a redundancy group that still suffices carries like a soft edge. */
  criticality: Criticality;
  /** `none`: nothing that counts. `outdated`: bad, but checked before its target was seen to recover. */
  says: "none" | "up" | "degraded" | "down" | "outdated";
  checkedAt: number;
  /** When the present run of bad results was first checked. */
  badSince: number;
  /** Bad results among the last ones kept: how often it was repeated. */
  repeats: number;
  window: FailureWindow | null;
  state: EdgeState | undefined;
}

/** What is known of one node, before any cause is named. */
export interface Fact {
  vertex: Vertex;
  state: NodeState | undefined;
  instances: readonly InstanceState[];
  out: Statement[];
  in: Statement[];
  /** Polled, and its trouble is its own report's (a dispute by its callers is none). */
  trouble: Severity;
  /** What the report itself said: null for none. */
  word: Severity | null;
  /** The trouble that its reported dependencies account for. */
  implied: Severity;
  /** The same for dependencies that have recovered since it looked: it is still to notice. */
  outdated: Severity;
  /** Polled, and one of its last results was bad. */
  wasBad: boolean;
  /** Polled, with a fresh report that shows no trouble. */
  fine: boolean;
  /** Polled, but unknown now. */
  silent: boolean;
  /** Silent because its deep endpoint connected and answered too late. */
  late: boolean;
  /** Bad statements about it that count, and fresh ones that it is up. */
  blames: Statement[];
  ups: Statement[];
  /** How much the ups count against the blames: an up checked before a blame began says nothing against it. */
  upWeight: number;
  window: FailureWindow | null;
}

export interface Facts {
  now: number;
  graph: Graph;
  nodes: readonly Fact[];
}

const WORDS: Record<string, Severity | null> = { healthy: 0, degraded: 1, unhealthy: 2, unknown: null };

/** Reads one moment: every statement that counts, every node's own word, and who contradicts whom. */
export function readEvidence(evidence: Evidence): Facts {
  const graph = graphOf(evidence.map);
  const nodes = graph.vertices.map((vertex) => nodeFact(vertex, evidence.state.nodes.get(vertex.id), evidence.state.instances));
  for (const link of graph.links) {
    const from = nodes[link.from.n];
    const to = nodes[link.to.n];
    if (!from || !to) continue;
    const statement = read(link, from, to, evidence.state.edges.get(link.key));
    from.out.push(statement);
    to.in.push(statement);
  }
  for (const fact of nodes) if (fact.vertex.node.kind === "service" && fact.vertex.node.groups.length > 0) weighGroups(fact);
  for (const fact of nodes) weighWitnesses(fact);
  for (const fact of nodes) weighOwnTrouble(fact);
  return { now: evidence.now, graph, nodes };
}

function nodeFact(vertex: Vertex, state: NodeState | undefined, instances: ReadonlyMap<string, InstanceState>): Fact {
  const polled = vertex.polled && state !== undefined;
  const status = polled ? state.status : "unknown";
  const word = polled && state.ownWord ? (WORDS[state.ownWord] ?? null) : null;
  const disputed = polled && word === 0 && state.marks.includes("disputed");
  const trouble: Severity = disputed || status === "healthy" || status === "unknown" ? 0 : status === "degraded" ? 1 : 2;
  const silent = polled && status === "unknown";
  const seen = vertex.node.kind === "service" ? vertex.node.instances.flatMap(({ id }) => instances.get(id) ?? []) : [];
  return {
    vertex,
    state,
    instances: seen,
    out: [],
    in: [],
    trouble,
    word,
    implied: 0,
    outdated: 0,
    wasBad: seen.some(({ damped }) => wasBad(damped.recent)),
    fine: polled && !silent && trouble === 0,
    silent,
    late: silent && state.outcome === "timeout",
    blames: [],
    ups: [],
    upWeight: 0,
    window: polled && trouble > 0 ? state.window : null,
  };
}

function read(link: Link, from: Fact, to: Fact, state: EdgeState | undefined): Statement {
  return {
    link,
    from,
    to,
    criticality: link.declared.criticality,
    says: state ? saying(state) : "none",
    checkedAt: state?.checkedAt ?? state?.reportedAt ?? Number.NEGATIVE_INFINITY,
    badSince: state?.firstBadCheck ?? state?.window?.firstBad ?? Number.NEGATIVE_INFINITY,
    repeats: state ? state.damped.recent.reduce((count, raw) => count + (raw === "down" || raw === "degraded" ? 1 : 0), 0) : 0,
    window: state?.window ?? null,
    state,
  };
}

/** A statement counts while it is fresh; a damped "up" with a pending down is no up. */
function saying(state: EdgeState): Statement["says"] {
  const { status, pending } = state.damped;
  if (state.stale || status === "unknown") return "none";
  if (status === "up") return pending && pending.status !== "up" ? "none" : "up";
  return status;
}

/** While enough of its alternatives are left, the loss of one can at most degrade a service. */
function weighGroups(fact: Fact): void {
  if (fact.vertex.node.kind !== "service") return;
  fact.vertex.node.groups.forEach((group, index) => {
    const members = fact.out.filter((statement) => statement.link.declared.group === index);
    const down = members.filter((statement) => statement.says === "down").length;
    const suffices = members.length - down >= group.need;
    for (const statement of members) if (suffices && group.criticality === "hard") statement.criticality = "soft";
  });
}

/** Sorts what callers say of a node into blames and ups, and leaves out blames older than its recovery. */
function weighWitnesses(fact: Fact): void {
  if (fact.in.length === 0) return;
  for (const statement of fact.in) {
    if (statement.says === "up") fact.ups.push(statement);
    else if (statement.says === "down" || statement.says === "degraded") fact.blames.push(statement);
  }
  if (fact.blames.length === 0) return;
  for (const blame of fact.blames) if (recoveredSince(fact, blame)) blame.says = "outdated";
  fact.blames = fact.blames.filter((blame) => blame.says !== "outdated");
  for (const up of fact.ups) {
    const against = fact.blames.filter((blame) => up.checkedAt >= blame.badSince).length;
    if (fact.blames.length > 0) fact.upWeight += against / fact.blames.length;
  }
  if (fact.window === null && fact.blames.length > 0) fact.window = earliest(fact.blames);
}

/**
 * True when the node was seen to recover after the blame was last checked: by itself, or by most of those that see it
 * up. Half an interval of the reporter is left as slack for what it checks by a timer of its own, but never beyond the
 * poll that brought the blame: who was asked before the recovery is only still to notice it.
 */
function recoveredSince(fact: Fact, blame: Statement): boolean {
  const reporter = blame.from.vertex.node;
  const slack = blame.checkedAt + (reporter.kind === "service" ? reporter.interval / 2 : 0);
  const limit = Math.min(slack, blame.state?.reportedAt ?? slack);
  if (fact.fine && fact.wasBad && fact.state && fact.state.since > limit) return true;
  const recovered = fact.ups.filter((up) => up.state && up.state.damped.since > limit && wasBad(up.state.damped.recent)).length;
  return recovered > 0 && recovered * 2 > fact.ups.length;
}

function wasBad(recent: readonly string[]): boolean {
  return recent.some((raw) => raw === "down" || raw === "unhealthy" || raw === "degraded");
}

/** What a report's bad dependencies account for, and whether the rest of its trouble waits for an outdated one. */
function weighOwnTrouble(fact: Fact): void {
  const improving = isImproving(fact);
  for (const statement of fact.out) {
    const severity = effect(statement);
    if (improving && hasComeBack(statement, fact)) fact.outdated = Math.max(fact.outdated, worst(statement.criticality)) as Severity;
    if (statement.says === "outdated") fact.outdated = Math.max(fact.outdated, severity) as Severity;
    else fact.implied = Math.max(fact.implied, severity) as Severity;
  }
}

/** Its last polls are good, and damping is still to confirm it. */
function isImproving({ trouble, instances }: Fact): boolean {
  const words = instances.map(({ damped }) => damped.raw).filter((raw) => raw !== "unknown");
  return trouble > 0 && words.length > 0 && words.every((raw) => raw === "healthy");
}

/** A dependency that was down during its reporter's trouble and is up again by more witnesses than this one. */
function hasComeBack({ says, state }: Statement, { window }: Fact): boolean {
  return says === "up" && state !== undefined && window !== null && state.damped.since >= window.firstBad && wasBad(state.damped.recent);
}

function worst(criticality: Criticality): Severity {
  return criticality === "hard" ? 2 : criticality === "soft" ? 1 : 0;
}

/** What a bad statement does to its reporter. */
export function effect(statement: Statement): Severity {
  if (statement.criticality === "informational") return 0;
  const raw = statement.says === "outdated" ? statement.state?.damped.status : statement.says;
  if (raw === "down") return statement.criticality === "hard" ? 2 : 1;
  return raw === "degraded" ? 1 : 0;
}

function earliest(blames: readonly Statement[]): FailureWindow | null {
  let first: FailureWindow | null = null;
  for (const { window } of blames) if (window && (first === null || window.firstBad < first.firstBad)) first = window;
  return first;
}
