import { parseDocument } from "yaml";
import { parseConfig } from "../config/parse.ts";
import type { MapFile, Range, Revision } from "../domain/history.ts";
import { type AnnouncedWork, polledServices } from "../domain/map.ts";
import type { Report } from "../domain/observation.ts";
import { isObject } from "../formats/json.ts";
import { allSamplesSince, type ExportedPoll, pollsIn, runsSince } from "../store/export.ts";
import type { OpenHistory } from "./history-file.ts";

/** Damping remembers twenty results: so many come before the time asked for, that the first verdict is that of the time. */
const RESULTS_BEFORE = 21;
/** And all since the trouble began that held then, as far as this reaches back. */
const TROUBLE_BEFORE_MS = 6 * 3_600_000;
const OPEN_AT_MOST = 500;
const WORKS_AT_MOST = 200;

/** The map that held, and the work that was announced while it did. */
type Held = Revision & { works: readonly AnnouncedWork[] };

interface Accepted {
  revision: number;
  at: number;
}

export interface RecordingLines {
  lines: Iterable<unknown>;
  /** What whoever replays it should know. */
  notes: string[];
}

/** The lines of a recording of a range, by the map that held at its end; null where history holds no map. */
export function recordingOf({ history, reader }: OpenHistory, asked: Range): RecordingLines | null {
  const known = history.connection.sql("SELECT revision, accepted_at AS at FROM revision ORDER BY revision DESC").all() as Accepted[];
  const held = known.find(({ at }) => at < asked.to) ?? known.at(-1);
  const revision = held && reader.revisions(1, held.revision + 1).revisions[0];
  if (!revision) return null;
  const kept = Math.max(history.memory.began ?? asked.from, runsSince(history) ?? asked.to);
  const range = { from: Math.min(asked.to, Math.max(kept, leadIn(reader, revision, asked.from))), to: asked.to };
  const rebuilt = range.from < Math.min(range.to, allSamplesSince(history) ?? range.to);
  const notes: string[] = [];
  if (kept > asked.from && kept < asked.to && (history.memory.began ?? kept) < kept)
    notes.push(`what polls said is kept from ${new Date(kept).toISOString()} on; the recording begins there`);
  const first = known.find(({ at }) => at <= range.from) ?? known.at(-1);
  const changes = known.filter(({ at, revision: number }) => at < asked.to && number > (first?.revision ?? 0)).length;
  if (changes > 0)
    notes.push(
      `the map changed ${changes === 1 ? "once" : `${changes} times`} in this time; the recording holds the last, revision ${revision.revision}`,
    );
  const works = reader.works(range.from, range.to, WORKS_AT_MOST);
  return { lines: linesOf(history, range, asked, { ...revision, works }, rebuilt), notes };
}

/** The moment from which a replay arrives at the state of `from`. */
function leadIn(reader: OpenHistory["reader"], { files }: Revision, from: number): number {
  const { map } = parseConfig(files, "keep", new Date(from).toISOString().slice(0, 10));
  const slowest = map ? Math.max(10_000, ...polledServices(map).map(({ interval }) => interval)) : 10_000;
  const { incidents } = reader.incidents({ from, to: from + 1, limit: OPEN_AT_MOST });
  const began = Math.max(from - TROUBLE_BEFORE_MS, Math.min(from, ...incidents.map(({ openedAt }) => openedAt)));
  return began - RESULTS_BEFORE * slowest;
}

function* linesOf(history: OpenHistory["history"], range: Range, asked: Range, held: Held, rebuilt: boolean): Generator<unknown> {
  const time = (at: number): string => new Date(at).toISOString();
  yield {
    headwater: "recording/1",
    from: time(range.from),
    to: time(range.to),
    asked_from: time(Math.max(range.from, asked.from)),
    revision: held.revision,
    rebuilt_from_changes: rebuilt,
    map: mapOf(held.files, held.works),
  };
  for (const poll of pollsIn(history, range)) yield lineOf(poll, range.from);
}

function lineOf(poll: ExportedPoll, from: number): Record<string, unknown> {
  const { service, instance, outcome, httpStatus, latencyMs, httpAgeMs, report } = poll;
  // A bare failure is told by its HTTP status alone, so that a replay knows it for one too.
  const bare = report?.maybeGateway && report.components.length === 0;
  return {
    t: (poll.at - from) / 1_000,
    service,
    ...(instance === service ? {} : { instance }),
    outcome,
    ...(httpStatus === null ? {} : { http_status: httpStatus }),
    latency_ms: latencyMs,
    ...(httpAgeMs > 0 ? { http_age_ms: httpAgeMs } : {}),
    ...(report && !bare ? { report: reportLine(report) } : {}),
  };
}

function reportLine({ status, word, phase, failuresOnly, components }: Report): Record<string, unknown> {
  return {
    status: phase ?? status,
    ...(word === undefined || word === status ? {} : { word }),
    ...(failuresOnly ? { failures_only: true } : {}),
    components: components.map(({ name, status: said, criticality, category, ageMs }) => ({
      name,
      status: said,
      ...(criticality ? { criticality } : {}),
      ...(ageMs === undefined ? {} : { age_ms: ageMs }),
      ...(category ? { error: category } : {}),
    })),
  };
}

const SECTIONS = ["teams", "resources", "services", "systems"] as const;
type Section = Record<string, Record<string, unknown> | null>;

/** The map's files as one value, without headers, certificates, credentials and queries: a recording polls nobody. */
function mapOf(files: readonly MapFile[], works: readonly AnnouncedWork[]): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (const file of files) {
    const value: unknown = parseDocument(file.text).toJS({ maxAliasCount: 100 });
    if (!isObject(value)) continue;
    for (const section of SECTIONS)
      if (isObject(value[section])) map[section] = { ...(map[section] as Section | undefined), ...value[section] };
    if (isObject(value.defaults)) map.defaults = { ...(map.defaults as object | undefined), ...value.defaults };
    if (Array.isArray(value.maintenance)) map.maintenance = [...((map.maintenance as unknown[] | undefined) ?? []), ...value.maintenance];
  }
  const services = (map.services ?? {}) as Section;
  const declared = new Set(Object.keys({ ...services, ...(map.resources as Section | undefined) }));
  const announced = works.flatMap(({ nodes, from, to, reason }) => {
    const known = nodes.filter((id) => declared.has(id));
    if (known.length === 0 || localTime(from) === localTime(to)) return [];
    return [{ nodes: known, from: localTime(from), to: localTime(to), zone: "UTC", reason: reason || "announced" }];
  });
  if (announced.length > 0) map.maintenance = [...((map.maintenance as unknown[] | undefined) ?? []), ...announced];
  map.services = Object.fromEntries(Object.entries(services).map(([id, service]) => [id, withoutSecrets(service ?? {})]));
  if (isObject(map.defaults)) map.defaults = withoutSecrets(map.defaults);
  return map;
}

/** As a map writes it: to the second, without an offset. */
function localTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
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
