import { isDeepStrictEqual } from "node:util";
import { mayListen } from "../api/auth.ts";
import { AGGREGATOR_FILE } from "../config/parse.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import type { Problem } from "../domain/map.ts";

/** Without a login a port that is open to others stays shut: it was opened by what the start said of `auth`. */
export function exposes({ listen }: AggregatorConfig, next: AggregatorConfig | null): readonly Problem[] {
  const message = next && mayListen(listen, next.auth);
  return message ? [{ file: AGGREGATOR_FILE, line: 1, column: 1, code: "listens-without-auth", message }] : [];
}

/** Where we listen was settled at the start; who may ask there is judged by that, whatever a reload says. */
export function keepBound(config: AggregatorConfig, running: AggregatorConfig): AggregatorConfig {
  const { host, port, basePath } = running.listen;
  return { ...config, listen: { ...config.listen, host, port, basePath } };
}

/** Names of the settings that differ and that only a start takes over. */
export function waitingForStart(config: AggregatorConfig, running: AggregatorConfig): string[] {
  return unlike(settledAtStart(config), settledAtStart(running));
}

/** What of the configuration a reload does not change. */
function settledAtStart({ listen, storage, retention, heartbeat, log }: AggregatorConfig) {
  const { hosts: _hosts, ...address } = listen;
  return { listen: address, storage, retention, heartbeat, log };
}

/** Names of the parts that differ. */
function unlike<T extends object>(a: T, b: T): string[] {
  return (Object.keys(a) as (keyof T & string)[]).filter((key) => !isDeepStrictEqual(a[key], b[key]));
}
