import type { BoardEvent } from "headwater/contract";
import type { Board, NodeView } from "./types.ts";

/** Replaces by id, keeps order and, when nothing moved, the very array. `added` tells of items that have no place yet. */
function upsert<T extends { id: string | number }>(items: T[], changes: readonly T[]): { items: T[]; added: T[] } {
  if (changes.length === 0) return { items, added: [] };
  const byId = new Map(changes.map((item) => [item.id, item]));
  const next = items.map((item) => {
    const change = byId.get(item.id);
    if (change) byId.delete(item.id);
    return change ?? item;
  });
  return { items: next, added: [...byId.values()] };
}

/** Whether the map says the same of two lists of nodes, however they stand: same order, names, teams and tags. */
export function sameOnMap(nodes: readonly NodeView[], others: readonly NodeView[]): boolean {
  return nodes.length === others.length && nodes.every((node, place) => node === others[place] || isSameOnMap(node, others[place]));
}

function isSameOnMap(node: NodeView, other: NodeView | undefined): boolean {
  if (node.id !== other?.id || node.name !== other.name || node.team !== other.team) return false;
  const tags = Object.entries(node.tags);
  return tags.length === Object.keys(other.tags).length && tags.every(([key, value]) => other.tags[key] === value);
}

/** Resolved incidents leave the board after an hour; the stream does not say so again. */
const LISTED_MS = 3_600_000;

function listed(incidents: Board["incidents"], at: string): Board["incidents"] {
  const oldest = Date.parse(at) - LISTED_MS;
  const isOver = ({ resolved_at }: Board["incidents"][number]) => resolved_at !== null && Date.parse(resolved_at) < oldest;
  return incidents.some(isOver) ? incidents.filter((incident) => !isOver(incident)) : incidents;
}

/** Marks of the stream: `stale` when the event does not follow the board and it must be fetched again. */
export type Applied = { kind: "board"; board: Board } | { kind: "old" } | { kind: "stale" };

/**
 * The board after one event of the stream. Untouched nodes, incidents and lists keep their identity, so that only what
 * moved is drawn again. `seen` is not applied here: ages live beside the board.
 *
 * - an event of another boot, of a later revision than the next, of another map, or with a node that has no place in map
 *   order: `stale`
 * - an event of this or an earlier revision: `old`
 */
export function applyEvent(board: Board, event: BoardEvent): Applied {
  if (event.boot !== board.boot) return { kind: "stale" };
  if (event.revision <= board.revision) return { kind: "old" };
  if (event.revision !== board.revision + 1) return { kind: "stale" };
  if (event.map !== undefined && event.map.revision !== board.map.revision) return { kind: "stale" };
  const nodes = upsert(board.nodes, event.nodes);
  const systems = upsert(board.systems, event.systems);
  // What has no place in map order yet, or has lost its own, came with another map.
  if (nodes.added.length > 0 || systems.added.length > 0 || event.removed.length > 0) return { kind: "stale" };
  const incidents = upsert(board.incidents, event.incidents);
  return {
    kind: "board",
    board: {
      ...board,
      revision: event.revision,
      generated_at: event.generated_at,
      status: event.status,
      coverage: event.coverage,
      freshness: event.freshness,
      map: event.map ?? board.map,
      nodes: nodes.items,
      systems: systems.items,
      incidents: listed(
        incidents.added.length > 0 ? [...incidents.added.reverse(), ...incidents.items] : incidents.items,
        event.generated_at,
      ),
    },
  };
}
