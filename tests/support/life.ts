import { advance } from "../../server/src/analysis/incidents.ts";
import { momentOf } from "../../server/src/analysis/replay.ts";
import type { Incident, IncidentEvent, Verdict } from "../../server/src/domain/incident.ts";
import type { ServiceNode, SystemMap } from "../../server/src/domain/map.ts";
import { polledServices } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import type { SystemState } from "../../server/src/domain/state.ts";
import { type ComponentStatus, effectOf, type Status, worstStatus } from "../../server/src/domain/status.ts";
import { age, initialState, observe } from "../../server/src/state/reduce.ts";
import type { Said } from "./scene.ts";

export const START = Date.UTC(2026, 0, 1, 12, 0, 0);

/** A fleet polled in step with virtual time, through damping, verdict and incidents. */
export class Life {
  map: SystemMap;
  state: SystemState;
  incidents: readonly Incident[] = [];
  readonly events: IncidentEvent[] = [];
  nextId = 1;
  now = START;
  verdict: Verdict | null = null;
  frozen = false;
  revision = 1;
  readonly #phaseOf: (service: string) => number;

  /** `phaseOf`: when a service is first polled, milliseconds from the start; all at once unless said. */
  constructor(map: SystemMap, phaseOf: (service: string) => number = () => 0) {
    this.map = map;
    this.#phaseOf = phaseOf;
    this.state = initialState(map);
  }

  /** Polls every service that is due for so many seconds; what is not said is healthy. */
  run(seconds: number, said: Record<string, Said> = {}): this {
    const end = this.now + seconds * 1000;
    for (; this.now < end; this.now += 1000) {
      const due = polledServices(this.map).filter(({ id, interval }) => (this.now - START - this.#phaseOf(id)) % interval === 0);
      const polls = due.flatMap((service) => pollsOf(service, said[service.id] ?? {}, this.now));
      this.state = observe(age(this.state, this.map, this.now).state, this.map, polls, this.now).state;
      this.step();
    }
    return this;
  }

  step(): void {
    const { evidence, verdict } = momentOf(this.map, this.state, this.now);
    this.verdict = verdict;
    const input = { incidents: this.incidents, verdict, evidence, mapRevision: this.revision, nextId: this.nextId };
    const next = advance({ ...input, settings: { settle: null, unreachableAfter: null }, frozen: this.frozen || verdict.blind });
    this.incidents = next.incidents;
    this.events.push(...next.events);
    this.nextId = next.nextId;
  }

  /** What is not resolved, in short. */
  open(): string[] {
    return this.incidents.filter(({ status }) => status !== "resolved").map(({ kind, anchor, status }) => `${kind} ${anchor} ${status}`);
  }

  of(anchor: string): Incident {
    const found = this.incidents.filter((incident) => incident.anchor === anchor).at(-1);
    if (!found) throw new Error(`no incident on ${anchor}`);
    return found;
  }
}

function pollsOf(service: ServiceNode, said: Said, at: number): Observation[] {
  return service.instances.map(({ id }) => {
    const silent = said.silent ?? null;
    const word = (to: string): ComponentStatus => (said.down?.includes(to) ? "down" : said.degraded?.includes(to) ? "degraded" : "up");
    const components = service.edges
      .filter(({ to }) => !said.omits?.includes(to))
      .map(({ to, criticality }) => {
        const { category, error } = word(to) === "up" ? {} : said;
        const told = { ...(category ? { category } : {}), ...(error ? { error } : {}) };
        return { name: to, status: word(to), criticality, ageMs: said.ages?.[to] ?? 500, ...told };
      });
    const implied = worstStatus(components.map(({ status, criticality }): Status => effectOf(status, criticality)));
    return {
      service: service.id,
      instance: id,
      at,
      latencyMs: 8,
      outcome: silent ?? "report",
      httpStatus: silent ? null : 200,
      report: silent ? null : { status: said.word ?? implied, components },
      format: silent ? null : "headwater",
      error: silent,
      date: null,
      httpAge: null,
      warnings: [],
      body: null,
    };
  });
}
