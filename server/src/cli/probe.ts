import { readFile } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { parseDuration } from "../domain/duration.ts";
import type { Component, Observation, Warning } from "../domain/observation.ts";
import { advise } from "../formats/advice.ts";
import { dialectNames } from "../formats/index.ts";
import { redactUrl } from "../formats/redact.ts";
import { decodeBody } from "../poller/body.ts";
import { fetchOnce, type RawAnswer } from "../poller/fetch.ts";
import { observe } from "../poller/poll.ts";
import type { CliIo } from "./io.ts";

const HELP = `headwater probe URL [--dialect NAME] [--header "NAME: VALUE"]… [--timeout 2s] [--json]
headwater probe --file BODY [--status N] [--content-type T] [--dialect NAME] [--json]

Asks a deep endpoint once, as the poller does, and prints what Headwater makes of the answer and what its author could
do better. With --file it reads a saved answer.

  --dialect NAME     read the answer as this dialect instead of recognising it by its shape
  --header TEXT      send a header, may be repeated
  --timeout TIME     a whole number and ms, s or m (default 2s)
  --status N         HTTP status of the saved answer (default 200)
  --content-type T   media type of the saved answer
  --json             print { outcome, http_status, format, latency_ms, phase?, report, warnings }

Exit code 0 when there is a report, 1 when there is none, 2 for a wrong call.
`;

const MAX_BODY = 262_144;

interface Call {
  source: { url: string; headers: Record<string, string> } | { file: string; status: number; contentType: string | null };
  dialect: string;
  timeout: number;
  json: boolean;
}

/** `probe URL` or `probe --file BODY`: 0 with a report, 1 without one, 2 for a wrong call. */
export async function probe(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (call === "help") {
    io.stdout(HELP);
    return 0;
  }
  if (typeof call === "string") {
    io.stderr(`headwater probe: ${call}\n\n${HELP}`);
    return 2;
  }
  let answer: RawAnswer;
  try {
    answer = await ask(call, io);
  } catch (error) {
    io.stderr(`headwater probe: cannot read the file: ${error instanceof Error && "code" in error ? error.code : "unknown error"}\n`);
    return 2;
  }
  const observation = observe(answer, { id: "probe", format: call.dialect, maxBody: MAX_BODY }, { id: "probe" });
  const warnings = [...observation.warnings, ...advise({ ...observation, text: textOf(answer), timeout: call.timeout })];
  io.stdout(call.json ? `${JSON.stringify(toJson(observation, warnings), null, 2)}\n` : toText(observation, warnings, call, io.colour));
  return observation.report === null ? 1 : 0;
}

/** The call as it was meant, `help`, or what is wrong with it. */
function readCall(args: string[]): Call | "help" | string {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { values, positionals } = parsed;
  if (values.help) return "help";
  const dialect = values.dialect ?? "auto";
  if (dialect !== "auto" && !dialectNames().includes(dialect))
    return `no dialect "${dialect}"; there are auto, ${dialectNames().join(", ")}`;
  const timeout = parseDuration(values.timeout ?? "2s");
  if (timeout === null) return `--timeout ${values.timeout} is no length of time such as 500ms or 2s`;
  const source = readSource(values, positionals);
  return typeof source === "string" ? source : { source, dialect, timeout, json: values.json ?? false };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      dialect: { type: "string" },
      header: { type: "string", multiple: true },
      timeout: { type: "string" },
      file: { type: "string" },
      status: { type: "string" },
      "content-type": { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
}

function readSource(values: ReturnType<typeof parse>["values"], positionals: string[]): Call["source"] | string {
  if (values.file !== undefined) {
    if (positionals.length > 0) return "give a URL or --file, not both";
    const status = Number(values.status ?? "200");
    if (!Number.isInteger(status) || status < 200 || status > 599) return `--status ${values.status} is no HTTP status`;
    return { file: values.file, status, contentType: values["content-type"] ?? null };
  }
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) return "one URL is needed";
  if (values.status !== undefined || values["content-type"] !== undefined) return "--status and --content-type belong to --file";
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return "the URL must begin with http:// or https://";
  const headers = new Map<string, string>();
  for (const line of values.header ?? []) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return "a header is written NAME: VALUE";
    headers.set(name, value);
  }
  return { url, headers: Object.fromEntries(headers) };
}

