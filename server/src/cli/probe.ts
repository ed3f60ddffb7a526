import { readFile } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import type { Component, Observation, Warning } from "../domain/observation.ts";
import { printable } from "../domain/printable.ts";
import { advise } from "../formats/advice.ts";
import { redactUrl } from "../formats/redact.ts";
import { decodeBody } from "../poller/body.ts";
import { fetchOnce, type RawAnswer } from "../poller/fetch.ts";
import { observe } from "../poller/poll.ts";
import { readArgs, readTimeout, urlProblem } from "./args.ts";
import { dialectProblem, readHeaders } from "./endpoint-options.ts";
import { type CliIo, explain } from "./io.ts";
import { probeScreen } from "./probe-screen.ts";

const HELP = `headwater probe URL [--dialect NAME] [--header "NAME: VALUE"]… [--timeout 2s] [--json]
headwater probe --file BODY [--status N] [--content-type T] [--dialect NAME] [--json]

Asks a deep endpoint once, as the poller does, and prints what Headwater makes of the answer and what its author could
do better. With --file it reads a saved answer, or a pipe: curl … | headwater probe --file /dev/stdin.

  --dialect NAME     read the answer as this dialect (docs/dialects.md) instead of recognising it by its shape
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
  if (typeof call === "string") return explain("probe", call, HELP, io);
  let answer: RawAnswer;
  try {
    answer = await ask(call, io);
  } catch (error) {
    io.stderr(`headwater probe: ${printable("file" in call.source ? call.source.file : "")}: ${reasonOf(error)}\n`);
    return 2;
  }
  const headers = "url" in call.source ? call.source.headers : {};
  const observation = observe(answer, { id: "probe", format: call.dialect, maxBody: MAX_BODY, headers }, { id: "probe" });
  const warnings = [...observation.warnings, ...advise({ ...observation, text: textOf(answer), timeout: call.timeout })];
  const { source } = call;
  const where = "url" in source ? { source: redactUrl(source.url), timed: true } : { source: printable(source.file), timed: false };
  io.stdout(
    call.json ? `${JSON.stringify(toJson(observation, warnings), null, 2)}\n` : probeScreen({ ...where, observation, warnings }, io.colour),
  );
  return observation.report === null ? 1 : 0;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "is a folder",
  EACCES: "this user may not read it",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return REASONS[code] ?? `cannot be read (${code})`;
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
  const wrong = dialectProblem(dialect);
  if (wrong) return wrong;
  const timeout = readTimeout(values.timeout ?? "2s");
  if (typeof timeout === "string") return timeout;
  const source = readSource(values, positionals);
  return typeof source === "string" ? source : { source, dialect, timeout, json: values.json ?? false };
}

function parse(args: string[]) {
  return readArgs({
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
  if (!/^https?:\/\//i.test(url)) return urlProblem(url);
  if (!URL.canParse(url)) return "the URL cannot be read: is its host or port wrong?";
  const headers = readHeaders(values.header ?? []);
  return typeof headers === "string" ? headers : { url, headers };
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

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
