import type { Incident, Verdict } from "./incident.ts";
import type { SystemMap } from "./map.ts";
import type { SystemState } from "./state.ts";
import type { Status } from "./status.ts";

/** What the analysis reads: one moment, nothing else. */
export interface Evidence {
  /** Epoch milliseconds. */
  now: number;
  map: SystemMap;
  state: SystemState;
}

export interface SystemStatus {
  id: string;
  status: Status;
  coverage: { known: number; total: number };
}

export interface Rollup {
  systems: ReadonlyMap<string, SystemStatus>;
  /** The whole. */
  status: Status;
  coverage: { known: number; total: number };
}

/** One published moment: page, API, stream and metrics all read this and nothing else. */
export interface Snapshot extends Evidence {
  /** One more with each published board. */
  revision: number;
  mapRevision: number;
  verdict: Verdict;
  rollup: Rollup;
  /** Not resolved, and resolved within the last hour; newest first. */
  incidents: readonly Incident[];
}
