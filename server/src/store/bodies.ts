import { z } from "zod";
import { CAUSE_KINDS, INCIDENT_ENDS, INCIDENT_KINDS, type Incident, LEVELS, SEVERITIES } from "../domain/incident.ts";
import { STATUSES } from "../domain/status.ts";
import type { Log } from "./database.ts";

const RunnerUp = z.object({ node: z.string(), confidence: z.number(), why: z.string() });

const Cause = z.object({
  node: z.string(),
  kind: z.enum(CAUSE_KINDS),
  link: z.exactOptional(z.object({ from: z.string(), to: z.string() })),
  instance: z.exactOptional(z.string()),
  zone: z.exactOptional(z.string()),
  confidence: z.number(),
  level: z.enum(LEVELS),
  firstSeen: z.number(),
  severity: z.enum(["degraded", "unhealthy"]),
  why: z.array(z.string()),
  against: z.array(z.string()),
  runnerUp: z.exactOptional(RunnerUp),
  decidedBy: z.exactOptional(z.string()),
  stood: z.exactOptional(z.object({ status: z.enum(STATUSES), reason: z.string().nullable(), every: z.number().nullable() })),
});

const JUDGED = {
  severity: z.enum(SEVERITIES),
  cause: Cause.nullable(),
  candidates: z.array(RunnerUp),
  impacted: z.array(z.object({ node: z.string(), since: z.number() })),
  systems: z.array(z.object({ id: z.string(), effect: z.enum(STATUSES) })),
  mapRevision: z.number(),
};

/** An incident as any version wrote it: what was added later is optional. */
const Body: z.ZodType<Incident> = z.object({
  ...JUDGED,
  id: z.int(),
  kind: z.enum(INCIDENT_KINDS),
  status: z.enum(["open", "recovering", "resolved"]),
  anchor: z.string(),
  openedAt: z.number(),
  detectedAt: z.number(),
  recoveringAt: z.number().nullable(),
  resolvedAt: z.number().nullable(),
  end: z.enum(INCIDENT_ENDS).nullable(),
  absorbedBy: z.number().nullable(),
  unverifiedSince: z.number().nullable(),
  atRisk: z.array(z.string()),
  acked: z.object({ by: z.string(), at: z.number(), until: z.number().nullable(), note: z.string().nullable() }).nullable(),
  unnamedSince: z.exactOptional(z.number()),
  peak: z.exactOptional(z.object({ ...JUDGED, explained: z.number() })),
});

/** Reads incidents as they are kept; null for a text that holds none, which is left in the file as it is. */
export type Bodies = (id: number, text: string) => Incident | null;

/** Tells of each incident that cannot be read once, with what is wrong with it. */
export function readBodies(log: Log): Bodies {
  const told = new Set<number>();
  return (id, text) => {
    let wrong = "it is no JSON";
    try {
      const value: unknown = JSON.parse(text);
      const read = Body.safeParse(value);
      // The value as it was read: it fits, and the schema's copy of it would lack what a later version adds.
      if (read.success) return value as Incident;
      const { path = [], message = "" } = read.error.issues[0] ?? {};
      wrong = path.length > 0 ? `${path.join(".")}: ${message}` : message;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    if (!told.has(id)) log("error", `Incident ${id} in the history cannot be read and is left out (${wrong}).`);
    told.add(id);
    return null;
  };
}
