import { faceOf } from "./status.ts";
import type { NodeView } from "./types.ts";

export interface WallChoice {
  shown: NodeView[];
  /** How many had no room, of those that are healthy and of the others. */
  healthy: number;
  others: number;
}

/** What a wall shows of the nodes where not all fit: whatever is not healthy first, the rest filled up; map order is kept. */
export function chooseForWall(nodes: readonly NodeView[], room: number): WallChoice {
  if (nodes.length <= room) return { shown: [...nodes], healthy: 0, others: 0 };
  const isLoud = (node: NodeView): boolean => faceOf(node) !== "healthy";
  const loud = nodes.filter(isLoud);
  const shown = new Set([...loud, ...nodes.filter((node) => !isLoud(node))].slice(0, room));
  const others = loud.filter((node) => !shown.has(node)).length;
  return { shown: nodes.filter((node) => shown.has(node)), healthy: nodes.length - shown.size - others, others };
}

/** What is said of those without room: `and 12 healthy ones`. */
export function leftWords({ healthy, others }: WallChoice): string | null {
  if (healthy + others === 0) return null;
  const parts = [...(others > 0 ? [`${others} more in trouble`] : []), ...(healthy > 0 ? [`${healthy} healthy`] : [])];
  return `not shown: ${parts.join(", ")}`;
}
