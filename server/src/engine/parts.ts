import type { AggregatorConfig } from "../domain/config.ts";
import type { HistoryReader, HistoryWriter, Restored } from "../domain/history.ts";
import type { Live, MapInfo } from "../domain/live.ts";
import type { SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { Poller } from "../poller/poller.ts";

export interface Clock {
  /** Epoch milliseconds. */
  wall(): number;
  /** Milliseconds from any fixed moment; never set back. */
  monotonic(): number;
}

export interface Log {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What an engine is made of. */
export interface EngineParts {
  config: AggregatorConfig;
  map: SystemMap;
  mapInfo: MapInfo;
  /** The map that the restored state belongs to, where it is another one. */
  mapBefore: SystemMap | null;
  restored: Pick<Restored, "state" | "incidents" | "nextIncidentId" | "lastAnswerAt" | "works" | "changes">;
  writer: HistoryWriter;
  reader: HistoryReader;
  createPoller: (onObservation: (observation: Observation) => void) => Poller;
  clock: Clock;
  log: Log;
  checkMap: Live["checkMap"];
}
