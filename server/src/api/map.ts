import type { z } from "zod";
import { jsonSchema } from "../config/document.ts";
import type * as wire from "../contract/index.ts";
import { MapCheck, MapView, NewMapCheck, RevisionList } from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import type { SystemMap } from "../domain/map.ts";
import { ApiError } from "./errors.ts";
import { type Payload, payloadOf, sendPayload } from "./payload.ts";
import { ListQuery } from "./range.ts";
import type { App } from "./types.ts";
import { MAX_PROBLEMS, mapStatusView, problemView, publicUrl, time } from "./view.ts";

/** What revisions of the map changed, each against the one before it; worked out elsewhere, and not always at hand. */
export interface DiffSource {
  of(revisions: readonly number[]): Promise<ReadonlyMap<number, wire.RevisionDiff | null>>;
}

export function mapRoutes(app: App, live: Live, diffs: DiffSource): void {
  let made: { map: SystemMap; facts: string; payload: Payload } | null = null;

  app.get(
    "/api/v1/map",
    { config: { access: "viewer" }, schema: { summary: "The map as loaded, with places", response: { 200: MapView } } },
    async (request, reply) => {
      const { map } = live.snapshot();
      const detected = detectedFormats(live);
      const facts = `${live.mapInfo().refused?.at} ${[...detected.values()].join()}`;
      if (made?.map !== map || made.facts !== facts)
        made = { map, facts, payload: payloadOf(Buffer.from(JSON.stringify(mapView(live, map, detected)))) };
      return sendPayload(request, reply, made.payload);
    },
  );

  app.get(
    "/api/v1/map/schema",
    { config: { access: "viewer" }, schema: { summary: "The JSON Schema of the map's files, for editors" } },
    async (_request, reply) => reply.header("content-disposition", 'attachment; filename="headwater.schema.json"').send(jsonSchema("any")),
  );

  app.post(
    "/api/v1/map/check",
    {
      config: { access: "viewer" },
      bodyLimit: 1_200_000,
      schema: { summary: "Check a map text without applying it", body: NewMapCheck, response: { 200: MapCheck } },
    },
    async (request) => {
      const { file, text } = request.body;
      if (!isMapFile(file)) throw new ApiError("bad_request", "body.file: a .yaml file within the config folder, such as map/change.yaml");
      const { errors, warnings } = live.checkMap(file, text);
      return { errors: errors.slice(0, MAX_PROBLEMS).map(problemView), warnings: warnings.slice(0, MAX_PROBLEMS).map(problemView) };
    },
  );

  app.get(
    "/api/v1/revisions",
    {
      config: { access: "viewer" },
      schema: { summary: "Accepted maps and the last refusal", querystring: ListQuery, response: { 200: RevisionList } },
    },
    async (request): Promise<z.infer<typeof RevisionList>> => {
      const { cursor, limit } = request.query;
      const page = live.history().revisionHeads(limit, cursor === undefined ? undefined : Number(cursor));
      const changed = await diffs.of(page.revisions.map(({ revision }) => revision));
      return {
        revisions: page.revisions.map(({ revision, acceptedAt, hash, commit, summary }) => ({
          revision,
          at: time(acceptedAt),
          hash,
          commit,
          summary,
          ...(changed.has(revision) ? { diff: changed.get(revision) ?? null } : {}),
        })),
        refused: mapStatusView(live).refused,
        next: page.next === null ? null : String(page.next),
      };
    },
  );
}

/** The dialect in which each polled service last answered, where it has. */
function detectedFormats(live: Live): ReadonlyMap<string, string> {
  const detected = new Map<string, string>();
  for (const { service, format } of live.snapshot().state.instances.values()) if (format !== null) detected.set(service, format);
  return detected;
}

function isMapFile(file: string): boolean {
  const parts = file.split("/");
  return /\.ya?ml$/.test(file) && parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\p{Cc}\\:]/u.test(part));
}

/** The whole map with the places at which it is declared; header values and credentials are not in it. */
function mapView(live: Live, map: SystemMap, detected: ReadonlyMap<string, string>): wire.MapView {
  const info = live.mapInfo();
  const nodes = [...map.nodes.values()];
  const services = nodes.flatMap((node) => (node.kind === "service" ? [node] : []));
  const nodesByTeam = new Map<string, number>();
  for (const { team } of nodes) if (team !== null) nodesByTeam.set(team, (nodesByTeam.get(team) ?? 0) + 1);
  return {
    status: mapStatusView(live),
    hash: info.hash,
    commit: info.commit,
    warnings: info.warnings.slice(0, MAX_PROBLEMS).map(problemView),
    teams: [...map.teams.values()].map(({ id, name, contact }) => ({ id, name, contact, nodes: nodesByTeam.get(id) ?? 0 })),
    nodes: nodes.map((node) => {
      const service = node.kind === "service" ? node : null;
      const isPolled = service !== null && service.instances.length > 0;
      return {
        id: node.id,
        name: node.name,
        kind: node.kind,
        resource_kind: node.kind === "resource" ? node.resourceKind : null,
        team: node.team,
        urls: service?.instances.map(({ url, shown }) => publicUrl(shown ?? url)) ?? [],
        interval_ms: isPolled ? service.interval : null,
        timeout_ms: isPolled ? service.timeout : null,
        format: isPolled ? service.format : null,
        detected: detected.get(node.id) ?? null,
        file: node.place.file,
        line: node.place.line,
        tags: { ...node.tags },
      };
    }),
    edges: services.flatMap((service) =>
      service.edges.map(({ from, to, criticality, owner, reviewed, group, components, place }) => ({
        from,
        to,
        criticality,
        owner,
        reviewed,
        group,
        need: group === null ? null : (service.groups[group]?.need ?? null),
        components: [...components],
        file: place.file,
        line: place.line,
      })),
    ),
    systems: [...map.systems.values()].map(({ id, name, public: isPublic, members, place }) => ({
      id,
      name,
      public: isPublic,
      members: members.map(({ node, criticality }) => ({ node, criticality })),
      file: place.file,
      line: place.line,
    })),
  };
}
