import { z } from "zod";
import type * as wire from "../contract/index.ts";
import { Availability, ChangeList, ChangeView, DayStrips, ErrorBody, NewChange, Strips, Version } from "../contract/index.ts";
import type { ChangeMark } from "../domain/history.ts";
import type { Live } from "../domain/live.ts";
import { type Authenticator, cleanText } from "./auth.ts";
import { ApiError } from "./errors.ts";
import { actorOf } from "./incidents.ts";
import { sendPayload } from "./payload.ts";
import { createPercentiles } from "./percentiles.ts";
import { MomentQuery, RangeQuery, rangeOf } from "./range.ts";
import { createStrips } from "./strips.ts";
import type { App } from "./types.ts";
import { availabilityView, time } from "./view.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** What is read from history across nodes: strips, availability, changes. */
export function historyRoutes(app: App, live: Live, auth: Authenticator): void {
  const percentiles = createPercentiles(live);
  const strips = createStrips(live, (at) => (at === null ? percentiles.p95() : percentiles.p95At(at)));
  app.addHook("onClose", async () => percentiles.close());

  app.get(
    "/api/v1/strips",
    {
      config: { access: "viewer" },
      schema: {
        summary: "Every node's recent time in equal cells, or that before a moment",
        querystring: z.object({
          hours: z.coerce.number().int().min(1).max(2_400).default(24),
          cells: z.coerce.number().int().min(1).max(400).default(92),
          at: MomentQuery.optional(),
        }),
        response: { 200: Strips },
      },
    },
    async (request, reply) => {
      const { hours, cells, at } = request.query;
      const moment = at === undefined ? null : Math.min(Date.parse(at), live.now());
      return sendPayload(request, reply, await strips.cells(hours, cells, moment));
    },
  );

  app.get(
    "/api/v1/strips/days",
    {
      config: { access: "viewer" },
      schema: {
        summary: "The last UTC days of every node and system, a cell a day",
        querystring: z.object({ days: z.coerce.number().int().min(1).max(92).default(90) }),
        response: { 200: DayStrips },
      },
    },
    async (request, reply) => sendPayload(request, reply, await strips.days(request.query.days)),
  );

  app.get(
    "/api/v1/availability",
    {
      config: { access: "viewer" },
      schema: {
        summary: "Up, down and unseen time of a system or node; the last 30 days where no range is given",
        querystring: RangeQuery.extend({ system: z.string().max(200).optional(), node: z.string().max(200).optional() }),
        response: { 200: Availability, 404: ErrorBody },
      },
    },
    async (request) => {
      const { system, node } = request.query;
      const { map } = live.snapshot();
      if ((system === undefined) === (node === undefined)) throw new ApiError("bad_request", "ask for one system or one node");
      if (system !== undefined && !map.systems.has(system)) throw new ApiError("not_found", "no system has this id");
      if (node !== undefined && !map.nodes.has(node)) throw new ApiError("not_found", "no node has this id");
      const { from, to } = rangeOf(request.query, live.now(), 30 * DAY_MS);
      const times = live.history().availability(system === undefined ? "node" : "system", system ?? node ?? "", from, to);
      const seen = times.up + times.degraded + times.down;
      return {
        from: time(from),
        to: time(to),
        ...availabilityView(times),
        availability: seen === 0 ? null : (times.up + times.degraded) / seen,
      };
    },
  );

  app.get(
    "/api/v1/changes",
    {
      config: { access: "viewer" },
      schema: { summary: "Marked deploys and other changes, newest first", querystring: RangeQuery, response: { 200: ChangeList } },
    },
    async (request) => {
      const { from, to } = rangeOf(request.query, live.now(), DAY_MS);
      const changes = [...live.history().changes(from, to, 500)].sort((a, b) => b.at - a.at);
      return { changes: changes.map(changeView), next: null };
    },
  );

  app.post(
    "/api/v1/changes",
    {
      config: { access: "operator" },
      schema: { summary: "Mark a deploy or other change", body: NewChange, response: { 201: ChangeView } },
    },
    async (request, reply) => {
      const { node = null, link = null, name } = request.body;
      const at = request.body.at === undefined ? live.now() : Date.parse(request.body.at);
      const text = cleanText(request.body.text, 400);
      if (text === "") throw new ApiError("bad_request", "body.text: holds nothing to read");
      if (node !== null && !live.snapshot().map.nodes.has(node)) throw new ApiError("bad_request", "body.node: no node has this id");
      if (at > live.now() + HOUR_MS) throw new ApiError("bad_request", "body.at: lies in the future");
      const actor = actorOf(auth.identify(request, live.now()), name);
      live.markChange({ at, node, text, link }, actor);
      return reply.code(201).send(changeView({ at, node, text, link, by: actor.name }));
    },
  );
}

function changeView({ at, node, text, link, by }: ChangeMark): wire.ChangeView {
  return { at: time(at), node, text, link, by };
}

/** Which build answers. */
export function versionRoutes(app: App, live: Live, build: { version: string; commit: string | null }): void {
  app.get(
    "/api/v1/version",
    { config: { access: "viewer" }, schema: { summary: "Which build answers", response: { 200: Version } } },
    async () => ({
      name: "headwater",
      version: build.version,
      commit: build.commit,
      node: process.versions.node,
      boot: live.boot,
      started_at: time(live.startedAt),
    }),
  );
}
