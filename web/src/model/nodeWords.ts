import type { NodeDetail } from "headwater/contract";
import { joinEvidence, type Names, whereToLook } from "./headline.ts";
import { pendingOf, reasonWords } from "./note.ts";
import { faceOf, lookOf } from "./status.ts";
import type { Incident, NodeView } from "./types.ts";

/** A sentence that may hold a link to an incident. */
export interface Linked {
  before: string;
  incident: Incident | null;
  /** The words of the link. */
  link: string;
  after: string;
}

const plain = (before: string): Linked => ({ before, incident: null, link: "", after: "" });

/**
 * What is said of a node behind its state, from the board alone, so that it is of the same moment: what explains it, and
 * while that mends, that it does. `until` is when the work on it ends.
 */
export function nodeSecond(node: NodeView, open: readonly Incident[], names: Names, until: string | null): Linked | null {
  const face = faceOf(node);
  if (face === "healthy") return null;
  const part = partOf(node, open);
  const number = part ? `incident ${part.id}` : "";
  const linked = (before: string, incident: Incident, after: string, link = number): Linked => ({ before, incident, link, after });
  if (face === "maintenance") {
    const work = until === null ? "Announced work" : `Announced work until ${until}`;
    return part ? linked(`${work}, `, part, ".") : plain(`${work}.`);
  }
  if (face === "unknown") return node.reason ? plain(joinEvidence([node.reason.charAt(0).toUpperCase() + node.reason.slice(1)])) : null;
  if (!part) return face === "own" ? plain(isMending(node) ? "It is getting better." : "A fault of its own.") : null;
  if (part.kind === "undetermined") return linked("No cause identified, ", part, ".");
  const cause = whereToLook(part);
  if (part.status === "recovering")
    return cause === node.id ? linked("It recovers from ", part, ".") : linked("Its cause, ", part, ", is recovering.", names(cause));
  if (node.role === "root_cause" && (cause === node.id || part.anchor === node.id))
    return linked(part.cause?.level === "suspected" ? "It is suspected to be the cause of " : "It is the cause of ", part, ".");
  if (node.role === "impacted" && cause !== node.id) return linked("Because of ", part, ".", names(cause));
  // Nothing explains it any more, and the end is not certain yet.
  return linked("", part, " is not over yet.", `Incident ${part.id}`);
}

/** The incident in which a node has a part: its own, else one that it began or that impacted it; never one that it is only at risk from. */
function partOf({ id, incident, marks }: NodeView, open: readonly Incident[]): Incident | undefined {
  const isPart = (one: Incident): boolean => one.anchor === id || one.impacted.some((victim) => victim.node === id);
  const own = open.find((one) => one.id === incident && (one.kind === "undetermined" || one.cause?.node === id || isPart(one)));
  return own ?? open.find((one) => (one.kind !== "maintenance" || marks.includes("maintenance")) && isPart(one));
}

function isMending({ status, pending }: NodeView): boolean {
  if (pending === null) return false;
  const next = lookOf(pending.status);
  return next.word !== "unknown" && next.rank < lookOf(status).rank;
}

/** A change that is being confirmed, as a sentence. */
export function turnWords(node: NodeView): string | null {
  const pending = pendingOf(node);
  if (!node.pending || !pending) return null;
  const { status, count, needed } = node.pending;
  return `Its results turn ${status}: ${count} of ${needed}${pending.soon ? `, confirms in ${pending.soon}` : ""}.`;
}

/**
 * Where a service's own word and what Headwater holds it to be differ, and why; null where the change between them is
 * being confirmed, and where what is known in full is of another moment than `node`.
 */
export function ownWords({ own_word, node: then }: Pick<NodeDetail, "own_word" | "node">, node: NodeView, names: Names): string | null {
  if (own_word === null || own_word === node.status || then.status !== node.status) return null;
  if (node.pending?.status === own_word || then.pending?.status === own_word) return null;
  const reason = reasonWords(node, names);
  if (reason.startsWith("calls itself ")) return joinEvidence([`C${reason.slice(1)}`]);
  return `Its own word is ${own_word}; Headwater holds it to be ${node.status}${reason && `: ${reason}`}.`;
}

/** The witnesses, the fewer agree with one the earlier, and last those that do not count: a shortened list must not hide who disagrees. */
export function dissentersFirst({ witnesses }: Pick<NodeDetail, "witnesses">): NodeDetail["witnesses"] {
  const agreeing = new Map<string, number>();
  for (const { counts, status } of witnesses) if (counts) agreeing.set(status, (agreeing.get(status) ?? 0) + 1);
  const rank = ({ counts, status }: (typeof witnesses)[number]): number => (counts ? (agreeing.get(status) ?? 0) : witnesses.length);
  return [...witnesses].sort((a, b) => rank(a) - rank(b));
}

/**
 * What most of those that can tell say of a node, the worse of two equals, of all that count, and how many of these words are
 * yet to be confirmed.
 */
export function witnessWords({ witnesses }: Pick<NodeDetail, "witnesses">): string {
  const counting = witnesses.filter((one) => one.counts);
  if (counting.length === 0) return "no dependent reports on it";
  const saying = (word: string): typeof counting => counting.filter((one) => one.status === word);
  const word = ["degraded", "down"].reduce((most, one) => {
    const count = saying(one).length;
    return count > 0 && count >= saying(most).length ? one : most;
  }, "up");
  const said = saying(word);
  if (said.length === 0) return "nobody can tell";
  const held = said.filter((one) => one.damped !== word).length;
  return `${said.length} of ${counting.length} that count say ${word}${held > 0 ? `, ${held} not confirmed` : ""}`;
}
