import { type Misdated, redated } from "./clock.ts";
import type { Role, Status } from "./status.ts";

export const LEVELS = ["confirmed", "likely", "suspected"] as const;
export type Level = (typeof LEVELS)[number];

export const CAUSE_KINDS = ["node", "link", "instance", "zone"] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

export interface RunnerUp {
  node: string;
  confidence: number;
  why: string;
}

/** The thing to look at, how sure we are, and why. */
export interface Cause {
  /** Where to look first; for a link, the dependent that cannot use what others can. */
  node: string;
  kind: CauseKind;
  link?: { from: string; to: string };
  instance?: string;
  zone?: string;
  /** 0 to 1. */
  confidence: number;
  level: Level;
  /** Epoch milliseconds of the first sign. */
  firstSeen: number;
  /** Worst status that the cause shows or its witnesses give it; a degraded cause explains at most degraded. */
  severity: "degraded" | "unhealthy";
  why: readonly string[];
  against: readonly string[];
  runnerUp?: RunnerUp;
  /** The observation that would decide between the cause and the runner-up. */
  decidedBy?: string;
  /** Its node as it stood when an incident was judged so; a verdict alone has none. */
  stood?: Stood;
}

/** The status of a node, and what was heard of it. */
export interface Stood {
  status: Status;
  reason: string | null;
  /** Milliseconds between its polls; null where it is known from others alone. */
  every: number | null;
}

/** The verdict of one snapshot: a pure function of it. */
export interface Verdict {
  causes: readonly Cause[];
  /**
   * Node → role and the cause (index into `causes`) that explains it; `at_risk` names the nearest cause. -1: the cause
   * is named no more, or is that node itself, and the node is still to recover.
   */
  roles: ReadonlyMap<string, { role: Role; cause: number }>;
  /** Impacted node → its next step to its cause: all ways share what they have in common. */
  steps: ReadonlyMap<string, Step>;
  /** Nodes in trouble that no cause explains: reported together as `undetermined`. */
  unexplained: readonly { node: string; candidates: readonly RunnerUp[] }[];
  blind: boolean;
}

/** The node that another suffers from, and how many steps its cause is away, this one counted. */
export interface Step {
  to: string;
  left: number;
}

/** At most so many ids of a way to a cause are told. */
const TOLD_AT_MOST = 24;

/** The way from an impacted node to its cause, itself first. Of a long one the last is the cause, and `cut` are left out before it. */
export interface Way {
  ids: readonly string[];
  cut: number;
}

/** The way from a node to its cause by a verdict; without any id where it is not impacted. */
export function wayToCause({ steps, roles, causes }: Verdict, node: string): Way {
  const role = roles.get(node);
  return wayAlong(role?.role === "impacted" ? steps : new Map(), node, causes[role?.cause ?? -1]?.node ?? node);
}

/** The way from a node to a cause, step by step. */
export function wayAlong(steps: ReadonlyMap<string, Step>, node: string, cause: string): Way {
  let step = steps.get(node);
  if (!step) return { ids: [], cut: 0 };
  const ids = [node];
  for (; step && step.left > 1 && ids.length < TOLD_AT_MOST - 1; step = steps.get(step.to)) ids.push(step.to);
  return { ids: [...ids, cause], cut: (step?.left ?? 1) - 1 };
}

