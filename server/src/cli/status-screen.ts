import type { Board, Incident, NodeView } from "../contract/index.ts";
import { someOf } from "../domain/phrases.ts";

const INCIDENTS_AT_MOST = 5;
const LINES_AT_MOST = 8;
const NAMES_AT_MOST = 6;
const WIDTH = 110;

type Tone = "red" | "yellow" | "green" | "magenta" | "dim" | "bold";
const CODES: Record<Tone, number> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, magenta: 35 };
const SIGNS: Record<string, readonly [string, Tone]> = {
  healthy: ["✓", "green"],
  degraded: ["!", "yellow"],
  unhealthy: ["✗", "red"],
  unknown: ["?", "magenta"],
};
const SEVERITY = { page: 0, ticket: 1, info: 2 } as const;

/** Nothing is open that alerts anybody, the whole is healthy, the map is the newest, and all of it can be believed. */
export function isWell(board: Board): boolean {
  return board.status === "healthy" && !board.freshness.stale && board.map.refused === null && alerting(board).length === 0;
}

/** A board on one screen. Names and texts of others are data: without control and direction characters, and cut. */
export function statusScreen(board: Board, colour: boolean): string {
  const paint = (text: string, tone: Tone) => (colour ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text);
  const sign = (status: string) => paint(...(SIGNS[status] ?? ["?", "magenta"]));
  const at = Date.parse(board.generated_at);
  const { freshness, map, coverage } = board;

  const title = `${plain(board.site)} is ${board.status}`;
  const lines = [
    `${sign(board.status)} ${paint(title, "bold")}  ${coverage.known} of ${coverage.total} known, ${clock(board.generated_at)} UTC`,
  ];
  if (freshness.stale) lines.push(paint(`✗ not to be trusted: ${freshness.because.join(", ")}`, "red"));
  if (map.refused)
    lines.push(paint(`! the newest map is refused since ${clock(map.refused.at)}: ${problem(map.refused.problems)}`, "yellow"));

  const incidents = alerting(board);
  for (const incident of incidents.slice(0, INCIDENTS_AT_MOST)) lines.push("", ...incidentLines(incident, board, at, paint));
  lines.push(...rest(incidents.length - INCIDENTS_AT_MOST, "incident"));
  const quiet = board.incidents.filter((one) => one.status !== "resolved" && !incidents.includes(one));
  if (incidents.length === 0) lines.push("", freshness.stale ? "no open incident is known" : `no open incident${healthyWords(board)}`);
  if (quiet.length > 0) lines.push(paint(`  and without alert: ${names(quiet.map((one) => `${one.kind} ${one.anchor}`))}`, "dim"));

  const systems = [...board.systems].sort((a, b) => rank(b.status) - rank(a.status));
  if (systems.length > 0) lines.push("", paint("systems", "dim"));
  const width = widest(systems.slice(0, LINES_AT_MOST).map(({ name }) => name));
  for (const { name, status, coverage } of systems.slice(0, LINES_AT_MOST))
    lines.push(`  ${sign(status)} ${plain(name, width).padEnd(width)}  ${status}, ${coverage.known} of ${coverage.total} known`);
  lines.push(...rest(systems.length - LINES_AT_MOST, "system"));

  const others = board.nodes.filter((node) => node.status !== "healthy" && node.role === null && node.incident === null);
  if (others.length > 0) lines.push("", paint("not well, and part of no incident", "dim"));
  const column = widest(others.slice(0, LINES_AT_MOST).map(({ name }) => name));
  for (const node of others.sort((a, b) => rank(b.status) - rank(a.status)).slice(0, LINES_AT_MOST))
    lines.push(nodeLine(node, column, at, sign));
  lines.push(...rest(others.length - LINES_AT_MOST, "node"));

  const oldest = freshness.oldest_age_ms === null ? "no result yet" : `oldest result ${span(freshness.oldest_age_ms)}`;
  const old = freshness.stale_nodes > 0 ? `, ${freshness.stale_nodes} stale` : "";
  lines.push("", paint(`${oldest}${old}, polls at most ${span(freshness.poller_lag_ms)} late, map revision ${map.revision}`, "dim"));
  return `${lines.join("\n")}\n`;
}

