import type { Dialect } from "../dialect.ts";
import { errorText } from "../error-text.ts";
import { isObject, textOf } from "../json.ts";
import { hasNoOther } from "../structured.ts";

/** Metrics.NET: the checks stand in two lists. */
export const metricsNet: Dialect = {
  name: "metrics-net",
  title: "Metrics.NET",
  recognised: "`IsHealthy`, with the lists `Healthy` and `Unhealthy`",
  mapped: "by the list in which a check stands; the error is `Message`",
  kinds: ["object"],
  matches: (doc) =>
    isObject(doc.value) &&
    typeof doc.value.IsHealthy === "boolean" &&
    (Array.isArray(doc.value.Healthy) || Array.isArray(doc.value.Unhealthy)) &&
    hasNoOther(doc),
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    for (const [list, status] of [
      ["Healthy", "up"],
      ["Unhealthy", "down"],
    ] as const) {
      const checks = doc.value[list];
      for (const [index, check] of (Array.isArray(checks) ? checks : []).entries()) {
        if (isObject(check))
          doc.components.add({ name: textOf(check.Name) ?? `${list}-${index + 1}`, status, error: errorText(check.Message) });
      }
    }
    return { word: { status: doc.value.IsHealthy === true ? "up" : "down" } };
  },
};
