import { z } from "zod";
import type * as wire from "../contract/index.ts";
import { ErrorBody, MaintenanceList, MaintenanceView, NewMaintenance } from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import type { AnnouncedWork, Maintenance } from "../domain/map.ts";
import { type Authenticator, cleanText } from "./auth.ts";
import { ApiError } from "./errors.ts";
import { actorOf } from "./incidents.ts";
import { RangeQuery } from "./range.ts";
import type { App } from "./types.ts";
import { time } from "./view.ts";
import { isAnnounced, MOST_WORKS, worksWithin } from "./works.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_LENGTH_MS = 30 * DAY_MS;
const MAX_AHEAD_MS = 366 * DAY_MS;
const Params = z.object({ id: z.string().regex(/^\d{1,15}$/, "the id of announced work is a number") });

/** Announced work: that of the map, and what people announce here. */
export function maintenanceRoutes(app: App, live: Live, auth: Authenticator): void {
  app.get(
    "/api/v1/maintenance",
    {
      config: { access: "viewer" },
      schema: {
        summary: "Announced work, the latest to begin first; what is not over where no range is given",
        querystring: RangeQuery.extend({ node: z.string().max(200).optional() }),
        response: { 200: MaintenanceList },
      },
    },
    async (request) => {
      const { from, to, node } = request.query;
      const works = worksWithin(
        live,
        from === undefined ? live.now() : Date.parse(from),
        to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
        node === undefined ? undefined : [node],
      );
      return { maintenance: works.slice(0, MOST_WORKS).map(workView), next: null };
    },
  );

  app.post(
    "/api/v1/maintenance",
    {
      config: { access: "operator" },
      schema: { summary: "Announce work on some nodes", body: NewMaintenance, response: { 201: MaintenanceView } },
    },
    async (request, reply) => {
      const { name, ...asked } = request.body;
      const actor = actorOf(auth.identify(request, live.now()), name);
      const announced = live.announceWork(workOf(asked, live), actor);
      if (!announced) throw new ApiError("bad_request", "too much work is announced already: end some of it first");
      return reply.code(201).send(workView(announced));
    },
  );

  app.delete(
    "/api/v1/maintenance/:id",
    {
      config: { access: "operator" },
      schema: { summary: "End announced work now, or call it off", params: Params, response: { 200: MaintenanceView, 404: ErrorBody } },
    },
    async (request) => {
      const ended = live.endWork(Number(request.params.id), actorOf(auth.identify(request, live.now()), undefined));
      if (!ended) throw new ApiError("not_found", "no announced work that is not over has this id; what the map declares ends in the map");
      return workView(ended);
    },
  );
}

function workView(work: Maintenance | AnnouncedWork): wire.MaintenanceView {
  const announced = isAnnounced(work) ? work : null;
  return {
    id: announced?.id ?? null,
    nodes: [...work.nodes],
    from: time(work.from),
    to: time(work.to),
    reason: work.reason,
    by: announced?.by ?? null,
    announced_at: announced && time(announced.announcedAt),
    ended_by: announced?.endedBy ?? null,
  };
}

/** What was asked for as work, or a refusal that names what is wrong with it. */
function workOf(asked: Omit<z.infer<typeof NewMaintenance>, "name">, live: Live): Maintenance {
  const now = live.now();
  const { map } = live.snapshot();
  const refuse = (what: string): never => {
    throw new ApiError("bad_request", what);
  };
  const reason = cleanText(asked.reason, 400);
  if (reason === "") refuse("body.reason: holds nothing to read");
  const nodes = [...new Set(asked.nodes)];
  const unknown = nodes.find((id) => !map.nodes.has(id));
  if (unknown !== undefined) refuse(`body.nodes: no node has the id ${unknown}`);
  const from = asked.from === undefined ? now : Date.parse(asked.from);
  const to = Date.parse(asked.to);
  if (from < now - HOUR_MS) refuse("body.from: lies more than an hour back");
  if (from > now + MAX_AHEAD_MS) refuse("body.from: lies more than a year ahead");
  if (to <= from || to <= now) refuse("body.to: must lie after the beginning, and after now");
  if (to - from > MAX_LENGTH_MS) refuse("body.to: work lasts at most 30 days; what lasts longer belongs into the map");
  return { nodes, from, to, reason };
}
