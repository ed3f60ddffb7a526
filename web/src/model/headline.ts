import { causeMark, faceOf, type Shape, type Tone } from "./status.ts";
import type { Board, Cause, Incident, NodeView } from "./types.ts";

/** Colour of a headline's band: red for a page, amber for a ticket, blue where we cannot tell, none when nobody is alerted. */
type LeadTone = "page" | "ticket" | "unsure" | "quiet";

export interface Headline {
  tone: LeadTone;
  symbol: Shape;
  markTone: Tone;
  /** The first sentence: what is broken. */
  first: string;
  /** The second: what only suffers from it. */
  second: string | null;
}

export type Names = (id: string) => string;

/** Names of nodes by id; an id that left the map is its own name. */
export function namesOf(nodes: readonly NodeView[]): Names {
  const names = new Map(nodes.map((node) => [node.id, node.name]));
  return (id) => names.get(id) ?? id;
}

const SEVERITY = { page: 0, ticket: 1, info: 2 } as const;
export const SEVERITY_WORDS = { page: "pages", ticket: "ticket", info: "alerts nobody" } as const;
export const LEVEL_WORDS = { confirmed: "Confirmed", likely: "Likely", suspected: "Suspected" } as const;

/** Incidents that go on, the one to read first at the front: announced work last, worst first, then the oldest. */
export function openIncidents(incidents: readonly Incident[]): Incident[] {
  const weight = (one: Incident): number =>
    (one.kind === "maintenance" ? 100 : 0) + SEVERITY[one.severity] * 10 + (one.status === "recovering" ? 5 : 0);
  return incidents
    .filter((one) => one.status !== "resolved")
    .sort((a, b) => weight(a) - weight(b) || a.opened_at.localeCompare(b.opened_at) || a.id - b.id);
}

/** Incidents by the node at which to look first; of several the one that is read first. */
export function byCause(open: readonly Incident[]): ReadonlyMap<string, Incident> {
  return new Map(open.toReversed().map((one) => [whereToLook(one), one]));
}

/** A cause as it has been since its first sign: that it has become worse makes it no younger than who suffers from it. */
export function sinceItsOnset(node: NodeView, caused: Incident | undefined): NodeView {
  const onset = caused?.cause?.first_seen;
  return onset && node.status !== "healthy" && node.since !== null && onset < node.since ? { ...node, since: onset } : node;
}

/** Those that alert somebody. */
export function loudOf(open: readonly Incident[]): Incident[] {
  return open.filter((one) => one.severity !== "info" && one.kind !== "maintenance");
}

/** Whether somebody has all that alerts: a band that says so speaks of every incident. */
export function areTaken(open: readonly Incident[]): boolean {
  const loud = loudOf(open);
  return loud.length > 0 && loud.every((one) => one.acked !== null);
}

/** The node at which to look first: that of the cause, else the one on which the incident is anchored. */
export function whereToLook(incident: Incident): string {
  return incident.cause?.node ?? incident.anchor;
}

/** That node, where the map still has it. */
export function nodeToLook(incident: Incident, nodes: readonly NodeView[]): NodeView | undefined {
  const id = whereToLook(incident);
  return nodes.find((node) => node.id === id);
}

/** What failed, in few words: a node, or both ends of a link. */
export function whatFailed(incident: Incident, names: Names): string {
  const link = incident.cause?.link;
  return link ? `${names(link.from)} → ${names(link.to)}` : names(whereToLook(incident));
}

/**
 * Victims of what recovers that are not good yet, all where nothing is known of nodes; what another incident explains does
 * not hold this one up.
 */
export function stillWaiting({ id, impacted }: Incident, nodes: readonly NodeView[]): number {
  if (nodes.length === 0) return impacted.length;
  const victims = new Set(impacted.map((one) => one.node));
  return nodes.filter(
    ({ id: node, status, stale, role, incident }) =>
      victims.has(node) && (status !== "healthy" || stale) && (role !== "impacted" || incident === id),
  ).length;
}

/** `1 service is impacted.`, `12 services are impacted.`; of what is over, in the past; of what recovers, who is not good by `nodes`. */
export function impactSentence(incident: Incident, nodes: readonly NodeView[]): string {
  if (incident.status === "recovering") {
    const waiting = stillWaiting(incident, nodes);
    return waiting === 0
      ? "Nothing is impacted any more."
      : `${waiting} ${waiting === 1 ? "service waits" : "services wait"} for a good result.`;
  }
  const count = incident.impacted.length;
  if (incident.status === "resolved")
    return count === 0 ? "No other node was impacted." : `${count} ${count === 1 ? "service was" : "services were"} impacted.`;
  const risk = incident.at_risk.length;
  if (count === 0)
    return risk === 0 ? "No other node is impacted." : `No other node is impacted yet, ${risk} ${risk === 1 ? "is" : "are"} at risk.`;
  return count === 1 ? "1 service is impacted." : `${count} services are impacted.`;
}

