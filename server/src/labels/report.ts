import { reviewAge } from "../analysis/drift/reviews.ts";
import { drift, lookedUp } from "../analysis/drift.ts";
import { LabelPatcher } from "../config/label-patch.ts";
import { parseConfig, type SourceFile } from "../config/parse.ts";
import type * as wire from "../contract/index.ts";
import type { MapFile, Revision } from "../domain/history.ts";
import type { LabelFinding } from "../domain/label.ts";
import type { SystemMap } from "../domain/map.ts";
import type { SystemState } from "../domain/state.ts";
import { stateCodec } from "../state/serialise.ts";
import { readLabelHistory } from "../store/label-facts.ts";

/** So far back outages are looked at. */
const RANGE_MS = 30 * 86_400_000;
/** Findings that are told one by one; of more, those that history and reports speak for come first. */
const MOST_FINDINGS = 500;
/** Services whose single reports are looked at. */
const MOST_LOOKED_UP = 500;

export interface LabelsQuestion {
  /** The data folder, or the history's file. */
  data: string;
  /** The map as files; null: the one last accepted, as the history has it. */
  files: readonly SourceFile[] | null;
  /** Epoch milliseconds, for ages of reviews. */
  now: number;
}

/** Why there is no answer, for people. */
export class LabelsError extends Error {}

/** How many findings there are, by team (empty where none answers) and kind. */
export type LabelCounts = readonly { team: string; kind: LabelFinding["kind"]; count: number }[];

/**
 * Every declared label, and what history and reports say against any. Reads the history beside a running server or
 * without one. Throws `LabelsError`, or `StoreOpenError` where the history cannot be opened.
 */
export function labelsReport(question: LabelsQuestion): { labels: wire.Labels; counts: LabelCounts } {
  let read: Read | null = null;
  const { state, facts } = readLabelHistory(question.data, RANGE_MS, stateCodec, (revision, saved, at) => {
    read = readMap(question.files, revision, question.now);
    return lookedUp(read.map, saved ?? NO_STATE, at).slice(0, MOST_LOOKED_UP);
  });
  const { map, files, reviewAfter, revision } = read as unknown as Read;
  const { now } = question;
  const findings = drift({ map, state: state ?? NO_STATE, facts, now, reviewAfter });
  const patcher = new LabelPatcher(files);
  const shown = byTeam(findings.slice(0, MOST_FINDINGS));
  return {
    labels: {
      computed_at: time(now),
      map_revision: revision,
      from: time(facts.from),
      to: time(facts.to),
      review_after_ms: reviewAfter,
      teams: teamsOf(map, findings),
      findings: shown.map((finding) => findingView(finding, map, patcher)),
      findings_total: findings.length,
      edges: edgesOf(map, findings, now, reviewAfter),
    },
    counts: countsOf(findings),
  };
}

const NO_STATE: SystemState = { instances: new Map(), edges: new Map(), nodes: new Map(), blind: null };

interface Read {
  map: SystemMap;
  files: readonly MapFile[];
  reviewAfter: number;
  revision: number;
}

function readMap(given: readonly SourceFile[] | null, revision: Revision | null, now: number): Read {
  const files = given ?? revision?.files;
  if (!files) throw new LabelsError("the history holds no accepted map yet");
  const { map, config, errors } = parseConfig(files, "keep", time(now).slice(0, 10));
  const first = errors[0];
  if (!map || !config)
    throw new LabelsError(`the map is broken${first ? `: ${first.file}:${first.line}:${first.column}: ${first.message}` : ""}`);
  return { map, files, reviewAfter: config.analysis.reviewAfter, revision: revision?.revision ?? 0 };
}

const time = (at: number): string => new Date(at).toISOString();
const keyOf = ({ from, to }: { from: string; to: string | null }): string => `${from}>${to ?? ""}`;

