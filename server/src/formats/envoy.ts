import type { ComponentStatus } from "../domain/status.ts";
import type { Document } from "./dialect.ts";

/** Hosts of one cluster. */
export interface Hosts {
  up: number;
  down: number;
}

/** A cluster is up while all its hosts are, down when none is, degraded between; without hosts unknown. */
export function addClusters(doc: Document, clusters: ReadonlyMap<string, Hosts>): void {
  for (const [name, { up, down }] of clusters) {
    const status: ComponentStatus = up + down === 0 ? "unknown" : down === 0 ? "up" : up === 0 ? "down" : "degraded";
    doc.components.add({ name, status, error: down > 0 ? `${down} of ${up + down} hosts are not healthy` : null });
  }
}

/** Counts one host of a cluster; null only notes that the cluster is there. */
export function countHost(clusters: Map<string, Hosts>, name: string, healthy: boolean | null): void {
  const hosts = clusters.get(name) ?? { up: 0, down: 0 };
  clusters.set(name, hosts);
  if (healthy !== null) hosts[healthy ? "up" : "down"] += 1;
}
