import type { MapView } from "headwater/contract";

export type Label = MapView["edges"][number] & {
  /** Days since the last review; null where none is declared. */
  days: number | null;
  doubt: "no owner" | "never reviewed" | "review is old" | null;
};

export const REVIEW_AFTER_DAYS = 180;

/** Labels of every edge by the team that answers for them: what is declared, and what of it needs a look. */
export function labelsByTeam(edges: MapView["edges"], now: number): { team: string; labels: Label[]; doubts: number }[] {
  const teams = new Map<string, Label[]>();
  for (const edge of edges) {
    const days = edge.reviewed === null ? null : Math.floor((now - Date.parse(edge.reviewed)) / 86_400_000);
    const doubt = edge.owner === null ? "no owner" : days === null ? "never reviewed" : days > REVIEW_AFTER_DAYS ? "review is old" : null;
    const team = edge.owner ?? "no owner";
    teams.set(team, [...(teams.get(team) ?? []), { ...edge, days, doubt }]);
  }
  return [...teams].map(([team, labels]) => ({ team, labels, doubts: labels.filter((label) => label.doubt !== null).length }));
}
