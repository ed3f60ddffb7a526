import type { Component, Observation, Warning } from "../domain/observation.ts";
import { hintFor } from "./probe-hints.ts";

const COLOURS: Readonly<Record<string, number>> = { healthy: 32, up: 32, degraded: 33, unhealthy: 31, down: 31, unknown: 35 };
const SIGNS: Readonly<Record<string, string>> = { up: "✓", degraded: "!", down: "✗", unknown: "?" };
const WORST_FIRST = ["down", "degraded", "unknown", "up"];
/** Of a long list, those that are up are shown so far: beside the others, and in all. */
const [MAX_UP, MAX_LISTED] = [5, 30];
/** Columns that names may take before the facts beside them give way. */
const NAME_WIDTH = 48;
/** How much of an answer that nobody understood is shown. */
const [EXCERPT_LINES, EXCERPT_WIDTH] = [4, 100];

/** What a probe printed for a person is about. */
export interface Probe {
  /** Where the answer came from, fit to print. */
  source: string;
  /** False for a saved answer: nobody knows how long it took. */
  timed: boolean;
  observation: Observation;
  warnings: readonly Warning[];
}

/** What was understood of an answer, and what its author could do better, for a terminal. */
export function probeScreen({ source, timed, observation, warnings }: Probe, colour: boolean): string {
  const { outcome, httpStatus, format, latencyMs, report, error, at } = observation;
  const paint: Paint = (text, code) => (colour && code !== undefined ? `\u001b[${code}m${text}\u001b[0m` : text);
  const facts = [
    outcome,
    httpStatus === null ? null : `HTTP ${httpStatus}`,
    format && `read as ${format}`,
    timed ? `${tenths(latencyMs)} ms` : null,
  ];
  const lines = [source, paint(facts.filter((fact) => fact !== null).join(" · "), 2)];
  if (error !== null) lines.push(error);
  const hint = timed ? hintFor(observation, source) : null;
  if (hint !== null) lines.push(hint);
  lines.push(
    "",
    `status      ${report ? paint(report.status, COLOURS[report.status]) : paint("unknown, there is no report", COLOURS.unknown)}`,
  );
  if (report?.phase) lines.push(`phase       ${report.phase}`);
  if (report?.maybeGateway) lines.push("            possibly the word of a gateway, not of the service");
  if (report?.failuresOnly) lines.push("            this dialect lists failing checks alone");
  if (report && report.components.length > 0) lines.push("", ...componentLines(report.components, at, paint));
  if (format === null || report?.maybeGateway) lines.push(...excerpt(observation.body));
  if (warnings.length > 0) lines.push("", paint("what could be better", 1));
  for (const { code, message } of warnings) lines.push(`  ${paint(code, 33)}: ${message}`);
  return `${lines.join("\n")}\n`;
}

type Paint = (text: string, code: number | undefined) => string;

function componentLines(components: readonly Component[], now: number, paint: Paint): string[] {
  const width = Math.min(NAME_WIDTH, Math.max(...components.map(({ name }) => name.length)));
  const sorted = components.toSorted((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status));
  const failing = sorted.findIndex(({ status }) => status === "up");
  const shown = failing < 0 ? sorted : sorted.slice(0, Math.max(failing + MAX_UP, MAX_LISTED));
  const rest = sorted.length - shown.length;
  const lines = shown.flatMap((component) => {
    const { name, status, criticality, latencyMs, raw, error, category } = component;
    const facts = [criticality, latencyMs !== undefined && `${latencyMs} ms`, age(component, now), raw !== undefined && `says "${raw}"`];
    const known = facts.filter((fact) => typeof fact === "string").join(", ");
    const head = paint(`${SIGNS[status]} ${status.padEnd(8)}`, COLOURS[status]);
    const line = `  ${head} ${name.padEnd(width)}${known && `  ${known}`}`.trimEnd();
    return error ? [line, `             ${category ?? "error"}: ${error}`] : [line];
  });
  return rest > 0 ? [...lines, `  … and ${rest} more that are up`] : lines;
}

function age({ ageMs, lastChecked }: Component, now: number): string | null {
  const known = ageMs ?? (lastChecked === undefined ? undefined : Math.max(0, now - lastChecked));
  return known === undefined ? null : `checked ${tenths(known / 1_000)} s ago`;
}

/** The first lines of an answer, redacted before, so that one sees what came instead of a report. */
function excerpt(body: string | null): string[] {
  const lines = (body ?? "").split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return [];
  return [
    "",
    "the answer begins",
    ...lines.slice(0, EXCERPT_LINES).map((line) => `  ${line.slice(0, EXCERPT_WIDTH).replaceAll("\t", " ")}`),
  ];
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
