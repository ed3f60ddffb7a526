import type { ComponentStatus } from "../../domain/status.ts";
import type { Dialect, Document, Reading } from "../dialect.ts";
import { parseLength } from "../durations.ts";
import { isObject } from "../json.ts";
import { linesOf } from "../lines.ts";
import { worse } from "../vocabulary.ts";

const VERDICTS: readonly (readonly [RegExp, ComponentStatus])[] = [
  [/^(?:working|ok)$/i, "up"],
  [/^warning\b/i, "degraded"],
  [/^(?:unavailable|unexpected result|unknown error|error)\b/i, "down"],
];
const LINE = /^(.+): (OK|working|(?:Unavailable|Warning|Unexpected Result|Unknown Error): .*)$/i;

function verdictOf(text: string): ComponentStatus | null {
  return VERDICTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The worst of the lines of one check; texts are translated, so that a word we do not know is unknown. */
function add(doc: Document, name: string, text: string): void {
  let status: ComponentStatus | null = null;
  for (const line of text.split("\n")) {
    const verdict = verdictOf(line.trim());
    if (verdict) status = status ? worse(status, verdict) : verdict;
  }
  doc.components.add({ name, status: status ?? "unknown", error: text, raw: status ? null : text });
}

/** A 500 is sent for a warning too. */
function reading(doc: Document): Reading {
  const statuses = new Set(doc.components.items.map(({ status }) => status));
  const mild = statuses.has("degraded") && !statuses.has("down") && !statuses.has("unknown");
  return mild ? { word: null, serverError: "degraded" } : { word: null };
}

/** django-health-check 3 and 4 as JSON: a flat map from check to text. */
export const djangoJson: Dialect = {
  name: "django-health-check",
  title: "django-health-check 3 and 4 (JSON)",
  recognised:
    "a map of texts of which one at least is `working` or `OK`, or begins with the kind of error, and all are when the answer is good",
  mapped: "`Warning:` is degraded, other kinds down; a 500 with warnings alone is degraded; several errors of one check are joined",
  kinds: ["object"],
  matches: ({ value, httpStatus }) => {
    if (!isObject(value)) return false;
    const texts = Object.values(value);
    if (texts.length === 0 || !texts.every((text) => typeof text === "string")) return false;
    if (Object.keys(value).some((key) => /^(?:status|state|message|error|detail|health)$/i.test(key))) return false;
    const known = texts.filter(
      (text) => text === "working" || text === "OK" || /^(?:unavailable|warning|unexpected result|unknown error): /i.test(text),
    ).length;
    return known === texts.length || (known > 0 && httpStatus >= 500 && texts.includes("working"));
  },
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    for (const [name, text] of Object.entries(doc.value)) add(doc, name, String(text));
    return reading(doc);
  },
};

/** django-health-check 4 as text: `repr(check): verdict`, where the verdict has a colon of its own. */
export const djangoText: Dialect = {
  name: "django-health-check-text",
  title: "django-health-check 4 (text)",
  recognised: "text whose lines all end in `: OK`, or in `: Unavailable: …` and the like",
  mapped: "split at the last colon before the verdict; otherwise as the JSON form",
  kinds: ["text"],
  matches: (doc) => {
    const lines = linesOf(doc);
    return (
      lines.length > 0 &&
      lines.every((line) => LINE.test(line)) &&
      lines.some((line) => /\(.*\): |: (?:Unavailable|Warning|Unexpected Result|Unknown Error): /.test(line))
    );
  },
  normalise(doc) {
    for (const line of linesOf(doc)) {
      const match = LINE.exec(line);
      if (match?.[1]) add(doc, match[1], match[2] ?? "");
    }
    return reading(doc);
  },
};

const SAMPLE = /^django_health_check_(status|response_time_seconds)\{(.*)\} (\S+)$/;
const OVERALL = /^django_health_check_overall_status (\S+)$/;

/** Its metrics, which always come with 200. */
export const djangoMetrics: Dialect = {
  name: "django-health-check-openmetrics",
  title: "django-health-check 4 (OpenMetrics)",
  recognised: "samples of `django_health_check_status`",
  mapped: "1 is up, 0 down; the name is the label `check`; response times in seconds; the overall sample is the service's word",
  kinds: ["text"],
  matches: ({ text }) => /^django_health_check_(?:status\{|overall_status )/m.test(text),
  normalise(doc) {
    const checks = new Map<string, { status: ComponentStatus; latencyMs: number | null }>();
    let word: Reading["word"] = null;
    for (const line of linesOf(doc)) {
      const overall = OVERALL.exec(line);
      if (overall) word = { status: Number(overall[1]) === 1 ? "up" : "down" };
      const sample = SAMPLE.exec(line);
      const name = sample ? (/(?:^|,)check="((?:[^"\\]|\\.)*)"/.exec(sample[2] ?? "")?.[1] ?? "").replace(/\\(.)/g, "$1") : "";
      if (!sample || name === "") continue;
      const check = checks.get(name) ?? { status: "unknown", latencyMs: null };
      checks.set(name, check);
      if (sample[1] === "status") check.status = Number(sample[3]) === 1 ? "up" : "down";
      else check.latencyMs = parseLength(sample[3], "s");
    }
    for (const [name, check] of checks) doc.components.add({ name, ...check });
    return { word };
  },
};
