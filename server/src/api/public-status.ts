import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { PublicStatus } from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import { type Status, worstStatus } from "../domain/status.ts";
import { ApiError } from "./errors.ts";
import { badge, icon, PUBLIC_STYLE, publicPage } from "./public-page.ts";
import type { App } from "./types.ts";
import { isBlind, time } from "./view.ts";

/** A badge may be this old on a page that shows it; what is older is asked for again. */
const BADGE_MAX_AGE_S = 30;

/** What anybody may know: the public systems in four plain words, as JSON, as a page and as a badge. */
export function publicRoutes(app: App, live: Live): void {
  app.get(
    "/status",
    { config: { access: "open" }, schema: { summary: "Public systems only", response: { 200: PublicStatus, 503: PublicStatus } } },
    async (_request, reply) => {
      const view = publicStatusView(live);
      return reply.code(view.status === "up" || view.status === "degraded" ? 200 : 503).send(view);
    },
  );

  const forPeople = { config: { access: "open" }, exposeHeadRoute: true } as const;
  app.get("/status.html", { ...forPeople, schema: { summary: "The same, for people, without a script" } }, async (request, reply) =>
    sendCacheable(request, reply, "text/html; charset=utf-8", "no-cache", publicPage(publicStatusView(live))),
  );
  app.get("/status.css", { ...forPeople, schema: { hide: true } }, async (request, reply) =>
    sendCacheable(request, reply, "text/css; charset=utf-8", "no-cache", PUBLIC_STYLE),
  );
  // Browsers ask for it with whatever names no icon of its own: the badge, the API.
  app.get("/favicon.ico", { ...forPeople, schema: { hide: true } }, async (request, reply) =>
    sendCacheable(request, reply, "image/svg+xml", "no-cache", icon(publicStatusView(live).status)),
  );
  app.get(
    "/status.svg",
    {
      ...forPeople,
      schema: { summary: "A badge: of all public systems, or of one", querystring: z.object({ system: z.string().max(200).optional() }) },
    },
    async (request, reply) => {
      const { status, systems } = publicStatusView(live);
      const { system: id } = request.query;
      const system = id === undefined ? { name: "status", status } : systems.find((one) => one.id === id);
      if (!system) throw new ApiError("not_found", "there is no public system of that id");
      // Other sites may show it: it says no more than /status.
      reply.header("cross-origin-resource-policy", "cross-origin");
      return sendCacheable(request, reply, "image/svg+xml", `public, max-age=${BADGE_MAX_AGE_S}`, badge(system.name, system.status));
    },
  );
}

/** Users' view: public systems in four plain words; nothing is vouched for while stale or blind, or without one. */
function publicStatusView(live: Live): z.infer<typeof PublicStatus> {
  const snapshot = live.snapshot();
  const signal = live.signal();
  const trusted = !signal.stale && !isBlind(snapshot, signal);
  const systems = [...snapshot.map.systems.values()]
    .filter((system) => system.public)
    .map(({ id, name }) => ({ id, name, status: trusted ? (snapshot.rollup.systems.get(id)?.status ?? "unknown") : ("unknown" as const) }));
  const whole: Status = systems.length === 0 ? "unknown" : worstStatus(systems.map(({ status }) => status));
  return {
    status: publicWord(whole),
    as_of: time(snapshot.now),
    systems: systems.map(({ id, name, status }) => ({ id, name, status: publicWord(status) })),
  };
}

function publicWord(status: Status): "up" | "degraded" | "down" | "unknown" {
  return ({ healthy: "up", degraded: "degraded", unhealthy: "down", unknown: "unknown" } as const)[status];
}

function sendCacheable(request: FastifyRequest, reply: FastifyReply, type: string, cacheControl: string, body: string): FastifyReply {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  reply.headers({ "cache-control": cacheControl, etag });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  return reply.type(type).send(body);
}
