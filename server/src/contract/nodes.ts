import { z } from "zod";
import { COMPONENT_STATUSES, OUTCOMES, PHASES, STATUSES } from "../domain/status.ts";
import { Criticality, NodeView, Role, Status, Time } from "./board.ts";

const ComponentStatus = z.enum(COMPONENT_STATUSES);

/** One witness's view of the node. */
export const WitnessView = z.object({
  from: z.string(),
  criticality: Criticality,
  status: ComponentStatus.describe("the latest raw word"),
  damped: ComponentStatus,
  latency_ms: z.number().nullable(),
  checked_at: Time.nullable(),
  age_ms: z.number().nullable(),
  error: z.string().nullable(),
  counts: z.boolean().describe("false when too old, or its reporter brings no report"),
});

/** One dependency of the node: what it says of it, and what the rest sees. */
export const DependencyView = z.object({
  to: z.string(),
  criticality: Criticality,
  owner: z.string().nullable(),
  reviewed: z.string().nullable(),
  group: z.int().nullable().describe("members with the same number are alternatives"),
  need: z.int().nullable(),
  status: ComponentStatus,
  damped: ComponentStatus,
  latency_ms: z.number().nullable(),
  checked_at: Time.nullable(),
  age_ms: z.number().nullable(),
  error: z.string().nullable(),
  counts: z.boolean(),
  node_status: Status.describe("what the node itself is held to be"),
  others: z.object({ up: z.int(), down: z.int() }).describe("fresh words of the other witnesses"),
});

export const UnmappedView = z.object({
  name: z.string(),
  status: ComponentStatus,
  criticality: Criticality.nullable(),
  age_ms: z.number().nullable(),
  error: z.string().nullable(),
});

export const InstanceView = z.object({
  id: z.string(),
  url: z.string().describe("without credentials and query values"),
  status: Status,
  outcome: z.enum(OUTCOMES).nullable(),
  http_status: z.int().nullable(),
  format: z.string().nullable(),
  phase: z.enum(PHASES).nullable(),
  latency_ms: z.number().nullable(),
  last_poll: Time.nullable(),
  age_ms: z.number().nullable(),
  error: z.string().nullable(),
});

export const Cost = z.object({
  calls_per_second: z.number(),
  interval_ms: z.number(),
  timeout_ms: z.number(),
  worst_staleness_ms: z.number(),
  worst_detection_ms: z.number(),
  largest_component_age_ms: z.number().nullable(),
});

export const NodeDetail = z.object({
  generated_at: Time,
  node: NodeView,
  description: z.string().nullable(),
  contact: z.string().nullable(),
  links: z.record(z.string(), z.string()),
  place: z.object({ file: z.string(), line: z.int() }),
  own_word: Status.nullable().describe("what the report itself says; shown where it differs from the roll-up"),
  format: z.string().nullable(),
  path: z.array(z.string()).describe("ids from the node to its cause; empty without one"),
  path_cut: z.int().optional().describe("how many ids are left out of a long path, before its last"),
  instances: z.array(InstanceView),
  dependencies: z.array(DependencyView),
  unmapped: z.array(UnmappedView),
  witnesses: z.array(WitnessView),
  dependents: z.array(z.object({ id: z.string(), criticality: Criticality, status: Status, role: Role.nullable() })),
  systems: z.array(z.object({ id: z.string(), name: z.string(), criticality: Criticality })),
  cost: Cost.nullable(),
  last_answer: z.object({ http_status: z.int().nullable(), latency_ms: z.number(), bytes: z.int(), text: z.string() }).nullable(),
});

export const SpanView = z.object({
  status: z.enum([...STATUSES, "no_data"]),
  from: Time,
  to: Time,
  reason: z.string().nullable(),
  role: Role.nullable(),
});

const LatencyView = z.object({
  at: Time,
  count: z.int(),
  failed: z.int(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});

export const NodeHistory = z.object({
  from: Time,
  to: Time,
  bucket_ms: z.number(),
  spans: z.array(SpanView),
  latency: z.array(LatencyView),
  dependency: z
    .object({ to: z.string(), bucket_ms: z.number(), latency: z.array(LatencyView), whole: LatencyView })
    .optional()
    .describe("with `?dependency=`: how long the node's own checks of it took, as it reports them; `whole` is all of the range"),
  gaps: z.array(z.object({ from: Time, to: Time })),
  failures: z.array(z.object({ at: Time, outcome: z.enum(OUTCOMES) })),
  changes: z.array(z.object({ at: Time, node: z.string().nullable(), text: z.string(), link: z.string().nullable() })),
  availability: z.object({
    up_ms: z.number(),
    degraded_ms: z.number(),
    down_ms: z.number(),
    unseen_ms: z.number(),
    maintenance_ms: z.number(),
  }),
});

/** Cells, oldest first; a number stands for so many more of the cell before it, as thousands of quiet days are alike. */
const cellsOf = <C extends z.ZodType>(cell: C) => z.array(z.union([cell, z.int().min(1)]));

/** `GET /api/v1/strips`: the last day of every node, or that before `at`, in equal cells. A cell is null for no data, else [status, share of its time]. */
export const Strips = z.object({
  from: Time,
  to: Time,
  cells: z.int(),
  nodes: z.record(z.string(), cellsOf(z.tuple([Status, z.number()]).nullable())),
  p95: z.record(z.string(), z.number()).describe("95th percentile of the poll latency over the last day, milliseconds"),
});

/** [worst known status, share of the day that it held], and where the day had any: degraded, down and unseen milliseconds. */
const DayCell = z.union([z.tuple([Status, z.number()]), z.tuple([Status, z.number(), z.number(), z.number(), z.number()])]).nullable();

/**
 * `GET /api/v1/strips/days`: the last days of the whole board, a cell a UTC day, oldest first; the last is today so far.
 * A cell is null where nothing was known all day.
 */
export const DayStrips = z.object({
  from: Time.describe("midnight UTC at which the first day begins"),
  to: Time,
  days: z.int(),
  nodes: z.record(z.string(), cellsOf(DayCell)),
  systems: z.record(z.string(), cellsOf(DayCell)),
  uptime: z
    .object({ nodes: z.record(z.string(), z.number()), systems: z.record(z.string(), z.number()) })
    .describe("up and degraded time over seen time, 0 to 1; absent for what was never seen"),
  p95: z.record(z.string(), z.number()).describe("95th percentile of the poll latency over the last day, milliseconds"),
});

/** `GET /api/v1/nodes/:id/whatif`: what its failure would do. */
export const WhatIf = z.object({
  node: z.string(),
  impacted: z.array(z.object({ node: z.string(), status: Status })),
  at_risk: z.array(z.string()),
  systems: z.array(z.object({ id: z.string(), name: z.string(), effect: Status })),
});

export type NodeDetail = z.infer<typeof NodeDetail>;
export type NodeHistory = z.infer<typeof NodeHistory>;
export type Strips = z.infer<typeof Strips>;
export type DayStrips = z.infer<typeof DayStrips>;
export type WhatIf = z.infer<typeof WhatIf>;
export type WitnessView = z.infer<typeof WitnessView>;
export type DependencyView = z.infer<typeof DependencyView>;
export type InstanceView = z.infer<typeof InstanceView>;
