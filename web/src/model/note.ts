import { faceOf } from "./status.ts";
import { setting } from "./time.ts";
import type { NodeView } from "./types.ts";

/** The one fact beside a node's word, and the sign that goes with it. */
export interface Note {
  glyph: "pending" | "stale" | "flapping" | "disputed" | "work" | null;
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
} as const satisfies Record<Exclude<NodeView["marks"][number], "maintenance">, readonly [string, string]>;

/** A reason in two parts, and how they are introduced: only what a service really said stands in quotation marks. */
export interface Heard {
  /** Of its own report a service says it, of a resource it is heard from its witnesses; all else is our word for its state. */
  label: "says" | "heard" | "state";
  /** Headwater's words, up to the quotation. */
  own: string;
  said: string | null;
}

/** What is known of a state: of a node now, in the past, or as an incident keeps it. */
interface Told extends Pick<NodeView, "reason" | "every_ms"> {
  status: string;
}

const WITNESSED = /^(?:\d+ of \d+ dependents report|.+? reports) it (?:down|degraded): (.+)$/;
/** The only witness of a node, who gives no error. */
const LONE = /^\S+(?= reports it (?:down|degraded)$)/;
const COUNTED = /^\d+ of \d+ instances (?:unhealthy|degraded): /;
const CALLED = /^calls itself \w+; /;
const REPORTED = /^(.+?): (.+)$/;
/** What looks like a component and its error, and is an answer that we could not read. */
const UNREAD = /^(?:TLS failed|\d(?:\d\d|xx)): |^\d+ of \d+ /;

/** What is said of a node's state, and of that the words of a component in its report, or of a witness. */
export function heardOf(node: Told, names: (id: string) => string = (id) => id): Heard {
  const reason = node.reason ?? "";
  // What is polled speaks for itself: its report may have the same words.
  const polled = node.every_ms !== undefined;
  const witness = polled ? undefined : WITNESSED.exec(reason)?.[1];
  if (witness !== undefined) return { label: "heard", own: "", said: witness };
  const ours: Heard = {
    label: "state",
    own: (polled ? reason : reason.replace(LONE, names)) || node.status,
    said: null,
  };
  if (node.status !== "degraded" && node.status !== "unhealthy") return ours;
  const counted = COUNTED.exec(reason)?.[0] ?? "";
  const called = CALLED.exec(reason.slice(counted.length))?.[0] ?? "";
  const rest = reason.slice(counted.length + called.length);
  const [, component, error] = (!UNREAD.test(rest) && REPORTED.exec(rest)) || [];
  if (component === undefined || error === undefined || error === "down" || error === "degraded") return ours;
  return { label: "says", own: `${counted}${called}${names(component)}: `, said: error };
}

/** A node's reason in names; of what says nothing itself, what its witnesses say. */
export function reasonWords(node: Told, names: (id: string) => string): string {
  if (!node.reason) return "";
  const { own, said } = heardOf(node, names);
  return own + (said ?? "");
}

/** A change that is being confirmed: `degraded 2 of 3`, and when it will be if it goes on so: `about 10 s`, where one can tell. */
export function pendingOf(node: NodeView): { text: string; soon: string | null } | null {
  if (!node.pending) return null;
  const { status, count, needed, every_ms } = node.pending;
  return { text: `${status} ${count} of ${needed}`, soon: every_ms ? `about ${setting((needed - count) * every_ms)}` : null };
}

/**
 * Why a node stands as it does, apart from a cause elsewhere: a change being confirmed, marks, its reason. `work` is what
 * was announced for it, where there is something.
 */
export function noteOf(node: NodeView, names: (id: string) => string, work: string | null = null): Note {
  const face = faceOf(node);
  const reason = reasonWords(node, names);
  const pending = pendingOf(node);
  if (pending) {
    const { text, soon } = pending;
    return {
      glyph: "pending",
      text: soon ? `${text}, ${soon}` : text,
      title: soon ? `${text}, confirms in ${soon}` : `${text} results`,
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
  if (mark === "maintenance") {
    const said = work ?? "announced work";
    return { glyph: face === "healthy" ? "work" : null, text: reason && face !== "healthy" ? `${said}, ${reason}` : said, title: said };
  }
  if (mark) {
    const [word, title] = MARK_WORDS[mark];
    const glyph = mark === "flapping" || mark === "intermittent" ? "flapping" : mark === "disputed" ? "disputed" : null;
    return { glyph, text: reason ? (glyph ? reason : `${word}, ${reason}`) : word, title };
  }
  if (face === "healthy") return { glyph: null, text: "", title: "" };
  return { glyph: null, text: reason, title: reason };
}
