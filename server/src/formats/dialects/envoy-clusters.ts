import type { Dialect } from "../dialect.ts";
import { addClusters, countHost, type Hosts } from "../envoy.ts";
import { isObject } from "../json.ts";
import { hasNoOther } from "../structured.ts";

/** Envoy's admin `/clusters` as JSON, which leaves out flags that are false. */
export const envoyJson: Dialect = {
  name: "envoy-clusters",
  title: "Envoy `/clusters?format=json`",
  recognised: "`cluster_statuses` is a list",
  mapped: "a host fails with any `failed_…` flag or an EDS status other than HEALTHY",
  kinds: ["object"],
  matches: (doc) => isObject(doc.value) && Array.isArray(doc.value.cluster_statuses) && hasNoOther(doc),
  normalise(doc) {
    if (!isObject(doc.value) || !Array.isArray(doc.value.cluster_statuses)) return null;
    const clusters = new Map<string, Hosts>();
    for (const cluster of doc.value.cluster_statuses) {
      if (!isObject(cluster) || typeof cluster.name !== "string") continue;
      countHost(clusters, cluster.name, null);
      for (const host of Array.isArray(cluster.host_statuses) ? cluster.host_statuses : [])
        countHost(clusters, cluster.name, isHealthyHost(host));
    }
    addClusters(doc, clusters);
    return { word: null };
  },
};

function isHealthyHost(host: unknown): boolean | null {
  const health = isObject(host) ? host.health_status : null;
  if (!isObject(health)) return null;
  const eds = health.eds_health_status;
  return Object.values(health).every((flag) => flag !== true) && (eds === undefined || eds === "HEALTHY" || eds === "UNKNOWN");
}
