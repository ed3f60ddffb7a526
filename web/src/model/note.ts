import { faceOf } from "./status.ts";
import type { NodeView } from "./types.ts";

/** The one fact beside a node's word, and the sign that goes with it. */
export interface Note {
  glyph: "pending" | "stale" | "flapping" | "disputed" | null;
  text: string;
  /** Said where there is room, or to those who cannot see the sign. */
  title: string;
}

const MARK_WORDS = {
  flapping: ["flapping", "flapping: it goes to and fro, the worst is held"],
  intermittent: ["intermittent", "intermittent: some of the last twenty results were bad"],
  disputed: ["disputed", "disputed: its own word and its witnesses disagree"],
  draining: ["draining", "draining: it says that it is being stopped"],
  starting: ["starting", "starting: it says that it is not ready yet"],
  maintenance: ["maintenance", "announced work"],
} as const satisfies Record<NodeView["marks"][number], readonly [string, string]>;

/** A node's reason; of a resource, which says nothing itself, what its witnesses say: the part after their count. */
export function shortReason(node: NodeView): string {
  const reason = node.reason ?? "";
  const words = node.kind === "resource" ? /\d+ of \d+ [^:]*: (.+)$/.exec(reason)?.[1] : undefined;
  return words ?? reason;
}

/** Why a node stands as it does, apart from a cause elsewhere: a change being confirmed, marks, its reason. */
export function noteOf(node: NodeView): Note {
  const face = faceOf(node);
  const reason = shortReason(node);
  if (node.pending) {
    const { count, needed, status } = node.pending;
    const text = `${count} of ${needed} to ${status}`;
    return {
      glyph: "pending",
      text,
      title: `${text}: ${needed - count} more such ${needed - count === 1 ? "result" : "results"} would confirm it`,
    };
  }
  const mark = node.marks[0];
  if (face === "cause")
    return { glyph: mark === "disputed" ? "disputed" : null, text: reason ? `cause, ${reason}` : "cause", title: reason };
  if (node.status === "unknown" && node.last_known) {
    const was = `was ${node.last_known.status}`;
    return { glyph: "stale", text: reason ? `${was}, ${reason}` : was, title: `${was} when last known` };
  }
  if (node.stale) return { glyph: "stale", text: reason ? `stale, ${reason}` : "stale", title: "stale: older than its limit" };
  if (mark) {
    const [word, title] = MARK_WORDS[mark];
    const glyph = mark === "flapping" || mark === "intermittent" ? "flapping" : mark === "disputed" ? "disputed" : null;
    return { glyph, text: reason ? (glyph ? reason : `${word}, ${reason}`) : word, title };
  }
  if (face === "healthy") return { glyph: null, text: "", title: "" };
  return { glyph: null, text: reason, title: reason };
}
