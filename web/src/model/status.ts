import type { Incident, NodeView, Status } from "./types.ts";

type Severity = Incident["severity"];

/** Names of the symbols in the sprite; the `-o` ones are hollow. */
export type Shape = "healthy" | "degraded" | "unhealthy" | "unknown" | "degraded-o" | "unhealthy-o" | "maintenance";

/** Which colour a mark takes; `grey` is accounted for. */
export type Tone = Status | "grey";

/** A status as it is drawn. */
export interface Mark {
  symbol: Shape;
  tone: Tone;
}

interface Look {
  word: Status;
  /** A fault that needs someone. */
  solid: Shape;
  /** Explained by another. */
  hollow: Shape;
  /** Worse is higher. */
  rank: number;
  /** Share of a strip's height. */
  height: number;
}

/** Every status has its word, its shapes and its weight; a new one does not compile until it has them too. */
const LOOKS = {
  healthy: { word: "healthy", solid: "healthy", hollow: "healthy", rank: 0, height: 1 / 6 },
  degraded: { word: "degraded", solid: "degraded", hollow: "degraded-o", rank: 1, height: 0.6 },
  unknown: { word: "unknown", solid: "unknown", hollow: "unknown", rank: 2, height: 1 },
  unhealthy: { word: "unhealthy", solid: "unhealthy", hollow: "unhealthy-o", rank: 3, height: 1 },
} as const satisfies Record<Status, Look>;

/**
 * Mark of an incident's cause, in its headline as in its row: by the status of the node, and where that tells of no fault by
 * the severity. What alerts nobody has no colour.
 */
export function causeMark(status = "healthy", severity?: Severity): Mark {
  const { rank } = lookOf(status);
  const shape = rank > 1 || (rank === 0 && severity === "page") ? "unhealthy" : "degraded";
  return severity === "info" ? { symbol: `${shape}-o`, tone: "grey" } : { symbol: shape, tone: shape };
}

/** A word of a newer server that this page does not know is shown as unknown, never as healthy. */
export function lookOf(status: string): Look {
  return Object.hasOwn(LOOKS, status) ? LOOKS[status as Status] : LOOKS.unknown;
}

/** How a node is met on the board: by role first, by status second. */
export type Face = "cause" | "own" | "impacted" | "unknown" | "maintenance" | "healthy";

export function faceOf(node: NodeView): Face {
  if (node.role === "root_cause") return node.marks.includes("maintenance") ? "maintenance" : "cause";
  if (node.role === "impacted") return "impacted";
  if (node.marks.includes("maintenance") && node.status !== "healthy") return "maintenance";
  if (node.status === "healthy") return "healthy";
  if (node.status === "degraded" || node.status === "unhealthy") return "own";
  return "unknown";
}

/** Whether a node's trouble needs nobody: another explains it, or it was announced. */
export function isAccountedFor(node: NodeView): boolean {
  const face = faceOf(node);
  return face === "impacted" || face === "maintenance";
}

/** Shape and colour of a node's mark; `severity` of the incident that it causes. */
export function markOf(node: NodeView, severity?: Severity): Mark {
  const look = lookOf(node.status);
  const face = faceOf(node);
  if (face === "maintenance") return { symbol: "maintenance", tone: "grey" };
  if (face === "impacted") return { symbol: look.hollow, tone: node.status === "unknown" ? "unknown" : "grey" };
  if (face === "cause") return causeMark(node.status, severity);
  return { symbol: look.solid, tone: look.solid === "unknown" ? "unknown" : node.status };
}

/** Mark of whom an incident impacted, by its status of then; where that is not known, or was good, the mildest. `solid` where nothing explains it. */
export function victimMark(status: string | undefined, solid: boolean): Mark {
  const known = lookOf(status ?? "degraded");
  const look = known.rank > 0 ? known : LOOKS.degraded;
  return { symbol: solid ? look.solid : look.hollow, tone: solid || look.word === "unknown" ? look.word : "grey" };
}

/** The word of a component read as a status: what a witness says of a node. */
export function statusOfComponent(word: string): Status {
  if (word === "up") return "healthy";
  if (word === "down") return "unhealthy";
  return word === "degraded" ? "degraded" : "unknown";
}
