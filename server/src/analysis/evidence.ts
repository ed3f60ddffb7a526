import type { Evidence } from "../domain/snapshot.ts";
import type { EdgeState, FailureWindow, InstanceState, NodeState } from "../domain/state.ts";
import { effect, type Fact, type Facts, isBad, type Severity, type Statement } from "./facts.ts";
import { graphOf, type Link, type Vertex } from "./graph.ts";
import { setOutdatedAside } from "./outdated.ts";

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
  for (const fact of nodes) gatherWitnesses(fact);
  setOutdatedAside(nodes, evidence.now);
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
    recoveredAt: Number.NEGATIVE_INFINITY,
    wasBad: seen.some(({ damped }) => damped.recent.some(isBad)),
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
    repeats: state ? repeatsOf(state.damped.recent) : 0,
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

/** The latest run of bad results; good ones after it that have not yet changed the damped word do not end it. */
function repeatsOf(recent: readonly string[]): number {
  let end = recent.length;
  while (end > 0 && !isBad(recent[end - 1])) end--;
  let start = end;
  while (start > 0 && isBad(recent[start - 1])) start--;
  return end - start;
}

/** Sorts what callers say of a node into blames and ups. */
function gatherWitnesses(fact: Fact): void {
  for (const statement of fact.in) {
    if (statement.says === "up") fact.ups.push(statement);
    else if (isBad(statement.says)) fact.blames.push(statement);
  }
}

/** How much the ups about a node count against its blames. */
function weighWitnesses(fact: Fact): void {
  if (fact.blames.length === 0) return;
  fact.blames = fact.blames.filter((blame) => blame.says !== "outdated");
  if (fact.blames.length === 0) return;
  for (const up of fact.ups) fact.upWeight += fact.blames.filter((blame) => up.checkedAt >= blame.badSince).length / fact.blames.length;
  if (fact.window === null) fact.window = earliest(fact.blames);
}

function earliest(blames: readonly Statement[]): FailureWindow | null {
  let first: FailureWindow | null = null;
  for (const { window } of blames) if (window && (first === null || window.firstBad < first.firstBad)) first = window;
  return first;
}

/** What a report's bad dependencies account for, and whether the rest of its trouble waits for an outdated one. */
function weighOwnTrouble(fact: Fact): void {
  for (const statement of fact.out) {
    const severity = effect(statement);
    if (statement.says === "outdated") fact.outdated = Math.max(fact.outdated, severity) as Severity;
    else fact.implied = Math.max(fact.implied, severity) as Severity;
  }
}
