import { structured } from "../structured.ts";
import { wordOf } from "../word.ts";

/** The collector's second health check extension: the status says more than `healthy`, and its time is that of the last change. */
export const otelCollector = structured({
  name: "otel-collector",
  title: "OpenTelemetry Collector, healthcheckv2",
  recognised: "`status` begins with `Status`, beside `healthy`",
  mapped: "StatusOK up, recoverable and permanent errors degraded, fatal ones down; nested components to leaves; `status_time` is no age",
  matches: (value) => typeof value.healthy === "boolean" && typeof value.status === "string" && value.status.startsWith("Status"),
  habits: {
    word: (entry) =>
      typeof entry.status === "string" ? wordOf(entry.status) : typeof entry.healthy === "boolean" ? wordOf(entry.healthy) : null,
  },
});
