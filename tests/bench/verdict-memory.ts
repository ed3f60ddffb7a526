import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { advance } from "../../server/src/analysis/incidents.ts";
import { momentOf } from "../../server/src/analysis/replay.ts";
import type { Incident } from "../../server/src/domain/incident.ts";
import { age, initialState, observe } from "../../server/src/state/reduce.ts";
import { statusesWith, sweepOf } from "../support/truth.ts";
import { layeredMap } from "./verdict-fleet.ts";

const START = 1_800_000_000_000;
const HOUR = 3_600_000;
const SWEEP = 30_000;
/** Each ten minutes another node is down for five. */
const EVERY = 600_000;
/** The engine lists what resolved within the last hour. */
const LISTED = HOUR;

export interface Held {
  hour: number;
  /** Live heap after a collection, MB. */
  heap: number;
  /** Incidents so far, and those still held. */
  opened: number;
  held: number;
}

/** A day of a small fleet in virtual time, one failure after the other: what the verdict and the incidents keep. */
export function dayOfChanges(size = 60, hours: readonly number[] = [1, 6, 12, 18, 24]): Held[] {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const map = layeredMap(size);
  const ids = [...map.nodes.keys()];
  let state = initialState(map);
  let incidents: readonly Incident[] = [];
  let nextId = 1;
  const rows: Held[] = [];
  for (let t = 0; t <= Math.max(...hours) * HOUR; t += SWEEP) {
    const now = START + t;
    const down = t % EVERY >= EVERY / 2 ? [ids[Math.floor(t / EVERY) % ids.length] ?? ""] : [];
    state = observe(age(state, map, now).state, map, sweepOf(map, statusesWith(map, down), now, "degraded"), now).state;
    const { verdict, evidence } = momentOf(map, state, now);
    const listed = incidents.filter(({ resolvedAt }) => resolvedAt === null || now - resolvedAt < LISTED);
    const settings = { settle: null, unreachableAfter: null };
    const step = advance({ incidents: listed, verdict, evidence, mapRevision: 1, nextId, settings, frozen: false });
    incidents = step.incidents;
    nextId = step.nextId;
    if (hours.includes(t / HOUR)) {
      collect();
      rows.push({ hour: t / HOUR, heap: process.memoryUsage().heapUsed / 1e6, opened: nextId - 1, held: incidents.length });
    }
  }
  return rows;
}
