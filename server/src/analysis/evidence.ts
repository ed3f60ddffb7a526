import type { Evidence } from "../domain/snapshot.ts";
import type { EdgeState, FailureWindow, NodeState } from "../domain/state.ts";
import { effect, type Fact, type Facts, intervalOf, isBad, type Severity, type Statement, seenAt } from "./facts.ts";
import { graphOf, type Vertex } from "./graph.ts";
import { setOutdatedAside } from "./outdated.ts";
import { Sheet } from "./sheet.ts";

const NOBODY: ReadonlySet<Vertex> = new Set();

/**
 * Reads one moment: every statement that counts, every node's own word, and who contradicts whom. Only what lies near
 * trouble is worked out; the statements of the rest are read when somebody asks for them. `still`: whose words from before
 * a recovery count.
 */
export function readEvidence({ now, map, state }: Evidence, still: ReadonlySet<Vertex> = NOBODY): Facts {
  const sheet = new Sheet(graphOf(map), state);
  const { vertices, links, longestAge } = sheet.graph;
  const oldest = now - longestAge;
  const recovering = new Set<Fact>();
  sheet.nodes.each(isTroubledOrTurned, (node, n) => {
    const vertex = vertices[n];
    if (!vertex?.polled) return;
    if (isTroubled(node)) sheet.fact(vertex);
    if (isTurned(node) && (node.since > oldest || node.status !== "healthy") && sheet.mayHaveBeenBad(vertex))
      recovering.add(sheet.fact(vertex));
  });
  sheet.edges.each(isBlameOrComeUp, (edge, n) => {
    const link = links[n];
    if (!link) return;
    if (isBlame(edge)) {
      const statement = sheet.statement(link);
      if (isLagging(statement)) statement.says = "none";
      else sheet.count(statement);
    } else if (edge.damped.since > oldest) recovering.add(sheet.fact(link.to));
  });
  const nodes = sheet.facts.filter(isNotable);
  const reporters = nodes.filter(({ bad }) => bad.length > 0);
  for (const fact of reporters) weighGroups(fact);
  setOutdatedAside(recovering, oldest, still);
  for (const fact of nodes) weighWitnesses(fact);
  for (const fact of reporters) weighOwnTrouble(fact);
  return { now, graph: sheet.graph, nodes, reporters, factOf: (vertex) => sheet.fact(vertex) };
}

// What is looked for in all nodes and edges; each is a function of the one value, so that it is remembered with it.
const isTroubled = ({ status }: NodeState): boolean => status !== "healthy";
const isTurned = ({ status, since, marks }: NodeState): boolean => since > 0 && (status === "healthy" || marks.includes("disputed"));
const isBlame = ({ stale, damped: { status } }: EdgeState): boolean => !stale && (status === "down" || status === "degraded");
const hasComeUp = ({ stale, damped: { status, held, recent } }: EdgeState): boolean =>
  !stale && status === "up" && (held === undefined || held < recent.length) && recent.some(isBad);
const isTroubledOrTurned = (node: NodeState): boolean => isTroubled(node) || isTurned(node);
const isBlameOrComeUp = (edge: EdgeState): boolean => isBlame(edge) || hasComeUp(edge);

/** In trouble, silent, blamed, or saying anything bad. */
function isNotable({ vertex, state, blames, bad }: Fact): boolean {
  return blames.length > 0 || bad.length > 0 || (vertex.polled && state !== undefined && isTroubled(state));
}

/**
 * All instances of its reporter are well again and find the node up: the word of several instances, which one poll after
 * another brings, takes a round longer to change than their service.
 */
function isLagging({ from, link: { declared }, state }: Statement): boolean {
  return from.fine && state?.damped.raw === "up" && declared.criticality !== "informational" && declared.group === null;
}

/**
 * While enough of its alternatives are left, the loss of one can at most degrade a service. As in the state, unknown ones
 * count neither way: the group is judged by the others.
 */
function weighGroups(fact: Fact): void {
  const { node } = fact.vertex;
  if (node.kind !== "service" || node.groups.length === 0) return;
  node.groups.forEach((group, index) => {
    const members = fact.out.filter((statement) => statement.link.declared.group === index);
    const known = members.filter(({ state }) => state && !state.stale && state.damped.status !== "unknown").length;
    const down = members.filter((statement) => statement.says === "down").length;
    const suffices = known - down >= Math.min(group.need, known);
    for (const statement of members) if (suffices && group.criticality === "hard") statement.criticality = "soft";
  });
}

const isOutdated = ({ says }: Statement): boolean => says === "outdated";

/** How much the ups about a node count against its blames. */
function weighWitnesses(fact: Fact): void {
  if (fact.blames.length === 0) return;
  if (fact.blames.some(isOutdated)) fact.blames = fact.blames.filter((blame) => !isOutdated(blame));
  if (fact.blames.length === 0) return;
  for (const { says } of fact.blames) if (says === "down") fact.downs++;
  if (fact.ups.length > 0) {
    const starts = fact.blames.map(({ badSince }) => badSince).sort((a, b) => a - b);
    for (const up of fact.ups) fact.upWeight += countUpTo(starts, seenAt(up)) / starts.length;
  }
  if (fact.window === null) fact.window = onset(fact.blames);
}

/** How many of some sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Who first found it bad, leaving out those after whom another that blames it now found it good: that was their own side. */
function onset(blames: readonly Statement[]): FailureWindow | null {
  let lastGood = Number.NEGATIVE_INFINITY;
  for (const { window } of blames) lastGood = Math.max(lastGood, window?.lastGood ?? lastGood);
  let first: FailureWindow | null = null;
  for (const { window, from } of blames) {
    if (window === null || (first !== null && window.firstBad >= first.firstBad)) continue;
    if (lastGood <= window.firstBad || lastGood <= window.firstBad + intervalOf(from)) first = window;
  }
  return first;
}

/** What a report's bad dependencies account for, and what of it waits only for an outdated one. */
function weighOwnTrouble(fact: Fact): void {
  for (const statement of fact.bad) {
    const severity = effect(statement);
    if (statement.says === "outdated") fact.outdated = Math.max(fact.outdated, severity) as Severity;
    else fact.implied = Math.max(fact.implied, severity) as Severity;
  }
}