function incidentLines(incident: Incident, board: Board, at: number, paint: (text: string, tone: Tone) => string): string[] {
  const { cause, kind, impacted, at_risk, systems, acked, unverified_since } = incident;
  const tone = incident.severity === "page" ? "red" : "yellow";
  const sure = cause ? `, ${cause.level} ${cause.confidence.toFixed(2)}` : "";
  const team = board.nodes.find(({ id }) => id === incident.anchor)?.team;
  const since = `since ${clock(incident.opened_at)} (${span(at - Date.parse(incident.opened_at))})`;
  const facts = `#${incident.id} ${incident.severity}${sure}, ${since}${team ? `, team ${plain(team, 40)}` : ""}`;
  const row = (word: string, text: string | null | undefined | false) =>
    text ? [`    ${paint(word.padEnd(9), "dim")} ${plain(text, WIDTH)}`] : [];
  return [
    `${paint(incident.status === "recovering" ? "↗" : "✗", tone)} ${paint(plain(headline(incident), WIDTH), "bold")}`,
    ...row("", facts),
    ...row("why", cause?.why.join("; ")),
    ...row("against", cause?.against.join("; ")),
    ...row("or", cause?.runner_up && `${cause.runner_up.node}: ${cause.runner_up.why}`),
    ...row("maybe", kind === "undetermined" && names(incident.candidates.map(({ node }) => node))),
    ...row("explains", impacted.length > 0 && `${impacted.length}: ${names(impacted.map(({ node }) => node))}`),
    ...row("at risk", at_risk.length > 0 && `${at_risk.length}: ${names(at_risk)}`),
    ...row("systems", names(systems.map(({ id, effect }) => `${id} ${effect}`))),
    ...row("unseen", unverified_since !== undefined && `no fresh evidence since ${clock(unverified_since)}`),
    ...row("taken by", acked && `${acked.by}${acked.note ? `: ${acked.note}` : ""}`),
  ];
}

function headline({ kind, anchor, cause, status }: Incident): string {
  if (status === "recovering") return `${anchor} is recovering`;
  if (kind === "visibility") return `${anchor} cannot be seen`;
  if (!cause) return `${anchor} is in trouble, no cause identified`;
  if (cause.link) return `${cause.link.from} cannot use ${cause.link.to}`;
  if (cause.instance) return `instance ${cause.instance} of ${cause.node} is failing`;
  if (cause.zone) return `zone ${cause.zone} is silent`;
  return `${cause.node} is ${cause.level === "suspected" ? "suspected to be the cause" : "the cause"}`;
}

function nodeLine({ name, status, since, reason }: NodeView, width: number, at: number, sign: (status: string) => string): string {
  const how = since === null ? "" : ` for ${span(at - Date.parse(since))}`;
  return `  ${sign(status)} ${plain(name, width).padEnd(width)}  ${status}${how}${reason ? `: ${plain(reason, WIDTH - width)}` : ""}`;
}

/** Open and worth somebody's while, the worst first. */
function alerting({ incidents }: Board): Incident[] {
  return incidents
    .filter(({ status, severity, kind }) => status !== "resolved" && severity !== "info" && kind !== "maintenance")
    .sort((a, b) => SEVERITY[a.severity] - SEVERITY[b.severity] || a.opened_at.localeCompare(b.opened_at));
}

function healthyWords({ status, nodes }: Board): string {
  if (status !== "healthy") return "";
  const healthy = nodes.filter((node) => node.status === "healthy").length;
  return `: ${healthy === nodes.length ? `all ${healthy}` : `${healthy} of ${nodes.length}`} report healthy`;
}

const rank = (status: string) => ["healthy", "degraded", "unknown", "unhealthy"].indexOf(status);
const clock = (iso: string) => iso.slice(11, 19);
const rest = (count: number, noun: string) => (count > 0 ? [`  and ${count} more ${noun}${count === 1 ? "" : "s"}`] : []);
const widest = (texts: readonly string[]) => Math.min(32, Math.max(0, ...texts.map((text) => plain(text).length)));

function names(ids: readonly string[]): string {
  return someOf(ids, NAMES_AT_MOST);
}

function problem(problems: readonly { file: string; line: number; message: string }[]): string {
  const [first] = problems;
  if (!first) return "no reason is known";
  return plain(`${first.file}:${first.line}: ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""}`, WIDTH);
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 1) return `${Math.max(0, Math.round(ms))} ms`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}

function plain(text: string, limit = 80): string {
  const clean = text.slice(0, 4 * limit).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, "");
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