/** Teams with most to look at first, nobody's last; within one the order stays. */
function byTeam(findings: readonly LabelFinding[]): LabelFinding[] {
  const teams = new Map<string | null, LabelFinding[]>();
  for (const finding of findings) {
    const own = teams.get(finding.team);
    if (own) own.push(finding);
    else teams.set(finding.team, [finding]);
  }
  return [...teams]
    .sort(([a, some], [b, others]) => (a === null ? 1 : b === null ? -1 : others.length - some.length))
    .flatMap(([, own]) => own);
}

function countsOf(findings: readonly LabelFinding[]): LabelCounts {
  const counts = new Map<string, { team: string; kind: LabelFinding["kind"]; count: number }>();
  for (const { team, kind } of findings) {
    const key = `${kind} ${team ?? ""}`;
    const known = counts.get(key) ?? { team: team ?? "", kind, count: 0 };
    known.count++;
    counts.set(key, known);
  }
  return [...counts.values()];
}

function teamsOf(map: SystemMap, findings: readonly LabelFinding[]): wire.Labels["teams"] {
  const labels = new Map<string | null, number>();
  const found = new Map<string | null, number>();
  for (const node of map.nodes.values())
    for (const { owner } of node.kind === "service" ? node.edges : []) labels.set(owner, (labels.get(owner) ?? 0) + 1);
  for (const { team } of findings) found.set(team, (found.get(team) ?? 0) + 1);
  return [...new Set([...labels.keys(), ...found.keys()])]
    .map((id) => {
      const team = id === null ? undefined : map.teams.get(id);
      return {
        team: id,
        name: team?.name ?? id ?? "no owner",
        contact: team?.contact ?? null,
        labels: labels.get(id) ?? 0,
        findings: found.get(id) ?? 0,
      };
    })
    .sort((a, b) => b.findings - a.findings || b.labels - a.labels);
}

function edgesOf(map: SystemMap, findings: readonly LabelFinding[], now: number, reviewAfter: number): wire.LabelEdge[] {
  const found = new Map<string, number>();
  for (const finding of findings) found.set(keyOf(finding), (found.get(keyOf(finding)) ?? 0) + 1);
  return [...map.nodes.values()].flatMap((node) =>
    (node.kind === "service" ? node.edges : []).map((edge) => {
      const age = reviewAge(edge.reviewed, now);
      return {
        from: edge.from,
        to: edge.to,
        criticality: edge.criticality,
        owner: edge.owner,
        reviewed: edge.reviewed,
        review_age_ms: age,
        review_after_ms: reviewAfter,
        review_old: age !== null && age > reviewAfter,
        group: edge.group,
        components: [...edge.components],
        findings: found.get(keyOf(edge)) ?? 0,
        file: edge.place.file,
        line: edge.place.line,
      };
    }),
  );
}

function findingView(finding: LabelFinding, map: SystemMap, patcher: LabelPatcher): wire.LabelFinding {
  const { kind, from, to, component, edit, evidence } = finding;
  const service = map.nodes.get(from);
  const edge = service?.kind === "service" ? service.edges.find((one) => one.to === to) : undefined;
  const place = edge?.place ?? service?.place;
  const file = service?.place.file ?? "";
  const made = edit
    ? patcher.patch({ from, to: edge ? to : null, file }, edit)
    : { byHand: "only people can tell which team answers for it" };
  const { durationMs, moments, reports, ...rest } = evidence;
  return {
    id: `${kind}:${from}>${to ?? component ?? ""}`,
    kind,
    team: finding.team,
    from,
    to,
    component,
    declared: finding.declared,
    suggested: finding.suggested,
    text: finding.text,
    confidence: finding.confidence,
    level: finding.level,
    evidence: {
      from: time(rest.from),
      to: time(rest.to),
      outages: rest.outages,
      agreeing: rest.agreeing,
      duration_ms: durationMs,
      moments: moments.map((moment) => ({ from: time(moment.from), to: time(moment.to) })),
      reports,
      notes: [...rest.notes],
    },
    file: place?.file ?? file,
    line: place?.line ?? 1,
    patch: "patch" in made ? made.patch : null,
    by_hand: "patch" in made ? null : made.byHand,
  };
}
