import type { Case, Got, Seen } from "./cases.ts";

/** The naive floor: failing nodes with no failing dependency are causes; latest word only, nothing weighed. */
export function naiveAt(one: Case, at: number): Got {
  const now = new Map<string, Seen>();
  for (const { t, observations } of one.timeline) if (t <= at) for (const [id, seen] of Object.entries(observations)) now.set(id, seen);
  const needs = new Map<string, string[]>();
  for (const { from, to, criticality } of one.topology.edges)
    if (criticality !== "informational") needs.set(from, [...(needs.get(from) ?? []), to]);
  const bad = new Set<string>();
  for (const [id, { reachable, status, components }] of now) {
    if (!reachable) continue;
    if (status !== "healthy") bad.add(id);
    for (const [name, component] of Object.entries(components ?? {})) if (component.status === "down") bad.add(name);
  }
  const roots = [...bad].filter((id) => !(needs.get(id) ?? []).some((need) => bad.has(need)));
  return {
    causes: roots.map((node) => ({ node, confidence: 1, level: "confirmed" })),
    impacted: [...bad].filter((id) => !roots.includes(id)),
    at_risk: [],
    unknown: [...now].flatMap(([id, { reachable }]) => (reachable || bad.has(id) ? [] : [id])),
  };
}
