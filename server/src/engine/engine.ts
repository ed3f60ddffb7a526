import { randomUUID } from "node:crypto";
import { advance } from "../analysis/incidents.ts";
import { rollUp } from "../analysis/rollup.ts";
import { judge } from "../analysis/verdict.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import type { HistoryReader, HistoryWriter, Transition } from "../domain/history.ts";
import type { Ack, Incident, IncidentEvent, Verdict } from "../domain/incident.ts";
import type { Actor, Lifecycle, Live, MapInfo, Publication, Signal } from "../domain/live.ts";
import type { Problem, SystemMap } from "../domain/map.ts";
import { polledServices } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { Rollup, Snapshot } from "../domain/snapshot.ts";
import type { SystemState } from "../domain/state.ts";
import type { Poller } from "../poller/poller.ts";
import { age, initialState, observe, remap, type Step } from "../state/reduce.ts";
import { stalenessSignal } from "../state/signal.ts";
import { publicationOf, verdictTransitions } from "./publication.ts";

/** Observations that arrive within this time are reduced together. */
const BATCH_MS = 25;
/** Times, ages and rates move the board at most this often. */
const TICK_MS = 1_000;
/** Resolved incidents stay on the board this long. */
const LISTED_MS = 3_600_000;
