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
  // Only instances hold a Map, and only one; a replacer, which is asked about every value, costs five times as much.
  encode: (_kind, state) => JSON.stringify("seenChecks" in state ? { ...state, seenChecks: { $map: [...state.seenChecks] } } : state),
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
const QUIET_EVERY_MS = 300_000;
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

/** All of one node; a gist is null until something of it has moved. */
interface Group {
  node: Gist | null;
  instances: Map<string, Gist | null>;
  edges: Map<string, Gist | null>;
  savedAt: number;
  urgent: boolean;
}

/**
 * Saves what damping keeps, all of one node (its instances, its edges) in one row: at 5,000 services with eight
 * dependencies, one row a poll at most and, as long as all is quiet, one in five minutes.
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
  const dirty = new Map<string, Group>();
  let latest: SystemState | null = null;
  let latestSeq = 0;
  let grouped = { instances: 0, edges: 0 };

  function groupOf(node: string): Group {
    return ensure(groups, node, () => ({ node: null, instances: new Map(), edges: new Map(), savedAt: 0, urgent: false }));
  }

  /** Which instances and edges belong to a node, for those that have not moved since the start or the last map. */
  function regroup({ instances, edges }: SystemState): void {
    if (instances.size === grouped.instances && edges.size === grouped.edges) return;
    for (const [id, { service }] of instances) ensure(groupOf(service).instances, id, () => null);
    for (const [id, { from }] of edges) ensure(groupOf(from).edges, id, () => null);
    grouped = { instances: instances.size, edges: edges.size };
  }

  /** What moved of a node; gives its new gist. Runs for each dependency of each poll, so nothing is made where only times moved. */
  function mark(group: Group, gist: Gist | null, quiet: boolean, since: number, firstBad: number, flags: number): Gist {
    if (gist && quiet && gist.quiet && gist.since === since && gist.firstBad === firstBad && gist.flags === flags) return gist;
    group.urgent = true;
    return { quiet, since, firstBad, flags };
  }

  return {
    note(state, changed, seq) {
      latest = state;
      latestSeq = seq;
      regroup(state);
      let [owner, found] = ["", null as Group | null];
      // What moved of one node mostly comes together.
      const moved = (id: string): Group => {
        if (!found || owner !== id) {
          [owner, found] = [id, groupOf(id)];
          dirty.set(id, found);
        }
        return found;
      };
      for (const id of changed.nodes) {
        const node = state.nodes.get(id);
        if (!node) continue;
        const group = moved(id);
        const flags = node.marks.length * 4 + (node.confirmed ? 2 : 0) + (node.stale ? 1 : 0);
        group.node = mark(group, group.node, node.pending === null, node.since, node.window?.firstBad ?? 0, flags);
      }
      for (const id of changed.instances) {
        const instance = state.instances.get(id);
        if (!instance) continue;
        const { damped, window, service } = instance;
        const group = moved(service);
        const known = group.instances.get(id) ?? null;
        const gist = mark(group, known, isQuiet(damped) && !instance.phase, damped.since, window?.firstBad ?? 0, flagsOf(damped));
        if (gist !== known) group.instances.set(id, gist);
      }
      for (const id of changed.edges) {
        const edge = state.edges.get(id);
        if (!edge) continue;
        const { damped, window, from, stale } = edge;
        const group = moved(from);
        const known = group.edges.get(id) ?? null;
        const gist = mark(group, known, isQuiet(damped), damped.since, window?.firstBad ?? 0, flagsOf(damped) * 2 + (stale ? 1 : 0));
        if (gist !== known) group.edges.set(id, gist);
      }
    },
    due(now, which) {
      if (which === "all") return [...dirty.keys()];
      const urgent: string[] = [];
      const quiet: string[] = [];
      for (const [node, group] of dirty) {
        if (group.urgent) urgent.push(node);
        else if (Math.abs(now - group.savedAt) >= QUIET_EVERY_MS) quiet.push(node);
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
        for (const key of found?.instances.keys() ?? []) {
          const instance = latest.instances.get(key);
          if (instance) lines.push(LETTER.instance + codec.encode("instance", instance));
          else found?.instances.delete(key);
        }
        for (const key of found?.edges.keys() ?? []) {
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
    },
    cannotTell: () => latest?.cannotTell ?? false,
    forget() {
      for (const [node, found] of groups) {
        found.urgent = true;
        dirty.set(node, found);
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
