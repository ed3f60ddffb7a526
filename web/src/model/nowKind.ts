import { faceOf } from "./status.ts";
import type { Bar } from "./strip.ts";
import type { NodeView } from "./types.ts";

/** How a node's strip ends: what it is now. */
export function nowKind(node: NodeView): Bar["kind"] {
  const face = faceOf(node);
  if (face === "healthy") return "ok";
  if (face === "unknown" || node.status === "unknown") return face === "cause" ? "unhealthy" : "unknown";
  if (face === "impacted" || face === "maintenance") return node.status === "healthy" ? "ok" : "because";
  return node.status === "unhealthy" ? "unhealthy" : "degraded";
}
