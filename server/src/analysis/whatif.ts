import type { SystemMap } from "../domain/map.ts";
import type { Status } from "../domain/status.ts";
import { Failures, SYSTEM_PREFIX } from "./effects.ts";
import { graphOf } from "./graph.ts";

export interface WhatIf {
  /** Nodes that would be degraded or unhealthy, in map order. */
  impacted: readonly { node: string; status: Status }[];
  /** Nodes that reach it through hard edges alone and would hold so far: an alternative carries them. */
  atRisk: readonly string[];
  systems: readonly { id: string; effect: Status }[];
}

const memo = new WeakMap<SystemMap, Failures>();

/** What the failure of one node alone would do to all others, by the declared map and nothing else. */
export function whatIf(map: SystemMap, node: string): WhatIf {
  let failures = memo.get(map);
  if (!failures) {
    failures = new Failures(map);
    memo.set(map, failures);
  }
  const effects = failures.of(node);
  const impacted: { node: string; status: Status }[] = [];
  const atRisk: string[] = [];
  const reaching = hardReach(map, node);
  for (const id of map.nodes.keys()) {
    const status = effects.get(id);
    if (id === node) continue;
    if (status !== undefined) impacted.push({ node: id, status });
    else if (reaching.has(id)) atRisk.push(id);
  }
  const systems = [...map.systems.keys()].flatMap((id) => {
    const effect = effects.get(`${SYSTEM_PREFIX}${id}`);
    return effect === undefined ? [] : [{ id, effect }];
  });
  return { impacted, atRisk, systems };
}

/** Everything from which hard edges alone lead to the node. */
function hardReach(map: SystemMap, node: string): ReadonlySet<string> {
  const { byId } = graphOf(map);
  const found = new Set([node]);
  for (const id of found) {
    for (const { from, declared } of byId.get(id)?.in ?? []) if (declared.criticality === "hard") found.add(from.id);
  }
  return found;
}
