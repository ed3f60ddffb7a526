import type { Incident } from "./types.ts";

export interface CauseStats {
  node: string;
  count: number;
  /** Sum of the times from first sign to recovery, milliseconds. */
  total: number;
}

/** What failed most among some incidents, worst first, and the mean time to recovery of those that ended by themselves. */
export function causeStats(
  incidents: readonly Incident[],
  now: number,
): { causes: CauseStats[]; meanRecovery: number | null; counted: number } {
  const causes = new Map<string, CauseStats>();
  let recovered = 0;
  let sum = 0;
  for (const incident of incidents) {
    if (incident.kind !== "cause" || incident.end === "absorbed" || !incident.cause) continue;
    const end = incident.resolved_at === null ? now : Date.parse(incident.resolved_at);
    const length = Math.max(0, end - Date.parse(incident.opened_at));
    const stats = causes.get(incident.cause.node) ?? { node: incident.cause.node, count: 0, total: 0 };
    causes.set(incident.cause.node, { ...stats, count: stats.count + 1, total: stats.total + length });
    if (incident.end === "cleared") {
      recovered++;
      sum += length;
    }
  }
  const sorted = [...causes.values()].sort((a, b) => b.count - a.count || b.total - a.total || (a.node < b.node ? -1 : 1));
  return { causes: sorted, meanRecovery: recovered === 0 ? null : sum / recovered, counted: recovered };
}

/** A share as people write it, never rounded up to a perfect one: `99.95 %`. */
export function percent(share: number): string {
  if (share >= 1) return "100 %";
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}
