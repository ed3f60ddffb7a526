import type { ComponentStatus } from "../../domain/status.ts";
import type { Dialect, Reading } from "../dialect.ts";
import { parseLength } from "../durations.ts";
import { linesOf } from "../lines.ts";

const SAMPLE = /^django_health_check_(status|response_time_seconds)\{(.*)\} (\S+)$/;
const OVERALL = /^django_health_check_overall_status (\S+)$/;

/** The metrics of django-health-check, which always come with 200. */
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
