import {
  atPeak,
  type Incident,
  type IncidentEnd,
  type IncidentEvent,
  type IncidentEventKind,
  type Verdict,
} from "../../domain/incident.ts";
import { someOf } from "../../domain/phrases.ts";
import type { Evidence } from "../../domain/snapshot.ts";

/** What one step in the life of all incidents starts from. */
export interface Advance {
  incidents: readonly Incident[];
  verdict: Verdict;
  evidence: Evidence;
  mapRevision: number;
  nextId: number;
  /** Milliseconds; null: worked out from the intervals. */
  settings: { settle: number | null; unreachableAfter: number | null };
  /** Blind, stale, starting or draining: nothing is resolved, and nothing opens for what cannot be seen. */
  frozen: boolean;
}

export interface Advanced {
  incidents: readonly Incident[];
  changed: readonly Incident[];
  events: readonly IncidentEvent[];
  nextId: number;
}

/** The incidents while one step is worked out; nothing of it outlives the call. */
export class Book {
  readonly input: Advance;
  readonly now: number;
  readonly before: ReadonlyMap<number, Incident>;
  readonly live = new Map<number, Incident>();
  /** Impacted nodes, and those at risk, by the number of their cause. */
  readonly victims: readonly (readonly string[])[];
  readonly atRisk: readonly (readonly string[])[];
  readonly #events: IncidentEvent[] = [];
  #nextId: number;

  constructor(input: Advance) {
    const { incidents, verdict, evidence, nextId } = input;
    this.input = input;
    this.now = evidence.now;
    this.before = new Map(incidents.map((incident) => [incident.id, incident]));
    for (const incident of incidents) this.live.set(incident.id, incident);
    this.#nextId = nextId;
    const victims: string[][] = verdict.causes.map(() => []);
    const atRisk: string[][] = verdict.causes.map(() => []);
    for (const [node, { role, cause }] of verdict.roles) {
      if (role === "impacted") victims[cause]?.push(node);
      else if (role === "at_risk") atRisk[cause]?.push(node);
    }
    this.victims = victims;
    this.atRisk = atRisk;
  }

  unresolved(): Incident[] {
    return [...this.live.values()].filter(({ status }) => status !== "resolved");
  }

  /** The incidents of causes on a node. */
  on(node: string): Incident[] {
    return this.unresolved().filter(({ anchor, kind }) => anchor === node && (kind === "cause" || kind === "maintenance"));
  }

  put(incident: Incident): void {
    this.live.set(incident.id, incident);
  }

  say(incident: Incident, kind: IncidentEventKind, text: string, node: string | null = incident.anchor): void {
    this.#events.push({ incident: incident.id, at: this.now, kind, node, text, by: null });
  }

  /** A new incident with the next number; it counts once it is put. */
  blank(kind: Incident["kind"], anchor: string, openedAt: number): Incident {
    return {
      id: this.#nextId++,
      kind,
      status: "open",
      severity: "info",
      anchor,
      openedAt: Math.min(openedAt, this.now),
      detectedAt: this.now,
      recoveringAt: null,
      resolvedAt: null,
      end: null,
      absorbedBy: null,
      unverifiedSince: null,
      cause: null,
      candidates: [],
      impacted: [],
      atRisk: [],
      systems: [],
      acked: null,
      mapRevision: this.input.mapRevision,
    };
  }

  resolve(incident: Incident, end: "cleared" | "removed_from_map", text: string): void {
    this.#end(incident, end, null);
    this.say(incident, "resolved", text);
  }

  absorbInto(host: Incident, incident: Incident, text: string): void {
    this.#end(incident, "absorbed", host.id);
    this.say(incident, "absorbed", text);
  }

  #end({ unnamedSince: _, ...incident }: Incident, end: IncidentEnd, absorbedBy: number | null): void {
    this.put({ ...atPeak(incident), status: "resolved", resolvedAt: this.now, end, absorbedBy, unverifiedSince: null });
  }

  /** Since when a node suffers: its first bad result, else as was said before, else now: it is still fine by its own word. */
  sinceOf(node: string, before?: number): number {
    const state = this.input.evidence.state.nodes.get(node);
    const troubled = state?.status === "unhealthy" || state?.status === "degraded";
    return state?.window?.firstBad ?? before ?? (troubled ? state.since : this.now);
  }

  close(): Advanced {
    const incidents = [...this.live.values()];
    const changed = incidents.filter((incident) => {
      const old = this.before.get(incident.id);
      return old !== incident && (old === undefined || JSON.stringify(old) !== JSON.stringify(incident));
    });
    return { incidents, changed, events: this.#events, nextId: this.#nextId };
  }
}

/** Names for a sentence, at most three of them. */
export function listed(nodes: readonly string[]): string {
  return someOf(nodes, 3);
}
