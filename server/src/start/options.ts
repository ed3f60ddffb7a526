import type { CliIo } from "../cli/io.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import type { Live } from "../domain/live.ts";
import type { SystemMap } from "../domain/map.ts";
import { printable } from "../domain/printable.ts";

export interface StartOptions {
  configDir: string;
  dataDir: string;
  /** Both win over the config's. */
  host?: string;
  port?: number;
  /** Refuse to start on a broken map even where history has an accepted one. */
  strict: boolean;
  io: CliIo;
  /** Changes each map that is read before it is used: the demo's services may have had to move to other ports. */
  adapt?: (map: SystemMap) => SystemMap;
  /** Wins over the config's. */
  logLevel?: AggregatorConfig["log"]["level"];
}

export type Started =
  | {
      ok: true;
      address: string;
      live: Live;
      /** Bytes that the history will take for this map once every retention is full, and the most that it may. */
      history: { estimate: number; limit: number };
      reload: () => void;
      stop: () => Promise<void>;
    }
  | { ok: false; because: "port" | "other"; message: string };

/** The configuration with what the command line said of it. */
export function withOptions(config: AggregatorConfig, { host, port, logLevel }: StartOptions): AggregatorConfig {
  const { listen, log } = config;
  return {
    ...config,
    listen: { ...listen, host: host ?? listen.host, port: port ?? listen.port },
    log: { ...log, level: logLevel ?? log.level },
  };
}

/** A start that failed as it may; `message` is one sentence. */
export function failure(message: string): Extract<Started, { ok: false }> {
  return { ok: false, because: "other", message: `headwater: ${printable(message)}` };
}
