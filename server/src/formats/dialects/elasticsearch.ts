import { textOf } from "../json.ts";
import { everyMember, structured } from "../structured.ts";

/** Elasticsearch and OpenSearch cluster health: 200 in all colours, 408 when a wait ran out. */
export const elasticsearchCluster = structured({
  name: "elasticsearch-cluster",
  title: "Elasticsearch and OpenSearch `_cluster/health`",
  recognised: "`cluster_name`, `status` and `timed_out`",
  mapped: "green, yellow, red; a wait that timed out is at least degraded; no components",
  matches: (value) => typeof value.cluster_name === "string" && typeof value.status === "string" && "timed_out" in value,
  adjust: (reading, value) => ({
    ...reading,
    clientErrorSpeaks: true,
    ...(value.timed_out === true && reading.word?.status === "up" ? { word: { status: "degraded" } } : {}),
  }),
});

/** Elasticsearch's health report: a symptom is told also when all is well. */
export const elasticsearchReport = structured({
  name: "elasticsearch-health-report",
  title: "Elasticsearch `_health_report`",
  recognised: "the members of `indicators` have `status` and `symptom`",
  mapped: "green up, yellow degraded, red down; the error is the symptom of what is not green",
  matches: (value) => everyMember(value.indicators, (indicator) => typeof indicator.status === "string" && "symptom" in indicator),
  habits: { error: (entry) => textOf(entry.symptom) },
});
