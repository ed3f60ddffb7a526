import type { Incident } from "../domain/incident.ts";
import type { Bodies } from "./bodies.ts";
import type { Clock } from "./clock.ts";
import type { Connection, Log } from "./database.ts";
import type { Days } from "./days.ts";
import type { Head } from "./head.ts";
import type { Memory } from "./memory.ts";
import type { Names } from "./names.ts";
import type { StateCodec, States } from "./states.ts";

/** Everything of an open history that its parts share; the connection may be replaced while it runs. */
export interface History {
  file: string;
  connection: Connection;
  names: Names;
  head: Head;
  memory: Memory;
  days: Days;
  states: States;
  codec: StateCodec;
  bodies: Bodies;
  log: Log;
  clock: Clock;
  /** Incidents in the file or on the way to it: all that are not resolved, and those not written yet. */
  incidents: Map<number, Incident>;
  /** True while writing fails. */
  failing: boolean;
}
