import { parseArgs } from "node:util";
import { parseDocument } from "yaml";
import type { MapFile } from "../domain/history.ts";
import { changesIn, type ExportedPoll, pollsFromChanges, pollsIn, samplesSince } from "../store/export.ts";
import type { Range } from "../store/timeline.ts";
import { type OpenHistory, openHistory, parseMoment, printable } from "./history-file.ts";
import type { CliIo } from "./io.ts";

const HELP = `headwater export [--from TIME] [--to TIME] [--csv WHAT] [--data DIR]

Writes history to standard output: a recording that \`headwater replay\` reads, or a table.

  --from TIME   ISO 8601 time, a date, or how long ago (90m, 24h, 7d); default 24h
  --to TIME     the same, or now; default now
  --csv WHAT    polls, changes, incidents or availability, instead of a recording
  --data DIR    the data folder (default: data)

Polls are kept for a day (retention.raw). A recording of an earlier time is rebuilt from the changes of state: its states,
and so its verdicts, are those of the time; single polls are not. Works beside a running server.
Exit code 0, 1 when there is no history to read, 2 for a wrong call.
`;

const TABLES = ["polls", "changes", "incidents", "availability"] as const;
type TableName = (typeof TABLES)[number];

interface Call {
  range: Range;
  csv: TableName | null;
  data: string;
}

/** `export`: 0, 1 without a readable history, 2 for a wrong call. */
export async function exportHistory(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args, Date.now());
  if (call === "help") {
    io.stdout(HELP);
    return 0;
  }
  if (typeof call === "string") {
    io.stderr(`headwater export: ${printable(call)}\n${HELP}`);
    return 2;
  }
  const open = openHistory("export", call.data, io);
  if (!open) return 1;
  try {
    if (call.csv) for (const row of table(open, call.csv, call.range)) io.stdout(row);
    else {
      const lines = recording(open, call.range);
      if (!lines) {
        io.stderr("headwater export: this history holds no accepted map yet.\n");
        return 1;
      }
      for (const line of lines) io.stdout(`${JSON.stringify(line)}\n`);
    }
    return 0;
  } finally {
    open.close();
  }
}

function readCall(args: string[], now: number): Call | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        from: { type: "string", default: "24h" },
        to: { type: "string", default: "now" },
        csv: { type: "string" },
        data: { type: "string", default: "data" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    const from = parseMoment(values.from, now);
    const to = parseMoment(values.to, now);
    if (from === null) return `--from ${values.from} is no time`;
    if (to === null) return `--to ${values.to} is no time`;
    if (from >= to) return "--from has to lie before --to";
    const csv = TABLES.find((name) => name === values.csv) ?? null;
    if (values.csv !== undefined && csv === null) return `--csv is one of ${TABLES.join(", ")}`;
    return { range: { from, to }, csv, data: values.data };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

/** The lines of a recording: the map that held at the end of the range, then the polls; null without a map. */
function* header(range: Range, map: Record<string, unknown>, rebuilt: boolean): Generator<unknown> {
  const from = new Date(range.from).toISOString();
  const to = new Date(range.to).toISOString();
  yield { headwater: "recording/1", from, to, rebuilt_from_changes: rebuilt, map };
}

function recording({ history, reader }: OpenHistory, range: Range): Iterable<unknown> | null {
  const { revisions } = reader.revisions(200);
  const revision = revisions.find((one) => one.acceptedAt < range.to) ?? revisions.at(-1);
  if (!revision) return null;
  // Before the history began there was nothing to keep: that time makes no recording a rebuilt one.
  const held = { from: Math.min(range.to, Math.max(range.from, history.memory.began ?? range.from)), to: range.to };
  const since = samplesSince(history);
  const rebuilt = since === null || held.from < since;
  const map = mapOf(revision.files, rebuilt);
  const polls = rebuilt ? pollsFromChanges(history, held) : pollsIn(history, held);
  return (function* () {
    yield* header(held, map, rebuilt);
    for (const poll of polls) yield lineOf(poll, held.from);
  })();
}

function lineOf(poll: ExportedPoll, from: number): Record<string, unknown> {
  return {
    t: (poll.at - from) / 1_000,
    service: poll.service,
    ...(poll.instance === poll.service ? {} : { instance: poll.instance }),
    outcome: poll.outcome,
    ...(poll.httpStatus === null ? {} : { http_status: poll.httpStatus }),
    latency_ms: poll.latencyMs,
    ...(poll.report ? { report: poll.report } : {}),
  };
}

const SECTIONS = ["teams", "resources", "services", "systems"] as const;
type Section = Record<string, Record<string, unknown> | null>;

/** The map's files as one value, without headers, certificates, credentials and queries: a recording polls nobody. */
function mapOf(files: readonly MapFile[], rebuilt: boolean): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (const file of files) {
    const value: unknown = parseDocument(file.text).toJS({ maxAliasCount: 100 });
    if (!isObject(value)) continue;
    for (const section of SECTIONS)
      if (isObject(value[section])) map[section] = { ...(map[section] as Section | undefined), ...value[section] };
    if (isObject(value.defaults)) map.defaults = { ...(map.defaults as object | undefined), ...value.defaults };
    if (Array.isArray(value.maintenance)) map.maintenance = [...((map.maintenance as unknown[] | undefined) ?? []), ...value.maintenance];
  }
  // Rebuilt states are damped already, and are repeated every few minutes.
  const steady = { flip_after: 1, down_after: 1, up_after: 1, max_age: "10m", component_max_age: "10m" };
  const services = (map.services ?? {}) as Section;
  map.services = Object.fromEntries(
    Object.entries(services).map(([id, service]) => [id, { ...withoutSecrets(service ?? {}), ...(rebuilt ? steady : {}) }]),
  );
  if (isObject(map.defaults)) map.defaults = withoutSecrets(map.defaults);
  return map;
}

