import type { ServiceNode, SystemMap } from "../../domain/map.ts";
import { placeOf, type TreeNode } from "../tree.ts";

export type ProbeRule =
  | "same-path"
  | "liveness-deep"
  | "readiness-deep"
  | "default-timeout"
  | "timeout-short"
  | "timeout-long"
  | "startup-missing"
  | "exec-db-client"
  | "redirect-or-auth"
  | "port-not-exposed"
  | "cloud-run-startup-window"
  | "liveness-aggressive"
  | "readiness-missing"
  | "health-check-path-deep"
  | "docker-healthcheck-deep";

export interface Finding {
  file: string;
  line: number;
  rule: ProbeRule;
  /** Allowed, and only worth knowing. */
  level?: "note";
  message: string;
}

export const finding = (rule: ProbeRule, node: TreeNode, message: string, line = placeOf(node).line): Finding => ({
  file: node.origin.path,
  line,
  rule,
  message,
});

/** What the map says of the workload with a service's id. */
export interface Target {
  id: string;
  /** Paths of its deep endpoint, normalised; empty where it has none. */
  paths: ReadonlySet<string>;
  /** Milliseconds. */
  timeout: number;
}

/** The service of the same id; a workload outside the map has no deep endpoint. */
export function targetOf(map: SystemMap, id: string): Target {
  const node = map.nodes.get(id);
  const service: ServiceNode | null = node?.kind === "service" ? node : null;
  return { id, paths: new Set(service?.instances.map(({ url }) => normalPath(pathOf(url)))), timeout: service?.timeout ?? 0 };
}

/** The path of an address, with or without a scheme, also where parts of it are still references. */
export function pathOf(address: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*(\/[^?#]*)?/i.exec(address)?.[1] ?? "/";
}

/** Without query, fragment and trailing slashes, so that spellings of one path compare equal. */
export function normalPath(path: string): string {
  const bare = path.replace(/[?#].*$/s, "").replace(/\/{2,}/g, "/");
  return bare.length > 1 ? bare.replace(/\/+$/, "") || "/" : bare || "/";
}

/** Whether a command line asks one of the paths over HTTP. */
export function commandAsks(command: string, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false;
  return command
    .split(/[\s"'`|;&()<>,[\]]+/)
    .some((word) => /^(?:https?:\/\/|[^/=-][^/=]*(?::[^/]+)?\/)/i.test(word) && paths.has(normalPath(pathOf(word))));
}
