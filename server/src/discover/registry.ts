import { type Confidence, type Evidence, type FoundAddress, type NodeDraft, surer, type Target } from "./graph.ts";
import { clientStem, fold, hostNames, slug, stem } from "./names.ts";

/** A node while drafts are put together. */
export interface Gathered {
  id: string;
  drafts: NodeDraft[];
  names: Set<string>;
  kind: "service" | "resource";
  resourceKind: string | null;
  evidence: Evidence[];
  addresses: FoundAddress[];
  doubts: string[];
  confidence: Confidence;
  /** Services that report it, where no source declares it. */
  reporters: Set<string>;
}

const MOST_NODES = 20_000;
/** Places that are kept for one node or edge. */
export const MOST_EVIDENCE = 5;

export class TooManyNodes extends Error {}

/** All nodes by every name under which they were met. */
export class Registry {
  readonly #byName = new Map<string, Gathered>();
  readonly #ids = new Set<string>();
  /** Null where several nodes share a stem: then it names none of them. */
  readonly #byStem = new Map<string, Gathered | null>();
  readonly nodes: Gathered[] = [];

  /** Takes a node as one source tells it: into the node of that name, or a new one. */
  take(draft: NodeDraft): Gathered {
    const known = [draft.name, ...draft.aliases].map((name) => this.#byName.get(fold(name))).find((node) => node !== undefined);
    const node = known ?? this.#create(draft.name, draft.kind, draft.resourceKind);
    node.drafts.push(draft);
    node.confidence = surer(node.confidence, draft.confidence);
    if (draft.kind === "service" && draft.address !== null) node.kind = "service";
    else if (known && draft.kind === "resource" && node.addresses.length === 0 && draft.resourceKind !== null) {
      node.kind = "resource";
      node.resourceKind ??= draft.resourceKind;
    }
    if (draft.address && !node.addresses.some(({ url }) => url === draft.address?.url)) node.addresses.push(draft.address);
    this.note(node, draft.evidence);
    for (const name of [draft.name, ...draft.aliases]) this.name(node, name);
    return node;
  }

  /** The node that a name or host means; undefined where none, or no single one, does. */
  find(name: string): Gathered | undefined {
    for (const candidate of hostNames(name)) {
      const node = this.#byName.get(fold(candidate));
      if (node) return node;
    }
    for (const candidate of hostNames(name)) {
      const node = this.#byStem.get(stem(candidate)) ?? this.#byStem.get(clientStem(candidate));
      if (node) return node;
    }
    return undefined;
  }

  /** The node of exactly this name. */
  exact(name: string): Gathered | undefined {
    return this.#byName.get(fold(name));
  }

  /** A node that no source declares, met as the target of an edge. */
  add({ name, kind, resourceKind }: Target, shown: string): Gathered {
    const node = this.#create(shown, kind, resourceKind);
    this.name(node, name);
    return node;
  }

  name(node: Gathered, name: string): void {
    const key = fold(name);
    if (key === "" || node.names.size > 50) return;
    node.names.add(name);
    if (!this.#byName.has(key)) this.#byName.set(key, node);
    const short = stem(name);
    const before = this.#byStem.get(short);
    this.#byStem.set(short, before === undefined || before === node ? node : null);
  }

  note(node: Gathered, evidence: Evidence): void {
    if (node.evidence.length < MOST_EVIDENCE && !node.evidence.some(({ where }) => where === evidence.where)) node.evidence.push(evidence);
  }

  #create(name: string, kind: "service" | "resource", resourceKind: string | null): Gathered {
    if (this.nodes.length >= MOST_NODES) throw new TooManyNodes(`more than ${MOST_NODES} nodes: give fewer sources at a time`);
    const id = this.#freeId(slug(name) || "node", kind === "resource" ? (resourceKind ?? "resource") : "service");
    const node: Gathered = {
      id,
      drafts: [],
      names: new Set(),
      kind,
      resourceKind,
      evidence: [],
      addresses: [],
      doubts: [],
      confidence: "guess",
      reporters: new Set(),
    };
    this.nodes.push(node);
    this.name(node, name);
    return node;
  }

  #freeId(wanted: string, kind: string): string {
    const second = `${wanted.slice(0, 100)}-${slug(kind) || "node"}`;
    let id = !this.#ids.has(wanted) ? wanted : second;
    for (let turn = 2; this.#ids.has(id); turn++) id = `${second}-${turn}`;
    this.#ids.add(id);
    return id;
  }
}
