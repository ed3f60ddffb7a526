import type { Dialect } from "../dialect.ts";
import { parseLength } from "../durations.ts";
import { errorText } from "../error-text.ts";
import { isObject } from "../json.ts";
import { everyCheck } from "../structured.ts";

/** Dropwizard metrics, Sonatype Nexus too: a map from name to result, with details of any kind and name flattened into it. */
export const dropwizardMetrics: Dialect = {
  name: "dropwizard-metrics",
  title: "Dropwizard metrics health checks, Sonatype Nexus",
  recognised: "a map whose members all have `healthy` as a boolean",
  mapped: "`duration` in milliseconds; the error is `error.message`, else `message`; details beside them are left out",
  kinds: ["object"],
  matches: (doc) => everyCheck(doc, (check) => typeof check.healthy === "boolean"),
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    for (const [name, check] of Object.entries(doc.value)) {
      if (!isObject(check)) continue;
      doc.components.add({
        name,
        status: check.healthy === true ? "up" : check.healthy === false ? "down" : "unknown",
        latencyMs: parseLength(check.duration, "ms"),
        lastChecked: doc.checkedAt(check.timestamp ?? check.time, name),
        error: errorText(check.error) ?? errorText(check.message),
      });
    }
    return { word: null };
  },
};
