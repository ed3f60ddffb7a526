import { withContext } from "../analysis/context.ts";
import { advance } from "../analysis/incidents.ts";
import { rollUp } from "../analysis/rollup.ts";
import { withStragglers } from "../analysis/stragglers.ts";
import { judge } from "../analysis/verdict.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import type { ChangeMark, Restored, Transition } from "../domain/history.ts";
import type { Incident, IncidentEvent, Verdict } from "../domain/incident.ts";
import type { Evidence, Rollup } from "../domain/snapshot.ts";
import { verdictTransitions } from "./publication.ts";

/** Resolved incidents stay on the board this long. */
const LISTED_MS = 3_600_000;

/** What a conclusion is drawn from. */
export interface Case {
  evidence: Evidence;
  changes: readonly ChangeMark[];
  mapRevision: number;
  settings: AggregatorConfig["analysis"];
  /** Nothing may be resolved now. */
  frozen: boolean;
}

/** What is held of one moment, and what became of it since the one before. */
export interface Conclusion {
  verdict: Verdict;
  rollup: Rollup;
  incidents: readonly Incident[];
  nextId: number;
  rows: readonly Transition[];
  changed: readonly Incident[];
  events: readonly IncidentEvent[];
}

/** What is concluded from the evidence: verdict, roll-up and incidents. Drawn anew only when something moved that could move it. */
export class Judgement {
  #verdict: Verdict;
  #rollup: Rollup;
  #incidents: readonly Incident[];
  #nextId: number;
  #due = true;

  constructor(evidence: Evidence, { incidents, nextIncidentId }: Pick<Restored, "incidents" | "nextIncidentId">) {
    this.#verdict = withStragglers(judge(evidence), incidents, evidence.state);
    this.#rollup = rollUp(evidence.map, evidence.state);
    this.#incidents = incidents;
    this.#nextId = nextIncidentId;
  }

  get held(): { verdict: Verdict; rollup: Rollup; incidents: readonly Incident[] } {
    return { verdict: this.#verdict, rollup: this.#rollup, incidents: this.#incidents };
  }

  get due(): boolean {
    return this.#due;
  }

  /** Something moved that may move it. */
  upset(): void {
    this.#due = true;
  }

  /** While something is wrong, evidence gains weight with each answer and incidents move with time alone. */
  passTime(now: number): void {
    const listed = this.#incidents.filter(({ resolvedAt }) => resolvedAt === null || now - resolvedAt < LISTED_MS);
    if (listed.length < this.#incidents.length) this.#incidents = listed;
    const troubled = this.#verdict.causes.length > 0 || this.#verdict.unexplained.length > 0 || this.#rollup.status !== "healthy";
    if (troubled || listed.some(({ status }) => status !== "resolved")) this.#due = true;
  }

  /** The next conclusion; it holds from `adopt` on, so that it can be made durable before. */
  conclude({ evidence, changes, mapRevision, settings, frozen }: Case): Conclusion {
    const { now, map, state } = evidence;
    const judged = withContext(judge(evidence), changes, map, now);
    const rollup = rollUp(map, state);
    const incidents = this.#incidents;
    const next = advance({ incidents, verdict: judged, evidence, mapRevision, nextId: this.#nextId, settings, frozen });
    const verdict = withStragglers(judged, next.incidents, state);
    const rows = verdictTransitions(this.held, { verdict, rollup, incidents: next.incidents }, now);
    return { verdict, rollup, rows, ...next };
  }

  adopt({ verdict, rollup, incidents, nextId }: Conclusion): void {
    this.#verdict = verdict;
    this.#rollup = rollup;
    this.#incidents = incidents;
    this.#nextId = nextId;
    this.#due = false;
  }

  listed(id: number): Incident | null {
    return this.#incidents.find((incident) => incident.id === id) ?? null;
  }

  amend(amended: Incident): void {
    this.#incidents = this.#incidents.map((each) => (each.id === amended.id ? amended : each));
  }
}
