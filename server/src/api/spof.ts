import { setImmediate as breathe } from "node:timers/promises";
import type * as wire from "../contract/index.ts";
import { SinglePoints } from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import type { SystemMap } from "../domain/map.ts";
import type { WhatIfOf } from "./nodes.ts";
import { type Payload, payloadOf, sendPayload } from "./payload.ts";
import type { App } from "./types.ts";

/** Nodes that are let fail before polls and other requests get their turn. */
const AT_ONCE = 10;

export function spofRoutes(app: App, live: Live, whatIf: WhatIfOf): void {
  let made: { map: SystemMap; payload: Promise<Payload> } | null = null;
  app.get(
    "/api/v1/spof",
    { config: { access: "viewer" }, schema: { summary: "Single points of failure, by the declared map", response: { 200: SinglePoints } } },
    async (request, reply) => {
      const { map, mapRevision } = live.snapshot();
      if (made?.map !== map) {
        const payload = singlePoints(map, whatIf).then((points) =>
          payloadOf(Buffer.from(JSON.stringify({ map_revision: mapRevision, points }))),
        );
        made = { map, payload };
      }
      return sendPayload(request, reply, await made.payload);
    },
  );
}

/** Lets each node fail alone and keeps those that break a system, or any service where no system is declared. */
async function singlePoints(map: SystemMap, whatIf: WhatIfOf): Promise<wire.SinglePoints["points"]> {
  const points: wire.SinglePoints["points"] = [];
  let tried = 0;
  for (const { id, name, team } of map.nodes.values()) {
    if (++tried % AT_ONCE === 0) await breathe();
    const { impacted, systems: hit } = whatIf(map, id);
    const systems = hit.flatMap((system) => (system.effect === "unhealthy" ? [system.id] : []));
    const unhealthy = impacted.filter(({ status }) => status === "unhealthy").length;
    if (systems.length === 0 && (map.systems.size > 0 || unhealthy === 0)) continue;
    points.push({ node: id, name, team, systems, unhealthy, degraded: impacted.length - unhealthy });
  }
  return points.sort((a, b) => b.systems.length - a.systems.length || b.unhealthy - a.unhealthy || b.degraded - a.degraded);
}
