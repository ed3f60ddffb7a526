import { z } from "zod";
import { LEVELS } from "../domain/incident.ts";
import { LABEL_FINDINGS } from "../domain/label.ts";
import { CRITICALITIES } from "../domain/status.ts";
import { Time } from "./board.ts";

const Criticality = z.enum(CRITICALITIES);

/** One doubt about a label, with what speaks for it and what to write instead. */
export const LabelFinding = z.object({
  id: z.string().describe("stable as long as the finding is: kind, service and dependency"),
  kind: z.enum(LABEL_FINDINGS),
  team: z.string().nullable().describe("who answers for the label: the edge's owner, else the service's team"),
  from: z.string(),
  to: z.string().nullable().describe("null for a reported component that means no node of the map"),
  component: z.string().nullable().describe("the name in the service's report, where the finding is about one"),
  declared: Criticality.nullable(),
  suggested: Criticality.nullable(),
  text: z.string(),
  confidence: z.number().min(0).max(1),
  level: z.enum(LEVELS),
  evidence: z.object({
    from: Time.describe("the time that was looked at"),
    to: Time,
    outages: z.int().describe("outages of the dependency that could tell"),
    agreeing: z.int().describe("of them, those that speak for the finding"),
    duration_ms: z.number().describe("length of those together"),
    moments: z.array(z.object({ from: Time, to: Time })).describe("the newest of those, newest first, at most ten"),
    reports: z.object({ total: z.int(), agreeing: z.int() }).nullable().describe("reports that were looked at, where they tell"),
    notes: z.array(z.string()),
  }),
  file: z.string(),
  line: z.int(),
  patch: z
    .object({ file: z.string(), line: z.int(), diff: z.string().describe("unified; git apply in the configuration folder takes it") })
    .nullable(),
  by_hand: z.string().nullable().describe("why there is no patch; null where there is one"),
});

/** One declared dependency with all that people decided about it. */
export const LabelEdge = z.object({
  from: z.string(),
  to: z.string(),
  criticality: Criticality,
  owner: z.string().nullable(),
  reviewed: z.string().nullable().describe("YYYY-MM-DD"),
  review_age_ms: z.number().nullable().describe("since that day began, UTC; null without a review"),
  review_after_ms: z.number().describe("age at which the review is old"),
  review_old: z.boolean(),
  group: z.int().nullable().describe("members with the same number are alternatives"),
  components: z.array(z.string()),
  findings: z.int(),
  file: z.string(),
  line: z.int(),
});

/** `GET /api/v1/labels`: every declared label, and where history and reports speak against one. */
export const Labels = z.object({
  computed_at: Time,
  map_revision: z.int(),
  from: Time.describe("the history that was looked at"),
  to: Time,
  review_after_ms: z.number(),
  teams: z
    .array(
      z.object({
        team: z.string().nullable().describe("null: labels without an owner"),
        name: z.string(),
        contact: z.string().nullable(),
        labels: z.int(),
        findings: z.int(),
      }),
    )
    .describe("those with most findings first"),
  findings: z.array(LabelFinding).describe("by team, surest first, at most 500"),
  findings_total: z.int(),
  edges: z.array(LabelEdge),
});

export type LabelFinding = z.infer<typeof LabelFinding>;
export type LabelEdge = z.infer<typeof LabelEdge>;
export type Labels = z.infer<typeof Labels>;
