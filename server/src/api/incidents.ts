import { z } from "zod";
import type * as wire from "../contract/index.ts";
import { ErrorBody, IncidentDetail, IncidentList, NewAck, NewNote } from "../contract/index.ts";
import { parseDuration } from "../domain/duration.ts";
import type { IncidentQuery } from "../domain/history.ts";
import { type Incident, type Step, wayAlong, wayToCause } from "../domain/incident.ts";
import type { Actor, Live } from "../domain/live.ts";
import type { SystemMap } from "../domain/map.ts";
import { type Authenticator, cleanText, type Identity } from "./auth.ts";
import { ApiError } from "./errors.ts";
import { Members, payloadOf, sendPayload } from "./payload.ts";
import { ListQuery, RangeQuery } from "./range.ts";
import { timelineOf } from "./timeline.ts";
import { inTurns } from "./turns.ts";
import type { App } from "./types.ts";
import { incidentView, incomingEdges } from "./view.ts";

/** So many incidents are read before others get their turn. */
const A_STEP = 50;
const MAX_ACK_MS = 366 * 86_400_000;
const Id = z.string().max(200);
const Params = z.object({ id: z.string().regex(/^\d{1,15}$/, "an incident's id is a number") });
const Query = ListQuery.extend(RangeQuery.shape).extend({
  open: z.enum(["true", "false"]).optional(),
  node: Id.optional(),
  system: Id.optional(),
  team: Id.optional(),
});

export function incidentRoutes(app: App, live: Live, auth: Authenticator): void {
  app.get(
    "/api/v1/incidents",
    { config: { access: "viewer" }, schema: { summary: "Incidents, newest first", querystring: Query, response: { 200: IncidentList } } },
    async (request, reply) => {
      const query = queryOf(request.query, live.snapshot().map);
      return sendPayload(request, reply, payloadOf(await inTurns(listOf(live, query))));
    },
  );

  app.get(
    "/api/v1/incidents/:id",
    {
      config: { access: "viewer" },
      schema: { summary: "One incident in full", params: Params, response: { 200: IncidentDetail, 404: ErrorBody } },
    },
    async (request) => detail(live, find(live, Number(request.params.id))),
  );

  app.post(
    "/api/v1/incidents/:id/notes",
    {
      config: { access: "operator" },
      schema: { summary: "Add a note to the timeline", params: Params, body: NewNote, response: { 201: IncidentDetail, 404: ErrorBody } },
    },
    async (request, reply) => {
      const text = cleanText(request.body.text, 4_000);
      if (text === "") throw new ApiError("bad_request", "body.text: holds nothing to read");
      const actor = actorOf(auth.identify(request, live.now()), request.body.name);
      const incident = live.note(Number(request.params.id), text, actor);
      return reply.code(201).send(detail(live, incident ?? notFound()));
    },
  );

  app.post(
    "/api/v1/incidents/:id/ack",
    {
      config: { access: "operator" },
      schema: {
        summary: "Acknowledge, or take that back",
        params: Params,
        body: NewAck,
        response: { 200: IncidentDetail, 404: ErrorBody },
      },
    },
    async (request) => {
      const { note, name, expires_in, clear = false } = request.body;
      const id = Number(request.params.id);
      if (!clear && find(live, id).status === "resolved") throw new ApiError("bad_request", "the incident is over");
      const actor = actorOf(auth.identify(request, live.now()), name);
      const clean = note === undefined ? "" : cleanText(note, 4_000);
      const ack = { note: clean === "" ? null : clean, until: expires_in === undefined ? null : live.now() + lasting(expires_in), clear };
      return detail(live, live.acknowledge(id, ack, actor) ?? notFound());
    },
  );
}

/** A page as JSON, some incidents a step. */
function* listOf(live: Live, query: IncidentQuery): Generator<void, Buffer> {
  const members = new Members();
  let next = query.cursor ?? null;
  for (let left = query.limit; left > 0; ) {
    const page = live.history().incidents({ ...query, limit: Math.min(left, A_STEP), ...(next === null ? {} : { cursor: next }) });
    for (const incident of page.incidents) members.add(JSON.stringify(incidentView(incident)));
    left -= page.incidents.length;
    next = page.next;
    if (next === null) break;
    yield;
  }
  const end = JSON.stringify({ next: next === null ? null : String(next) }).slice(1);
  return Buffer.concat([Buffer.from('{"incidents":'), ...members.between("[", "]"), Buffer.from(`,${end}`)]);
}

function notFound(): never {
  throw new ApiError("not_found", "no incident has this id");
}

function find(live: Live, id: number): Incident {
  return live.snapshot().incidents.find((incident) => incident.id === id) ?? live.history().incident(id) ?? notFound();
}

function lasting(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms > MAX_ACK_MS) throw new ApiError("bad_request", "body.expires_in: a duration such as 30m, at most 366d");
  return ms;
}

/** Who writes: the login's name where there is one; on a board without logins, writers name themselves. */
export function actorOf(identity: Identity | null, said: string | undefined): Actor {
  const name = said === undefined ? "" : cleanText(said, 80);
  if (!identity || identity.name === null) return { name: name === "" ? "anonymous" : name };
  return { name: name === "" || name === identity.name ? identity.name : `${name} (${identity.name})` };
}

function queryOf(query: z.infer<typeof Query>, map: SystemMap): IncidentQuery {
  const { open, from, to, node, system, team, cursor, limit } = query;
  return {
    limit,
    ...(open === undefined ? {} : { open: open === "true" }),
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) }),
    ...(node === undefined ? {} : { node }),
    ...(system === undefined ? {} : { system }),
    ...(team === undefined ? {} : { nodes: [...map.nodes.values()].filter((candidate) => candidate.team === team).map(({ id }) => id) }),
    ...(cursor === undefined ? {} : { cursor: Number(cursor) }),
  };
}

function detail(live: Live, incident: Incident): wire.IncidentDetail {
  const { map, verdict } = live.snapshot();
  const paths: Record<string, string[]> = {};
  const cuts: Record<string, number> = {};
  const cause = incident.cause;
  if (cause) {
    const involved = new Set(incident.impacted.map(({ node }) => node));
    const steps = stepsTo(cause.node, map, involved);
    for (const node of involved) {
      const judged = wayToCause(verdict, node);
      const { ids, cut } = judged.ids.at(-1) === cause.node ? judged : wayAlong(steps, node, cause.node);
      paths[node] = [...ids];
      if (cut > 0) cuts[node] = cut;
    }
  }
  return {
    ...incidentView(incident),
    events: timelineOf(live, incident),
    paths,
    ...(Object.keys(cuts).length > 0 ? { paths_cut: cuts } : {}),
  };
}

/** From each of those involved its next step towards the cause, on the shortest way along declared edges among them. */
export function stepsTo(cause: string, map: SystemMap, involved: ReadonlySet<string>): Map<string, Step> {
  const steps = new Map<string, Step>();
  const incoming = incomingEdges(map);
  const queue = [cause];
  for (const to of queue) {
    const left = (steps.get(to)?.left ?? 0) + 1;
    for (const { from } of incoming.get(to) ?? []) {
      if (from === cause || !involved.has(from) || steps.has(from)) continue;
      steps.set(from, { to, left });
      queue.push(from);
    }
  }
  return steps;
}
