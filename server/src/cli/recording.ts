import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { parseMapObject } from "../config/parse.ts";
import type { SystemMap } from "../domain/map.ts";
import { type Component, ERROR_CATEGORIES, type ErrorCategory, type Observation, type Report } from "../domain/observation.ts";
import { COMPONENT_STATUSES, CRITICALITIES, OUTCOMES, STATUSES } from "../domain/status.ts";
import { isServerError } from "../formats/http.ts";

/** When a recording does not tell when it began, its second zero is a day after the epoch, so that no moment is "never". */
export const SHIFT = 86_400_000;
const LINE_AT_MOST = 4_194_304;
const LINES_AT_MOST = 20_000_000;
const COMPONENTS_AT_MOST = 2_000;

const Header = z.looseObject({
  headwater: z.literal("recording/1"),
  from: z.iso.datetime({ offset: true }).optional().catch(undefined),
  map: z.record(z.string(), z.unknown()),
});
const RecordedComponent = z.looseObject({
  name: z.string().min(1).max(400),
  status: z.enum(COMPONENT_STATUSES),
  criticality: z.enum(CRITICALITIES).optional().catch(undefined),
  latency_ms: z.number().nonnegative().optional().catch(undefined),
  age_ms: z.number().nonnegative().optional().catch(undefined),
  last_checked: z.iso.datetime({ offset: true }).optional().catch(undefined),
  error: z.string().optional().catch(undefined),
});
const Poll = z.looseObject({
  t: z.number().min(0).max(1e11),
  service: z.string(),
  instance: z.string().optional(),
  outcome: z.enum(OUTCOMES),
  http_status: z.int().nullish(),
  latency_ms: z.number().nonnegative().nullish(),
  http_age_ms: z.number().nonnegative().optional().catch(undefined),
  report: z
    .looseObject({
      status: z.enum(["healthy", "degraded", "unhealthy", "unknown", "starting", "draining"]),
      word: z.enum(STATUSES).nullable().optional().catch(undefined),
      failures_only: z.boolean().optional().catch(undefined),
      components: z.array(RecordedComponent).max(COMPONENTS_AT_MOST).optional(),
    })
    .nullish(),
});
type Poll = z.infer<typeof Poll>;

export interface Recording {
  map: SystemMap;
  /** Epoch milliseconds of second zero; null where the recording does not tell, and `SHIFT` stands for it. */
  from: number | null;
  zero: number;
  /** In order of time; polls of services that the map does not hold are left out. */
  polls: Observation[];
}

/** Another map to read a recording's polls by, and what its services are called there. */
export interface Under {
  map: SystemMap;
  now: (id: string) => string;
}

