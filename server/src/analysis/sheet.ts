import { type EdgeState, type FailureWindow, type InstanceState, type NodeState, RESULTS_KEPT, type SystemState } from "../domain/state.ts";
import type { Criticality, Status } from "../domain/status.ts";
import { type Fact, intervalOf, isBad, lastSight, repeatsOf, type Severity, type Statement, seenAt } from "./facts.ts";
import type { Graph, Link, Vertex } from "./graph.ts";
import { type Row, rowOf } from "./rows.ts";

const WORDS: Record<Status, Severity | null> = { healthy: 0, degraded: 1, unhealthy: 2, unknown: null };

/** The map's arrays beside the state's values; facts for all nodes, statements on demand. */
export class Sheet {
  readonly graph: Graph;
  readonly edges: Row<EdgeState>;
  readonly instances: SystemState["instances"];
  readonly nodes: Row<NodeState>;
  readonly #facts: (LazyFact | undefined)[];
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

  /** The fact of a node that somebody has asked for. */
  known(vertex: Vertex): Fact | undefined {
    return this.#facts[vertex.n];
  }

  /** The facts of all nodes that somebody has asked for, in the order in which the nodes were declared. */
  get facts(): Fact[] {
    return this.#facts.filter((fact) => fact !== undefined);
  }

  /**
   * It was in trouble lately, or silent: both end with a recovery. Who has been well for as many results as are kept may have been:
   * one that is polled often has forgotten its trouble before those that are polled seldom see the end of it.
   */
  mayHaveBeenBad({ node }: Vertex): boolean {
    if (node.kind !== "service") return false;
    return node.instances.some(({ id }) => {
      const recent = this.instances.get(id)?.damped.recent ?? [];
      return recent.length === RESULTS_KEPT || recent.some((was) => was !== "healthy");
    });
  }

  /** What an edge says, where that is that its target is up. */
  upAt({ n }: Link): EdgeState | undefined {
    const said = this.#statements[n]?.says;
    if (said !== undefined && said !== "up") return undefined;
    const state = this.edges.at(n);
    return state !== undefined && saying(state) === "up" ? state : undefined;
  }

  /** The statement that somebody has asked for. */
  knownStatement(link: Link): Statement | undefined {
    return this.#statements[link.n];
  }

  /** Counts a bad statement with both its ends. */
  count({ link: { from, to } }: Statement): void {
    const [reporter, target] = [this.#facts[from.n], this.#facts[to.n]];
    if (reporter) reporter.finds++;
    if (target) target.blamed++;
  }

  /** The bad ones of the statements on some links, of which there are `count`; also those set aside as outdated. */
  badOn(links: readonly Link[], count: number): Statement[] {
    if (count === 0) return NO_STATEMENTS;
    const bad: Statement[] = new Array(count);
    let found = 0;
    for (let at = 0; found < count; at++) {
      const link = links[at];
      if (!link) break;
      const statement = this.#statements[link.n];
      if (statement && statement.says !== "none" && statement.says !== "up") bad[found++] = statement;
    }
    return bad;
  }

  statement(link: Link): Statement {
    const known = this.#statements[link.n];
    if (known) return known;
    const statement = new LazyStatement(link, this.fact(link.from), this.fact(link.to), this.edges.at(link.n));
    this.#statements[link.n] = statement;
    return statement;
  }
}

/** Most facts have no bad statements, and share this list of none. */
const NO_STATEMENTS: Statement[] = [];

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
  /** How many bad statements there are about it, and of its own. */
  blamed = 0;
  finds = 0;
  upWeight = 0;
  downs = 0;
  window: FailureWindow | null;
  readonly #sheet: Sheet;
  #out: readonly Statement[] | null = null;
  #in: readonly Statement[] | null = null;
  #ups: readonly EdgeState[] | null = null;
  #blames: Statement[] | null = null;
  #bad: readonly Statement[] | null = null;

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

  get blames(): Statement[] {
    this.#blames ??= this.#sheet.badOn(this.vertex.in, this.blamed);
    return this.#blames;
  }

  set blames(those: Statement[]) {
    this.#blames = those;
  }

  get bad(): readonly Statement[] {
    this.#bad ??= this.#sheet.badOn(this.vertex.out, this.finds);
    return this.#bad;
  }

  get out(): readonly Statement[] {
    this.#out ??= this.vertex.out.map((link) => this.#sheet.statement(link));
    return this.#out;
  }

  toward(link: Link, some: Pick<ReadonlySet<Fact>, "has">): Statement | undefined {
    const to = this.#sheet.known(link.to);
    return to !== undefined && some.has(to) ? this.#sheet.statement(link) : undefined;
  }

  dependents(visit: (from: Fact, criticality: Criticality) => void): void {
    for (const link of this.vertex.in)
      visit(this.#sheet.fact(link.from), this.#sheet.knownStatement(link)?.criticality ?? link.declared.criticality);
  }

  get in(): readonly Statement[] {
    this.#in ??= this.vertex.in.map((link) => this.#sheet.statement(link));
    return this.#in;
  }

  get ups(): readonly EdgeState[] {
    if (this.#ups) return this.#ups;
    const ups: EdgeState[] = [];
    for (const link of this.vertex.in) {
      const state = this.#sheet.upAt(link);
      if (state) ups.push(state);
    }
    this.#ups = ups;
    return ups;
  }

  upsSince(at: number, most: number): number {
    let seen = 0;
    for (const link of this.vertex.in) {
      const state = this.#sheet.upAt(link);
      if (state && lastSight(state, intervalOf({ vertex: link.from })) >= at && ++seen > most) break;
    }
    return seen;
  }
}

/** Reads of its state what is asked for: most statements are only counted. */
class LazyStatement implements Statement {
  readonly link: Link;
  readonly from: Fact;
  readonly to: Fact;
  readonly state: EdgeState | undefined;
  criticality: Criticality;
  says: Statement["says"];

  constructor(link: Link, from: Fact, to: Fact, state: EdgeState | undefined) {
    this.link = link;
    this.from = from;
    this.to = to;
    this.state = state;
    this.criticality = link.declared.criticality;
    this.says = state ? saying(state) : "none";
  }

  get checkedAt(): number {
    return this.state ? seenAt(this.state) : Number.NEGATIVE_INFINITY;
  }

  get badSince(): number {
    return this.state?.firstBadCheck ?? this.window?.firstBad ?? Number.NEGATIVE_INFINITY;
  }

  get repeats(): number {
    if (!this.state || !isBad(this.state.damped.status)) return 0;
    const repeats = repeatsOf(this.state.damped.recent);
    const { recoveredAt } = this.to;
    if (repeats < 2 || recoveredAt <= this.badSince) return repeats;
    const since = Math.floor((this.checkedAt - recoveredAt) / Math.max(1, intervalOf(this.from))) + 1;
    return Math.min(repeats, Math.max(1, since));
  }

  get window(): FailureWindow | null {
    return this.state?.window ?? null;
  }
}

/** A statement counts while it is fresh; a damped "up" with a pending down is no up. */
function saying(state: EdgeState): Statement["says"] {
  const { status, pending } = state.damped;
  if (state.stale || status === "unknown") return "none";
  if (status === "up") return pending && pending.status !== "up" ? "none" : "up";
  return status;
}
