import type { Cause, Incident } from "../domain/incident.ts";
import { edgeKey, type SystemMap } from "../domain/map.ts";
import type { Evidence } from "../domain/snapshot.ts";
import type { EdgeState, FailureWindow } from "../domain/state.ts";
import { agreementOf } from "./agreement.ts";
import { repeatsOf } from "./facts.ts";
import { graphOf } from "./graph.ts";
import { witnessWhy } from "./narrate.ts";
import { rowOf } from "./rows.ts";

/** Fresh statements about one node by those that need it. */
export function statementsOn(evidence: Evidence, node: string): EdgeState[] {
  const graph = graphOf(evidence.map);
  const edges = rowOf(graph.linkKeys, evidence.state.edges);
  const found: EdgeState[] = [];
  for (const { n } of graph.byId.get(node)?.in ?? []) {
    const edge = edges.at(n);
    if (edge && !edge.stale && edge.damped.status !== "unknown") found.push(edge);
  }
  return found;
}

function isPolled({ map }: Evidence, node: string): boolean {
  return graphOf(map).byId.get(node)?.polled === true;
}

const isBad = (edge: EdgeState): boolean => edge.damped.status === "down" || edge.damped.status === "degraded";

/** A fresh good result of a node's own, or fresh "up" from its witnesses and nothing to the contrary. */
export function isFreshGood(evidence: Evidence, node: string): boolean {
  const state = evidence.state.nodes.get(node);
  if (!state) return false;
  if (state.status === "healthy") return !state.stale;
  if (state.status !== "unknown") return false;
  const statements = statementsOn(evidence, node);
  return statements.length > 0 && statements.every(isUp);
}

/** Up, and not about to be called down: a damped "up" with a pending down is no up. */
const isUp = ({ damped }: EdgeState): boolean => damped.status === "up" && damped.raw === "up";

/**
 * Whether a cause has cleared: true on fresh good evidence, false on bad, null where nobody can tell. What nobody ever
 * reported on has cleared when all its victims are fine again. `beside`: another cause keeps the same node in trouble,
 * so that its status says nothing of this one. `apart`: those whose word on it speaks of a fault of their own.
 */
export function hasCleared(evidence: Evidence, incident: Incident, beside: boolean, apart: ReadonlySet<string>): boolean | null {
  const { cause, anchor } = incident;
  if (cause?.link) {
    const edge = evidence.state.edges.get(edgeKey(cause.link.from, cause.link.to));
    const declared = graphOf(evidence.map)
      .byId.get(cause.link.from)
      ?.out.some(({ to }) => to.id === cause.link?.to);
    if (declared && (!edge || edge.stale || edge.damped.status === "unknown")) return null;
    if (declared && edge && isBad(edge)) return false;
    if (declared && edge && beside) return isUp(edge) ? true : null;
  }
  if (cause?.instance) {
    const instance = evidence.state.instances.get(cause.instance);
    if (instance) return instance.damped.status === "unknown" ? null : instance.damped.status === "healthy";
  }
  const status = evidence.state.nodes.get(anchor)?.status;
  // Gone silent: callers that last looked before the incident was known cannot say that it is over.
  const seenSince = statementsOn(evidence, anchor).some((edge) => isUp(edge) && (edge.checkedAt ?? 0) >= incident.detectedAt);
  if (status === "unknown" && !seenSince) return null;
  if (isFreshGood(evidence, anchor)) return true;
  if (apart.size > 0 && !isPolled(evidence, anchor)) {
    const others = statementsOn(evidence, anchor).filter(({ from }) => !apart.has(from));
    if (others.length > 0 && others.every(isUp)) return true;
  }
  if (status === "degraded" || status === "unhealthy") return false;
  const statements = statementsOn(evidence, anchor);
  if (statements.some(isBad)) return false;
  const victims = incident.impacted.filter(({ node }) => evidence.map.nodes.has(node));
  if (isPolled(evidence, anchor) || victims.length === 0) return null;
  return victims.every(({ node }) => isFreshGood(evidence, node)) ? true : null;
}