const list = (names: readonly string[], most = 3): string =>
  names.length <= most ? names.join(", ") : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;

function causeSentence(cause: Cause, node: NodeView | undefined, names: Names): string {
  if (cause.kind === "link" && cause.link) return `${names(cause.link.from)} cannot use ${names(cause.link.to)}.`;
  if (cause.kind === "instance" && cause.instance) return `Instance ${cause.instance} is failing.`;
  if (cause.kind === "zone") return `Zone ${cause.zone ?? names(cause.node)} is silent.`;
  const name = names(cause.node);
  if (node?.status === "unhealthy" || node?.status === "degraded") return `${name} is ${node.status}.`;
  return node?.status === "unknown" ? `${name} does not answer.` : `${name} is failing.`;
}

/** Tone and mark of a fault: what alerts nobody has no colour. */
function paint({ severity }: Incident, status: string | undefined, tone: LeadTone): Omit<Headline, "first" | "second"> {
  const mark = causeMark(status, severity);
  return { tone: severity === "info" ? "quiet" : tone, symbol: mark.symbol, markTone: mark.tone };
}

/** The longest that the first sentence is likely to become while the incident goes on: its room is kept. */
export function longestHeadline(incident: Incident, names: Names): string | undefined {
  return incident.cause ? `${whatFailed(incident, names)} is recovering.` : undefined;
}

/** The words of one incident, from what the board knows of its nodes. */
export function headlineOf(incident: Incident, nodes: readonly NodeView[], names: Names): Headline {
  const node = nodeToLook(incident, nodes);
  const anchor = names(incident.anchor);
  const second = impactSentence(incident, nodes);
  if (incident.status === "recovering" || incident.status === "resolved") {
    const over = incident.status === "resolved";
    const first =
      incident.cause || incident.kind === "maintenance"
        ? `${whatFailed(incident, names)} ${over ? "has recovered" : "is recovering"}.`
        : over
          ? "It is over."
          : "It is getting better.";
    return over
      ? { tone: "quiet", symbol: "healthy", markTone: "healthy", first, second }
      : { ...paint(incident, "degraded", "ticket"), first, second };
  }
  if (incident.kind === "maintenance") {
    return { tone: "quiet", symbol: "maintenance", markTone: "grey", first: `${anchor} is in maintenance.`, second };
  }
  if (incident.kind === "visibility") {
    return {
      tone: "unsure",
      symbol: "unknown",
      markTone: "unknown",
      first: `${anchor} cannot be seen.`,
      second: "Whether it works is unknown.",
    };
  }
  if (!incident.cause) {
    // The others stand in the list of the impacted; the anchor does not, and may be well again.
    const others = incident.impacted.length;
    const failing = others + (others > 0 && node?.status === "healthy" ? 0 : 1);
    const who = others === 0 ? `${anchor} fails.` : `${failing} ${failing === 1 ? "service fails" : "services fail"}.`;
    const candidates = incident.candidates.length > 0 ? ` Candidates: ${list(incident.candidates.map((one) => names(one.node)))}.` : "";
    return { tone: "unsure", symbol: "unknown", markTone: "unknown", first: "No cause identified.", second: who + candidates };
  }
  return {
    ...paint(incident, node?.status, incident.severity === "page" ? "page" : "ticket"),
    first: causeSentence(incident.cause, node, names),
    second,
  };
}

/** What a further incident is called beside the `first`: a victim of that one may have a fault of its own as well. */
export function alsoSentence(incident: Incident, nodes: readonly NodeView[], names: Names, first: Incident | undefined): string {
  const cause = whereToLook(incident);
  const own = incident.kind === "cause" && incident.status === "open" && first?.impacted.some(({ node }) => node === cause);
  return own ? `${names(incident.anchor)} also has a fault of its own.` : headlineOf(incident, nodes, names).first;
}

/** `1 more incident`, `4 more incidents`. */
export const moreIncidents = (count: number): string => `${count} more ${count === 1 ? "incident" : "incidents"}`;

/** Beneath those that are named: `4 more incidents are open.` */
export const moreOpen = (count: number): string => `${moreIncidents(count)} ${count === 1 ? "is" : "are"} open.`;