/** Reads a recording, its polls by its own map or by another; a text with file, as the caller names it, and line where it is none. */
export async function readRecording(cwd: string, file: string, under?: Under): Promise<Recording | string> {
  const reader = new Reader(under);
  try {
    for await (const line of createInterface({
      input: createReadStream(path.resolve(cwd, file), "utf8"),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const wrong = reader.line(line);
      if (wrong) return `${file}:${wrong}`;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return `${file}: there is no such file`;
    return `${file}: ${code === "EISDIR" ? "is a folder" : `cannot be read (${code ?? "unknown error"})`}`;
  }
  return reader.recording ?? `${file}: empty; a recording begins with { "headwater": "recording/1", "map": … }`;
}

/** The same from lines at hand. */
export function parseRecording(lines: Iterable<string>): Recording | string {
  const reader = new Reader();
  for (const line of lines) {
    const wrong = reader.line(line);
    if (wrong) return wrong;
  }
  return reader.recording ?? "empty";
}

/** Takes a recording line by line; `line` answers null, or what is wrong, with the line's number. */
class Reader {
  #map: SystemMap | null = null;
  #from: number | null = null;
  #number = 0;
  readonly #polls: Observation[] = [];
  readonly #under: Under | undefined;

  constructor(under?: Under) {
    this.#under = under;
  }

  line(text: string): string | null {
    this.#number++;
    if (text.trim() === "") return null;
    const wrong = this.#take(text);
    return wrong === null ? null : `${this.#number}: ${wrong}`;
  }

  get recording(): Recording | null {
    return this.#map && { map: this.#map, from: this.#from, zero: this.#from ?? SHIFT, polls: this.#polls.sort((a, b) => a.at - b.at) };
  }

  #take(text: string): string | null {
    if (text.length > LINE_AT_MOST) return `the line is longer than ${LINE_AT_MOST} characters`;
    if (this.#number > LINES_AT_MOST) return `more than ${LINES_AT_MOST} lines`;
    const value = parseJson(text);
    if (value === undefined) return "not JSON";
    if (this.#map === null) {
      const header = readHeader(value);
      if (typeof header === "string") return header;
      this.#map = this.#under?.map ?? header.map;
      this.#from = header.from;
      return null;
    }
    const poll = Poll.safeParse(value);
    if (!poll.success) return problem(poll.error);
    const named = this.#under ? renamed(poll.data, this.#under.now) : poll.data;
    const observation = observationOf(named, this.#map, this.#from);
    if (observation) this.#polls.push(observation);
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readHeader(value: unknown): Pick<Recording, "map" | "from"> | string {
  const header = Header.safeParse(value);
  if (!header.success) return 'the first line must be { "headwater": "recording/1", "map": { … } }';
  const { map, errors } = parseMapObject(header.data.map);
  if (map) return { map, from: header.data.from === undefined ? null : Date.parse(header.data.from) };
  return `the map is refused: ${errors.map(({ code, message }) => `${code}: ${message}`).join("; ")}`;
}

function problem(error: z.ZodError): string {
  const first = error.issues[0];
  return first ? `${first.path.join(".") || "line"}: ${first.message}` : "not a poll";
}

/** Ids of several instances begin with their service's. */
function renamed(poll: Poll, now: Under["now"]): Poll {
  const service = now(poll.service);
  if (service === poll.service) return poll;
  const instance = poll.instance?.startsWith(poll.service) ? service + poll.instance.slice(poll.service.length) : poll.instance;
  return { ...poll, service, ...(instance === undefined ? {} : { instance }) };
}

function observationOf(poll: Poll, map: SystemMap, from: number | null): Observation | null {
  const node = map.nodes.get(poll.service);
  if (node?.kind !== "service") return null;
  const instance = instanceOf(
    poll.instance,
    node.instances.map(({ id, url }) => ({ id, url })),
  );
  if (instance === null) return null;
  const at = Math.round(poll.t * 1000) + (from ?? SHIFT);
  return {
    service: poll.service,
    instance,
    at,
    latencyMs: poll.latency_ms ?? 0,
    outcome: poll.outcome,
    httpStatus: poll.http_status ?? null,
    report: reportOf(poll, at, from === null ? SHIFT : 0),
    format: poll.report ? "headwater" : null,
    error: null,
    date: null,
    httpAge: poll.http_age_ms ?? null,
    warnings: [],
    body: null,
  };
}

/** By its id or its address; without either, the only one. */
function instanceOf(named: string | undefined, instances: readonly { id: string; url: string }[]): string | null {
  if (named === undefined) return instances[0]?.id ?? null;
  return instances.find(({ id, url }) => id === named || url === named)?.id ?? null;
}

/** A poll without a report is judged by its outcome and HTTP status. `moved`: by how much the times that it states are. */
function reportOf({ outcome, http_status, report }: Poll, at: number, moved: number): Report | null {
  if (outcome !== "report" && outcome !== "http_error") return null;
  if (report) {
    const phase = report.status === "starting" || report.status === "draining" ? report.status : null;
    const components = (report.components ?? []).map((component) => componentOf(component, at, moved));
    return {
      status: phase ? "unknown" : (report.status as Report["status"]),
      components,
      ...(report.word === undefined ? {} : { word: report.word }),
      ...(phase ? { phase } : {}),
      ...(report.failures_only ? { failuresOnly: true } : {}),
    };
  }
  const status = http_status ?? (outcome === "report" ? 200 : 0);
  if (isServerError(status) && status < 600) return { status: "unhealthy", components: [], maybeGateway: true };
  return outcome === "report" && status >= 200 && status < 300 ? { status: "healthy", components: [] } : null;
}

function componentOf(component: z.infer<typeof RecordedComponent>, at: number, moved: number): Component {
  const { name, status, criticality, latency_ms, age_ms, last_checked, error } = component;
  const checked = last_checked === undefined ? Number.NaN : Date.parse(last_checked) + moved;
  return {
    name,
    status,
    ...(criticality ? { criticality } : {}),
    ...(latency_ms === undefined ? {} : { latencyMs: latency_ms }),
    ...(age_ms === undefined ? {} : { ageMs: age_ms }),
    ...(checked <= at ? { lastChecked: checked } : {}),
    ...(error === undefined ? {} : { error: error.slice(0, 200) }),
    ...(error && isCategory(error) ? { category: error } : {}),
  };
}

function isCategory(text: string): text is ErrorCategory {
  return (ERROR_CATEGORIES as readonly string[]).includes(text);
}
