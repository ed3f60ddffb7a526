import type { Cause } from "../domain/incident.ts";
import type { Evidence } from "../domain/snapshot.ts";
import type { EdgeState } from "../domain/state.ts";
import { compareStatus } from "../domain/status.ts";
import { isBad } from "./facts.ts";
import { graphOf, type Vertex } from "./graph.ts";
import { settleOf } from "./incidents/waits.ts";
import { isConfirmedBad, statementsOn } from "./recovery.ts";

/** However slowly those that suffer are polled, a suspicion waits at most this long after its first sign, milliseconds. */
const WAIT_AT_MOST = 120_000;

/**
 * How long after its first sign a cause waits for those who can still tell: until those that find trouble, itself or its
 * callers, have confirmed it, and one interval of theirs more. What it needs may be polled much more slowly: a symptom opens
 * its incident all the same, and is absorbed later. Opening at once had twice as many absorbed (ADR 4 has the figures).
 */
function patienceOf({ state, map }: Evidence, node: string, statements: readonly EdgeState[]): number {
  const finders = statements.flatMap(({ from, damped }) => (damped.status === "up" ? [] : [from]));
  if (graphOf(map).byId.get(node)?.polled && isBad(state.nodes.get(node)?.status)) finders.push(node);
  let wait = 0;
  for (const id of finders) {
    const finder = map.nodes.get(id);
    if (finder?.kind === "service") wait = Math.max(wait, settleOf(map, id) + finder.interval);
  }
  return Math.min(wait, WAIT_AT_MOST);
}

/**
 * Whether those who can settle a cause are still to be heard: what it blames itself and, of a mere suspicion, the
 * suspected node, its other callers, and what it needs hard, as far as they are polled. Who last looked before the first sign has not spoken of it yet; a change
 * that is being confirmed will.
 */
export function isUnheard(evidence: Evidence, cause: Cause): boolean {
  const { state, now, map } = evidence;
  if (cause.kind === "link" || cause.kind === "zone") return false;
  const statements = statementsOn(evidence, cause.node);
  if (now - cause.firstSeen > patienceOf(evidence, cause.node, statements)) return false;
  const start = graphOf(map).byId.get(cause.node);
  // What it reports of its dependencies and is still being confirmed may be the reason for its trouble.
  const reported = (start?.out ?? []).flatMap(({ key, declared }) =>
    declared.criticality === "informational" ? [] : (state.edges.get(key) ?? []),
  );
  if (reported.some(({ stale, damped }) => !stale && damped.status === "up" && damped.pending !== null)) return true;
  if (cause.level !== "suspected" || cause.kind !== "node" || isConfirmedBad(evidence, cause.node)) return false;
  const others = statements.filter(({ damped }) => damped.status === "up");
  if (others.some(({ damped, checkedAt }) => damped.pending !== null || (checkedAt ?? now) < cause.firstSeen)) return true;
  const below = new Set<Vertex>(start ? [start] : []);
  for (const vertex of below) {
    const node = state.nodes.get(vertex.id);
    if (vertex.polled && node && node.status !== "unknown") {
      if (node.pending && compareStatus(node.pending.status, node.status) > 0) return true;
      if ((node.lastChecked ?? now) < cause.firstSeen) return true;
    }
    for (const { to, declared } of vertex.out) if (declared.criticality === "hard") below.add(to);
  }
  return false;
}
