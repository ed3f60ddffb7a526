import type { Range } from "./history.ts";
import type { Level } from "./incident.ts";
import type { Criticality } from "./status.ts";

/** The own word of a service is kept for this long after the latest of what it needs went down: time tells enough by then. */
export const OWN_WORD_KEPT_MS = 86_400_000;

/**
 * What may be wrong with a label. `hard_unharmed`: declared hard, yet the service goes on while it is down. `soft_hurts`:
 * declared soft or informational, yet the service goes unhealthy with it. The others say by their name what they are.
 */
export const LABEL_FINDINGS = [
  "hard_unharmed",
  "soft_hurts",
  "not_declared",
  "not_reported",
  "criticality_differs",
  "no_owner",
  "review_old",
] as const;
export type LabelFindingKind = (typeof LABEL_FINDINGS)[number];

/** What speaks for a finding; times are epoch milliseconds. */
export interface LabelEvidence {
  /** The time that was looked at. */
  from: number;
  to: number;
  /** Outages of the dependency that could tell; 0 where the finding is no matter of outages. */
  outages: number;
  /** Of them, those that speak for the finding. */
  agreeing: number;
  /** Length of those together. */
  durationMs: number;
  /** The newest of those, newest first, at most ten. */
  moments: readonly { from: number; to: number }[];
  /** Reports of the service that were looked at, and those that speak for the finding; null where it is no matter of reports. */
  reports: { total: number; agreeing: number } | null;
  /** What else was counted, for people. */
  notes: readonly string[];
}

/** A doubt about one label, and what to write instead. */
export interface LabelFinding {
  kind: LabelFindingKind;
  /** The service that declares or reports the dependency. */
  from: string;
  /** The node; null for a reported component that means none. */
  to: string | null;
  /** The reported name, where the finding is about one. */
  component: string | null;
  declared: Criticality | null;
  suggested: Criticality | null;
  /** Who answers for it: the edge's owner, else the service's team. */
  team: string | null;
  /** 0 to 1. */
  confidence: number;
  level: Level;
  /** One sentence. */
  text: string;
  evidence: LabelEvidence;
  /** What to write instead; null where only people can tell. */
  edit: LabelEdit | null;
}

/** A change of one dependency in the map, whatever the form in which its file has it. */
export type LabelEdit =
  | { kind: "set"; key: "criticality" | "owner" | "reviewed"; value: string }
  | { kind: "components"; names: readonly string[] }
  | { kind: "add"; on: string; component: string | null; criticality: Criticality; isNew: boolean }
  | { kind: "remove" };

/** A change of one file of the map, ready to apply. */
export interface LabelPatch {
  file: string;
  /** First line that changes. */
  line: number;
  /** A unified diff; `git apply` in the configuration folder takes it. */
  diff: string;
}

/** From `at` on, until the next one, this word holds. */
export interface WordStep {
  at: number;
  word: string;
}

/** Reports of one service that were looked at one by one. */
export interface ReportedNames extends Range {
  /** Those that list any component. */
  reports: number;
  /** In how many of them a name stands. */
  names: ReadonlyMap<string, number>;
}

/** What history tells of labels; times are epoch milliseconds, steps stand oldest first. */
export interface LabelFacts extends Range {
  /** Sorted and joined: gaps, and times in which we were blind. */
  unseen: readonly Range[];
  /** Damped word of each edge that changed, by its key. */
  edges: ReadonlyMap<string, readonly WordStep[]>;
  /** Status of each node that changed. */
  nodes: ReadonlyMap<string, readonly WordStep[]>;
  /** What services said of themselves while something they need was down; `none` at all other times. */
  words: ReadonlyMap<string, readonly WordStep[]>;
  /** Announced work. */
  maintenance: readonly (Range & { node: string })[];
  /** By service; for those that `lookedUp` asked for. */
  reported: ReadonlyMap<string, ReportedNames>;
}
