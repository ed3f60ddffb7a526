/** `config/headwater.yaml`, with every default filled in. Durations are milliseconds, sizes bytes. */
export interface AggregatorConfig {
  /** Shown in title, alerts, metrics and heartbeat. */
  site: string;
  listen: { host: string; port: number; hosts: readonly string[]; basePath: string };
  storage: { maxSize: number };
  retention: { raw: number; minutes: number; hours: number; changes: number };
  auth: Auth;
  heartbeat: { url: string; every: number } | null;
  /** `limit` null: worked out from the shortest interval. `overdueLimit` is a share, 0 to 1. */
  staleness: { limit: number | null; overdueLimit: number; writeLimit: number };
  /** Null: worked out per node from its interval. */
  analysis: { settle: number | null; unreachableAfter: number | null; reviewAfter: number };
  canaries: readonly string[];
  alerts: { alertmanager: { urls: readonly string[] } | null; webhook: { url: string; secret: string | null } | null };
  log: { level: "trace" | "debug" | "info" | "warn" | "error" | "silent"; format: "auto" | "json" | "pretty" };
}

/** `unset` is not `none`: without a word, Headwater refuses to listen anywhere but on loopback. */
export type Auth =
  | { kind: "unset" }
  | { kind: "none" }
  | { kind: "tokens"; tokens: readonly { name: string; role: "viewer" | "operator"; secret: string }[] }
  | { kind: "proxy"; header: string; from: readonly string[] };
