import type { Stats } from "headwater/contract";
import type { Incident } from "./types.ts";

export const RANGES = [1, 7, 30, 90] as const;

/** What the history and the list of incidents are narrowed to; all of it is in the URL. */
export interface IncidentPick {
  team: string | null;
  system: string | null;
  severity: Incident["severity"] | null;
}

const SEVERITIES = ["page", "ticket", "info"] as const;

export function parsePick(params: URLSearchParams): IncidentPick {
  return {
    team: params.get("team"),
    system: params.get("system"),
    severity: SEVERITIES.find((one) => one === params.get("severity")) ?? null,
  };
}

/** Incidents that count as trouble: neither announced work nor what another has absorbed. */
export function countedIncidents(incidents: readonly Incident[], severity: IncidentPick["severity"]): Incident[] {
  return incidents.filter(
    (one) => one.kind !== "maintenance" && one.end !== "absorbed" && (severity === null || one.severity === severity),
  );
}

export interface Figures extends Record<Incident["severity"], number> {
  total: number;
  /** Mean time to recovery, milliseconds. */
  recover: number | null;
  /** There were more than are counted. */
  cut: boolean;
}

/**
 * What the incidents of a range add up to, all of it from one source: the list, and only where there are `more` than that
 * holds what the server counted, if it did.
 */
export function figuresOf(
  incidents: readonly Incident[],
  more: boolean,
  counted: Pick<Stats, "incidents" | "by_severity" | "mttr_ms" | "truncated"> | undefined,
): Figures {
  if (more && counted) return { ...counted.by_severity, total: counted.incidents, recover: counted.mttr_ms, cut: counted.truncated };
  const count = (severity: Incident["severity"]): number => incidents.filter((one) => one.severity === severity).length;
  return {
    page: count("page"),
    ticket: count("ticket"),
    info: count("info"),
    total: incidents.length,
    recover: meanToRecover(incidents),
    cut: more,
  };
}

/** Mean time from the first sign to the end of those that are over, milliseconds; null where none is. */
function meanToRecover(incidents: readonly Incident[]): number | null {
  const over = incidents.flatMap((one) =>
    one.resolved_at === null || one.end === "removed_from_map" ? [] : [Date.parse(one.resolved_at) - Date.parse(one.opened_at)],
  );
  return over.length === 0 ? null : over.reduce((sum, ms) => sum + ms, 0) / over.length;
}

export interface Bin {
  from: number;
  page: number;
  ticket: number;
  info: number;
}

/** How many incidents began in each of `count` equal parts of a range, oldest first, by severity. */
export function incidentBins(incidents: readonly Incident[], range: { from: number; to: number }, count: number): Bin[] {
  const span = (range.to - range.from) / count;
  const bins: Bin[] = Array.from({ length: count }, (_, index) => ({ from: range.from + index * span, page: 0, ticket: 0, info: 0 }));
  for (const one of incidents) {
    const at = Date.parse(one.opened_at);
    if (at < range.from || at >= range.to) continue;
    const bin = bins[Math.min(count - 1, Math.floor((at - range.from) / span))];
    if (bin) bin[one.severity]++;
  }
  return bins;
}
