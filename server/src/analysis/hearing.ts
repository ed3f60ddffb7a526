import type { Cause } from "../domain/incident.ts";
import type { Evidence } from "../domain/snapshot.ts";
import { compareStatus } from "../domain/status.ts";
import { graphOf, type Vertex } from "./graph.ts";
import { isConfirmedBad, statementsOn } from "./recovery.ts";

/** A suspicion waits for those who can still tell at most this long after its first sign, milliseconds. */
const WAIT_AT_MOST = 120_000;

/**
 * Whether those who can settle a mere suspicion are still to be heard: the suspected node itself, its other callers, and
 * what it needs hard, as far as they are polled. Who last looked before the first sign has not spoken of it yet; a change
 * that is being confirmed will.
 */
export function isUnheard(evidence: Evidence, cause: Cause): boolean {
  const { state, now, map } = evidence;
  if (cause.level !== "suspected" || cause.kind !== "node" || isConfirmedBad(evidence, cause.node)) return false;
  if (now - cause.firstSeen > WAIT_AT_MOST) return false;
  const others = statementsOn(evidence, cause.node).filter(({ damped }) => damped.status === "up");
  if (others.some(({ damped, checkedAt }) => damped.pending !== null || (checkedAt ?? now) < cause.firstSeen)) return true;
  const start = graphOf(map).byId.get(cause.node);
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
