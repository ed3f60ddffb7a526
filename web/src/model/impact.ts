import { onsetOrder } from "./headline.ts";
import { lookOf } from "./status.ts";
import type { Incident, NodeView, SystemView } from "./types.ts";

export interface ImpactGroup {
  key: string;
  title: string;
  /** Whom to ask, or how the system fares. */
  aside: string | null;
  /** In the order in which they failed; `after` in milliseconds since the cause. */
  victims: { node: string; after: number }[];
}

/** Victims by the team that owns them, the first hit first. */
export function impactByTeam(
  incident: Incident,
  nodes: ReadonlyMap<string, NodeView>,
  contacts: ReadonlyMap<string, string | null>,
): ImpactGroup[] {
  const groups = new Map<string, ImpactGroup>();
  for (const victim of onsetOrder(incident)) {
    const team = nodes.get(victim.node)?.team ?? "";
    const group = groups.get(team) ?? { key: team, title: team || "no team", aside: contacts.get(team) ?? null, victims: [] };
    group.victims.push(victim);
    groups.set(team, group);
  }
  return [...groups.values()];
}

/** Victims by system, the worst hit first; one that belongs to several stands in each. Those in none come last. */
export function impactBySystem(incident: Incident, systems: readonly SystemView[]): ImpactGroup[] {
  const order = onsetOrder(incident);
  const effects = new Map(incident.systems.map((one) => [one.id, one.effect]));
  const groups = systems.flatMap((system): (ImpactGroup & { rank: number })[] => {
    const members = new Set(system.members.map((one) => one.node));
    const victims = order.filter((one) => members.has(one.node));
    const effect = effects.get(system.id);
    if (victims.length === 0) return [];
    return [{ key: system.id, title: system.name, aside: effect ?? null, victims, rank: effect ? lookOf(effect).rank : 0 }];
  });
  const placed = new Set(groups.flatMap((group) => group.victims.map((one) => one.node)));
  const rest = order.filter((one) => !placed.has(one.node));
  return [
    ...groups.sort((a, b) => b.rank - a.rank).map(({ rank: _, ...group }) => group),
    ...(rest.length > 0 ? [{ key: "", title: "in no system", aside: null, victims: rest }] : []),
  ];
}
