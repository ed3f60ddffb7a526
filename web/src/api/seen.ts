import type { Board } from "headwater/contract";

/**
 * When each node was last checked, epoch milliseconds. It moves for every node every few seconds, so it lives beside
 * the board: the ticker reads it, and nothing is rendered for it.
 */
const seen = new Map<string, number>();

export function seenAt(id: string): number | null {
  return seen.get(id) ?? null;
}

export function markSeen(id: string, at: string | null): void {
  const time = at === null ? Number.NaN : Date.parse(at);
  if (Number.isNaN(time)) seen.delete(id);
  else seen.set(id, time);
}

export function resetSeen(board: Board): void {
  seen.clear();
  for (const node of board.nodes) markSeen(node.id, node.last_checked);
}
