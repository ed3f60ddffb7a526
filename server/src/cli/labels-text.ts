import type { LabelFinding, Labels } from "../contract/index.ts";
import { humanDuration } from "../domain/duration.ts";
import { printable } from "../domain/printable.ts";
import { located } from "../start/words.ts";

/** Moments of one finding that are listed. */
const MOMENTS = 3;

/** What is in doubt, by team, with what speaks for it and the patch; for people. `folder` holds the map's files, empty where that is not known. */
export function labelsText(labels: Labels, folder: string): string {
  const looked = humanDuration(Date.parse(labels.to) - Date.parse(labels.from));
  const count = labels.edges.length;
  const head = `${count} ${count === 1 ? "label" : "labels"}, judged by ${looked} of history and the latest reports\n`;
  if (labels.findings_total === 0) return `${head}no label is in doubt\n`;
  const parts = labels.teams.flatMap(({ team, name, contact, findings }) => {
    const own = labels.findings.filter((finding) => finding.team === team);
    if (own.length === 0) return [];
    const title = `${team === null ? "nobody answers for these" : name}${contact === null ? "" : ` (${contact})`}: ${findings} in doubt`;
    const rest = findings - own.length;
    return [
      `${printable(title)}\n`,
      ...own.map((finding) => findingText(finding, folder)),
      ...(rest > 0 ? [`  … and ${rest} more\n`] : []),
    ];
  });
  const more = labels.findings_total - labels.findings.length;
  return `${[head, ...parts].join("\n")}${more > 0 ? `\n${more} more findings are not listed\n` : ""}`;
}

function findingText({ file, line, text, level, evidence, patch, by_hand }: LabelFinding, folder: string): string {
  const lines = [`  ${located(folder, file)}:${line}: ${text}`, `    ${evidenceText(level, evidence)}`];
  for (const { from, to } of evidence.moments.slice(0, MOMENTS))
    lines.push(`    ${from.slice(0, 16)}Z for ${humanDuration(Date.parse(to) - Date.parse(from))}`);
  if (evidence.moments.length > 0 && evidence.agreeing > MOMENTS) lines.push(`    and ${evidence.agreeing - MOMENTS} more`);
  for (const note of evidence.notes) lines.push(`    ${note}`);
  if (by_hand !== null) lines.push(`    no patch: ${by_hand}`);
  const shown = lines.map((one) => `${printable(one)}\n`).join("");
  return patch ? `${shown}${indented(patch.diff)}` : shown;
}

function evidenceText(level: LabelFinding["level"], { outages, agreeing, reports }: LabelFinding["evidence"]): string {
  if (outages > 0) return `${level}, by ${agreeing} of ${outages} ${outages === 1 ? "outage" : "outages"}`;
  return reports ? `${level}, by ${reports.agreeing} of ${reports.total} reports` : `${level}`;
}

/** The diff as it is, moved to the right; its lines hold text of files, and only their ends may move a cursor. */
function indented(diff: string): string {
  return diff
    .split(/\r?\n/)
    .map((line) => (line === "" ? "\n" : `    ${printable(line)}\n`))
    .join("")
    .replace(/\n$/, "");
}
