import type { LabelEdge, LabelFinding, Labels } from "headwater/contract";
import { round } from "./stats.ts";
import { age, DAY } from "./time.ts";

/** What a finding is called where one chooses among them. */
export const FINDING_WORDS = {
  hard_unharmed: "hard, yet unharmed",
  soft_hurts: "soft, yet it hurts",
  not_declared: "not declared",
  not_reported: "never reported",
  criticality_differs: "report differs",
  no_owner: "no owner",
  review_old: "review is old",
} as const satisfies Record<LabelFinding["kind"], string>;

/** Which history was looked at: `from 2 Sept to 1 Dec`, of less than a day its length; no line breaks within either. */
export function historyWords({ from, to }: Pick<Labels, "from" | "to">, date: (at: number) => string): string {
  const [began, ended] = [Date.parse(from), Date.parse(to)];
  const whole = (text: string): string => text.replaceAll(" ", "\u00a0");
  return ended - began < DAY ? `of ${whole(round(ended - began))}` : `from ${whole(date(began))} to ${whole(date(ended))}`;
}

/** What the labels page shows; all of it is in the URL. */
export interface LabelFilter {
  view: "findings" | "all";
  team: string | null;
  kind: LabelFinding["kind"] | null;
}

/** In the URL, the team of labels that nobody owns. */
export const NOBODY = "-";

export function parseLabelFilter(params: URLSearchParams): LabelFilter {
  const kind = params.get("kind");
  return {
    view: params.get("show") === "all" ? "all" : "findings",
    team: params.get("team"),
    kind: kind !== null && Object.hasOwn(FINDING_WORDS, kind) ? (kind as LabelFinding["kind"]) : null,
  };
}

export interface TeamLabels {
  /** As in the URL. */
  key: string;
  name: string;
  contact: string | null;
  labels: number;
  findings: LabelFinding[];
  edges: LabelEdge[];
}

/** The labels by the team that answers for them, most findings first; teams that the filter leaves nothing of are left out. */
export function labelsByTeam(labels: Labels, filter: LabelFilter): TeamLabels[] {
  const key = (team: string | null): string => team ?? NOBODY;
  return labels.teams
    .filter((team) => filter.team === null || key(team.team) === filter.team)
    .map((team) => ({
      key: key(team.team),
      name: team.team === null ? "no owner" : team.name,
      contact: team.contact,
      labels: team.labels,
      findings: labels.findings.filter((one) => one.team === team.team && (filter.kind === null || one.kind === filter.kind)),
      edges: labels.edges.filter((one) => one.owner === team.team),
    }))
    .filter((team) => (filter.view === "all" ? team.edges.length > 0 : team.findings.length > 0));
}

/** What was counted for a finding: `4 of 5 outages, 1 h 12 m in all`, `96 of 100 reports`. */
export function evidenceWords(finding: LabelFinding, lasted: (ms: number) => string): string[] {
  const { outages, agreeing, duration_ms, reports, notes } = finding.evidence;
  return [
    ...(outages > 0 ? [`${agreeing} of ${outages} ${outages === 1 ? "outage" : "outages"}, ${lasted(duration_ms)} in all`] : []),
    ...(reports ? [`${reports.agreeing} of ${reports.total} reports`] : []),
    ...notes,
  ];
}

/** When a label was last reviewed: `59 d ago`, `never`. */
export function reviewWords(edge: Pick<LabelEdge, "review_age_ms">): string {
  return edge.review_age_ms === null ? "never" : `${age(edge.review_age_ms)} ago`;
}
