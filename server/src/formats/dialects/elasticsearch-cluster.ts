import { structured } from "../structured.ts";

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
