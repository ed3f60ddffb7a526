import type { ServiceNode, SystemMap } from "../domain/map.ts";
import { type Criticality, compareStatus, componentOf, effectOf, type Status } from "../domain/status.ts";

/** One thing a service needs: a node, or `need` of several. */
export interface Clause {
  on: readonly string[];
  need: number;
  criticality: Criticality;
}

/** The dependencies of a service as clauses: each plain edge is one, each group of alternatives is one. */
export function clausesOf(service: ServiceNode): Clause[] {
  const single = service.edges.flatMap((edge) => (edge.group === null ? [{ on: [edge.to], need: 1, criticality: edge.criticality }] : []));
  const groups = service.groups.map(({ members, need, criticality }) => ({ on: members, need, criticality }));
  return [...single, ...groups];
}

/** What everything else then is: ids of nodes and systems that are not healthy. The failed node itself is unhealthy. */
export type Effects = ReadonlyMap<string, Effect>;
export type Effect = "degraded" | "unhealthy";

/** System ids share no namespace with nodes; this keeps them apart in one map. Ids hold no colon. */
export const SYSTEM_PREFIX = "system:";

/** Works out, for one map, what the failure of a single node does to all others. */
export class Failures {
  readonly #clauses = new Map<string, readonly Clause[]>();
  readonly #dependents = new Map<string, string[]>();
  readonly #memberOf = new Map<string, { system: string; criticality: Criticality }[]>();

  /** `part` leaves out all other nodes and systems; what its nodes need must be in it too. */
  constructor(map: SystemMap, part?: { nodes: ReadonlySet<string>; systems: ReadonlySet<string> }) {
    for (const node of map.nodes.values()) {
      if (node.kind !== "service" || (part && !part.nodes.has(node.id))) continue;
      const clauses = clausesOf(node);
      this.#clauses.set(node.id, clauses);
      for (const { on } of clauses) for (const target of on) append(this.#dependents, target, node.id);
    }
    for (const system of map.systems.values()) {
      if (part && !part.systems.has(system.id)) continue;
      for (const { node, criticality } of system.members) append(this.#memberOf, node, { system: system.id, criticality });
    }
  }

  /** Lets one node fail as a whole and carries that up until nothing changes; statuses only worsen, so cycles end too. */
  of(failed: string): Effects {
    const effects = new Map<string, Effect>([[failed, "unhealthy"]]);
    const queue = [failed];
    for (const node of queue) {
      for (const dependent of this.#dependents.get(node) ?? []) {
        const before = effects.get(dependent) ?? "healthy";
        const now = this.#statusOf(dependent, effects);
        if (now === "healthy" || compareStatus(now, before) <= 0) continue;
        effects.set(dependent, now);
        queue.push(dependent);
      }
    }
    for (const [node, status] of [...effects]) this.#carryToSystems(node, status, effects);
    return effects;
  }

  #statusOf(service: string, effects: Effects): "healthy" | Effect {
    let worst: "healthy" | Effect = "healthy";
    for (const clause of this.#clauses.get(service) ?? []) {
      const effect = effectOf(componentOf(clauseStatus(clause, effects)), clause.criticality);
      if (compareStatus(effect, worst) > 0) worst = effect;
    }
    return worst;
  }

  #carryToSystems(node: string, status: Effect, effects: Map<string, Effect>): void {
    for (const { system, criticality } of this.#memberOf.get(node) ?? []) {
      const key = `${SYSTEM_PREFIX}${system}`;
      const now = effectOf(componentOf(status), criticality);
      if (now !== "healthy" && compareStatus(now, effects.get(key) ?? "healthy") > 0) effects.set(key, now);
    }
  }
}

/** Down when fewer than `need` are not down, degraded when fewer than `need` are healthy. */
function clauseStatus({ on, need }: Clause, effects: Effects): Status {
  const statuses = on.map((id) => effects.get(id) ?? "healthy");
  if (statuses.filter((status) => status !== "unhealthy").length < need) return "unhealthy";
  return statuses.filter((status) => status === "healthy").length < need ? "degraded" : "healthy";
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
