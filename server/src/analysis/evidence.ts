import type { Evidence } from "../domain/snapshot.ts";
import type { EdgeState, FailureWindow, InstanceState, NodeState, SystemState } from "../domain/state.ts";
import type { Status } from "../domain/status.ts";
import { effect, type Fact, type Facts, intervalOf, isBad, repeatsOf, type Severity, type Statement } from "./facts.ts";
import { type Graph, graphOf, type Link, type Vertex } from "./graph.ts";
import { setOutdatedAside } from "./outdated.ts";
import { type Row, rowOf } from "./rows.ts";

const WORDS: Record<Status, Severity | null> = { healthy: 0, degraded: 1, unhealthy: 2, unknown: null };

/**
 * Reads one moment: every statement that counts, every node's own word, and who contradicts whom. Only what lies near
 * trouble is worked out; the statements of the rest are read when somebody asks for them.
 */
export function readEvidence({ now, map, state }: Evidence): Facts {
  const sheet = new Sheet(graphOf(map), state);
  const { vertices, links, longestAge } = sheet.graph;
  const oldest = now - longestAge;
  const notable = new Set<Fact>();
  const reporters = new Set<Fact>();
  const recovering = new Set<Fact>();
  for (const n of sheet.nodes.marked(isTroubled)) {
    const vertex = vertices[n];
    if (vertex?.polled) notable.add(sheet.fact(vertex));
  }
  for (const n of sheet.nodes.marked(isTurned)) {
    const [vertex, node] = [vertices[n], sheet.nodes.at(n)];
    if (vertex?.polled && node && node.since > oldest && sheet.wasBad(vertex)) recovering.add(sheet.fact(vertex));
  }
  for (const n of sheet.edges.marked(isBlame)) {
    const link = links[n];
    if (!link) continue;
    const statement = sheet.statement(link);
    const { from, to } = statement;
    if (to.blames === UNBLAMED) to.blames = [statement];
    else to.blames.push(statement);
    reporters.add(from);
    notable.add(from);
    notable.add(to);
  }
  for (const n of sheet.edges.marked(isTakenBack)) {
    const [link, edge] = [links[n], sheet.edges.at(n)];
    if (link && edge && edge.damped.since > oldest) recovering.add(sheet.fact(link.to));
  }
  for (const fact of reporters) weighGroups(fact);
  setOutdatedAside(recovering, oldest);
  for (const fact of notable) weighWitnesses(fact);
  for (const fact of reporters) weighOwnTrouble(fact);
  return { now, graph: sheet.graph, nodes: inOrder(notable), reporters: inOrder(reporters), factOf: (vertex) => sheet.fact(vertex) };
}

// What is looked for in all nodes and edges; each is a function of the one value, so that it is remembered with it.
const isTroubled = ({ status }: NodeState): boolean => status !== "healthy";
const isTurned = ({ status, since, marks }: NodeState): boolean => since > 0 && (status === "healthy" || marks.includes("disputed"));
const isBlame = ({ stale, damped: { status } }: EdgeState): boolean => !stale && (status === "down" || status === "degraded");
const isTakenBack = ({ stale, damped: { status, held, recent } }: EdgeState): boolean =>
  !stale && status === "up" && (held === undefined || held < recent.length) && recent.some(isBad);

function inOrder(facts: ReadonlySet<Fact>): Fact[] {
  return [...facts].sort((a, b) => a.vertex.n - b.vertex.n);
}

/** The map's arrays beside the state's values; facts for all nodes, statements on demand. */
class Sheet {
  readonly graph: Graph;
  readonly edges: Row<EdgeState>;
  readonly instances: SystemState["instances"];
  readonly nodes: Row<NodeState>;
  readonly #facts: (Fact | undefined)[];
  readonly #statements: (Statement | undefined)[];

  constructor(graph: Graph, state: SystemState) {
    this.graph = graph;
    this.instances = state.instances;
    this.edges = rowOf(graph.linkKeys, state.edges);
    this.nodes = rowOf(graph.nodeIds, state.nodes);
    this.#facts = new Array(graph.vertices.length);
    this.#statements = new Array(graph.links.length);
  }

  fact(vertex: Vertex): Fact {
    const known = this.#facts[vertex.n];
    if (known) return known;
    const fact = new LazyFact(this, vertex, this.nodes.at(vertex.n));
    this.#facts[vertex.n] = fact;
    return fact;
  }

