import { z } from "zod";
import { CRITICALITIES, MARKS, ROLES, STATUSES } from "../domain/status.ts";
import { Incident } from "./incidents.ts";

export const Time = z.iso.datetime({ precision: 3 }).describe("ISO 8601, UTC, milliseconds");
export const Status = z.enum(STATUSES);
export const Criticality = z.enum(CRITICALITIES);
export const Role = z.enum(ROLES);
export const Mark = z.enum(MARKS);
export const Coverage = z.object({ known: z.int(), total: z.int() }).describe("how many of the members are known right now");

export const StalenessCode = z.enum([
  "no_answers",
  "few_reporting",
  "overdue",
  "blind",
  "frozen",
  "history",
  "starting",
  "nothing_to_poll",
]);

export const Freshness = z.object({
  stale: z.boolean(),
  because: z.array(StalenessCode),
  blind: z.boolean(),
  oldest_age_ms: z.number().nullable().describe("age of the oldest last result among polled instances"),
  stale_nodes: z.int(),
  poller_lag_ms: z.number().describe("how late polls start, at worst, over the last interval"),
});

export const Problem = z.object({ file: z.string(), line: z.int(), column: z.int(), code: z.string(), message: z.string() });

export const MapStatus = z.object({
  revision: z.int(),
  loaded_at: Time,
  refused: z.object({ at: Time, problems: z.array(Problem) }).nullable(),
});

export const SystemView = z.object({
  id: z.string(),
  name: z.string(),
  status: Status,
  coverage: Coverage,
  members: z.array(z.object({ node: z.string(), criticality: Criticality })),
});

export const Pending = z.object({
  status: Status,
  count: z.int(),
  needed: z.int(),
  every_ms: z.number().nullable().optional().describe("how far apart the results come that count; null where several witnesses decide"),
});

export const NodeView = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["service", "resource"]),
  resource_kind: z.string().optional(),
  team: z.string().nullable(),
  status: Status,
  role: Role.nullable(),
  incident: z.int().nullable(),
  reason: z.string().nullable(),
  since: Time.nullable(),
  last_checked: Time.nullable(),
  every_ms: z.number().optional().describe("how often it is polled; absent where it is known from others alone"),
  age_ms: z.number().nullable().describe("as of generated_at; clients add the time since"),
  stale: z.boolean(),
  pending: Pending.nullable(),
  marks: z.array(Mark),
  last_known: z.object({ status: Status, at: Time }).optional(),
  latency_ms: z.number().nullable(),
  tags: z.record(z.string(), z.string()),
});

export const Board = z.object({
  boot: z.string(),
  revision: z.int(),
  generated_at: Time,
  site: z.string(),
  status: Status,
  coverage: Coverage,
  freshness: Freshness,
  map: MapStatus,
  systems: z.array(SystemView),
  incidents: z.array(Incident),
  nodes: z.array(NodeView),
});

export type Board = z.infer<typeof Board>;
export type NodeView = z.infer<typeof NodeView>;
export type SystemView = z.infer<typeof SystemView>;
export type Freshness = z.infer<typeof Freshness>;
export type StalenessCode = z.infer<typeof StalenessCode>;
export type MapStatus = z.infer<typeof MapStatus>;
export type Problem = z.infer<typeof Problem>;
