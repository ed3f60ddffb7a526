import { z } from "zod";
import { Coverage, Freshness, MapStatus, NodeView, Status, SystemView, Time } from "./board.ts";
import { Incident } from "./incidents.ts";

/**
 * Event `board`. The first after connecting has empty lists and tells the current `boot` and `revision`; each later one
 * is the next revision. Another boot, or a jump of more than one, means: fetch the board again.
 */
export const BoardEvent = z.object({
  boot: z.string(),
  revision: z.int(),
  generated_at: Time,
  status: Status,
  coverage: Coverage,
  freshness: Freshness,
  map: MapStatus.optional().describe("only where a map was accepted or refused since the event before"),
  systems: z.array(SystemView).describe("all of them where one moved, else empty"),
  nodes: z.array(NodeView).describe("whole nodes whose status, role, reason, pending or marks moved"),
  seen: z.array(z.tuple([z.string(), Time, z.number().nullable()])).describe("[id, last_checked, latency_ms]"),
  removed: z.array(z.string()),
  incidents: z.array(Incident).describe("whole incidents that changed"),
});

/** Event `ping`, every 10 s. */
export const PingEvent = z.object({ at: Time, freshness: Freshness });

export type BoardEvent = z.infer<typeof BoardEvent>;
export type PingEvent = z.infer<typeof PingEvent>;