/** What is still seen of a cause that the verdict names no more. */
export function stillWhy(evidence: Evidence, { node, link, instance }: Cause): string[] {
  const { state } = evidence;
  if (link) return [`${link.from} still reports ${link.to} ${state.edges.get(edgeKey(link.from, link.to))?.damped.status ?? "unknown"}`];
  if (instance) return [`its instance ${instance} is still ${state.instances.get(instance)?.damped.status ?? "unknown"}`];
  const statements = statementsOn(evidence, node);
  if (statements.some(isBad)) return [witnessWhy(statements, "it")];
  return [`it is still ${state.nodes.get(node)?.status ?? "unknown"}`];
}

/** Damping has confirmed something of what the cause rests on. */
export function isConfirmed(evidence: Evidence, cause: Cause, victims: readonly string[]): boolean {
  if (cause.link) return evidence.state.edges.get(edgeKey(cause.link.from, cause.link.to))?.damped.confirmed ?? false;
  if (cause.instance) return evidence.state.instances.get(cause.instance)?.damped.confirmed ?? false;
  if (isConfirmedTrouble(evidence, cause.node) || isBorneOut(evidence, cause.node)) return true;
  return victims.some(
    (node) => isConfirmedTrouble(evidence, node) || (cause.kind === "zone" && evidence.state.nodes.get(node)?.confirmed === true),
  );
}

/** What nobody polls is in trouble by the word of its callers alone. */
function isConfirmedTrouble(evidence: Evidence, node: string): boolean {
  return isPolled(evidence, node) ? isConfirmedBad(evidence, node) : isBorneOut(evidence, node);
}

/**
 * Its callers' bad words are confirmed: by the damping of one of them, or by each other, where those who find it up do
 * not outvote them.
 */
function isBorneOut(evidence: Evidence, node: string): boolean {
  const statements = statementsOn(evidence, node);
  const blames = statements.filter((edge) => isBad(edge) && edge.damped.confirmed);
  if (blames.length === 0) return false;
  if (blames.some((edge) => isRepeated(evidence.map, edge))) return true;
  const first = Math.min(...blames.map(({ firstBadCheck, damped }) => firstBadCheck ?? damped.since));
  return agreementOf(blames.length, first, statements.filter(isUp)) !== "few";
}

/** Its reporter has said so as often as it takes without the word of others. */
function isRepeated(map: SystemMap, { from, damped }: EdgeState): boolean {
  const reporter = map.nodes.get(from);
  if (reporter?.kind !== "service") return false;
  const needed = Math.min(reporter.downAfter * reporter.instances.length, damped.recent.length);
  return damped.intermittent || damped.flapping || repeatsOf(damped.recent) >= needed;
}

export function isConfirmedBad(evidence: Evidence, node: string): boolean {
  const state = evidence.state.nodes.get(node);
  return state?.confirmed === true && (state.status === "degraded" || state.status === "unhealthy");
}

/**
 * When the newest evidence for a cause was gathered; epoch milliseconds. Against a node that calls itself fine, the word
 * of those that need it may be as old as their interval: checks in the background hide their age.
 */
export function newestEvidence(evidence: Evidence, cause: Cause, victims: readonly string[]): number {
  const { map, state } = evidence;
  let newest = Number.NEGATIVE_INFINITY;
  const fine = state.nodes.get(cause.node)?.status === "healthy";
  const hear = (from: string, at: number | null): void => {
    const node = map.nodes.get(from);
    const hidden = fine && from !== cause.node && node?.kind === "service" ? node.interval : 0;
    if (at !== null) newest = Math.max(newest, at - hidden);
  };
  for (const id of [cause.node, ...victims]) {
    const node = state.nodes.get(id);
    if (node && node.status !== "healthy") hear(id, node.lastChecked);
  }
  for (const edge of statementsOn(evidence, cause.node)) if (isBad(edge)) hear(edge.from, edge.checkedAt);
  const link = cause.link ? state.edges.get(edgeKey(cause.link.from, cause.link.to)) : undefined;
  return link?.checkedAt ? Math.max(newest, link.checkedAt) : newest;
}

/** Between which two moments a cause failed, by its own report or by the witness whose word was its first sign. */
export function onsetOf(evidence: Evidence, cause: Cause): FailureWindow {
  const own = isPolled(evidence, cause.node) ? evidence.state.nodes.get(cause.node)?.window : null;
  if (own) return own;
  const first = statementsOn(evidence, cause.node).find(({ window }) => window?.firstBad === cause.firstSeen);
  return first?.window ?? { lastGood: null, firstBad: cause.firstSeen };
}
