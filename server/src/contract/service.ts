import { z } from "zod";
import { Criticality, MapStatus, Problem, StalenessCode, Time } from "./board.ts";

export const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** `GET /staleness`: 200 while fresh, 503 otherwise. */
export const Staleness = z.object({
  stale: z.boolean(),
  because: z.array(StalenessCode),
  last_answer_at: Time.nullable(),
  age_ms: z.number().nullable(),
  limit_ms: z.number(),
  reporting: z.int(),
  instances: z.int(),
  overdue: z.int(),
  last_write_at: Time.nullable(),
  write_age_ms: z.number().nullable(),
});

/** `GET /status`: public systems only. */
export const PublicStatus = z.object({
  status: z.enum(["up", "degraded", "down", "unknown"]),
  as_of: Time,
  systems: z.array(z.object({ id: z.string(), name: z.string(), status: z.enum(["up", "degraded", "down", "unknown"]) })),
});

/** `GET /health/deep`: Headwater's own deep endpoint, in the contract that services report in. */
export const DeepReport = z.object({
  status: z.enum(["healthy", "degraded", "unhealthy", "starting", "draining"]),
  components: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["up", "down"]),
      criticality: Criticality,
      latency_ms: z.number(),
      last_checked: Time,
      age_ms: z.number(),
      error: z.string().optional(),
    }),
  ),
});

export const Version = z.object({
  name: z.string(),
  version: z.string(),
  commit: z.string().nullable(),
  node: z.string(),
  boot: z.string(),
  started_at: Time,
});

/** `GET /api/v1/map`: the map as loaded, with places. Header values never appear. */
export const MapView = z.object({
  status: MapStatus,
  hash: z.string(),
  commit: z.string().nullable(),
  warnings: z.array(Problem),
  teams: z.array(z.object({ id: z.string(), name: z.string(), contact: z.string().nullable(), nodes: z.int() })),
  nodes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(["service", "resource"]),
      resource_kind: z.string().nullable(),
      team: z.string().nullable(),
      urls: z.array(z.string()),
      interval_ms: z.number().nullable(),
      timeout_ms: z.number().nullable(),
      format: z.string().nullable().describe("as declared"),
      detected: z.string().nullable().describe("the dialect in which it last answered"),
      file: z.string(),
      line: z.int(),
      tags: z.record(z.string(), z.string()),
    }),
  ),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      criticality: Criticality,
      owner: z.string().nullable(),
      reviewed: z.string().nullable(),
      group: z.int().nullable(),
      need: z.int().nullable(),
      components: z.array(z.string()),
      file: z.string(),
      line: z.int(),
    }),
  ),
  systems: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      public: z.boolean(),
      members: z.array(z.object({ node: z.string(), criticality: Criticality })),
      file: z.string(),
      line: z.int(),
    }),
  ),
});

/** What one accepted map changed in effect against the one before it; lists are cut, counts are not. */
export const RevisionDiff = z.object({
  changes: z.array(z.string()).describe("one sentence each, at most 60"),
  changes_total: z.int(),
  affected: z.array(z.string()).describe("nodes and systems for which some failure now ends otherwise, at most 60"),
  affected_total: z.int(),
  teams: z.array(z.string()).describe("who had to agree"),
});

export const RevisionList = z.object({
  revisions: z.array(
    z.object({
      revision: z.int(),
      at: Time,
      hash: z.string(),
      commit: z.string().nullable(),
      summary: z.string(),
      diff: RevisionDiff.nullable().optional().describe("null for the first; absent where it was not worked out"),
    }),
  ),
  refused: MapStatus.shape.refused,
  next: z.string().nullable(),
});

export const NewMapCheck = z.strictObject({ file: z.string().min(1).max(200).default("map/change.yaml"), text: z.string().max(1_000_000) });
export const MapCheck = z.object({ errors: z.array(Problem), warnings: z.array(Problem) });

export const NewChange = z.strictObject({
  node: z.string().max(128).optional(),
  text: z.string().min(1).max(400),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  at: z.iso.datetime({ offset: true }).optional(),
  name: z.string().min(1).max(80).optional(),
});

/** `POST /api/v1/maintenance`: work on some nodes, from now where no `from` is given. */
export const NewMaintenance = z.strictObject({
  nodes: z.array(z.string().min(1).max(128)).min(1).max(200),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }),
  reason: z.string().min(1).max(400),
  name: z.string().min(1).max(80).optional(),
});

