import { humanDuration } from "../domain/duration.ts";
import type { Brief, IncidentBrief, IncidentShift, ReplayDiff, VerdictShift } from "./diff-replay.ts";
import { bullets, code, list } from "./diff-report.ts";

/** Names that one line lists. */
const MOST_NAMES = 8;

/** What the newer map would have made of recorded time, as Markdown; `zero`: when the recording began, epoch milliseconds. */
export function renderReplay(diff: ReplayDiff, zero: number | null): string {
  const head = "### Past verdicts\n";
  if (diff.from === null || diff.to === null) return `${head}\nThe recording holds no poll of a service that both maps know.\n`;
  const first = diff.from;
  const time = (at: number): string =>
    zero === null ? `+${(at - first) / 1_000} s` : new Date(at).toISOString().slice(0, 19).replace("T", " ");
  const span = `${diff.moments} moments of ${humanDuration(diff.to - diff.from)}${zero === null ? "" : ` from ${time(first)} UTC`}`;
  if (diff.differing === 0 && diff.incidents.length === 0) return `${head}\nJudged ${span} by both maps: every verdict stays the same.\n`;
  const { before, after } = diff.opened;
  const incidents = (n: number): string => `${n} ${n === 1 ? "incident" : "incidents"}`;
  const counts = before === after ? `${incidents(before)} on either side` : `${incidents(before)} before, ${after} now`;
  const parts = [`${head}\nJudged ${span} by both maps: ${diff.differing} would read otherwise; ${counts}.\n`];
  if (diff.incidents.length > 0) parts.push(bullets(diff.incidents.map((shift) => incidentLine(shift, time))));
  if (diff.verdicts.length > 0) parts.push(`#### When\n\n${bullets(verdictLines(diff.verdicts, time))}`);
  return parts.join("\n");
}

type Time = (at: number) => string;

function incidentLine({ before, after }: IncidentShift, time: Time): string {
  if (!before) return after ? `new: ${described(after, time)}` : "";
  if (!after) return `no longer: ${described(before, time)}`;
  const changes: string[] = [];
  if (before.severity !== after.severity) changes.push(`${before.severity} → **${after.severity}**`);
  if (before.kind !== after.kind) changes.push(`${before.kind} → **${after.kind}**`);
  changes.push(...moves("impacts", before.impacted, after.impacted));
  return `${code(after.node)} (${when(after, time)}): ${changes.join("; ")}`;
}

function described(incident: IncidentBrief, time: Time): string {
  const { node, kind, severity, impacted } = incident;
  const who = impacted.length === 0 ? "" : `, impacts ${names(impacted)}`;
  return `${code(node)}, ${kind === "cause" ? "" : `${kind}, `}${severity} (${when(incident, time)})${who}`;
}

function when({ opened_at, resolved_at }: IncidentBrief, time: Time): string {
  return resolved_at === null ? `${time(opened_at)}, open at the end` : `${time(opened_at)} to ${time(resolved_at)}`;
}

/** A line for each stretch of time in which the same differs, whatever else moved in both. */
function verdictLines(shifts: readonly VerdictShift[], time: Time): string[] {
  const lines: { from: number; to: number; words: string }[] = [];
  for (const { from, to, before, after } of shifts) {
    const words = differences(before, after).join("; ");
    const last = lines.at(-1);
    if (last?.to === from && last.words === words) last.to = to;
    else lines.push({ from, to, words });
  }
  return lines.map(({ from, to, words }) => `${time(from)} to ${time(to)}: ${words}`);
}

function differences(before: Brief, after: Brief): string[] {
  const found: string[] = [];
  if (before.status !== after.status) found.push(`the whole ${before.status} → **${after.status}**`);
  for (const id of new Set([...Object.keys(before.systems), ...Object.keys(after.systems)])) {
    const [was, is] = [before.systems[id] ?? "no system", after.systems[id] ?? "no system"];
    if (was !== is) found.push(`system ${code(id)} ${was} → **${is}**`);
  }
  return [...found, ...moves("cause", before.causes, after.causes), ...moves("impacts", before.impacted, after.impacted)];
}

/** Who comes and who goes in a list of ids. */
function moves(what: string, before: readonly string[], after: readonly string[]): string[] {
  const come = after.filter((id) => !before.includes(id));
  const gone = before.filter((id) => !after.includes(id));
  return [...(come.length > 0 ? [`${what} **${names(come)}** too`] : []), ...(gone.length > 0 ? [`${what} no longer ${names(gone)}`] : [])];
}

function names(ids: readonly string[]): string {
  const rest = ids.length - MOST_NAMES;
  return list(ids.slice(0, MOST_NAMES)) + (rest > 0 ? ` and ${rest} more` : "");
}
