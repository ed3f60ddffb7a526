import { setImmediate as breathe } from "node:timers/promises";
import { byDamage, singlePoint } from "../analysis/whatif.ts";
import type * as wire from "../contract/index.ts";
import { SinglePoints } from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import type { SystemMap } from "../domain/map.ts";
import { type Payload, payloadOf, sendPayload } from "./payload.ts";
import type { App } from "./types.ts";

/** Nodes that are let fail before polls and other requests get their turn. */
const AT_ONCE = 10;

export function spofRoutes(app: App, live: Live): void {
  let made: { map: SystemMap; payload: Promise<Payload> } | null = null;
  app.get(
    "/api/v1/spof",
    { config: { access: "viewer" }, schema: { summary: "Single points of failure, by the declared map", response: { 200: SinglePoints } } },
    async (request, reply) => {
      const { map, mapRevision } = live.snapshot();
      if (made?.map !== map) {
        const payload = singlePoints(map).then((points) => payloadOf(Buffer.from(JSON.stringify({ map_revision: mapRevision, points }))));
        made = { map, payload };
      }
      return sendPayload(request, reply, await made.payload);
    },
  );
}

/** The same ranking as the command's, with a breath between nodes. */
async function singlePoints(map: SystemMap): Promise<wire.SinglePoints["points"]> {
  const points: wire.SinglePoints["points"] = [];
  let tried = 0;
  for (const { id, name, team } of map.nodes.values()) {
    if (++tried % AT_ONCE === 0) await breathe();
    const point = singlePoint(map, id);
    if (point) points.push({ ...point, systems: [...point.systems], name, team });
  }
  return byDamage(points);
}
