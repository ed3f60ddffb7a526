import type { EdgeState, InstanceState, NodeState, SystemState } from "../domain/state.ts";
import type { Connection } from "./database.ts";
import { ensure } from "./ensure.ts";

type StateKind = "instance" | "edge" | "node";
type StateOf<K extends StateKind> = { instance: InstanceState; edge: EdgeState; node: NodeState }[K];

/** How states become text and come back; `decode` returns null for text of another time that no longer fits. */
export interface StateCodec {
  encode<K extends StateKind>(kind: K, state: StateOf<K>): string;
  decode<K extends StateKind>(kind: K, text: string): StateOf<K> | null;
}

/** Plain JSON, with Maps as `{"$map": [[key, value]]}`. */
export const jsonCodec: StateCodec = {
  encode: (kind, state) =>
    // Only instances hold a Map; a replacer costs five times as much.
    kind === "instance"
      ? JSON.stringify(state, (_key, value: unknown) => (value instanceof Map ? { $map: [...value] } : value))
      : JSON.stringify(state),
  decode: (_kind, text) => {
    try {
      const value: unknown = JSON.parse(text, (_key, inner: unknown) =>
        typeof inner === "object" && inner !== null && "$map" in inner ? new Map(inner.$map as [unknown, unknown][]) : inner,
      );
      return typeof value === "object" && value !== null ? (value as never) : null;
    } catch {
      return null;
    }
  },
};

/** A state in which only times move is written this seldom; every other change with the next flush. */
const QUIET_EVERY_MS = 120_000;
/** Rows of one transaction, so that no poll waits for a thousand of them: the rest follows, a second later each time. */
const ROWS_AT_ONCE = 200;
const LETTER = { instance: "i", edge: "e", node: "n" } as const;
const KIND: Record<string, StateKind> = { i: "instance", e: "edge", n: "node" };

/** What of a state has to be durable within a second: while this stays the same, only times and latencies moved. */
interface Gist {
  quiet: boolean;
  since: number;
  firstBad: number;
  flags: number;
}

interface Group {
  instances: Set<string>;
  edges: Set<string>;
  savedAt: number;
  urgent: boolean;
}

/**
 * Saves what damping keeps, all of one node (its instances, its edges) in one row: at 5,000 services with eight
 * dependencies, one row a poll at most and, as long as all is quiet, one in two minutes.
 */
export interface States {
  /** `seq`: the newest transition that `state` may include. */
  note(state: SystemState, changed: { instances: Iterable<string>; edges: Iterable<string>; nodes: Iterable<string> }, seq: number): void;
  /**
   * Nodes to write now: some of those that are due, or all that moved. Those left out are behind their transitions, which
   * a start makes up for (`restore.ts`).
   */
  due(now: number, which: "due" | "all"): string[];
  write(connection: Connection, nodes: readonly string[]): void;
  written(nodes: readonly string[], now: number): void;
  /** Removes rows of nodes that are no longer there; inside a transaction. */
  prune(connection: Connection): void;
  forget(): void;
  /** Whether we could tell ourselves from the fleet when it all fell silent, as last noted. */
  cannotTell(): boolean;
}