function withoutSecrets(service: Record<string, unknown>): Record<string, unknown> {
  const { headers: _headers, tls: _tls, url, instances, ...rest } = service;
  return {
    ...rest,
    ...(typeof url === "string" ? { url: bareUrl(url) } : {}),
    ...(Array.isArray(instances) ? { instances: instances.map((one) => (typeof one === "string" ? bareUrl(one) : one)) } : {}),
  };
}

function bareUrl(url: string): string {
  const [, scheme = "", rest = url] = /^([a-z]+:\/\/)(.*)$/is.exec(url) ?? [];
  const [before = ""] = rest.split(/[?#]/);
  const slash = before.indexOf("/");
  const host = slash === -1 ? before : before.slice(0, slash);
  return scheme + host.slice(host.lastIndexOf("@") + 1) + (slash === -1 ? "" : before.slice(slash));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function* table({ history, reader }: OpenHistory, what: TableName, range: Range): Generator<string> {
  const time = (at: number | null): string => (at === null ? "" : new Date(at).toISOString());
  if (what === "polls") {
    yield row(["time", "service", "instance", "outcome", "http_status", "latency_ms", "status"]);
    for (const poll of pollsIn(history, range))
      yield row([time(poll.at), poll.service, poll.instance, poll.outcome, poll.httpStatus, poll.latencyMs, poll.report?.status ?? null]);
  } else if (what === "changes") {
    yield row(["time", "subject", "id", "from", "to", "reason", "incident"]);
    for (const one of changesIn(history, range)) yield row([time(one.at), one.subject, one.id, one.from, one.to, one.reason, one.incident]);
  } else if (what === "incidents") {
    yield row(["id", "kind", "severity", "node", "opened_at", "detected_at", "resolved_at", "end", "confidence", "impacted", "why"]);
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const page = reader.incidents({ ...range, limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      for (const one of page.incidents) {
        const impacted = one.impacted.map(({ node }) => node).join(" ");
        const times = [time(one.openedAt), time(one.detectedAt), time(one.resolvedAt)];
        const { cause } = one;
        yield row([
          one.id,
          one.kind,
          one.severity,
          cause?.node ?? one.anchor,
          ...times,
          one.end,
          cause?.confidence ?? null,
          impacted,
          cause?.why.join("; ") ?? "",
        ]);
      }
      cursor = page.next;
    }
  } else {
    yield row(["subject", "id", "up_ms", "degraded_ms", "down_ms", "unseen_ms", "maintenance_ms", "up_share_of_seen"]);
    for (const subject of ["system", "node"] as const)
      for (const [id] of history.names.all(subject)) {
        const { up, degraded, down, unseen, maintenance } = reader.availability(subject, id, range.from, range.to);
        const seen = up + degraded + down;
        if (seen > 0) yield row([subject, id, up, degraded, down, unseen, maintenance, ((up + degraded) / seen).toFixed(6)]);
      }
  }
}

/** One line of CSV; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function row(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    if (typeof cell === "number") return String(cell);
    const text = printable(cell ?? "");
    const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${quoted.join(",")}\n`;
}