async function ask({ source, timeout }: Call, io: CliIo): Promise<RawAnswer> {
  const clock = { monotonic: () => performance.now(), wall: () => Date.now() };
  if ("url" in source) {
    const target = { url: source.url, headers: source.headers, interval: 10_000, timeout, maxBody: MAX_BODY, tls: null };
    return fetchOnce(target, { userAgent: "headwater-probe", clock });
  }
  const body = await readFile(path.resolve(io.cwd, source.file));
  const none = { contentEncoding: null, date: null, age: null };
  return { kind: "answer", at: clock.wall(), latencyMs: 0, httpStatus: source.status, contentType: source.contentType, body, ...none };
}

function textOf(answer: RawAnswer): string | null {
  if (answer.kind === "failure") return null;
  const decoded = decodeBody(answer.body, { ...answer, maxBody: MAX_BODY });
  return decoded.ok ? decoded.text : null;
}

function toJson({ outcome, httpStatus, format, latencyMs, report, error }: Observation, warnings: readonly Warning[]): object {
  return {
    outcome,
    http_status: httpStatus,
    format,
    latency_ms: round(latencyMs),
    ...(report?.phase && { phase: report.phase }),
    report: report && { status: report.status, components: report.components.map(componentToJson) },
    ...(error !== null && { error }),
    warnings,
  };
}

function componentToJson({ name, status, criticality, latencyMs, lastChecked, ageMs, error, category, raw }: Component): object {
  return {
    name,
    status,
    ...(criticality && { criticality }),
    ...(latencyMs !== undefined && { latency_ms: latencyMs }),
    ...(lastChecked !== undefined && { last_checked: new Date(lastChecked).toISOString() }),
    ...(ageMs !== undefined && { age_ms: ageMs }),
    ...(error !== undefined && { error }),
    ...(category && { category }),
    ...(raw !== undefined && { raw }),
  };
}

const COLOURS: Readonly<Record<string, number>> = { healthy: 32, up: 32, degraded: 33, unhealthy: 31, down: 31, unknown: 35 };
const SIGNS: Readonly<Record<string, string>> = { up: "✓", degraded: "!", down: "✗", unknown: "?" };

function toText(observation: Observation, warnings: readonly Warning[], { source }: Call, colour: boolean): string {
  const { outcome, httpStatus, format, latencyMs, report, error, at } = observation;
  const paint = (text: string, code: number | undefined) => (colour && code !== undefined ? `\u001b[${code}m${text}\u001b[0m` : text);
  const lines = ["url" in source ? redactUrl(source.url) : source.file];
  const facts = [outcome, httpStatus === null ? null : `HTTP ${httpStatus}`, format && `read as ${format}`, `${round(latencyMs)} ms`];
  lines.push(paint(facts.filter((fact) => fact !== null).join(" · "), 2));
  if (error !== null) lines.push(error);
  lines.push(
    "",
    `status      ${report ? paint(report.status, COLOURS[report.status]) : paint("unknown, there is no report", COLOURS.unknown)}`,
  );
  if (report?.phase) lines.push(`phase       ${report.phase}`);
  if (report?.maybeGateway) lines.push("            possibly the word of a gateway, not of the service");
  if (report?.failuresOnly) lines.push("            this dialect lists failing checks alone");
  const width = Math.min(48, Math.max(0, ...(report?.components ?? []).map(({ name }) => name.length)));
  if (width > 0) lines.push("");
  for (const component of report?.components ?? []) {
    const facts = [
      component.criticality,
      component.latencyMs !== undefined && `${component.latencyMs} ms`,
      age(component, at),
      quote(component.raw),
    ];
    const known = facts.filter((fact) => typeof fact === "string").join(", ");
    const head = paint(`${SIGNS[component.status]} ${component.status.padEnd(8)}`, COLOURS[component.status]);
    lines.push(`  ${head} ${component.name.padEnd(width)}${known && `  ${known}`}`.trimEnd());
    if (component.error) lines.push(`             ${component.category ?? "error"}: ${component.error}`);
  }
  if (warnings.length > 0) lines.push("", paint("what could be better", 1));
  for (const { code, message } of warnings) lines.push(`  ${paint(code, 33)}: ${message}`);
  return `${lines.join("\n")}\n`;
}

function age({ ageMs, lastChecked }: Component, now: number): string | null {
  const known = ageMs ?? (lastChecked === undefined ? undefined : Math.max(0, now - lastChecked));
  return known === undefined ? null : `checked ${round(known / 1_000)} s ago`;
}

function quote(raw: string | undefined): string | null {
  return raw === undefined ? null : `says "${raw}"`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
