import { z } from "zod";
import { CAUSE_KINDS, INCIDENT_ENDS, INCIDENT_KINDS, LEVELS, SEVERITIES } from "../domain/incident.ts";
import { STATUSES } from "../domain/status.ts";

const Time = z.iso.datetime({ precision: 3 });

export const RunnerUp = z.object({ node: z.string(), confidence: z.number(), why: z.string() });

export const Cause = z.object({
  node: z.string().describe("where to look first; for a link, the dependent that cannot use what others can"),
  kind: z.enum(CAUSE_KINDS),
  link: z.object({ from: z.string(), to: z.string() }).optional(),
  instance: z.string().optional(),
  zone: z.string().optional(),
  confidence: z.number().min(0).max(1),
  level: z.enum(LEVELS),
  first_seen: Time,
  why: z.array(z.string()),
  against: z.array(z.string()),
  runner_up: RunnerUp.optional(),
  decided_by: z.string().optional(),
  stood: z
    .object({ status: z.enum(STATUSES), reason: z.string().nullable(), every_ms: z.number().optional() })
    .optional()
    .describe("the node as it stood when it was judged so; of what is over, at its worst"),
});

export const Ack = z.object({ by: z.string(), at: Time, until: Time.nullable(), note: z.string().nullable() });

export const Incident = z.object({
  id: z.int(),
  kind: z.enum(INCIDENT_KINDS),
  status: z.enum(["open", "recovering", "resolved"]),
  severity: z.enum(SEVERITIES),
  anchor: z.string().describe("the node on which the incident is anchored"),
  opened_at: Time,
  resolved_at: Time.nullable(),
  end: z.enum(INCIDENT_ENDS).nullable(),
  absorbed_by: z.int().optional(),
  unverified_since: Time.optional(),
  cause: Cause.nullable(),
  candidates: z.array(RunnerUp),
  impacted: z.array(z.object({ node: z.string(), since: Time })),
  at_risk: z.array(z.string()),
  systems: z.array(z.object({ id: z.string(), effect: z.enum(STATUSES) })),
  acked: Ack.nullable(),
  map_revision: z.int(),
});

export const IncidentEvent = z.object({
  at: Time,
  kind: z.string(),
  node: z.string().nullable(),
  text: z.string(),
  by: z.string().nullable(),
  link: z.string().optional().describe("of a marked change, where it has one"),
});

/** One incident in full. */
export const IncidentDetail = Incident.extend({
  events: z.array(IncidentEvent).describe("newest first"),
  paths: z.record(z.string(), z.array(z.string())).describe("impacted node → ids from it to the cause"),
  paths_cut: z.record(z.string(), z.int()).optional().describe("impacted node → how many ids are left out of a long path, before its last"),
});

export const IncidentList = z.object({ incidents: z.array(Incident), next: z.string().nullable() });

export const NewNote = z.strictObject({ text: z.string().min(1).max(4_000), name: z.string().min(1).max(80).optional() });
export const NewAck = z.strictObject({
  note: z.string().max(4_000).optional(),
  name: z.string().min(1).max(80).optional(),
  expires_in: z
    .string()
    .max(16)
    .optional()
    .describe("a duration such as 30m; without it the acknowledgement holds until the incident ends or worsens"),
  clear: z.boolean().optional(),
});

export type Incident = z.infer<typeof Incident>;
export type IncidentDetail = z.infer<typeof IncidentDetail>;
export type IncidentList = z.infer<typeof IncidentList>;
export type IncidentEvent = z.infer<typeof IncidentEvent>;
export type Cause = z.infer<typeof Cause>;
