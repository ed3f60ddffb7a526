import type { ComponentStatus } from "../../domain/status.ts";
import type { Dialect, Document } from "../dialect.ts";
import { isObject } from "../json.ts";
import { linesOf } from "../lines.ts";

interface Hosts {
  up: number;
  down: number;
}

/** A cluster is up while all its hosts are, down when none is, degraded between; without hosts unknown. */
function add(doc: Document, clusters: ReadonlyMap<string, Hosts>): void {
  for (const [name, { up, down }] of clusters) {
    const status: ComponentStatus = up + down === 0 ? "unknown" : down === 0 ? "up" : up === 0 ? "down" : "degraded";
    doc.components.add({ name, status, error: down > 0 ? `${down} of ${up + down} hosts are not healthy` : null });
  }
}

function count(clusters: Map<string, Hosts>, name: string, healthy: boolean | null): void {
  const hosts = clusters.get(name) ?? { up: 0, down: 0 };
  clusters.set(name, hosts);
  if (healthy !== null) hosts[healthy ? "up" : "down"] += 1;
}

/** Envoy's admin `/clusters` as text. */
export const envoyText: Dialect = {
  name: "envoy-clusters-text",
  title: "Envoy `/clusters` (text)",
  recognised: "text whose lines are `cluster::…::key::value`",
  mapped: "a component per cluster, from the `health_flags` of its hosts",
  kinds: ["text"],
  matches: ({ text }) => /^[^\s:]+::[^\n]+::[^\n]*$/m.test(text) && /^[^\n]*::health_flags::|^[^\n]*::added_via_api::/m.test(text),
  normalise(doc) {
    const clusters = new Map<string, Hosts>();
    for (const line of linesOf(doc)) {
      const parts = line.split("::");
      const name = parts[0] ?? "";
      if (parts.length < 3 || name === "") continue;
      count(clusters, name, parts.at(-2) === "health_flags" ? parts.at(-1) === "healthy" : null);
    }
    add(doc, clusters);
    return { word: null };
  },
};

/** The same as JSON, which leaves out flags that are false. */
export const envoyJson: Dialect = {
  name: "envoy-clusters",
  title: "Envoy `/clusters?format=json`",
  recognised: "`cluster_statuses` is a list",
  mapped: "a host fails with any `failed_…` flag or an EDS status other than HEALTHY",
  kinds: ["object"],
  matches: ({ value }) => isObject(value) && Array.isArray(value.cluster_statuses),
  normalise(doc) {
    if (!isObject(doc.value) || !Array.isArray(doc.value.cluster_statuses)) return null;
    const clusters = new Map<string, Hosts>();
    for (const cluster of doc.value.cluster_statuses) {
      if (!isObject(cluster) || typeof cluster.name !== "string") continue;
      count(clusters, cluster.name, null);
      for (const host of Array.isArray(cluster.host_statuses) ? cluster.host_statuses : [])
        count(clusters, cluster.name, isHealthyHost(host));
    }
    add(doc, clusters);
    return { word: null };
  },
};

function isHealthyHost(host: unknown): boolean | null {
  const health = isObject(host) ? host.health_status : null;
  if (!isObject(health)) return null;
  const eds = health.eds_health_status;
  return Object.values(health).every((flag) => flag !== true) && (eds === undefined || eds === "HEALTHY" || eds === "UNKNOWN");
}