export function trackStates(codec: StateCodec): States {
  const groups = new Map<string, Group>();
  const gists = { node: new Map<string, Gist>(), instance: new Map<string, Gist>(), edge: new Map<string, Gist>() };
  const dirty = new Set<string>();
  let latest: SystemState | null = null;
  let latestSeq = 0;
  let grouped = { instances: 0, edges: 0 };

  function group(node: string): Group {
    return ensure(groups, node, () => ({ instances: new Set(), edges: new Set(), savedAt: 0, urgent: false }));
  }

  /** Which instances and edges belong to a node, for those that have not moved since the start or the last map. */
  function regroup({ instances, edges }: SystemState): void {
    if (instances.size === grouped.instances && edges.size === grouped.edges) return;
    for (const [id, instance] of instances) group(instance.service).instances.add(id);
    for (const [id, edge] of edges) group(edge.from).edges.add(id);
    grouped = { instances: instances.size, edges: edges.size };
  }

  function mark(owner: string, kind: StateKind, id: string, quiet: boolean, since: number, firstBad: number, flags: number): void {
    const found = group(owner);
    if (kind === "instance") found.instances.add(id);
    else if (kind === "edge") found.edges.add(id);
    dirty.add(owner);
    const gist = gists[kind].get(id);
    if (!gist) gists[kind].set(id, { quiet, since, firstBad, flags });
    else if (quiet && gist.quiet && gist.since === since && gist.firstBad === firstBad && gist.flags === flags) return;
    else Object.assign(gist, { quiet, since, firstBad, flags });
    found.urgent = true;
  }

  return {
    note(state, changed, seq) {
      latest = state;
      latestSeq = seq;
      regroup(state);
      for (const id of changed.nodes) {
        const node = state.nodes.get(id);
        if (!node) continue;
        const flags = node.marks.length * 4 + (node.confirmed ? 2 : 0) + (node.stale ? 1 : 0);
        mark(id, "node", id, node.pending === null, node.since, node.window?.firstBad ?? 0, flags);
      }
      for (const id of changed.instances) {
        const instance = state.instances.get(id);
        if (!instance) continue;
        const { damped, window } = instance;
        mark(instance.service, "instance", id, isQuiet(damped) && !instance.phase, damped.since, window?.firstBad ?? 0, flagsOf(damped));
      }
      for (const id of changed.edges) {
        const edge = state.edges.get(id);
        if (!edge) continue;
        const { damped, window } = edge;
        mark(edge.from, "edge", id, isQuiet(damped), damped.since, window?.firstBad ?? 0, flagsOf(damped) * 2 + (edge.stale ? 1 : 0));
      }
    },
    due(now, which) {
      if (which === "all") return [...dirty];
      const urgent: string[] = [];
      const quiet: string[] = [];
      for (const node of dirty) {
        const found = groups.get(node);
        if (found?.urgent) urgent.push(node);
        else if (found && Math.abs(now - found.savedAt) >= QUIET_EVERY_MS) quiet.push(node);
      }
      return [...urgent, ...quiet].slice(0, ROWS_AT_ONCE);
    },
    write({ sql }, nodes) {
      if (!latest) return;
      const upsert = sql(
        "INSERT INTO state(node, seq, data) VALUES(?, ?, ?) ON CONFLICT(node) DO UPDATE SET seq = excluded.seq, data = excluded.data",
      );
      for (const id of nodes) {
        const lines: string[] = [];
        const node = latest.nodes.get(id);
        if (node) lines.push(LETTER.node + codec.encode("node", node));
        const found = groups.get(id);
        for (const key of found?.instances ?? []) {
          const instance = latest.instances.get(key);
          if (instance) lines.push(LETTER.instance + codec.encode("instance", instance));
          else found?.instances.delete(key);
        }
        for (const key of found?.edges ?? []) {
          const edge = latest.edges.get(key);
          if (edge) lines.push(LETTER.edge + codec.encode("edge", edge));
          else found?.edges.delete(key);
        }
        upsert.run(id, latestSeq, lines.join("\n"));
      }
    },
    written(nodes, now) {
      for (const id of nodes) {
        const found = groups.get(id);
        if (found) {
          found.savedAt = now;
          found.urgent = false;
        }
        dirty.delete(id);
      }
    },
    prune({ sql }) {
      if (!latest || latest.nodes.size === 0) return;
      const remove = sql("DELETE FROM state WHERE node = ?");
      for (const { node } of sql("SELECT node FROM state").all() as { node: string }[]) {
        if (latest.nodes.has(node)) continue;
        remove.run(node);
        groups.delete(node);
        dirty.delete(node);
      }
      for (const id of gists.node.keys()) if (!latest.nodes.has(id)) gists.node.delete(id);
      for (const id of gists.instance.keys()) if (!latest.instances.has(id)) gists.instance.delete(id);
      for (const id of gists.edge.keys()) if (!latest.edges.has(id)) gists.edge.delete(id);
    },
    cannotTell: () => latest?.cannotTell ?? false,
    forget() {
      for (const [node, found] of groups) {
        found.urgent = true;
        dirty.add(node);
      }
    },
  };
}

/** The states as last saved, and per node the newest transition that they include; null when there are none. */
export function readStates(connection: Connection, codec: StateCodec): { state: SystemState; seq: ReadonlyMap<string, number> } | null {
  const rows = connection.sql("SELECT node, seq, data FROM state ORDER BY rowid").all() as { node: string; seq: number; data: string }[];
  if (rows.length === 0) return null;
  const instances = new Map<string, InstanceState>();
  const edges = new Map<string, EdgeState>();
  const nodes = new Map<string, NodeState>();
  for (const row of rows) {
    for (const line of row.data.split("\n")) {
      const text = line.slice(1);
      const kind = KIND[line.charAt(0)];
      if (kind === "node") {
        const node = codec.decode("node", text);
        if (node) nodes.set(node.id, node);
      } else if (kind === "instance") {
        const instance = codec.decode("instance", text);
        if (instance) instances.set(instance.id, instance);
      } else if (kind === "edge") {
        const edge = codec.decode("edge", text);
        if (edge) edges.set(`${edge.from}>${edge.to}`, edge);
      }
    }
  }
  return { state: { instances, edges, nodes, blind: null }, seq: new Map(rows.map((row) => [row.node, row.seq])) };
}

type AnyDamped = InstanceState["damped"] | EdgeState["damped"];

function isQuiet(damped: AnyDamped): boolean {
  return damped.pending === null && damped.run.length === 0 && damped.raw === damped.status;
}

function flagsOf(damped: AnyDamped): number {
  return (damped.flapping ? 4 : 0) + (damped.intermittent ? 2 : 0) + (damped.confirmed ? 1 : 0);
}