  /** It was in trouble lately, or silent: both end with a recovery. */
  wasBad({ node }: Vertex): boolean {
    return (
      node.kind === "service" && node.instances.some(({ id }) => this.instances.get(id)?.damped.recent.some((was) => was !== "healthy"))
    );
  }

  statement(link: Link): Statement {
    const known = this.#statements[link.n];
    if (known) return known;
    const statement = read(link, this.fact(link.from), this.fact(link.to), this.edges.at(link.n));
    this.#statements[link.n] = statement;
    return statement;
  }
}

/** Most facts have no blames, and share this list of none. */
const UNBLAMED: Statement[] = [];

class LazyFact implements Fact {
  readonly vertex: Vertex;
  readonly state: NodeState | undefined;
  trouble: Severity;
  word: Severity | null;
  implied: Severity = 0;
  outdated: Severity = 0;
  recoveredAt = Number.NEGATIVE_INFINITY;
  readonly fine: boolean;
  readonly silent: boolean;
  readonly late: boolean;
  blames: Statement[] = UNBLAMED;
  upWeight = 0;
  window: FailureWindow | null;
  readonly #sheet: Sheet;
  #out: readonly Statement[] | null = null;
  #in: readonly Statement[] | null = null;
  #ups: readonly Statement[] | null = null;

  constructor(sheet: Sheet, vertex: Vertex, state: NodeState | undefined) {
    this.#sheet = sheet;
    this.vertex = vertex;
    this.state = state;
    const polled = vertex.polled ? state : undefined;
    const status = polled?.status ?? "unknown";
    this.word = polled?.ownWord ? WORDS[polled.ownWord] : null;
    const disputed = this.word === 0 && polled?.marks.includes("disputed") === true;
    this.trouble = disputed ? 0 : (WORDS[status] ?? 0);
    this.silent = polled !== undefined && status === "unknown";
    // While damping still holds a trouble that the latest results no longer show, the word that led to it counts.
    if (this.word === 0 && this.trouble > 0 && this.instances.every(({ damped }) => damped.raw === "healthy")) this.word = this.trouble;
    this.fine = polled !== undefined && !this.silent && this.trouble === 0;
    this.late = this.silent && polled?.outcome === "timeout";
    this.window = this.trouble > 0 ? (polled?.window ?? null) : null;
  }

  get instances(): readonly InstanceState[] {
    const { node } = this.vertex;
    return node.kind === "service" ? node.instances.flatMap(({ id }) => this.#sheet.instances.get(id) ?? []) : [];
  }

  get out(): readonly Statement[] {
    this.#out ??= this.vertex.out.map((link) => this.#sheet.statement(link));
    return this.#out;
  }

  get in(): readonly Statement[] {
    this.#in ??= this.vertex.in.map((link) => this.#sheet.statement(link));
    return this.#in;
  }

  get ups(): readonly Statement[] {
    this.#ups ??= this.in.filter(({ says }) => says === "up");
    return this.#ups;
  }
}

function read(link: Link, from: Fact, to: Fact, state: EdgeState | undefined): Statement {
  const says = state ? saying(state) : "none";
  return {
    link,
    from,
    to,
    criticality: link.declared.criticality,
    says,
    checkedAt: state?.checkedAt ?? state?.reportedAt ?? Number.NEGATIVE_INFINITY,
    badSince: state?.firstBadCheck ?? state?.window?.firstBad ?? Number.NEGATIVE_INFINITY,
    repeats: state && isBad(says) ? repeatsOf(state.damped.recent) : 0,
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
  const { node } = fact.vertex;
  if (node.kind !== "service") return;
  node.groups.forEach((group, index) => {
    const members = fact.out.filter((statement) => statement.link.declared.group === index);
    const down = members.filter((statement) => statement.says === "down").length;
    const suffices = members.length - down >= group.need;
    for (const statement of members) if (suffices && group.criticality === "hard") statement.criticality = "soft";
  });
}

/** How much the ups about a node count against its blames. */
function weighWitnesses(fact: Fact): void {
  if (fact.blames.length === 0) return;
  fact.blames = fact.blames.filter((blame) => blame.says !== "outdated");
  if (fact.blames.length === 0) return;
  const starts = fact.blames.map(({ badSince }) => badSince).sort((a, b) => a - b);
  for (const up of fact.ups) fact.upWeight += countUpTo(starts, up.checkedAt) / starts.length;
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
  for (const statement of fact.out) {
    const severity = effect(statement);
    if (statement.says === "outdated") fact.outdated = Math.max(fact.outdated, severity) as Severity;
    else fact.implied = Math.max(fact.implied, severity) as Severity;
  }
}