/** The quiet board, or the one where something is off but no incident says so. */
export function quietHeadline(board: Pick<Board, "nodes" | "freshness">): Headline {
  const total = board.nodes.length;
  const healthy = board.nodes.filter((node) => node.status === "healthy").length;
  const unknown = board.nodes.filter((node) => node.status === "unknown" && faceOf(node) !== "maintenance");
  const isBad = (node: NodeView): boolean => node.status === "degraded" || node.status === "unhealthy";
  const worked = board.nodes.filter((node) => faceOf(node) === "maintenance");
  const bad = board.nodes.filter((node) => isBad(node) && faceOf(node) !== "maintenance");
  const base = { tone: "quiet", symbol: "healthy", markTone: "healthy" } as const;
  if (total === 0) return { ...base, symbol: "unknown", markTone: "unknown", first: "The map is empty.", second: "Nothing is watched." };
  if (board.freshness.because.includes("starting")) {
    return {
      ...base,
      symbol: "unknown",
      markTone: "unknown",
      first: "Waiting for the first answers.",
      second: "None has come since Headwater started.",
    };
  }
  if (healthy === total && !board.freshness.stale)
    return { ...base, first: total === 1 ? "The only node reports healthy." : `All ${total} report healthy.`, second: null };
  const said = [
    ...(worked.length > 0 ? [`${list(worked.map((node) => node.name))} ${worked.length === 1 ? "is" : "are"} in maintenance.`] : []),
    ...(bad.length > 0 ? [`${list(bad.map((node) => node.name))} ${bad.length === 1 ? "is" : "are"} not.`] : []),
    ...(unknown.length > 0 ? [`${list(unknown.map((node) => node.name))} ${unknown.length === 1 ? "is" : "are"} unknown.`] : []),
  ];
  const mark =
    bad.length > 0
      ? ({ symbol: "degraded", markTone: "degraded" } as const)
      : worked.length > 0 && worked.length + healthy === total
        ? ({ symbol: "maintenance", markTone: "grey" } as const)
        : ({ symbol: "unknown", markTone: "unknown" } as const);
  return { ...base, ...mark, first: `${healthy} of ${total} report healthy.`, second: said.join(" ") || null };
}

/** Blind: we cannot tell, for our own reasons. */
export const BLIND: Headline = {
  tone: "unsure",
  symbol: "unknown",
  markTone: "unknown",
  first: "Headwater cannot see.",
  second: "Every status is unknown.",
};

/** Pieces of evidence as one text: sentences stay sentences, fragments are parted by semicolons and ended. */
export function joinEvidence(pieces: readonly string[]): string {
  return pieces
    .map((piece, index) => (/[.!?]$/.test(piece) ? `${piece} ` : index === pieces.length - 1 ? `${piece}.` : `${piece}; `))
    .join("")
    .trim();
}

/** Sentences with their counts (`4 of 4`) apart, so that these can be set bold. */
export function emphasise(text: string): { text: string; strong: boolean }[] {
  return text
    .split(/(\b\d[\d,]* of \d[\d,]*\b)/)
    .filter(Boolean)
    .map((part) => ({ text: part, strong: /^\d[\d,]* of \d/.test(part) }));
}

/** Victims in the order in which they failed, with the time after the cause in milliseconds; who was unwell before it is last. */
export function onsetOrder(incident: Incident): { node: string; after: number }[] {
  const start = Date.parse(incident.cause?.first_seen ?? incident.opened_at);
  return incident.impacted
    .map((one) => ({ node: one.node, after: Date.parse(one.since) - start }))
    .sort((a, b) => Number(a.after < 0) - Number(b.after < 0) || a.after - b.after || (a.node < b.node ? -1 : 1));
}

/** Who has an incident: `Nobody has it yet.` or `primary on-call has it until 14:34.` */
export function whoHas(incident: Incident, until: (at: number) => string): string {
  if (!incident.acked) return "Nobody has it yet.";
  const { by, until: end } = incident.acked;
  return `${by} has it${end === null ? "" : ` until ${until(Date.parse(end))}`}.`;
}

/** The page's title: causes that need someone, a mark, where. Info and announced work stay out of it. */
export function pageTitle(board: Board, names: Names, connected: boolean, page: string | null): string {
  const site = `Headwater ${board.site}`;
  const here = page ? `${page}, ${site}` : site;
  if (!connected) return `⚠ not connected, ${here}`;
  if (board.freshness.blind) return `? blind, ${here}`;
  const loud = loudOf(openIncidents(board.incidents));
  const first = loud[0];
  if (!first) return board.freshness.stale ? `? ${here}` : here;
  const mark = first.severity === "page" ? "✕" : "▲";
  return `(${loud.length}) ${mark} ${page ? here : `${site}: ${first.cause ? names(first.cause.node) : "no cause identified"}`}`;
}

/** What a screen reader is told of the board, short enough to be heard whole. */
export function spokenState(board: Board, names: Names): string {
  if (board.freshness.blind) return "Headwater cannot see.";
  const open = openIncidents(board.incidents).filter((one) => one.kind !== "maintenance");
  const first = open[0];
  if (!first) return quietHeadline(board).first;
  const line = headlineOf(first, board.nodes, names);
  const more = open.length > 1 ? ` ${moreIncidents(open.length - 1)}.` : "";
  return `${line.first} ${line.second ?? ""}${more}`.trim();
}

/** The names on a way to a cause, with how many are left out before the last. */
export function wayText(names: readonly string[], cut = 0): string {
  return (cut > 0 ? [...names.slice(0, -1), `${cut} more`, ...names.slice(-1)] : names).join(" → ");
}