export const INCIDENT_KINDS = ["cause", "visibility", "maintenance", "undetermined"] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];
export const SEVERITIES = ["page", "ticket", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const INCIDENT_ENDS = ["cleared", "absorbed", "removed_from_map"] as const;
export type IncidentEnd = (typeof INCIDENT_ENDS)[number];

export interface Ack {
  by: string;
  at: number;
  until: number | null;
  note: string | null;
}

export interface Incident {
  /** A whole number, unique for the life of the database. */
  id: number;
  kind: IncidentKind;
  status: "open" | "recovering" | "resolved";
  severity: Severity;
  /** Node on which it is anchored: the cause's, or the one in trouble. */
  anchor: string;
  /** Epoch milliseconds, all. `openedAt` is the first sign, `detectedAt` when it was confirmed and committed. */
  openedAt: number;
  detectedAt: number;
  recoveringAt: number | null;
  resolvedAt: number | null;
  end: IncidentEnd | null;
  absorbedBy: number | null;
  unverifiedSince: number | null;
  cause: Cause | null;
  candidates: readonly RunnerUp[];
  impacted: readonly { node: string; since: number }[];
  atRisk: readonly string[];
  systems: readonly { id: string; effect: Status }[];
  acked: Ack | null;
  /** Revision of the map by which it was last judged. */
  mapRevision: number;
  /** Since when its cause is named no more, though nothing says that it has cleared. */
  unnamedSince?: number;
  /** What it was at its worst, while it is less than that; once it is over, its own fields say so. */
  peak?: Peak;
}

/** An incident at its worst: its evidence, with the revision by which it was judged, and who suffered from it at any time. */
export type Peak = Judged & {
  /** How many suffered when it was judged so. */
  explained: number;
};
type Judged = Pick<Incident, "severity" | "cause" | "candidates" | "impacted" | "systems" | "mapRevision">;

export type IncidentEventKind =
  | "opened"
  | "cause"
  | "level"
  | "impact"
  | "recovering"
  | "reopened"
  | "resolved"
  | "absorbed"
  | "severity"
  | "note"
  | "ack"
  | "unack"
  | "change";

/** One line of an incident's timeline. */
export interface IncidentEvent {
  incident: number;
  at: number;
  kind: IncidentEventKind;
  node: string | null;
  text: string;
  by: string | null;
}

/** The node's new name wherever the incident points to it; sentences stay as they were said. */
export function renameIn(incident: Incident, from: string, to: string): Incident {
  const name = (id: string): string => (id === from ? to : id);
  const renamed = <T extends Judged>(part: T): T => {
    const { cause } = part;
    return {
      ...part,
      cause: cause && {
        ...cause,
        node: name(cause.node),
        ...(cause.link ? { link: { from: name(cause.link.from), to: name(cause.link.to) } } : {}),
        ...(cause.runnerUp ? { runnerUp: { ...cause.runnerUp, node: name(cause.runnerUp.node) } } : {}),
      },
      candidates: part.candidates.map((one) => ({ ...one, node: name(one.node) })),
      impacted: part.impacted.map((one) => ({ ...one, node: name(one.node) })),
    };
  };
  return { ...throughout(incident, renamed), anchor: name(incident.anchor), atRisk: incident.atRisk.map(name) };
}

/** The incident with its own times put through `moment`, epoch milliseconds: what people set, an acknowledgement, is not among them. */
export function withMoments(incident: Incident, moment: (at: number) => number): Incident {
  const orNull = (at: number | null): number | null => (at === null ? null : moment(at));
  const dated = <T extends Judged>(part: T): T => ({
    ...part,
    cause: part.cause && { ...part.cause, firstSeen: moment(part.cause.firstSeen) },
    impacted: part.impacted.map((one) => ({ ...one, since: moment(one.since) })),
  });
  return {
    ...throughout(incident, dated),
    openedAt: moment(incident.openedAt),
    detectedAt: moment(incident.detectedAt),
    recoveringAt: orNull(incident.recoveringAt),
    resolvedAt: orNull(incident.resolvedAt),
    unverifiedSince: orNull(incident.unverifiedSince),
    ...(incident.unnamedSince === undefined ? {} : { unnamedSince: moment(incident.unnamedSince) }),
  };
}

/** What an incident leaves in history: its worst, also where it ended with less. */
export function atPeak({ peak, ...incident }: Incident): Incident {
  if (!peak) return incident;
  const { explained: _, ...judged } = peak;
  return { ...incident, ...judged };
}

/** A change made to the incident as it is and to its peak alike. */
function throughout(incident: Incident, change: <T extends Judged>(part: T) => T): Incident {
  return { ...change(incident), ...(incident.peak ? { peak: change(incident.peak) } : {}) };
}

/** The incident with the times that a wrong clock gave it put right; the very one where it gave it none. */
export function redate(incident: Incident, misdated: Misdated | null): Incident {
  let wrong = false;
  const moment = (at: number): number => {
    const right = redated(at, misdated);
    wrong ||= right !== at;
    return right;
  };
  const { acked } = incident;
  const dated = {
    ...withMoments(incident, moment),
    acked: acked && { ...acked, at: moment(acked.at), until: acked.until === null ? null : moment(acked.until) },
  };
  return wrong ? dated : incident;
}