export const MaintenanceView = z.object({
  id: z.int().nullable().describe("null for work that the map itself declares, which nobody can end here"),
  nodes: z.array(z.string()),
  from: Time,
  to: Time,
  reason: z.string(),
  by: z.string().nullable(),
  announced_at: Time.nullable(),
  ended_by: z.string().nullable().describe("who ended it before its time"),
});
export const MaintenanceList = z.object({ maintenance: z.array(MaintenanceView), next: z.string().nullable() });

export const Availability = z.object({
  from: Time,
  to: Time,
  up_ms: z.number(),
  degraded_ms: z.number(),
  down_ms: z.number(),
  unseen_ms: z.number(),
  maintenance_ms: z.number(),
  availability: z.number().nullable().describe("up and degraded time over seen time; null when nothing was seen"),
});

export const PublicWord = z.enum(["up", "degraded", "down", "unknown"]);
export type PublicStatus = z.infer<typeof PublicStatus>;
export type Staleness = z.infer<typeof Staleness>;
export type DeepReport = z.infer<typeof DeepReport>;
export type Version = z.infer<typeof Version>;
export type MapView = z.infer<typeof MapView>;
export type RevisionDiff = z.infer<typeof RevisionDiff>;
export type RevisionList = z.infer<typeof RevisionList>;
export type MapCheck = z.infer<typeof MapCheck>;
export type Availability = z.infer<typeof Availability>;
export type ErrorBody = z.infer<typeof ErrorBody>;

/** `POST /api/v1/session`: the token becomes a cookie that scripts cannot read. */
export const NewSession = z.strictObject({ token: z.string().min(1).max(1_000) });

/** `GET /api/v1/session`: who is asking, and how people log in here. */
export const Session = z.object({
  auth: z.enum(["none", "tokens", "proxy"]),
  user: z.object({ name: z.string().nullable(), role: z.enum(["viewer", "operator"]) }).nullable(),
});

export const ChangeView = z.object({
  at: Time,
  node: z.string().nullable(),
  text: z.string(),
  link: z.string().nullable(),
  by: z.string().nullable(),
});
export const ChangeList = z.object({ changes: z.array(ChangeView), next: z.string().nullable() });

/** `GET /api/v1/spof`: nodes whose failure alone makes a system unhealthy; without systems, what makes any service so. */
export const SinglePoints = z.object({
  map_revision: z.int(),
  points: z
    .array(
      z.object({
        node: z.string(),
        name: z.string(),
        team: z.string().nullable(),
        systems: z.array(z.string()).describe("ids of the systems that it makes unhealthy"),
        unhealthy: z.int().describe("other nodes that it makes unhealthy"),
        degraded: z.int(),
      }),
    )
    .describe("those that break most first"),
});

/** `GET /api/v1/stats`: what caused trouble in a range, how soon it was noticed and how long it lasted. */
export const Stats = z.object({
  from: Time,
  to: Time,
  incidents: z.int().describe("opened in the range, absorbed ones left out"),
  by_severity: z.object({ page: z.int(), ticket: z.int(), info: z.int() }),
  mttd_ms: z.number().nullable().describe("mean time from the first sign to its confirmation; null without incidents"),
  mttr_ms: z
    .number()
    .nullable()
    .describe("mean time from the first sign to the end, of those that are over; those that a map ended count not"),
  distinct_causes: z.int().describe("nodes that were a cause; `causes` lists a hundred of them at most"),
  causes: z
    .array(
      z.object({
        node: z.string(),
        team: z.string().nullable(),
        incidents: z.int(),
        open_ms: z.number(),
        mttr_ms: z.number().nullable(),
        last_opened_at: Time,
      }),
    )
    .describe("what failed most: by how often, then by how long"),
  truncated: z.boolean().describe("true where the range holds more incidents than were counted"),
});

export type SinglePoints = z.infer<typeof SinglePoints>;
export type Stats = z.infer<typeof Stats>;
export type Session = z.infer<typeof Session>;
export type MaintenanceView = z.infer<typeof MaintenanceView>;
export type MaintenanceList = z.infer<typeof MaintenanceList>;
export type ChangeList = z.infer<typeof ChangeList>;
export type ChangeView = z.infer<typeof ChangeView>;
