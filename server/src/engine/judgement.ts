import { withContext } from "../analysis/context.ts";
import { advance } from "../analysis/incidents.ts";
import { rollUp } from "../analysis/rollup.ts";
import { withStragglers } from "../analysis/stragglers.ts";
import { judge } from "../analysis/verdict.ts";
import type { Misdated } from "../domain/clock.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import type { ChangeMark, Restored, Transition } from "../domain/history.ts";
import { type Incident, type IncidentEvent, redate, type Verdict } from "../domain/incident.ts";
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
  /** Those whose times were put right since the last conclusion. */
  #redated: ReadonlySet<number> = new Set();
  #due = true;

  constructor(evidence: Evidence, { incidents, nextIncidentId }: Pick<Restored, "incidents" | "nextIncidentId">) {
    this.#verdict = withStragglers(judge(evidence), incidents, evidence);
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
    const verdict = withStragglers(judged, next.incidents, evidence);
    const rows = verdictTransitions(this.held, { verdict, rollup, incidents: next.incidents }, now);
    const moved = new Set([...this.#redated, ...next.changed.map(({ id }) => id)]);
    return { verdict, rollup, rows, ...next, changed: next.incidents.filter(({ id }) => moved.has(id)) };
  }

  adopt({ verdict, rollup, incidents, nextId }: Conclusion): void {
    this.#verdict = verdict;
    this.#rollup = rollup;
    this.#incidents = incidents;
    this.#nextId = nextId;
    this.#redated = new Set();
    this.#due = false;
  }

  /** Its role stays with a node that is called otherwise now. */
  rename(from: string, to: string): void {
    const roles = new Map([...this.#verdict.roles].map(([id, role]) => [id === from ? to : id, role]));
    this.#verdict = { ...this.#verdict, roles };
  }

  /** Incidents that a wrong clock dated get the moment at which that showed; the next conclusion tells of them. */
  followClock(misdated: Misdated | null): void {
    const before = this.#incidents;
    this.#incidents = before.map((incident) => redate(incident, misdated));
    this.#redated = new Set(this.#incidents.flatMap((incident, n) => (incident === before[n] ? [] : [incident.id])));
    if (this.#redated.size > 0) this.#due = true;
  }

  listed(id: number): Incident | null {
    return this.#incidents.find((incident) => incident.id === id) ?? null;
  }

  amend(amended: Incident): void {
    this.#incidents = this.#incidents.map((each) => (each.id === amended.id ? amended : each));
  }
}
